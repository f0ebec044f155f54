/* SPDX-License-Identifier: MIT
 *
 * density.c: density.noise and density.cull. Density is an integer in 1/2^24, rounded after every
 * operation that changes it; a draw and a density are compared as integers.
 */
#include "core/base/mix.h"
#include "core/base/try.h"
#include "core/ops/column_kernel.h"
#include "core/ops/combine.h"
#include "core/ops/operation.h"
#include "core/space/noise.h"

enum {
    NOISE_WAVELENGTH,
    NOISE_OCTAVES,
    NOISE_GAIN,
    NOISE_CONTRAST,
    NOISE_BIAS,
    NOISE_COMBINE,
    NOISE_SHAPE,
};
enum { CULL_MULTIPLIER };

/* The noise and the new density. */
enum { NOISE_BYTES_EACH = 8, CULL_BYTES_EACH = 8 };

const char *const combine_choices[] = {"multiply", "replace", "min", "max", NULL};
static const char *const shape_choices[] = {"gradient", "value", "ridged", NULL};
static const loam_port_schema density_ports[] = {{"points", LOAM_PORT_POINTS, true, 0, false}};

static const loam_param_schema noise_params[] = {
    PARAM("wavelength_m", "Wavelength", "m", FLOAT, BITS_UNITS,
          LOAM_PARAM_REQUIRED | LOAM_PARAM_NONZERO, 0, 2, 1 << 24, 256,
          "Distance between two crests of the first octave."),
    PARAM("octaves", "Octaves", "", INT, 0, 0, 4, 1, OCTAVES_MAX, 1,
          "Layers of noise, each of half the wavelength of the one before."),
    PARAM("gain", "Gain", "", FLOAT, BITS_RATIO, 0, 32768, 0, 65536, 655,
          "Strength of an octave against the one before."),
    PARAM("contrast", "Contrast", "", FLOAT, BITS_RATIO, 0, 65536, -(1 << 24), 1 << 24, 6554,
          "Factor on the noise, which runs from -1 to 1."),
    PARAM("bias", "Bias", "", FLOAT, BITS_RATIO, 0, 32768, -(1 << 24), 1 << 24, 655,
          "Density where the noise is 0."),
    PARAM_CHOICE("combine", "Combine", COMBINE_MULTIPLY, combine_choices, 4,
                 "How the noise meets the density that is there."),
    PARAM_CHOICE("kind", "Kind", NOISE_GRADIENT, shape_choices, 3, "Shape of the noise."),
};

static const loam_param_schema cull_params[] = {
    PARAM("multiplier", "Multiplier", "", FLOAT, BITS_DENSITY, 0, LOAM_DENSITY_ONE, 0,
          LOAM_DENSITY_ONE, 1 << 17, "Factor on the density before the draw."),
};

static void noise_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                       node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], NOISE_BYTES_EACH, cost);
}

static void cull_cost(const loam_node *node, loam_rect rect, const node_cost *inputs,
                      node_cost *cost) {
    (void)node;
    (void)rect;
    cost_of_columns(&inputs[0], CULL_BYTES_EACH, cost);
}

static loam_status noise_evaluate(node_call *call) {
    const point_set *in = call->inputs[0];
    float *noise = COLUMN_TAKE(call->arena, in->count, float);
    uint32_t *density = COLUMN_TAKE(call->arena, in->count, uint32_t);
    LOAM_TRY_MEMORY(noise, call->error);
    LOAM_TRY_MEMORY(density, call->error);
    combine_mode combine = (combine_mode)param_integer(call->node, NOISE_COMBINE);
    bool all_one = in->density == NULL && in->density_all == LOAM_DENSITY_ONE;
    if (all_one && combine == COMBINE_MULTIPLY) {
        combine = COMBINE_REPLACE; /* the same, and no column of ones is needed */
    }
    const uint32_t *before = combine == COMBINE_REPLACE ? NULL : density_column(call, in);
    if (combine != COMBINE_REPLACE) {
        LOAM_TRY_MEMORY(before, call->error);
    }
    fbm_noise shape;
    noise_init(&shape, (noise_kind)param_integer(call->node, NOISE_SHAPE), call->seed,
               param_integer(call->node, NOISE_WAVELENGTH),
               (uint32_t)param_integer(call->node, NOISE_OCTAVES),
               param_integer(call->node, NOISE_GAIN));
    SIMD_SELECT(noise_kernels, call->run->level)
        ->fill(&shape, in->base_x, in->base_z, in->x, in->z, in->count, noise);
    SIMD_SELECT(column_kernels, call->run->level)
        ->noise_density(noise, (float)param_integer(call->node, NOISE_BIAS) / 65536.0f,
                        (float)param_integer(call->node, NOISE_CONTRAST) / 65536.0f, combine,
                        before, in->count, density);
    *call->out = *in;
    call->out->density = density;
    call->path = "vector";
    return poll_cancel(call);
}

/* Draws a whole row of sites at once. */
static void cull_lattice(node_call *call, const uint32_t *density, const uint32_t *live,
                         uint32_t *kept) {
    const point_set *in = call->inputs[0];
    const column_kernels *kernels = SIMD_SELECT(column_kernels, call->run->level);
    uint64_t key = draw_key(call->seed, DRAW_CULL);
    uint32_t multiplier = (uint32_t)param_integer(call->node, CULL_MULTIPLIER);
    for (uint32_t j = 0; j < in->lattice->rows; j++) {
        size_t at = (size_t)j * in->lattice->stride;
        uint32_t b = (uint32_t)(in->lattice->site_z + j);
        draw_run run = {draw_row_key(key, b), (uint32_t)in->lattice->site_x};
        kernels->keep_drawn(run, NULL, density + at, multiplier, live + at, in->lattice->stride,
                            kept + at);
    }
}

/* Draws runs of equal b, as they come. */
static void cull_compact(node_call *call, const uint32_t *density, const uint32_t *live,
                         uint32_t *kept) {
    const point_set *in = call->inputs[0];
    const column_kernels *kernels = SIMD_SELECT(column_kernels, call->run->level);
    uint64_t key = draw_key(call->seed, DRAW_CULL);
    uint32_t multiplier = (uint32_t)param_integer(call->node, CULL_MULTIPLIER);
    for (uint32_t i = 0, end; i < in->count; i = end) {
        for (end = i + 1; end < in->count && in->b[end] == in->b[i];) {
            end++;
        }
        draw_run run = {draw_row_key(key, in->b[i]), 0};
        kernels->keep_drawn(run, in->a + i, density + i, multiplier, live + i, end - i, kept + i);
    }
}

static loam_status cull_evaluate(node_call *call) {
    const point_set *in = call->inputs[0];
    const uint32_t *live = live_column(call, in);
    const uint32_t *density = density_column(call, in);
    uint32_t *kept = COLUMN_TAKE(call->arena, in->count, uint32_t);
    LOAM_TRY_MEMORY(live, call->error);
    LOAM_TRY_MEMORY(density, call->error);
    LOAM_TRY_MEMORY(kept, call->error);
    if (in->lattice != NULL) {
        cull_lattice(call, density, live, kept);
    } else {
        cull_compact(call, density, live, kept);
    }
    *call->out = *in;
    call->out->live = kept;
    call->path = in->lattice != NULL ? "lattice" : "compact";
    return poll_cancel(call);
}

/* The draw, which was not below the density. */
static void cull_explain(node_call *call, uint32_t port, uint32_t row, node_reason *reason) {
    const point_set *in = call->inputs[port];
    const site_lattice *lattice = in->lattice;
    bool sites = in->a == NULL;
    uint32_t a = sites ? (uint32_t)(lattice->site_x + row % lattice->stride) : in->a[row];
    uint32_t b = sites ? (uint32_t)(lattice->site_z + row / lattice->stride) : in->b[row];
    uint64_t row_key = draw_row_key(draw_key(call->seed, DRAW_CULL), b);
    uint64_t density = in->density == NULL ? in->density_all : in->density[row];
    uint64_t multiplier = (uint64_t)param_integer(call->node, CULL_MULTIPLIER);
    *reason = (node_reason){.word = "draw",
                            .measured = true,
                            .scale_bits = BITS_DENSITY,
                            .value = draw_bits(row_key, a) >> 8,
                            .limit = (int64_t)((density * multiplier + (1u << 23)) >> 24)};
}

const loam_operation density_noise_operation = {
    .name = "density.noise",
    .version = 1,
    .category = "density",
    .title = "Density noise",
    .description = "Density times clamp(bias + contrast * n, 0, 1); n is FBm over the sum of its "
                   "amplitudes, times 2.5, in [-1, 1].",
    .reach = "0",
    .ports = density_ports,
    .port_count = COUNT_OF(density_ports),
    .params = noise_params,
    .param_count = COUNT_OF(noise_params),
    .seeded = true,
};
const operation_code density_noise_code = {.cost = noise_cost, .evaluate = noise_evaluate};

const loam_operation density_cull_operation = {
    .name = "density.cull",
    .version = 1,
    .category = "density",
    .title = "Density cull",
    .description = "Keeps a point when its own draw is below its density times the multiplier.",
    .reach = "0",
    .ports = density_ports,
    .port_count = COUNT_OF(density_ports),
    .params = cull_params,
    .param_count = COUNT_OF(cull_params),
    .seeded = true,
};
const operation_code density_cull_code = {
    .cost = cull_cost, .evaluate = cull_evaluate, .explain = cull_explain};
