/* SPDX-License-Identifier: MIT
 *
 * rules_tree.h: the bytes of a document of rules (codec/FORMAT.md): of its asset, and of the build
 * keys of what reads it. Equal documents have equal bytes, in whatever order and spelling they were
 * sent.
 */
#ifndef LOAM_BASE_RULES_TREE_H
#define LOAM_BASE_RULES_TREE_H

#include "core/base/bytes.h"

void rules_tree_write(byte_writer *writer, const loam_rules *rules);
/* Reads one document and refuses every second spelling with LOAM_DAMAGED. Texts are copied into the
 * arena. */
LOAM_MUST_USE loam_status rules_tree_read(byte_reader *reader, loam_arena *arena,
                                          loam_rules *rules);

#endif
