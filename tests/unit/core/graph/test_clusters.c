/* SPDX-License-Identifier: MIT
 *
 * test_clusters.c: noise makes clusters and gaps that survive pruning: quadrats of 32 m of one
 * square kilometre are counted. A constant density must fail the same measure.
 */
#include "tests/unit/core/graph/graph_text.h"

enum { METRE = LOAM_UNITS_PER_METRE, SQUARE_M = 1024, QUADRAT_M = 32, QUADRATS = 32 * 32 };

/* Shares of quadrats below a tenth of the fullest and above half of it. */
typedef struct clumping {
    double gaps, clusters;
    uint32_t points;
} clumping;

static clumping measure(const char *const *lines) {
    static uint32_t counts[QUADRATS];
    graph_scene *scene = scene_of_lines(lines, 20);
    loam_points points;
    loam_error error = {0};
    loam_run run = {.arena = &scene->arena};
    clumping found = {0};
    scene->query.rect = (loam_rect){0, 0, SQUARE_M * METRE, SQUARE_M * METRE};
    text_must(loam_cell_build(&scene->query, &run, &points, &error), &error, "square");
    memset(counts, 0, sizeof counts);
    for (uint32_t i = 0; i < points.count; i++) {
        counts[points.z[i] / (QUADRAT_M * METRE) * 32 + points.x[i] / (QUADRAT_M * METRE)]++;
    }
    uint32_t fullest = 0;
    for (int q = 0; q < QUADRATS; q++) {
        fullest = counts[q] > fullest ? counts[q] : fullest;
    }
    for (int q = 0; q < QUADRATS; q++) {
        found.gaps += counts[q] * 10 < fullest ? 1.0 / QUADRATS : 0;
        found.clusters += counts[q] * 2 > fullest ? 1.0 / QUADRATS : 0;
    }
    found.points = points.count;
    return found;
}

static bool is_clumped(clumping found) {
    return found.gaps >= 0.05 && found.clusters >= 0.05;
}

Test(clusters, noise_of_contrast_1_6_makes_clusters_and_gaps) {
    const char *const lines[] = {
        "s grid.sample spacing_m=308",
        "n density.noise wavelength_m=24576 octaves=2 contrast=104858 points<s",
        "c density.cull points<n",
        "p self.prune radius_m=615 points<c",
        "=o p",
        NULL};
    clumping found = measure(lines);
    cr_expect(is_clumped(found), "gaps %f, clusters %f of %u points", found.gaps, found.clusters,
              found.points);
    cr_expect_gt(found.points, 20000);
}

Test(clusters, a_constant_density_of_one_half_makes_none) {
    const char *const lines[] = {"s grid.sample spacing_m=308 density=8388608",
                                 "c density.cull points<s", "p self.prune radius_m=615 points<c",
                                 "=o p", NULL};
    clumping found = measure(lines);
    cr_expect(!is_clumped(found), "gaps %f, clusters %f", found.gaps, found.clusters);
    cr_expect_eq(found.gaps, 0.0);
    cr_expect_gt(found.points, 20000);
}
