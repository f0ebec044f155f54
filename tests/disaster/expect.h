/* SPDX-License-Identifier: MIT
 *
 * expect.h: one request of a visitor and what must be true of its answer; anything else is a
 * finding, which ends the life.
 */
#ifndef LOAM_TESTS_DISASTER_EXPECT_H
#define LOAM_TESTS_DISASTER_EXPECT_H

#include "tests/disaster/ledger.h"
#include "tests/disaster/visit.h"

/* Asks; the status must be of `allowed` (ended by 0), or 500 and above where the disk has failed
 * since `since` failures. True for 200 to 299. */
bool expect_status(ledger *shared, const visit *of, reply *got, const int *allowed);
/* The body hashes to its entity tag. */
void expect_hash(const visit *of, const reply *got);

void expect_terrain(ledger *shared, uint32_t visitor);
void expect_world(ledger *shared, uint32_t visitor);
void expect_cell(ledger *shared, uint32_t visitor, uint32_t x, uint32_t z, const char *accept);
void expect_dungeon(ledger *shared, uint32_t dungeon);
/* The state that it is in, or 0 when the disk failed: its first letter. */
char expect_job(ledger *shared, job_note *job, bool wait);
void expect_results(ledger *shared, const job_note *job);
/* Which kind of world a revision is; ends with a finding when it is none. */
uint32_t kind_of_revision(const ledger *shared, const char *revision);

/* Names and bodies that go with numbers. */
enum { PATH_TEXT_BYTES = 256, BODY_TEXT_BYTES = 1024 };
void terrain_body(uint32_t which, char body[BODY_TEXT_BYTES]);
void world_body(uint32_t kind, uint32_t visitor, char body[BODY_TEXT_BYTES]);
void dungeon_body(uint32_t which, char body[BODY_TEXT_BYTES]);

#endif
