/* SPDX-License-Identifier: MIT
 *
 * document.h: strict reading of JSON that a client sent. The bytes are counted first (size,
 * nesting, values), so that nothing large is built for a document that is refused; then a tree is
 * made; then items are read by name and type. An item knows its place: every fault carries its JSON
 * pointer (RFC 6901).
 *
 * Items borrow from the document and from their parents on the caller's stack. Internal to
 * api/wire: others call the readers of whole documents.
 */
#ifndef LOAM_API_WIRE_DOCUMENT_H
#define LOAM_API_WIRE_DOCUMENT_H

#include "api/key/key.h"
#include "api/wire/fault.h"
#include "core/loam.h"

#include <jansson.h>

/* A JSON body: 1 MB is ten times the largest sensible graph. */
#define JSON_BYTES_MAX ((size_t)1 << 20)
/* Nesting: documents of the contract are some ten deep; readers recurse. */
#define JSON_DEPTH_MAX 64
/* Values: a tree of so many takes about 2 MB. */
#define JSON_VALUES_MAX 20000

typedef struct item {
    json_t *value; /* NULL when absent */
    const struct item *parent;
    const char *key; /* its name in an object, else NULL */
    size_t index;    /* its place in an array */
    fault_list *faults;
} item;

/* Seeds the hash of objects from the kernel, so that nobody can choose keys that collide. Called
 * once, by whoever starts the process, before any thread reads a document. */
LOAM_MUST_USE loam_status wire_init(loam_error *error);

/* What a scan of the bytes found; stops at the first limit that is passed. */
typedef struct json_extent {
    size_t depth;
    size_t values;
} json_extent;
json_extent json_scan(loam_text json, size_t depth_max, size_t values_max);

/* Whether a text stays within all limits, so that it can be sent (again). */
bool document_fits(loam_text json);
/* Parses; `root` is owned, end it with json_decref. */
LOAM_MUST_USE loam_status document_read(loam_text json, json_t **root, fault_list *faults);
/* The same for a document that may have another number of values. */
LOAM_MUST_USE loam_status document_read_many(loam_text json, size_t values_max, json_t **root,
                                             fault_list *faults);
/* The whole document as an item. */
item document_item(json_t *root, fault_list *faults);

/* The field of an object; its value is NULL when absent or when `object` is none. */
item item_field(const item *object, const char *key);
item item_at(const item *array, size_t index);
size_t item_count(const item *array);
/* Walks an object: `for (void *at = item_next(o, NULL, &c); at != NULL; at = item_next(o, at,
 * &c))`. */
void *item_next(const item *object, void *previous, item *child);
bool item_present(const item *at);

/* Where an item stands, as a JSON pointer; whole segments only when `capacity` ends it. */
void item_pointer(const item *at, char *pointer, size_t capacity);
/* Adds a fault at the item's place and returns `status`. */
loam_status item_fail(const item *at, loam_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* That an arena of readers is full: LOAM_ARENA_FULL. */
loam_status item_fail_memory(const item *at);

/* Checks of a kind; a missing item is LOAM_MISSING_FIELD, another kind LOAM_WRONG_TYPE. */
LOAM_MUST_USE loam_status item_object(const item *at);
LOAM_MUST_USE loam_status item_array(const item *at, size_t count_min, size_t count_max);
/* An object that has no other fields than these (NULL-terminated); each other one is a fault, after
 * which a reader may go on. */
loam_status item_fields(const item *at, const char *const *known);

/* Typed values. Texts are borrowed from the document. */
LOAM_MUST_USE loam_status item_text(const item *at, loam_text *text);
LOAM_MUST_USE loam_status item_name(const item *at, loam_text *name);
LOAM_MUST_USE loam_status item_bool(const item *at, bool *value);
LOAM_MUST_USE loam_status item_number(const item *at, double *value);
/* A whole number in min..max. */
LOAM_MUST_USE loam_status item_integer(const item *at, int64_t min, int64_t max, int64_t *value);
/* A seed: a decimal string; anything else is LOAM_SEED_OUT_OF_RANGE. */
LOAM_MUST_USE loam_status item_seed(const item *at, uint64_t *seed);
LOAM_MUST_USE loam_status item_digest(const item *at, digest *value);
/* The key of an item as a legal name, else LOAM_BAD_NAME. */
LOAM_MUST_USE loam_status item_key_name(const item *at, loam_text *name);

#endif
