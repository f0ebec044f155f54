/* SPDX-License-Identifier: MIT
 *
 * large_asset.h: an asset that no socket buffer holds, and clients that take it as slowly as they
 * like.
 */
#ifndef LOAM_TESTS_SUPPORT_LARGE_ASSET_H
#define LOAM_TESTS_SUPPORT_LARGE_ASSET_H

#include "tests/support/daemon.h"

/* Samples along each side: 8 MiB of them. */
enum { LARGE_SIDE = 2048, LARGE_BYTES = 2 * LARGE_SIDE * LARGE_SIDE };

/* What PUT says about it. */
#define LARGE_QUERY                                                                                \
    "kind=heightfield&width=2048&height=2048&spacing_m=1&offset_m=0&scale_m=0.125&encoding=u16le"  \
    "&row0=north"
#define LARGE_CONTENT "/v1/assets/large/content"

/* Puts it as "large"; fails the test when it is not taken. */
void large_put(const test_daemon *daemon);
/* A socket with little room for what comes, on which `text` has been sent; blocks. */
int narrow_client(const test_daemon *daemon, const char *text);
/* Reads one answer until its end, with a break every now and then; bytes behind the head, and in
 * `promised` what its Content-Length says. */
size_t read_steadily(int client, size_t *promised);

#endif
