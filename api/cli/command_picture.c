/* SPDX-License-Identifier: MIT
 *
 * command_picture.c: `loam picture`: a region as a picture. The region is generated in strips by
 * some threads and drawn in one order, so that the picture's bytes do not depend on the threads.
 * The order is from the south to the north, as it is inside a strip: a crown's shadow falls on what
 * lies south of it, and no border between strips shows.
 */
#include <stdio.h>

#include "api/cli/crew.h"
#include "api/cli/output.h"
#include "api/view/view_picture.h"
#include "core/base/try.h"

/* Points are the same in strips of any size. Wide ones show no border; low ones keep a thread's
 * memory small; narrower ones are taken when the graph is too dense for the budget of one. */
#define STRIP_WIDTH_UNITS ((int64_t)4096 * LOAM_UNITS_PER_METRE)
#define STRIP_WIDTH_UNITS_MIN ((int64_t)32 * LOAM_UNITS_PER_METRE)
#define STRIP_HEIGHT_UNITS ((int64_t)64 * LOAM_UNITS_PER_METRE)
#define PICTURE_WIDTH 1024
/* A side of the region: a larger one shows no tree any more. */
#define PICTURE_SIDE_M_MAX 65536
#define PICTURE_BYTES_MAX ((size_t)256 << 20)

static int picture_stop;

typedef struct region {
    const offline_world *offline; /* borrowed */
    loam_run run;
    loam_rect rect;
    int64_t strip_width;    /* units */
    uint32_t columns, rows; /* of strips */
    picture *drawing;       /* owned */
} region;

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The strip of a number: rows begin in the south, and end at the region's border. */
static loam_rect strip_rect(const region *shown, uint64_t index) {
    int64_t row = (int64_t)(index / shown->columns);
    int64_t column = (int64_t)(index % shown->columns);
    loam_rect rect = {.x0 = shown->rect.x0 + column * shown->strip_width,
                      .z0 = shown->rect.z0 + row * STRIP_HEIGHT_UNITS};
    rect.x1 = smaller(rect.x0 + shown->strip_width, shown->rect.x1);
    rect.z1 = smaller(rect.z0 + STRIP_HEIGHT_UNITS, shown->rect.z1);
    return rect;
}

static uint32_t parts_of(int64_t whole, int64_t part) {
    return (uint32_t)((whole + part - 1) / part);
}

/* Chooses the widest strips that the budget allows. */
static loam_status strips_choose(region *shown, loam_error *error) {
    const offline_world *offline = shown->offline;
    loam_estimate estimate;
    shown->columns = 1;
    for (shown->strip_width = STRIP_WIDTH_UNITS;; shown->strip_width /= 2) {
        loam_error fault = {0};
        loam_rect rect = strip_rect(shown, 0);
        loam_status status =
            loam_plan_estimate(offline->plan, offline->output, rect, &estimate, &fault);
        if (status == LOAM_OK) {
            break;
        }
        if (status != LOAM_BUDGET_EXCEEDED || shown->strip_width <= STRIP_WIDTH_UNITS_MIN) {
            return loam_fail(error, status, fault.pointer, "%s", fault.text);
        }
    }
    shown->columns = parts_of(shown->rect.x1 - shown->rect.x0, shown->strip_width);
    shown->rows = parts_of(shown->rect.z1 - shown->rect.z0, STRIP_HEIGHT_UNITS);
    return LOAM_OK;
}

static loam_status strip_make(void *context, uint64_t index, offline_cell *scratch,
                              loam_error *error) {
    const region *shown = context;
    return offline_points(shown->offline, strip_rect(shown, index), &shown->run, scratch, error);
}

static void strip_draw(void *context, uint64_t index, const offline_cell *scratch) {
    region *shown = context;
    (void)index;
    picture_add_points(shown->drawing, &scratch->points);
}

static loam_status region_read(const cli_arguments *arguments, region *shown,
                               picture_options *options, loam_error *error) {
    int64_t area[4];
    int64_t width = PICTURE_WIDTH;
    LOAM_TRY(options_area(arguments, "area", area, error));
    LOAM_TRY(options_integer(arguments, "pixels", 1, PICTURE_SIDE_MAX, &width, error));
    LOAM_TRY(offline_run_options(arguments, &shown->run, error));
    int64_t height = (area[3] - area[1]) * width / (area[2] > area[0] ? area[2] - area[0] : 1);
    if (area[2] - area[0] > PICTURE_SIDE_M_MAX || area[3] - area[1] > PICTURE_SIDE_M_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL, "--area is at most %d m wide and high",
                         PICTURE_SIDE_M_MAX);
    }
    if (area[0] == area[2] || height < 1 || height > PICTURE_SIDE_MAX) {
        return loam_fail(error, LOAM_OUT_OF_RANGE, NULL,
                         "--area must be of a shape that fits in 1 to %u pixels each way",
                         PICTURE_SIDE_MAX);
    }
    shown->rect = (loam_rect){area[0] * LOAM_UNITS_PER_METRE, area[1] * LOAM_UNITS_PER_METRE,
                              area[2] * LOAM_UNITS_PER_METRE, area[3] * LOAM_UNITS_PER_METRE};
    options->region = shown->rect;
    options->width = (uint32_t)width;
    options->height = (uint32_t)height;
    return LOAM_OK;
}

static loam_status region_begin(region *shown, picture_options *options, loam_error *error) {
    const offline_world *offline = shown->offline;
    picture_layer layers[SLOTS_MAX];
    for (uint32_t i = 0; i < offline->world.graph.slot_count; i++) {
        const loam_asset *asset = &offline->slots[i];
        picture_layer layer = {.name = offline->world.graph.slots[i].name};
        if (asset->kind == LOAM_PORT_AREAS) {
            layer.areas = asset->areas;
        } else if (asset->kind == LOAM_PORT_LINES) {
            layer.lines = asset->lines;
        } else {
            continue;
        }
        layers[options->layer_count++] = layer;
    }
    options->layers = layers;
    options->heightfield = offline_heightfield(offline);
    return picture_create(options, &shown->drawing, error);
}

static loam_status region_draw(region *shown, uint32_t workers, loam_error *error) {
    crew_task task = {.label = "picture",
                      .workers = workers,
                      .stop = &picture_stop,
                      .context = shown,
                      .make = strip_make,
                      .settle = strip_draw};
    LOAM_TRY(strips_choose(shown, error));
    task.count = (uint64_t)shown->columns * shown->rows;
    shown->run.cancel = &picture_stop;
    crew_catch_interrupts(&picture_stop);
    return crew_run(&task, error);
}

static loam_status region_write(const region *shown, const char *path, loam_error *error) {
    text_buffer png;
    buffer_init(&png, PICTURE_BYTES_MAX);
    loam_status status = picture_write(shown->drawing, &png, error);
    if (status == LOAM_OK) {
        status = output_write_binary(path, png.bytes, png.size, error);
    }
    buffer_fini(&png);
    return status;
}

static loam_status picture_make(const cli_arguments *arguments, region *shown,
                                picture_options *options, loam_error *error) {
    int64_t workers = crew_workers_default();
    LOAM_TRY(options_integer(arguments, "workers", 1, CREW_WORKERS_MAX, &workers, error));
    LOAM_TRY(region_begin(shown, options, error));
    LOAM_TRY(region_draw(shown, (uint32_t)workers, error));
    return region_write(shown, options_text(arguments, "o"), error);
}

static int picture_run(const cli_arguments *arguments) {
    offline_world offline;
    region shown = {.offline = &offline};
    picture_options options = {0};
    loam_error error = {0};
    int exit_code = CLI_DONE;
    if (region_read(arguments, &shown, &options, &error) != LOAM_OK) {
        (void)output_failure(arguments->command->name, &error);
        return CLI_USAGE;
    }
    if (offline_open(arguments, &offline, &error) != LOAM_OK) {
        exit_code = offline_refused(arguments, &offline, &error);
    } else if (picture_make(arguments, &shown, &options, &error) != LOAM_OK) {
        exit_code = output_failure(arguments->command->name, &error);
    }
    picture_destroy(shown.drawing);
    offline_close(&offline);
    return exit_code;
}

static const cli_option options[] = {
    CLI_WORLD_OPTIONS,
    {"area", "X0,Z0,X1,Z1", "south-west and north-east corner, whole metres", true},
    {"pixels", "W", "width of the picture (1024)", false},
    {"o", "FILE", "the PNG", true},
    {"workers", "N", "threads (one a processor)", false},
    CLI_END_OF_OPTIONS,
};

const cli_command command_picture = {
    .name = "picture",
    .operands = "WORLD.json",
    .summary = "draw a region: hillshade with the points on it",
    .details = "The first heightfield of the graph gives the ground. North is up.",
    .examples = "  loam picture api/examples/forest.world.json --output trees \\\n"
                "    --area 0,0,4096,4096 --pixels 1024 -o world.png",
    .options = options,
    .operand_min = 1,
    .operand_max = 1,
    .run = picture_run,
};
