/* SPDX-License-Identifier: MIT
 *
 * certificate.h: the certificate of the process for TLS and its key, which can be changed while
 * connections are open: those that have shaken hands go on, others get the new one. There is one of
 * a process, since the library that asks for it gives no context.
 */
#ifndef LOAM_SERVER_HTTP_CERTIFICATE_H
#define LOAM_SERVER_HTTP_CERTIFICATE_H

#include "core/loam.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>

/* Reads both from PEM files, the certificate with those of its issuers behind it, and takes them
 * from now on; when it fails the earlier ones stay. LOAM_IO, LOAM_MALFORMED, or LOAM_FORBIDDEN for
 * a key that everybody can read. */
LOAM_MUST_USE loam_status certificate_load(const char *certificate_file, const char *key_file,
                                           loam_error *error);
void certificate_unload(void);

/* What GnuTLS calls in a handshake. */
int certificate_give(gnutls_session_t session, const gnutls_datum_t *issuers, int issuer_count,
                     const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
                     gnutls_pcert_st **certificates, unsigned int *count, gnutls_privkey_t *key);

#endif
