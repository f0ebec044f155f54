/* SPDX-License-Identifier: MIT
 *
 * command_dungeon.c: `loam dungeon`: builds a dungeon here and shows it, or asks a daemon that is
 * named for the same. Options become the document that a daemon gets, so they are checked by the
 * same reader and the same schema; documents of rules in its parameters are files.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/memory.h"
#include "api/cli/options.h"
#include "api/cli/output.h"
#include "api/cli/remote.h"
#include "api/key/key.h"
#include "api/view/view_dungeon_json.h"
#include "api/view/view_dungeon_ldtk.h"
#include "api/view/view_dungeon_picture.h"
#include "api/view/view_dungeon_text.h"
#include "api/view/view_dungeon_tiled.h"
#include "api/wire/document.h"
#include "api/wire/dungeon_document.h"
#include "core/base/try.h"

/* Text of the largest dungeon: 4 M cells of some ten numbers each. */
#define DUNGEON_TEXT_MAX ((size_t)512 << 20)
/* The resolved parameters and the plan. */
#define DUNGEON_PLAN_BYTES ((size_t)16 << 20)

typedef struct made_dungeon {
    loam_arena request_memory, memory;
    dungeon_document document;
    const loam_dungeon_plan *plan;
    loam_dungeon dungeon;
    dungeon_digests digests;
} made_dungeon;

/* ---- Views ----------------------------------------------------------------------------------- */

typedef struct dungeon_view {
    const char *name;
    const char *media_type;
    bool binary;
    loam_status (*write)(const made_dungeon *made, text_buffer *to);
} dungeon_view;

static loam_status write_text(const made_dungeon *made, text_buffer *to) {
    return view_dungeon_text(&made->dungeon, to);
}

static loam_status write_json(const made_dungeon *made, text_buffer *to) {
    LOAM_TRY(view_dungeon_json(&made->dungeon, &made->digests, to));
    buffer_add_text(to, "\n");
    return buffer_status(to);
}

static loam_status write_bytes(const made_dungeon *made, text_buffer *to) {
    loam_dungeon_encode(&made->dungeon, buffer_sink(to));
    return buffer_status(to);
}

static loam_status write_tiled(const made_dungeon *made, text_buffer *to) {
    return view_dungeon_tiled(&made->dungeon, &made->digests, NULL, to);
}

static loam_status write_ldtk(const made_dungeon *made, text_buffer *to) {
    return view_dungeon_ldtk(&made->dungeon, &made->digests, NULL, to);
}

static loam_status write_svg(const made_dungeon *made, text_buffer *to) {
    return view_dungeon_svg(&made->dungeon, &made->digests, NULL, to);
}

static loam_status write_png(const made_dungeon *made, text_buffer *to) {
    loam_error error = {0};
    return view_dungeon_png(&made->dungeon, NULL, to, &error);
}

static const dungeon_view views[] = {
    {"text", "text/plain", false, write_text},
    {"json", "application/json", false, write_json},
    {"bytes", "application/vnd.loam.dungeon", true, write_bytes},
    {"tiled", "application/vnd.tiled+json", false, write_tiled},
    {"ldtk", "application/vnd.ldtk+json", false, write_ldtk},
    {"svg", "image/svg+xml", false, write_svg},
    {"png", "image/png", true, write_png},
};

static const dungeon_view *find_view(const char *name, loam_error *error) {
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        if (name == NULL || strcmp(views[i].name, name) == 0) {
            return &views[i];
        }
    }
    (void)loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "there is no view '%s'; 'loam dungeon --help'",
                    name);
    return NULL;
}

/* ---- The request ----------------------------------------------------------------------------- */

/* A number or a boolean goes in as it is, a file that is named as @FILE as what is in it, anything
 * else as text: the schema says what it takes. */
static json_t *param_value(const char *text, loam_error *error) {
    if (text[0] == '@') {
        json_error_t fault;
        json_t *value = json_load_file(text + 1, JSON_REJECT_DUPLICATES, &fault);
        if (value == NULL) {
            (void)loam_fail(error, LOAM_MALFORMED, NULL, "%s, line %d: %s", text + 1, fault.line,
                            fault.text);
        }
        return value;
    }
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value != NULL ? value : json_string(text);
}

/* NAME=VALUE, into the parameters. */
static loam_status add_param(json_t *params, const char *given, loam_error *error) {
    const char *mark = strchr(given, '=');
    if (mark == NULL || mark == given) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "--param takes NAME=VALUE, not '%s'", given);
    }
    json_t *value = param_value(mark + 1, error);
    if (value == NULL) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "'%s' is no UTF-8", given);
    }
    char *name = strndup(given, (size_t)(mark - given));
    int set = name != NULL ? json_object_set_new(params, name, value) : -1;
    free(name);
    return set == 0 ? LOAM_OK : loam_fail(error, LOAM_MALFORMED, NULL, "'%s' is no UTF-8", given);
}

static loam_status add_params(const cli_arguments *arguments, json_t *params, loam_error *error) {
    for (uint32_t i = 0; i < arguments->given_count; i++) {
        if (strcmp(arguments->given[i].name, "param") == 0) {
            LOAM_TRY(add_param(params, arguments->given[i].value, error));
        }
    }
    return LOAM_OK;
}

/* Owned by the caller. */
static loam_status make_document(const cli_arguments *arguments, char **text, loam_error *error) {
    const char *policy = options_text(arguments, "policy");
    json_t *params = json_object();
    loam_status status = add_params(arguments, params, error);
    json_t *document =
        json_pack("{s:s, s:s, s:O, s:s}", "recipe", options_text(arguments, "recipe"), "seed",
                  options_text(arguments, "seed"), "params", params, "policy",
                  policy != NULL ? policy : loam_policy_name(LOAM_POLICY_DEGRADED));
    *text = document != NULL && status == LOAM_OK ? json_dumps(document, JSON_REAL_PRECISION(17))
                                                  : NULL;
    json_decref(document);
    json_decref(params);
    if (status == LOAM_OK && *text == NULL) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "the options are no UTF-8");
    }
    return status;
}

/* ---- Making ---------------------------------------------------------------------------------- */

static loam_status read_request(loam_text json, made_dungeon *made, loam_error *error) {
    fault_list faults;
    fault_clear(&faults);
    LOAM_TRY(memory_open(&made->request_memory, dungeon_document_bytes(json) + DUNGEON_PLAN_BYTES,
                         error));
    if (dungeon_document_read(json, NULL, &made->request_memory, &made->document, &faults) !=
        LOAM_OK) {
        return fault_first(&faults, error);
    }
    return loam_dungeon_plan_build(&made->document.request, &made->request_memory, &made->plan,
                                   error);
}

static loam_status build(made_dungeon *made, loam_error *error) {
    LOAM_TRY(memory_open(&made->memory, (size_t)made->plan->arena_bytes, error));
    const loam_run run = {.arena = &made->memory};
    LOAM_TRY(loam_dungeon_build(made->plan, &run, &made->dungeon, error));
    digest_stream stream;
    digest_begin(&stream);
    loam_dungeon_key(made->plan, digest_sink(&stream));
    const digest build_key = digest_end(&stream);
    made->digests = dungeon_digests_of(&made->dungeon, &build_key);
    return LOAM_OK;
}

static loam_status show(const made_dungeon *made, const dungeon_view *view, const char *path,
                        loam_error *error) {
    text_buffer buffer;
    buffer_init(&buffer, DUNGEON_TEXT_MAX);
    loam_status status = view->write(made, &buffer);
    if (status != LOAM_OK) {
        (void)loam_fail(error, status, NULL, "the dungeon cannot be shown as %s", view->name);
    } else {
        status = view->binary ? output_write_binary(path, buffer.bytes, buffer.size, error)
                              : output_write(path, buffer.bytes, buffer.size, error);
    }
    buffer_fini(&buffer);
    return status;
}

/* What a person wants to know beside the picture. */
static void summary_print(const made_dungeon *made) {
    char key[DIGEST_TEXT_BYTES];
    digest_text(&made->digests.build_key, key);
    (void)fprintf(stderr, "%s: %s\n", loam_dungeon_status_name(made->dungeon.status), key);
    for (uint32_t i = 0; i < made->dungeon.floor_count; i++) {
        const loam_dungeon_floor *floor = &made->dungeon.floors[i];
        (void)fprintf(stderr, "floor %u: %u rooms, %u doors, %lld of %lld cells walkable, %u %s\n",
                      floor->number, floor->layout.room_count, floor->layout.door_count,
                      (long long)floor->metrics.walkable,
                      (long long)floor->layout.width * floor->layout.height, floor->attempt_count,
                      floor->attempt_count == 1 ? "attempt" : "attempts");
    }
}

/* ---- A daemon's ------------------------------------------------------------------------------ */

/* The same bytes as made here: a document for a terminal ends its line. */
static loam_status body_write(const char *path, const dungeon_view *view,
                              const loam_client_response *response, loam_error *error) {
    if (view->write != write_json) {
        return view->binary ? output_write_binary(path, response->body, response->body_size, error)
                            : output_write(path, response->body, response->body_size, error);
    }
    text_buffer buffer;
    buffer_init(&buffer, DUNGEON_TEXT_MAX);
    buffer_add(&buffer, response->body, response->body_size);
    buffer_add_text(&buffer, "\n");
    loam_status status = buffer.failed
                             ? loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the document")
                             : output_write(path, buffer.bytes, buffer.size, error);
    buffer_fini(&buffer);
    return status;
}

static int response_write(const cli_arguments *arguments, const dungeon_view *view,
                          const loam_client_response *response) {
    loam_error error = {0};
    const char *path = options_text(arguments, "o");
    const char *key = loam_client_header(response, "Loam-Build-Key");
    if (response->http_status == 202) {
        const char *location = loam_client_header(response, "Location");
        (void)loam_fail(&error, LOAM_OVERLOADED, NULL, "it is still being built: loam get %s",
                        location != NULL ? location : "");
        return output_failure(arguments->command->name, &error);
    }
    if (body_write(path, view, response, &error) != LOAM_OK) {
        return output_failure(arguments->command->name, &error);
    }
    (void)fprintf(stderr, "%s\n", key != NULL ? key : "");
    return CLI_DONE;
}

static int dungeon_remote(const cli_arguments *arguments, const dungeon_view *view,
                          loam_text json) {
    const loam_client_field headers[] = {{"Accept", view->media_type}};
    const loam_client_request request = {.method = "POST",
                                         .path = "/v1/dungeons",
                                         .headers = headers,
                                         .header_count = 1,
                                         .content_type = "application/json",
                                         .body = json.bytes,
                                         .body_size = json.size};
    loam_client_response response = {0};
    int exit_code = CLI_DONE;
    if (remote_send(arguments, &request, &response, &exit_code)) {
        exit_code = response_write(arguments, view, &response);
        loam_client_response_fini(&response);
    }
    return exit_code;
}

static int dungeon_refused(const cli_arguments *arguments, const loam_error *error) {
    int exit_code = output_failure(arguments->command->name, error);
    if (strncmp(error->pointer, "/params/", 8) == 0) {
        (void)fprintf(stderr, "  'loam operations %s' lists its parameters\n",
                      options_text(arguments, "recipe"));
    }
    return exit_code;
}

static int dungeon_run(const cli_arguments *arguments) {
    made_dungeon made = {0};
    loam_error error = {0};
    char *json = NULL;
    const dungeon_view *view = find_view(options_text(arguments, "view"), &error);
    if (view == NULL) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    loam_status status = make_document(arguments, &json, &error);
    if (status == LOAM_OK && remote_is_named(arguments)) {
        int exit_code = dungeon_remote(arguments, view, loam_text_of(json));
        free(json);
        return exit_code;
    }
    if (status == LOAM_OK) {
        status = read_request(loam_text_of(json), &made, &error);
    }
    status = status == LOAM_OK ? build(&made, &error) : status;
    status = status == LOAM_OK ? show(&made, view, options_text(arguments, "o"), &error) : status;
    if (status == LOAM_OK) {
        summary_print(&made);
    }
    memory_close(&made.memory);
    memory_close(&made.request_memory);
    free(json);
    return status == LOAM_OK ? CLI_DONE : dungeon_refused(arguments, &error);
}

static const cli_option dungeon_options[] = {
    {"recipe", "NAME", "dungeon.rooms, cave.cellular, ...: see 'loam operations'", true},
    {"seed", "SEED", "a number below 2^64", true},
    {"param", "NAME=VALUE", "a parameter of the recipe; @FILE for a document; as often as needed",
     false},
    {"policy", "POLICY", "strict, degraded or fallback (degraded)", false},
    {"view", "VIEW", "text, json, bytes, tiled, ldtk, svg or png (text)", false},
    {"o", "FILE", "where it goes (stdout)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_dungeon = {
    .name = "dungeon",
    .operands = "",
    .summary = "build a dungeon or a cave and show it, or fetch it from a daemon",
    .details = "The same recipe, seed and parameters give the same dungeon everywhere. Its build\n"
               "key and what was built are said on stderr; a daemon is asked where one is named.",
    .examples = "  loam dungeon --recipe dungeon.rooms --seed 42\n"
                "  loam dungeon --recipe cave.cellular --seed 7 --param width=96 \\\n"
                "    --param wall_percent=47 --view json -o cave.json",
    .options = dungeon_options,
    .remote = true,
    .run = dungeon_run,
};
