/* SPDX-License-Identifier: MIT
 *
 * bake.h: what benchmarks of a whole daemon bake: 1,024 dense cells of 256 m (about 20,000
 * instances each) of a world on made hills. What cannot be had ends the program with its reason.
 */
#ifndef LOAM_TESTS_SUPPORT_BAKE_H
#define LOAM_TESTS_SUPPORT_BAKE_H

#include "api/client/loam_client.h"

enum { BAKE_CELLS = 1024, BAKE_CELLS_ACROSS = 32 };

/* To the daemon of program_daemon_start in this folder. */
loam_client *bake_connect(const char *folder);
/* The terrain "hills". */
void bake_put_hills(loam_client *client);
/* A world of this name and seed on them. */
void bake_put_world(loam_client *client, const char *name, unsigned seed);
/* Bakes it as one job; seconds from the submission to the end that a client sees. */
double bake_run(loam_client *client, const char *world, int priority, loam_client_job *done);

#endif
