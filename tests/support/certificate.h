/* SPDX-License-Identifier: MIT
 *
 * certificate.h: certificates for tests of TLS, made by openssl as they are needed.
 */
#ifndef LOAM_TESTS_SUPPORT_CERTIFICATE_H
#define LOAM_TESTS_SUPPORT_CERTIFICATE_H

/* One that vouches for itself as 127.0.0.1, in FOLDER/NAME.crt with its key in FOLDER/NAME.key.
 * Fails the test when there is no openssl. */
void certificate_make(const char *folder, const char *name);

#endif
