/* SPDX-License-Identifier: MIT
 *
 * test_contents.c: the bytes of a large asset, asked for by many: they are in memory once, and not
 * at all for those who ask for headers or have them.
 */
#include "tests/support/footprint.h"
#include "tests/support/large_asset.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* At 16.8 MB a copy of their own they would take 400 MB. */
enum { READERS = 24, ROOM_MB = 100 };

static void start(void) {
    server_start();
    large_put(&server);
}

TestSuite(contents, .init = start, .fini = server_stop, .timeout = 60);

static bool becomes_none(void) {
    for (int i = 0; i < 500; i++) {
        if (daemon_metric(&server, "loam_asset_content_bytes") == 0) {
            return true;
        }
        pause_ms(20);
    }
    return false;
}

Test(contents, many_who_do_not_read_share_one_copy) {
    int clients[READERS];
    char first[16];
    double before = footprint_of(server.pid).resident_mb;
    for (int i = 0; i < READERS; i++) {
        clients[i] =
            narrow_client(&server, "GET " LARGE_CONTENT " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    for (int i = 0; i < READERS; i++) {
        cr_assert_eq(recv(clients[i], first, sizeof first, 0), (ssize_t)sizeof first);
        cr_expect_eq(strncmp(first, "HTTP/1.1 200 OK", 15), 0);
    }
    double bytes = daemon_metric(&server, "loam_asset_content_bytes");
    double after = footprint_of(server.pid).resident_mb;
    cr_expect(bytes > LARGE_BYTES && bytes < 3 * LARGE_BYTES, "%f", bytes);
    cr_expect_lt(after - before, ROOM_MB, "from %f to %f MB", before, after);
    for (int i = 0; i < READERS; i++) {
        close(clients[i]);
    }
    cr_expect(becomes_none(), "the copy goes with the last of them");
}

Test(contents, headers_and_what_the_client_has_are_answered_unread) {
    char command[256];
    char known[128];
    answer whole = ask_get(&server, LARGE_CONTENT);
    cr_assert_eq(whole.status, 200);
    snprintf(known, sizeof known, "If-None-Match: %s", answer_header(&whole, "ETag"));
    const char *headers[] = {known, NULL};
    cr_expect(becomes_none());
    snprintf(command, sizeof command, "rm %s/data/assets/sha256-*", server.folder);
    cr_assert_eq(system(command), 0);
    answer head = ask(&server, "HEAD", NULL, LARGE_CONTENT);
    answer same = ask(&server, "GET", &(ask_options){.headers = headers}, LARGE_CONTENT);
    static const char *const equal[] = {"ETag", "Content-Type",  "Content-Length", "Cache-Control",
                                        "Vary", "Accept-Ranges", "Repr-Digest"};
    cr_expect_eq(head.status, 200);
    cr_expect_eq(head.size, 0);
    for (size_t i = 0; i < sizeof equal / sizeof *equal; i++) {
        char of_get[128];
        snprintf(of_get, sizeof of_get, "%s", answer_header(&whole, equal[i]));
        cr_expect_str_eq(answer_header(&head, equal[i]), of_get, "%s", equal[i]);
    }
    cr_expect_eq(same.status, 304);
    cr_expect_eq(daemon_metric(&server, "loam_asset_content_bytes"), 0);
    answer gone = ask_get(&server, LARGE_CONTENT);
    cr_expect_gt(gone.status, 400, "its file is needed for the bytes alone");
    answer_free(&whole);
    answer_free(&head);
    answer_free(&same);
    answer_free(&gone);
}
