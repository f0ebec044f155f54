/* SPDX-License-Identifier: MIT
 *
 * certificate.c: see certificate.h.
 */
#include "tests/support/certificate.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

void certificate_make(const char *folder, const char *name) {
    char command[512];
    snprintf(command, sizeof command,
             "umask 077; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes "
             "-days 2 -subj /CN=%s -addext subjectAltName=IP:127.0.0.1 -keyout '%s/%s.key' "
             "-out '%s/%s.crt' 2>/dev/null",
             name, folder, name, folder, name);
    cr_assert_eq(system(command), 0, "openssl makes the certificates of tests");
}
