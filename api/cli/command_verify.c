/* SPDX-License-Identifier: MIT
 *
 * command_verify.c: `loam verify`: cells that somebody else made are made anew from the world's own
 * file, and must have the same bytes and the same build key. They lie in a folder (of `loam bake`
 * or `loam cells`), or a daemon is asked for them.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/cell_file.h"
#include "api/cli/crew.h"
#include "api/cli/output.h"
#include "api/cli/remote.h"
#include "core/base/try.h"

/* As many cells as a job of the daemon takes. */
#define VERIFY_CELLS_MAX ((int64_t)16 << 20)

static int verify_stop;

typedef struct verify_place {
    int64_t x, z;
} verify_place;

typedef struct verify_work {
    const cli_arguments *arguments;
    const offline_world *offline;
    loam_run run;
    const char *folder;  /* or NULL: */
    loam_client *client; /* asked by one thread at a time */
    pthread_mutex_t asking;
    loam_client_cell cell;
    verify_place *places; /* owned */
    size_t count;
    int64_t workers;
    atomic_uint_fast64_t wrong;
} verify_work;

/* ---- Which cells ----------------------------------------------------------------------------- */

static loam_status place_add(verify_work *work, int64_t x, int64_t z, loam_error *error) {
    if ((work->count & (work->count + 1)) == 0) { /* grows at 0, 1, 3, 7, ... */
        verify_place *grown = realloc(work->places, (work->count * 2 + 1) * sizeof *grown);
        if (grown == NULL) {
            return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for so many cells");
        }
        work->places = grown;
    }
    work->places[work->count++] = (verify_place){x, z};
    return LOAM_OK;
}

static loam_status places_of_area(verify_work *work, loam_error *error) {
    int64_t area[4];
    LOAM_TRY(options_cells(work->arguments, "cells", VERIFY_CELLS_MAX, area, error));
    for (int64_t z = area[1]; z <= area[3]; z++) {
        for (int64_t x = area[0]; x <= area[2]; x++) {
            LOAM_TRY(place_add(work, x, z, error));
        }
    }
    return LOAM_OK;
}

static int place_compare(const void *a, const void *b) {
    const verify_place *p = a;
    const verify_place *q = b;
    if (p->z != q->z) {
        return p->z < q->z ? -1 : 1;
    }
    return p->x < q->x ? -1 : p->x > q->x;
}

static loam_status places_of_folder(verify_work *work, loam_error *error) {
    int64_t x;
    int64_t z;
    loam_status status = LOAM_OK;
    DIR *folder = opendir(work->folder);
    if (folder == NULL) {
        return loam_fail(error, LOAM_IO, NULL, "cannot read %s: %s", work->folder, strerror(errno));
    }
    struct dirent *entry;
    while (status == LOAM_OK && (entry = readdir(folder)) != NULL) {
        if (cell_file_parse(entry->d_name, &x, &z)) {
            status = place_add(work, x, z, error);
        }
    }
    (void)closedir(folder);
    if (status == LOAM_OK && work->count == 0) {
        return loam_fail(error, LOAM_NOT_FOUND, NULL, "%s holds no cells (X_Z.cell)", work->folder);
    }
    qsort(work->places, work->count, sizeof *work->places, place_compare);
    return status;
}

/* ---- One cell -------------------------------------------------------------------------------- */

/* What somebody else has. */
typedef struct verify_found {
    loam_text bytes; /* owned */
    char key[DIGEST_TEXT_BYTES];
} verify_found;

static loam_status found_read(const verify_work *work, verify_place at, verify_found *found,
                              loam_error *error) {
    char path[SHELF_PATH_BYTES];
    loam_text lines = {NULL, 0};
    LOAM_TRY(cell_file_path(work->folder, at.x, at.z, ".key", path, error));
    LOAM_TRY(input_read(path, CELL_KEY_FILE_BYTES_MAX, &lines, error));
    (void)snprintf(found->key, sizeof found->key, "%.*s", DIGEST_TEXT_SIZE, lines.bytes);
    free((void *)(uintptr_t)lines.bytes);
    LOAM_TRY(cell_file_path(work->folder, at.x, at.z, ".cell", path, error));
    return input_read(path, CELL_FILE_BYTES_MAX, &found->bytes, error);
}

static loam_status found_fetch(verify_work *work, verify_place at, verify_found *found,
                               loam_error *error) {
    loam_client_cell cell = work->cell;
    loam_client_response response;
    cell.x = at.x;
    cell.z = at.z;
    (void)pthread_mutex_lock(&work->asking);
    loam_status status = loam_client_cell_get(work->client, &cell, &response, error);
    (void)pthread_mutex_unlock(&work->asking);
    if (status == LOAM_OK) {
        const char *key = loam_client_header(&response, "Loam-Build-Key");
        (void)snprintf(found->key, sizeof found->key, "%s", key != NULL ? key : "");
        found->bytes = (loam_text){(const char *)response.body, response.body_size};
        response.body = NULL;
    }
    loam_client_response_fini(&response);
    return status;
}

static void wrong_tell(verify_work *work, verify_place at, const char *what, const char *got,
                       const char *want) {
    atomic_fetch_add(&work->wrong, 1);
    (void)fprintf(stderr, "%" PRId64 "/%" PRId64 ": %s is %s, the world gives %s\n", at.x, at.z,
                  what, got, want);
}

static void found_judge(verify_work *work, verify_place at, const verify_found *found,
                        const offline_cell *made) {
    char got[DIGEST_TEXT_BYTES];
    char want[DIGEST_TEXT_BYTES];
    digest id = digest_of(found->bytes.bytes, found->bytes.size);
    digest_text(&id, got);
    digest_text(&made->id, want);
    if (strcmp(got, want) != 0) {
        wrong_tell(work, at, "the digest", got, want);
        return;
    }
    digest_text(&made->key, want);
    if (strcmp(found->key, want) != 0) {
        wrong_tell(work, at, "the build key", found->key, want);
    }
}

/* A file that is missing is one cell that is wrong; a daemon that says no ends the work. */
static loam_status cell_verify(void *context, uint64_t index, offline_cell *scratch,
                               loam_error *error) {
    verify_work *work = context;
    verify_place at = work->places[index];
    verify_found found = {0};
    loam_rect rect;
    LOAM_TRY(world_cell(&work->offline->world, work->cell.level, at.x, at.z, &rect, error));
    LOAM_TRY(offline_build(work->offline, rect, &work->run, scratch, error));
    loam_error missing = {0};
    loam_status status = work->folder != NULL ? found_read(work, at, &found, &missing)
                                              : found_fetch(work, at, &found, error);
    if (status == LOAM_OK) {
        found_judge(work, at, &found, scratch);
    } else if (work->folder != NULL) {
        atomic_fetch_add(&work->wrong, 1);
        (void)fprintf(stderr, "%" PRId64 "/%" PRId64 ": %s\n", at.x, at.z, missing.text);
        status = LOAM_OK;
    }
    free((void *)(uintptr_t)found.bytes.bytes);
    return status;
}

/* ---- The command ----------------------------------------------------------------------------- */

/* forest.world.json is called forest by its daemon, unless --as says otherwise. */
static const char *world_name(const cli_arguments *arguments, char *name, size_t capacity) {
    const char *given = options_text(arguments, "as");
    const char *slash = strrchr(arguments->operands[0], '/');
    const char *file = slash != NULL ? slash + 1 : arguments->operands[0];
    (void)snprintf(name, capacity, "%.*s", (int)strcspn(file, "."), file);
    return given != NULL ? given : name;
}

static loam_status options_read(verify_work *work, char *name, size_t capacity, loam_error *error) {
    const cli_arguments *arguments = work->arguments;
    int64_t level = 0;
    work->workers = crew_workers_default();
    LOAM_TRY(options_integer(arguments, "level", 0, LEVELS_MAX - 1, &level, error));
    LOAM_TRY(options_integer(arguments, "workers", 1, CREW_WORKERS_MAX, &work->workers, error));
    LOAM_TRY(offline_run_options(arguments, &work->run, error));
    work->run.cancel = &verify_stop;
    work->folder = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
    work->cell = (loam_client_cell){.world = world_name(arguments, name, capacity),
                                    .output = options_text(arguments, "output"),
                                    .level = (uint32_t)level};
    bool by_folder = work->folder != NULL && options_text(arguments, "cells") == NULL;
    return by_folder ? places_of_folder(work, error) : places_of_area(work, error);
}

static int verify_all(verify_work *work) {
    loam_error error = {0};
    crew_task task = {.label = "verify",
                      .count = work->count,
                      .workers = (uint32_t)work->workers,
                      .stop = &verify_stop,
                      .context = work,
                      .make = cell_verify};
    crew_catch_interrupts(&verify_stop);
    if (crew_run(&task, &error) != LOAM_OK) {
        return output_failure(work->arguments->command->name, &error);
    }
    uint64_t wrong = atomic_load(&work->wrong);
    if (options_flag(work->arguments, "json")) {
        (void)printf("{\"cells\":%zu,\"wrong\":%" PRIu64 "}\n", work->count, wrong);
    } else {
        (void)fprintf(stderr, "%zu cells, %" PRIu64 " are not what the world gives\n", work->count,
                      wrong);
    }
    return wrong == 0 ? CLI_DONE : CLI_FAILED;
}

static int verify_run(const cli_arguments *arguments) {
    offline_world offline;
    verify_work work = {.arguments = arguments, .offline = &offline};
    char name[NAME_BYTES_MAX + 1];
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (options_read(&work, name, sizeof name, &error) != LOAM_OK) {
        free(work.places);
        (void)output_failure(arguments->command->name, &error);
        return error.status == LOAM_IO || error.status == LOAM_NOT_FOUND ? CLI_FAILED : CLI_USAGE;
    }
    (void)pthread_mutex_init(&work.asking, NULL);
    if (offline_open(arguments, &offline, &error) != LOAM_OK) {
        exit_code = offline_refused(arguments, &offline, &error);
    } else {
        work.client = work.folder == NULL ? remote_open_or_tell(arguments, &exit_code) : NULL;
        exit_code = work.folder != NULL || work.client != NULL ? verify_all(&work) : exit_code;
    }
    loam_client_destroy(work.client);
    (void)pthread_mutex_destroy(&work.asking);
    free(work.places);
    offline_close(&offline);
    return exit_code;
}

static const cli_option verify_options[] = {
    CLI_WORLD_OPTIONS,
    {"level", "N", "level of the grid (0)", false},
    {"cells", "X0,Z0,X1,Z1", "first and last cell, inclusive (all that are in DIR)", false},
    {"as", "NAME", "what the daemon calls the world (the file's name up to its first dot)", false},
    {"workers", "N", "threads (one a processor)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_verify = {
    .name = "verify",
    .operands = "WORLD.json [DIR]",
    .summary = "make cells anew and hold others against them",
    .details =
        "The world's own file decides. DIR is a folder of 'loam bake' or 'loam cells'; without\n"
        "it a daemon is asked for --cells. Every cell must have the same bytes and the same\n"
        "build key; those that have not are listed, and the exit code is 1.",
    .examples = "  loam verify api/examples/forest.world.json out --output trees\n"
                "  loam verify api/examples/forest.world.json --output trees --cells 0,0,7,7 \\\n"
                "    --server 127.0.0.1:7373",
    .options = verify_options,
    .operand_min = 1,
    .operand_max = 2,
    .remote = true,
    .run = verify_run,
};
