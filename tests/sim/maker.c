/* SPDX-License-Identifier: MIT
 *
 * maker.c: nodes, and what feeds their ports. A node is made after its sources: those that are
 * there already, or new ones, samplers where the graph grows deep.
 */
#include "tests/sim/maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODE_BYTES = 16, NAME_BYTES = 32, INPUT_BYTES = 1000, POOL = 64, DEPTH = 3 };

/* Names of nodes by what they give. */
typedef struct maker_pool {
    char names[POOL][NAME_BYTES];
    uint32_t count;
} maker_pool;

struct maker {
    dice *from;
    made_graph *made;
    maker_pool points, spatial;
    uint32_t slots; /* bit: a kind's slot is there */
    uint32_t node_count;
    uint32_t depth;
    char *line; /* being written */
};

static void make_node(maker *make, const loam_operation *operation);
static void go_on(maker *make, const loam_operation *operation, loam_port_kind kind);

dice *maker_dice(maker *make) {
    return make->from;
}

sim_place maker_place(const maker *make) {
    return make->made->place;
}

static char *next_line(maker *make) {
    if (make->made->line_count == MADE_LINES) {
        abort();
    }
    char *line = make->made->lines[make->made->line_count++];
    *line = 0;
    return line;
}

void maker_write(maker *make, const char *format, ...) {
    size_t size = strlen(make->line);
    va_list list;
    va_start(list, format);
    vsnprintf(make->line + size, MADE_LINE_BYTES - size, format, list);
    va_end(list);
}

bool maker_wrote(const maker *make, const char *text) {
    return strstr(make->line, text) != NULL;
}

/* ---- Sources -------------------------------------------------------------------------------- */

static const char *use_slot(maker *make, loam_port_kind kind) {
    static const char *const names[] = {[LOAM_PORT_HEIGHTFIELD] = "$hills",
                                        [LOAM_PORT_LINES] = "$ways",
                                        [LOAM_PORT_AREAS] = "$zones",
                                        [LOAM_PORT_POINTS] = "$trees"};
    if ((make->slots >> kind & 1) == 0) {
        make->slots |= 1u << kind;
        snprintf(next_line(make), MADE_LINE_BYTES, "%s %s", names[kind], loam_port_kind_name(kind));
    }
    return names[kind];
}

static const char *use_rules(maker *make, const loam_operation *operation) {
    bool biome = strcmp(operation->name, "biome.generate") == 0;
    char *json = biome ? make->made->biome_rules : make->made->grammar_rules;
    const char *name = biome ? "$biomes" : "$modules";
    if (*json == 0) {
        (biome ? biome_rules_make : grammar_rules_make)(make->from, json);
        snprintf(next_line(make), MADE_LINE_BYTES, "%s rules", name);
    }
    return name;
}

static const loam_operation *operation_named(const char *name) {
    return loam_operation_find(loam_text_of(name), 0);
}

static const char *last_of(const maker_pool *pool) {
    return pool->names[pool->count - 1];
}

static const char *new_of(maker *make, const char *name, const maker_pool *pool) {
    make_node(make, operation_named(name));
    return last_of(pool);
}

static const char *points_source(maker *make) {
    static const char *const samplers[] = {"grid.sample",    "surface.sample", "line.sample",
                                           "area.sample",    "poisson.sample", "points.input",
                                           "spatial.sample", "poisson.disk"};
    static const char *const changes[] = {"density.noise", "jitter",           "transform.scatter",
                                          "project",       "attribute.noise",  "transform",
                                          "self.prune",    "density.distance", "merge"};
    const maker_pool *pool = &make->points;
    if (pool->count > 0 && dice_percent(make->from, 55)) {
        return pool->names[dice_below(make->from, pool->count)];
    }
    bool deep = make->depth >= DEPTH || make->node_count >= MADE_NODES;
    if (!deep && dice_percent(make->from, 40)) {
        return new_of(make, changes[dice_below(make->from, 9)], pool);
    }
    return new_of(make, samplers[dice_below(make->from, deep ? 5 : 8)], pool);
}

static const char *spatial_source(maker *make, uint32_t also) {
    static const char *const values[] = {
        "spatial.box",   "spatial.sphere",       "spatial.tube",
        "spatial.prism", "spatial.points",       "spatial.union",
        "spatial.union", "spatial.intersection", "spatial.difference"};
    const maker_pool *pool = &make->spatial;
    if (dice_percent(make->from, 20) && (also >> LOAM_PORT_AREAS & 1) != 0) {
        bool ground = dice_percent(make->from, 50);
        return use_slot(make, ground ? LOAM_PORT_HEIGHTFIELD : LOAM_PORT_AREAS);
    }
    if (pool->count > 0 && dice_percent(make->from, 40)) {
        return pool->names[dice_below(make->from, pool->count)];
    }
    bool deep = make->depth >= DEPTH || make->node_count >= MADE_NODES;
    return new_of(make, values[dice_below(make->from, deep ? 4 : 9)], pool);
}

/* Where copies come from must end, and near the world's origin, for that is what they turn about.
 */
static const char *copied_source(maker *make) {
    static const char *const samplers[] = {"grid.sample", "points.input", "poisson.sample"};
    const maker_pool *pool = &make->points;
    int64_t half = dice_between(make->from, 8, 30) * LOAM_UNITS_PER_METRE;
    char name[NODE_BYTES];
    snprintf(name, sizeof name, "n%u", make->node_count++);
    if (dice_percent(make->from, 30)) {
        make->line = next_line(make);
        maker_write(make,
                    "%s poisson.disk origin_x_m=%lld origin_z_m=-900 width_m=%lld "
                    "depth_m=4000 radius_m=900",
                    name, (long long)-half, (long long)half);
    } else {
        const char *source = new_of(make, samplers[dice_below(make->from, 3)], pool);
        make->line = next_line(make);
        maker_write(make,
                    "%s filter.box min_m=[%lld,-99999,-3000] max_m=[4000,99999,%lld] points<%s",
                    name, (long long)-half, (long long)half, source);
    }
    snprintf(make->points.names[make->points.count++], NAME_BYTES, "%s", name);
    if (dice_percent(make->from, 30)) {
        go_on(make, operation_named("transform.scatter"), LOAM_PORT_POINTS);
    }
    return last_of(pool);
}

static bool takes(const loam_port_schema *port, loam_port_kind kind) {
    return port->kind == kind || (port->also >> kind & 1) != 0;
}

/* density.distance and its like: lines, areas, a slot's points, or a node's. */
static const char *any_source(maker *make, const loam_port_schema *port) {
    static const loam_port_kind kinds[] = {LOAM_PORT_LINES, LOAM_PORT_AREAS, LOAM_PORT_POINTS};
    uint32_t which = dice_below(make->from, 4);
    return which < 3 && takes(port, kinds[which]) ? use_slot(make, kinds[which])
                                                  : points_source(make);
}

static const char *source_of(maker *make, const loam_operation *operation,
                             const loam_port_schema *port) {
    bool copies = strcmp(operation->name, "copy.points") == 0;
    if (port->kind == LOAM_PORT_RULES) {
        return use_rules(make, operation);
    }
    if (strcmp(operation->name, "points.input") == 0) {
        return use_slot(make, LOAM_PORT_POINTS);
    }
    bool wants =
        strcmp(operation->name, "filter.int") == 0 || strcmp(operation->name, "filter.string") == 0;
    if (wants && dice_percent(make->from, 60)) {
        return new_of(make, "points.input", &make->points);
    }
    if (copies && port->aside) {
        return copied_source(make);
    }
    if (copies) {
        return new_of(make, dice_percent(make->from, 50) ? "points.input" : "line.sample",
                      &make->points);
    }
    if (port->kind == LOAM_PORT_SPATIAL) {
        return spatial_source(make, port->also);
    }
    if (port->kind == LOAM_PORT_LINES && port->also != 0) {
        return any_source(make, port);
    }
    return port->kind == LOAM_PORT_POINTS ? points_source(make) : use_slot(make, port->kind);
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

static void add_input(char *inputs, const char *port, const char *source) {
    size_t size = strlen(inputs);
    snprintf(inputs + size, INPUT_BYTES - size, " %s<%s", port, source);
}

static void make_inputs(maker *make, const loam_operation *operation, char *inputs) {
    static const char *const layers[MADE_LAYERS] = {"heath", "meadow", "wood"};
    *inputs = 0;
    for (uint32_t p = 0; p < operation->port_count; p++) {
        const loam_port_schema *port = &operation->ports[p];
        if (port->required || dice_percent(make->from, 40)) {
            add_input(inputs, port->name, source_of(make, operation, port));
        }
    }
    for (uint32_t i = 0; operation->open_port != NULL && i < MADE_LAYERS; i++) {
        if (dice_percent(make->from, 50)) {
            add_input(inputs, layers[i], spatial_source(make, operation->open_port->also));
        }
    }
}

static void offer(maker_pool *pool, const char name[NODE_BYTES], const char *side) {
    if (pool->count < POOL) {
        snprintf(pool->names[pool->count++], NAME_BYTES, "%.15s%.8s", name, side);
    }
}

/* The line of a node whose sources are there; its name goes to `name`. */
static void write_node(maker *make, const loam_operation *operation, const char *inputs,
                       char name[NODE_BYTES]) {
    for (uint32_t i = 0; i < loam_operation_count(); i++) {
        make->made->operations |= (uint64_t)(loam_operation_at(i) == operation) << i;
    }
    snprintf(name, NODE_BYTES, "n%u", make->node_count++);
    make->line = next_line(make);
    maker_write(make, "%s %s", name, operation->name);
    params_make(make, operation);
    maker_write(make, "%s", inputs);
}

static void make_node(maker *make, const loam_operation *operation) {
    char inputs[INPUT_BYTES], name[NODE_BYTES];
    make->depth++;
    make_inputs(make, operation, inputs);
    make->depth--;
    write_node(make, operation, inputs, name);
    if (operation->gives == LOAM_PORT_SPATIAL) {
        offer(&make->spatial, name, "");
    } else if (operation->sided) {
        bool yes = dice_percent(make->from, 50);
        offer(&make->points, name, yes ? "#false" : "#true");
        offer(&make->points, name, yes ? "#true" : "#false");
    } else {
        offer(&make->points, name, "");
    }
}

/* The input that an operation goes on with: its first of points or of space, or -1. */
static int32_t main_port(const loam_operation *operation, loam_port_kind kind) {
    for (uint32_t p = 0; p < operation->port_count; p++) {
        if (operation->ports[p].kind == kind && !operation->ports[p].aside) {
            return (int32_t)p;
        }
    }
    return -1;
}

/* A node that goes on from the last one of a kind. */
static void go_on(maker *make, const loam_operation *operation, loam_port_kind kind) {
    char inputs[INPUT_BYTES] = "", source[NAME_BYTES], name[NODE_BYTES];
    int32_t from = main_port(operation, kind);
    snprintf(source, sizeof source, "%s",
             last_of(kind == LOAM_PORT_SPATIAL ? &make->spatial : &make->points));
    for (uint32_t p = 0; p < operation->port_count; p++) {
        const loam_port_schema *port = &operation->ports[p];
        if ((int32_t)p == from) {
            add_input(inputs, port->name, source);
        } else if (port->required) {
            add_input(inputs, port->name, source_of(make, operation, port));
        }
    }
    write_node(make, operation, inputs, name);
    offer(&make->points, name, operation->sided ? "#true" : "");
}

/* What may follow without dropping all: no filter of a named place. */
static void make_tail(maker *make) {
    static const char *const names[] = {"density.noise",
                                        "density.cull",
                                        "self.prune",
                                        "jitter",
                                        "bounds.prune",
                                        "zone.exclude",
                                        "zone.buffer",
                                        "transform",
                                        "attribute.noise",
                                        "density.remap",
                                        "spawn",
                                        "filter.line_distance",
                                        "density.cull",
                                        "project",
                                        "attribute.distance",
                                        "merge",
                                        "attribute.math.float",
                                        "filter.spatial"};
    for (uint32_t i = dice_below(make->from, 4); i > 0 && make->node_count < MADE_NODES; i--) {
        const char *name = names[dice_below(make->from, sizeof names / sizeof *names)];
        go_on(make, operation_named(name), LOAM_PORT_POINTS);
    }
}

void graph_make(dice *from, sim_place place, uint32_t operation, made_graph *made) {
    maker make = {.from = from, .made = made};
    const loam_operation *wanted = loam_operation_at(operation);
    made->place = place;
    made->line_count = 0;
    made->operations = 0;
    made->biome_rules[0] = made->grammar_rules[0] = 0;
    made->seed = dice_roll(from);
    make_node(&make, wanted);
    if (wanted->gives == LOAM_PORT_SPATIAL) {
        go_on(&make, operation_named(dice_percent(from, 50) ? "filter.spatial" : "spatial.sample"),
              LOAM_PORT_SPATIAL);
    }
    make_tail(&make);
    snprintf(next_line(&make), MADE_LINE_BYTES, "=points %s", last_of(&make.points));
    for (uint32_t i = 0; i < made->line_count; i++) {
        made->text[i] = made->lines[i];
    }
    made->text[made->line_count] = NULL;
}
