/* SPDX-License-Identifier: MIT
 *
 * anchor_flow.c: the dungeon at a place of a world. The place's feature and the world's seed make
 * the request; from there on it is a dungeon like every other, under a build key of its own.
 */
#include "api/wire/anchor_document.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/try.h"
#include "server/dungeon/dungeon_flow.h"

#include <string.h>

const flow_step anchor_steps[] = {DUNGEON_BY_ANCHOR, DUNGEON_PUBLIC};

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
static void write_own_path(dungeon_slot *slot, loam_text address) {
    const revision_entry *revision = slot->base.base.revision;
    http_request *request = slot->base.base.base.request;
    size_t part = (size_t)route_capture(slot->base.base.base.route, "anchor") + 1;
    buffer_init(&slot->path, ANCHOR_PATH_BYTES);
    buffer_add_text(&slot->path, "/v1/worlds/");
    buffer_add_text(&slot->path, revision->name);
    buffer_add_text(&slot->path, "/revisions/");
    buffer_add_text(&slot->path, revision->revision);
    buffer_add_text(&slot->path, "/dungeons/");
    write_escaped(&slot->path, address);
    if (part < http_segment_count(request)) {
        buffer_add_text(&slot->path, "/");
        write_escaped(&slot->path, http_segment(request, part));
    }
    buffer_add(&slot->path, "", 1);
}

/* A revision never changes, so the place names what is there. */
static result_name name_of(uint64_t serial, loam_text address) {
    digest_stream stream;
    digest_begin(&stream);
    digest_update(&stream, &serial, sizeof serial);
    digest_update(&stream, address.bytes, address.size);
    const digest name = digest_end(&stream);
    return result_of_key(&name);
}

bool anchor_quick(flow_state *flow, http_request *request) {
    const flow_route *route = http_user(request);
    revision_entry *revision = revision_quick(flow, request, route);
    dungeon_question question;
    loam_error unused = {0};
    bool answered = false;
    if (revision == NULL) {
        return false;
    }
    if (dungeon_question_read(request, &question, &unused) == LOAM_OK) {
        loam_text address = http_segment(request, (size_t)route_capture(route, "anchor"));
        const result_name of = name_of(revision->serial, address);
        const answer_name name =
            dungeon_answer_name(&question, &of, route_capture(route, "rev") < 0);
        answered = result_quick(flow, request, &name, &question.manner);
    }
    revision_release(flow->worlds, revision);
    return answered;
}

step_result anchor_find(void *subject) {
    dungeon_slot *slot = subject;
    flow_slot *base = &slot->base.base.base;
    loam_text address = slot_capture(base, "anchor");
    loam_text name;
    slot->body = http_request_body(base->request);
    if (dungeon_question_read(base->request, &slot->question, &base->error) != LOAM_OK) {
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
    slot->name = name_of(slot->base.base.revision->serial, address);
    if (slot->base.base.newest) {
        write_own_path(slot, address);
    }
    return STEP_NEXT;
}

/* ---- Where ---------------------------------------------------------------------------------- */

step_result anchor_assets(void *subject) {
    dungeon_slot *slot = subject;
    return dungeon_is_over(slot) ? STEP_NEXT
                                 : asset_hold_begin(&slot->anchors, &slot->base.base.base,
                                                    &slot->dungeon->anchors, 1);
}

static const loam_site *find_site(const loam_sites *sites, uint64_t key) {
    const loam_sites_source *points = loam_sites_normal_form(sites);
    for (uint32_t i = 0; i < points->count; i++) {
        if (points->sites[i].key == key) {
            return &points->sites[i];
        }
    }
    return NULL;
}

/* What only a dungeon of a world has to say, which its bytes, found under a key that others may
 * have too, do not. */
static void write_preface(dungeon_slot *slot, const loam_site *site) {
    text_buffer *to = &slot->preface;
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
    dungeon_slot *slot = (dungeon_slot *)base;
    const world *of = &slot->base.base.revision->world;
    uint64_t key = anchor_key(slot->id);
    const loam_site *site = find_site(slot->anchors.set.slots[0].sites, key);
    if (site == NULL) {
        return loam_fail(&base->error, LOAM_NOT_FOUND, NULL, "no single anchor has this id");
    }
    write_preface(slot, site);
    buffer_init(&slot->made, JSON_BYTES_MAX);
    anchor_request_write(&slot->made, of, slot->dungeon, key,
                         slot->question.view >= DUNGEON_CONTENT);
    if (slot->made.failed || slot->preface.failed) {
        return loam_fail(&base->error, LOAM_ARENA_FULL, NULL, "no memory for the request");
    }
    loam_text asked = slot->body;
    slot->body = buffer_view(&slot->made);
    loam_status status = dungeon_work_read(base, worker);
    slot->body = asked;
    base->error.pointer[0] = 0; /* into a document that the client has not sent */
    return status;
}

step_result anchor_read(void *subject) {
    return dungeon_is_over(subject) ? STEP_NEXT : slot_work_anyway(subject, work_read);
}
