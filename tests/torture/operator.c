/* SPDX-License-Identifier: MIT
 *
 * operator.c: see operator.h.
 */
#include "tests/torture/operator.h"

#include "tests/torture/scenario.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ARGS_MAX = 12 };

static void path_in(const test_daemon *server, const char *name, char path[DAEMON_PATH_BYTES]) {
    snprintf(path, DAEMON_PATH_BYTES, "%s/%s", server->folder, name);
}

bool operator_try_start(test_daemon *server, const char *const *args) {
    char socket[DAEMON_PATH_BYTES];
    char backups[DAEMON_PATH_BYTES];
    const char *all[ARGS_MAX] = {"--unix", socket, "--backup-dir", backups};
    path_in(server, "socket", socket);
    path_in(server, "backups", backups);
    for (size_t i = 0; args[i] != NULL; i++) {
        cr_assert_lt(4 + i, (size_t)ARGS_MAX - 1);
        all[4 + i] = args[i];
    }
    return daemon_try_start(server, all);
}

/* The answer's document; NULL unless it is a success. */
static json_t *ask_operator(const test_daemon *server, const char *fault, const char *method,
                            const char *target) {
    char socket[DAEMON_PATH_BYTES];
    path_in(server, "socket", socket);
    answer of = ask(server, method, &(ask_options){.unix_path = socket}, "%s", target);
    scenario_check_status(fault, target, &of);
    json_t *document = of.status == 200 ? answer_json(&of) : NULL;
    answer_free(&of);
    return document;
}

static void expect_flag(const char *fault, const json_t *report, const char *name, bool value) {
    char *text = json_dumps(report, JSON_COMPACT);
    const json_t *flag = json_object_get(report, name);
    cr_expect(json_is_boolean(flag) && json_is_true(flag) == value, "%s: %s is wrong: %s", fault,
              name, text);
    free(text);
}

/* A page of a cache that the disk does not give is damaged: it can be made again. */
static void check_scrub(const char *fault, const json_t *report) {
    expect_flag(fault, report, "control_damaged", false);
    if (strncmp(fault, "read:", 5) != 0) {
        expect_flag(fault, report, "well", true);
    }
}

void operator_collect(const test_daemon *server, const char *fault) {
    json_decref(ask_operator(server, fault, "POST", "/v1/admin/gc?bytes=0"));
}

void operator_walk(const test_daemon *server, const char *fault, char name[BACKUP_NAME_BYTES]) {
    json_decref(ask_operator(server, fault, "GET", "/v1/admin/stats"));
    json_t *scrub = ask_operator(server, fault, "POST", "/v1/admin/scrub");
    json_t *backup = ask_operator(server, fault, "POST", "/v1/admin/backup");
    if (scrub != NULL) {
        check_scrub(fault, scrub);
    }
    if (backup != NULL) {
        expect_flag(fault, backup, "whole", true);
        snprintf(name, BACKUP_NAME_BYTES, "%s", json_string_value(json_object_get(backup, "name")));
    }
    json_decref(scrub);
    json_decref(backup);
}

test_daemon operator_restore(const test_daemon *made, const char *name) {
    test_daemon restored = {0};
    char from[DAEMON_PATH_BYTES];
    char to[DAEMON_PATH_BYTES];
    snprintf(from, sizeof from, "%s/backups/%s", made->folder, name);
    snprintf(restored.folder, sizeof restored.folder, "%.40s/restored", made->folder);
    path_in(&restored, "data", to);
    cr_assert_eq(mkdir(restored.folder, 0700), 0);
    cr_assert_eq(rename(from, to), 0, "%s is not there", from);
    return restored;
}
