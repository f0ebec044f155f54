/* SPDX-License-Identifier: MIT
 *
 * command_job_dungeons.c: `loam job dungeons FILE`: a list of requests for dungeons, or one request
 * for a range of seeds, as one job of a daemon.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/job_submit.h"
#include "api/cli/output.h"
#include "api/wire/document.h"
#include "api/wire/job_document.h"
#include "api/wire/seed.h"
#include "core/base/try.h"

/* "FIRST,LAST", both inclusive. */
static loam_status read_seeds(const char *text, uint64_t *first, uint64_t *last,
                              loam_error *error) {
    const char *comma = strchr(text, ',');
    size_t size = comma == NULL ? 0 : (size_t)(comma - text);
    if (size == 0 || !seed_parse((loam_text){text, size}, first) ||
        !seed_parse(loam_text_of(comma + 1), last) || *last < *first) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "--seeds is FIRST,LAST, such as 1,1000");
    }
    return *last - *first < JOB_DUNGEONS_MAX
               ? LOAM_OK
               : loam_fail(error, LOAM_TOO_MANY, NULL, "a job has at most %u dungeons",
                           JOB_DUNGEONS_MAX);
}

static loam_status add_seeds(json_t *dungeons, json_t *request, const char *text,
                             loam_error *error) {
    uint64_t first = 0;
    uint64_t last = 0;
    LOAM_TRY(read_seeds(text, &first, &last, error));
    for (uint64_t i = 0; i <= last - first; i++) {
        char seed[24];
        (void)snprintf(seed, sizeof seed, "%llu", (unsigned long long)(first + i));
        json_t *one = json_copy(request);
        if (json_object_set_new(one, "seed", json_string(seed)) != 0 ||
            json_array_append_new(dungeons, one) != 0) {
            return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for so many dungeons");
        }
    }
    return LOAM_OK;
}

/* A list, a job's document, or one request, which --seeds repeats. */
static loam_status make_document(const cli_arguments *arguments, json_t *given, json_t *document,
                                 loam_error *error) {
    const char *seeds = options_text(arguments, "seeds");
    json_t *listed = json_object_get(given, "dungeons");
    if (seeds != NULL && (listed != NULL || !json_is_object(given))) {
        return loam_fail(error, LOAM_WRONG_TYPE, NULL, "--seeds takes a file with one request");
    }
    if (listed != NULL) {
        json_object_update(document, given);
        return LOAM_OK;
    }
    json_t *dungeons = json_array();
    json_object_set_new(document, "dungeons", dungeons);
    if (seeds != NULL) {
        return add_seeds(dungeons, given, seeds, error);
    }
    if (json_is_array(given)) {
        json_array_extend(dungeons, given);
    } else {
        json_array_append(dungeons, given);
    }
    return LOAM_OK;
}

static loam_status set_options(const cli_arguments *arguments, json_t *document,
                               loam_error *error) {
    int64_t priority = -1;
    LOAM_TRY(options_integer(arguments, "priority", 0, JOB_PRIORITY_MAX, &priority, error));
    if (priority >= 0) {
        json_object_set_new(document, "priority", json_integer(priority));
    }
    if (options_flag(arguments, "discard")) {
        json_object_set_new(document, "keep", json_false());
    }
    return LOAM_OK;
}

static loam_status read_file(const cli_arguments *arguments, json_t **given, loam_error *error) {
    loam_text text;
    json_error_t fault;
    LOAM_TRY(input_read(arguments->operands[0], JSON_BYTES_MAX, &text, error));
    *given = json_loadb(text.bytes, text.size, JSON_REJECT_DUPLICATES, &fault);
    free((void *)(uintptr_t)text.bytes);
    return *given != NULL ? LOAM_OK
                          : loam_fail(error, LOAM_MALFORMED, NULL, "%s, line %d: %s",
                                      arguments->operands[0], fault.line, fault.text);
}

static loam_status write_document(const cli_arguments *arguments, char **text, loam_error *error) {
    json_t *given = NULL;
    LOAM_TRY(read_file(arguments, &given, error));
    json_t *document = json_object();
    loam_status status = make_document(arguments, given, document, error);
    if (status == LOAM_OK) {
        status = set_options(arguments, document, error);
    }
    *text = status == LOAM_OK ? json_dumps(document, JSON_COMPACT) : NULL;
    json_decref(document);
    json_decref(given);
    return status != LOAM_OK || *text != NULL
               ? status
               : loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for the job's document");
}

static int job_dungeons_run(const cli_arguments *arguments) {
    char *document = NULL;
    loam_error error = {0};
    if (write_document(arguments, &document, &error) != LOAM_OK) {
        return output_failure(arguments->command->name, &error);
    }
    int exit_code = job_submit(arguments, document);
    free(document);
    return exit_code;
}

static const cli_option job_dungeons_options[] = {
    {"seeds", "FIRST,LAST", "the one request of FILE with each of these seeds", false},
    {"priority", "N", "0 to 9", false},
    {"discard", NULL, "results may leave the cache (\"keep\": false)", false},
    {"wait", NULL, "wait for the end, with a progress bar", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_job_dungeons = {
    .name = "job dungeons",
    .operands = "FILE",
    .summary = "have a daemon build dungeons",
    .details = "FILE (- is stdin) holds a list of requests as of POST /v1/dungeons, or one of "
               "them. Prints the\njob's id. The same dungeons again are the same job; each is then "
               "'loam get /v1/dungeons/KEY'\nwith the build key that 'loam job results' says.",
    .examples = "  loam job dungeons dungeons.json --wait\n"
                "  echo '{\"recipe\": \"dungeon.rooms\"}' | loam job dungeons - --seeds 1,1000",
    .options = job_dungeons_options,
    .operand_min = 1,
    .operand_max = 1,
    .remote = true,
    .run = job_dungeons_run,
};
