/* SPDX-License-Identifier: MIT
 *
 * index_sort.h: sorts index lists in the caller's memory. The library's qsort may allocate and
 * leaves ties open; this merge sort does neither: equal items keep their order.
 */
#ifndef LOAM_BASE_INDEX_SORT_H
#define LOAM_BASE_INDEX_SORT_H

#include <stdint.h>

/* Negative, zero or positive, as item `a` comes before, with or after item `b`. */
typedef int (*index_compare)(const void *context, uint32_t a, uint32_t b);

/* Sorts `count` indices; `spare` has room for as many. */
void index_sort(uint32_t *indices, uint32_t *spare, uint32_t count, index_compare compare,
                const void *context);

#endif
