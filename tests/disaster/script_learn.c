/* SPDX-License-Identifier: MIT
 *
 * script_learn.c: the reference: what a daemon on a sound machine answers.
 */
#include "tests/disaster/expect.h"
#include "tests/disaster/script.h"

#include <stdio.h>

static void learn(ledger *shared, const visit *what, const char *header, const char *member,
                  char to[NAME_BYTES]) {
    reply got;
    if (!expect_status(shared, what, &got, (int[]){200, 201, 0})) {
        finding("%s %s has no reference", what->method, what->path);
    }
    if (header != NULL) {
        reply_header(&got, header, to, NAME_BYTES);
    } else {
        json_t *root = reply_json(&got);
        const char *text = json_string_value(json_object_get(root, member));
        snprintf(to, NAME_BYTES, "%s", text == NULL ? "" : text);
        json_decref(root);
    }
    if (to[0] == 0) {
        finding("%s %s says nothing of %s", what->method, what->path,
                header == NULL ? member : header);
    }
    reply_free(&got);
}

static void learn_world(ledger *shared, uint32_t kind) {
    char path[PATH_TEXT_BYTES];
    char body[BODY_TEXT_BYTES];
    reference *to = &shared->reference;
    terrain_body(kind % TERRAINS, body);
    learn(shared, &(visit){.method = "PUT", .path = "/v1/assets/terrain0", .body = body}, NULL,
          "digest", to->terrain[kind % TERRAINS]);
    world_body(kind, 0, body);
    learn(shared, &(visit){.method = "PUT", .path = "/v1/worlds/world0", .body = body}, NULL,
          "revision", to->revision[kind]);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        snprintf(path, sizeof path, "/v1/worlds/world0/cells/0/%u/%u/trees", i % SIDE, i / SIDE);
        learn(shared, &(visit){.method = "GET", .path = path}, "Loam-Digest", NULL,
              to->cell[kind][i]);
    }
}

void script_learn(ledger *shared) {
    char path[PATH_TEXT_BYTES];
    char body[BODY_TEXT_BYTES];
    reference *to = &shared->reference;
    for (uint32_t kind = 0; kind < WORLD_KINDS; kind++) {
        learn_world(shared, kind);
    }
    for (uint32_t i = 0; i < DUNGEONS; i++) {
        dungeon_body(i, body);
        learn(shared, &(visit){.method = "POST", .path = "/v1/dungeons", .body = body}, NULL,
              "build_key", to->dungeon_key[i]);
        snprintf(path, sizeof path, "/v1/dungeons/%s", to->dungeon_key[i]);
        learn(shared,
              &(visit){.method = "GET",
                       .path = path,
                       .headers = "Accept: application/vnd.loam.dungeon\r\n"},
              "Loam-Digest", NULL, to->dungeon[i]);
    }
    to->known = true;
}
