/* SPDX-License-Identifier: MIT
 *
 * anchor_flow.c: see anchor_flow.h.
 */
#include "server/dungeon/anchor_flow.h"

#include "api/wire/anchor_document.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "core/space/sites.h"
#include "server/slot/reply.h"

#include <string.h>

static step_result anchor_parse_address(void *subject);
static step_result anchor_assets(void *subject);
static step_result anchor_read(void *subject);

const flow_step anchor_steps[] = {
    REVISION_STEPS,
    {"parse", anchor_parse_address, false},
    {"assets", anchor_assets, false},
    {"read", anchor_read, false}, /* worker: the point, its request, plan, key */
    {"ask kept", dungeon_ask_kept, false},
    {"asked kept", dungeon_asked_kept, false},
    {"fly", dungeon_fly, false},
    {"render", dungeon_render, false},
    {"answer", dungeon_answer, false},
    SLOT_END,
};

/* 2^8 units are a metre. */
enum { UNITS_BITS = 8 };

/* A longer id is in no document that a client could mean: an address is to stay a line. */
enum { ANCHOR_ID_BYTES_MAX = 512, ANCHOR_PATH_BYTES = 3 * ANCHOR_ID_BYTES_MAX + 512 };

/* ---- Which ---------------------------------------------------------------------------------- */

static void write_escaped(text_buffer *to, loam_text text) {
    static const char digits[] = "0123456789ABCDEF";
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:";
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        const char escape[3] = {'%', digits[byte >> 4], digits[byte & 15]};
        if (byte != 0 && strchr(plain, byte) != NULL) {
            buffer_add(to, &byte, 1);
        } else {
            buffer_add(to, escape, sizeof escape);
        }
    }
}

/* The address that never changes, for who asked by the world's. */
static void write_own_path(anchor_slot *slot, loam_text address) {
    const revision_entry *revision = slot->base.base.revision;
    buffer_init(&slot->path, ANCHOR_PATH_BYTES);
    buffer_add_text(&slot->path, "/v1/worlds/");
    buffer_add_text(&slot->path, revision->name);
    buffer_add_text(&slot->path, "/revisions/");
    buffer_add_text(&slot->path, revision->revision);
    buffer_add_text(&slot->path, "/dungeons/");
    write_escaped(&slot->path, address);
    buffer_add(&slot->path, "", 1);
    slot->base.own_path = slot->path.failed ? NULL : slot->path.bytes;
}

static step_result anchor_parse_address(void *subject) {
    anchor_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    loam_text address = slot_capture(base, "anchor");
    loam_text name;
    if (dungeon_question_read(base->request, &slot->base.question, &base->error) != LOAM_OK) {
        return STEP_FAILED;
    }
    if (!anchor_parse(address, &name, &slot->id) || slot->id.size > ANCHOR_ID_BYTES_MAX) {
        return slot_fail(base, LOAM_NOT_FOUND, NULL,
                         "a dungeon of a world is asked for as name:id of its anchor");
    }
    slot->dungeon = anchors_find(&slot->base.base.revision->world, name);
    if (slot->dungeon == NULL) {
        return slot_fail(base, LOAM_NOT_FOUND, NULL, "the world has no dungeons of this name");
    }
    if (slot->base.base.newest) {
        write_own_path(slot, address);
    }
    return STEP_NEXT;
}

/* ---- Where ---------------------------------------------------------------------------------- */

static void anchors_ready(void *context) {
    anchor_slot *slot = context;
    flow_slot *base = &slot->base.base.base;
    const loam_error *error = &slot->anchors.error;
    if (error->status != LOAM_OK) {
        loam_fail(&base->error, error->status, NULL, "%s", error->text);
    }
    walk_resume(&base->walk, error->status != LOAM_OK);
}

static step_result anchor_assets(void *subject) {
    anchor_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    slot->anchors_held = true;
    if (!asset_set_acquire(&slot->anchors, base->flow, &slot->dungeon->anchors, 1, anchors_ready,
                           slot)) {
        return STEP_PARKED;
    }
    const loam_error *error = &slot->anchors.error;
    return error->status == LOAM_OK ? STEP_NEXT
                                    : slot_fail(base, error->status, NULL, "%s", error->text);
}

static const loam_site *find_site(const loam_sites *sites, uint64_t key) {
    const loam_sites_source *points = sites_normal_form(sites);
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->sites[i].key == key) {
            return &points->sites[i];
        }
    }
    return NULL;
}

/* What only a dungeon of a world has to say, which its bytes, found under a key that others may
 * have too, do not. */
static void write_preface(anchor_slot *slot, const loam_site *site) {
    text_buffer *to = &slot->base.preface;
    const revision_entry *revision = slot->base.base.revision;
    const int64_t place[] = {site->x, site->y, site->z};
    buffer_init(to, ANCHOR_PATH_BYTES * 2);
    buffer_key(to, "anchor");
    buffer_open_object(to);
    buffer_key(to, "world");
    buffer_string(to, revision->name);
    buffer_key(to, "revision");
    buffer_string(to, revision->revision);
    buffer_key(to, "dungeons");
    buffer_string_text(to, slot->dungeon->name);
    buffer_key(to, "id");
    buffer_string_text(to, slot->id);
    buffer_key(to, "key");
    buffer_unsigned_string(to, site->key);
    buffer_key(to, "position_m");
    buffer_open_array(to);
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        buffer_decimal(to, place[i], UNITS_BITS);
    }
    buffer_close_array(to);
    buffer_close_object(to);
}

static loam_status work_read(flow_slot *base, pool_worker *worker) {
    anchor_slot *slot = (anchor_slot *)base;
    const world *of = &slot->base.base.revision->world;
    uint64_t key = anchor_key(slot->id);
    const loam_site *site = find_site(slot->anchors.slots[0].sites, key);
    if (site == NULL) {
        return loam_fail(&base->error, LOAM_NOT_FOUND, NULL, "no single anchor has this id");
    }
    write_preface(slot, site);
    buffer_init(&slot->made, JSON_BYTES_MAX);
    anchor_request_write(&slot->made, of, slot->dungeon, key);
    if (slot->made.failed || slot->base.preface.failed) {
        return loam_fail(&base->error, LOAM_ARENA_FULL, NULL, "no memory for the request");
    }
    slot->base.body = buffer_view(&slot->made);
    loam_status status = dungeon_work_read(base, worker);
    base->error.pointer[0] = 0; /* into a document that the client has not sent */
    return status;
}

static step_result anchor_read(void *subject) {
    return slot_work(subject, work_read);
}

void anchor_fini(flow_slot *base) {
    anchor_slot *slot = (anchor_slot *)base;
    if (slot->anchors_held) {
        asset_set_release(&slot->anchors);
    }
    buffer_fini(&slot->made);
    buffer_fini(&slot->path);
    dungeon_fini(base);
}
