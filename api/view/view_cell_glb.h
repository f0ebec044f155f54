/* SPDX-License-Identifier: MIT
 *
 * view_cell_glb.h: a cell as a binary glTF 2.0 (model/gltf-binary) with EXT_mesh_gpu_instancing:
 * the corner of the cell on the root node, below it a node for each asset, whose instances are
 * local to the cell. The mesh is a small arrow that points north, to be replaced by the asset that
 * the node and the mesh are called by.
 *
 * glTF is right-handed: a place is (x, y, -z), and rotations are mirrored with it.
 */
#ifndef LOAM_VIEW_CELL_GLB_H
#define LOAM_VIEW_CELL_GLB_H

#include "api/view/view_cell_json.h"
#include "api/wire/text_buffer.h"
#include "core/loam.h"

/* Instance attributes: TRANSLATION, ROTATION, SCALE as floats, and _ID, the id of the point as four
 * 16-bit parts, the lowest first (glTF keeps 32-bit integers for indices). The root node's extras
 * say where the cell stands. Adds to the buffer: LOAM_TOO_LARGE at its limit. */
LOAM_MUST_USE loam_status view_cell_glb(const cell_place *place, const loam_points *points,
                                        text_buffer *to);

#endif
