/* SPDX-License-Identifier: MIT
 *
 * subgraph.h: a node that is a whole graph. It is inlined while its document is read: the nodes
 * that its output needs become nodes "outer.inner" of the graph around it, its slots become ports,
 * its exposed parameters can be given here. What stood in the document is kept beside the flat
 * graph, so that the canonical text has the same form. Internal to api/wire but for the schema.
 */
#ifndef LOAM_API_WIRE_SUBGRAPH_H
#define LOAM_API_WIRE_SUBGRAPH_H

#include "api/wire/graph_document.h"

/* Graphs in one document, whether they are used or not: each costs a look into the store. */
#define SUBGRAPHS_MAX 256

struct item;
struct graph_reader;

typedef struct subgraph {
    loam_text name;
    graph_document nested; /* flat, sorted, with the parameters that were given */
    uint32_t output;       /* of `nested` */
    loam_text graph_json;  /* the graph before its parameters, or the digest, as a JSON value */
    loam_text result;      /* what others take from it: "name.node" and a side */
    loam_text *inputs;     /* for each slot of `nested`: its source as it was written, or empty */
    bool *fed;             /* for each slot of `nested`: a node is to feed it, not a slot */
    bool *needed;          /* for each node of `nested`: the output needs it, and it is inlined */
    bool seed_pinned;
    uint64_t seed;
} subgraph;

/* The schema, as tools see it. It is in no table of core: there it has gone by the time that
 * anything is computed. */
extern const loam_operation subgraph_operation;
/* "document" or "string": the kinds of its parameters. */
const char *subgraph_param_kind(uint32_t param);

/* The subgraph of a name, or NULL. */
const subgraph *subgraph_find(const graph_document *document, loam_text name);
/* Whether a node of a document is one. */
bool subgraph_stands_at(const struct item *node);

/* The first pass: its document, its parameters, its nodes. */
void subgraph_read(const struct graph_reader *reader, const struct item *at);
/* The second: its inputs, and the links between its nodes. */
void subgraph_read_inputs(const struct graph_reader *reader, const subgraph *of,
                          const struct item *inputs);
/* Whether a nested node is a points.input whose slot a node feeds: it has nothing to do then, and
 * what takes from it takes from that node. So a graph of its own can also be a part. */
bool subgraph_is_bypassed(const subgraph *of, uint32_t node);
/* "name" of a subgraph becomes the inlined node that it stands for; any other source stays. */
LOAM_MUST_USE loam_status subgraph_map_source(const struct graph_reader *reader,
                                              const struct item *at, loam_text source,
                                              loam_text *mapped);
/* Exposes a parameter that the nested graph exposes. */
void subgraph_expose(const struct graph_reader *reader, const subgraph *of, loam_text name,
                     const struct item *key);

/* The node as it stands in a canonical text. */
void subgraph_write(text_buffer *buffer, const subgraph *of);
/* The key under which `of` exposes a parameter of its inlined node. */
loam_text subgraph_exposed_key(const subgraph *of, const loam_node *inlined, uint32_t param);

#endif
