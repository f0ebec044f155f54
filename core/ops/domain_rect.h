/* SPDX-License-Identifier: MIT
 *
 * domain_rect.h: where points are, of operations that narrow it down or put several together.
 */
#ifndef LOAM_OPS_DOMAIN_RECT_H
#define LOAM_OPS_DOMAIN_RECT_H

#include "core/ops/operation.h"

/* Points that are in both. */
static inline node_domain domain_meet(node_domain a, node_domain b) {
    if (!a.bounded || !b.bounded) {
        return a.bounded ? a : b;
    }
    return (node_domain){true,
                         {a.rect.x0 > b.rect.x0 ? a.rect.x0 : b.rect.x0,
                          a.rect.z0 > b.rect.z0 ? a.rect.z0 : b.rect.z0,
                          a.rect.x1 < b.rect.x1 ? a.rect.x1 : b.rect.x1,
                          a.rect.z1 < b.rect.z1 ? a.rect.z1 : b.rect.z1}};
}

/* Points of both together. */
static inline node_domain domain_join(node_domain a, node_domain b) {
    if (!a.bounded || !b.bounded) {
        return a.bounded ? b : a;
    }
    if (rect_is_empty(a.rect) || rect_is_empty(b.rect)) {
        return rect_is_empty(a.rect) ? b : a;
    }
    return (node_domain){true,
                         {a.rect.x0 < b.rect.x0 ? a.rect.x0 : b.rect.x0,
                          a.rect.z0 < b.rect.z0 ? a.rect.z0 : b.rect.z0,
                          a.rect.x1 > b.rect.x1 ? a.rect.x1 : b.rect.x1,
                          a.rect.z1 > b.rect.z1 ? a.rect.z1 : b.rect.z1}};
}

#endif
