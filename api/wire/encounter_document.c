/* SPDX-License-Identifier: MIT
 *
 * encounter_document.c: see encounter_document.h.
 */
#include "api/wire/encounter_document.h"

#include "api/wire/rules_document.h"
#include "api/wire/seed.h"
#include "core/base/try.h"

/* What core takes of a player's level, gear and streak. */
enum { PLAYER_NUMBER_MAX = 1000000, PERMILLE = 1000 };

/* A count that is 0 where it is not given. */
static loam_status read_count(const item *object, const char *name, int64_t max, int64_t *to) {
    item at = item_field(object, name);
    return item_present(&at) ? item_integer(&at, 0, max, to) : LOAM_OK;
}

static loam_status read_player(const item *at, loam_player *to) {
    static const char *const fields[] = {"level", "gear", "health_permille", "streak", NULL};
    item level = item_field(at, "level");
    *to = (loam_player){.health_permille = PERMILLE};
    LOAM_TRY(item_fields(at, fields));
    LOAM_TRY(item_integer(&level, 0, PLAYER_NUMBER_MAX, &to->level));
    LOAM_TRY(read_count(at, "gear", PLAYER_NUMBER_MAX, &to->gear));
    LOAM_TRY(read_count(at, "health_permille", PERMILLE, &to->health_permille));
    return read_count(at, "streak", PLAYER_NUMBER_MAX, &to->streak);
}

static loam_status read_spawn(const item *at, uint64_t *id) {
    loam_text text;
    LOAM_TRY(item_text(at, &text));
    return seed_parse(text, id)
               ? LOAM_OK
               : item_fail(at, LOAM_NOT_FOUND, "an id is a number in a decimal string");
}

static loam_status read_document(const item *document, const rules_resolver *resolver,
                                 loam_arena *arena, encounter_document *to) {
    static const char *const fields[] = {"spawn", "player", "progress_permille",
                                         "wave",  "table",  NULL};
    item spawn = item_field(document, "spawn");
    item player = item_field(document, "player");
    item table = item_field(document, "table");
    int64_t wave = 0;
    LOAM_TRY(item_object(document));
    (void)item_fields(document, fields);
    const loam_status found[] = {
        read_spawn(&spawn, &to->spawn),
        read_player(&player, &to->request.player),
        read_count(document, "progress_permille", PERMILLE, &to->request.progress_permille),
        read_count(document, "wave", UINT32_MAX, &wave),
        rules_reference_read(&table, resolver, arena, &to->request.table),
    };
    to->request.wave = (uint32_t)wave;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        LOAM_TRY(found[i]);
    }
    return fault_status(document->faults);
}

loam_status encounter_document_read(loam_text json, const rules_resolver *resolver,
                                    loam_arena *arena, encounter_document *to, fault_list *faults) {
    json_t *root = NULL;
    *to = (encounter_document){0};
    LOAM_TRY(document_read(json, &root, faults));
    item document = document_item(root, faults);
    loam_status status = read_document(&document, resolver, arena, to);
    json_decref(root);
    return status == LOAM_OK ? LOAM_OK : fault_status(faults);
}

/* ---- The answer ------------------------------------------------------------------------------ */

static void write_number(text_buffer *buffer, const char *key, int64_t value) {
    buffer_key(buffer, key);
    buffer_integer(buffer, value);
}

static void write_behaviour(text_buffer *buffer, const loam_encounter *encounter) {
    buffer_key(buffer, "behaviour");
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < encounter->behaviour_count; i++) {
        buffer_key_text(buffer, encounter->behaviour[i].name);
        rules_document_write(buffer, encounter->behaviour[i].value);
    }
    buffer_close_object(buffer);
}

static void write_reasons(text_buffer *buffer, const loam_encounter *encounter) {
    buffer_key(buffer, "reasons");
    buffer_open_array(buffer);
    for (uint32_t i = 0; i < encounter->reason_count; i++) {
        buffer_open_object(buffer);
        buffer_key(buffer, "code");
        buffer_string_text(buffer, encounter->reasons[i].code);
        buffer_key(buffer, "text");
        buffer_string_text(buffer, encounter->reasons[i].text);
        buffer_close_object(buffer);
    }
    buffer_close_array(buffer);
}

void encounter_document_write(text_buffer *buffer, const loam_encounter *encounter,
                              const digest *table) {
    buffer_open_object(buffer);
    buffer_key(buffer, "archetype");
    buffer_string_text(buffer, encounter->archetype);
    write_number(buffer, "level", encounter->level);
    write_number(buffer, "health", encounter->health);
    write_number(buffer, "damage", encounter->damage);
    write_behaviour(buffer, encounter);
    write_number(buffer, "strength", encounter->strength);
    write_number(buffer, "threat", encounter->threat);
    buffer_key(buffer, "table_digest");
    buffer_digest(buffer, table);
    write_reasons(buffer, encounter);
    buffer_close_object(buffer);
}
