/* SPDX-License-Identifier: MIT
 *
 * certificate.c: see certificate.h. A handshake borrows what is current, so what a reload replaces
 * is kept until the reload after the longest handshake.
 */
#include "server/http/certificate.h"

#include "core/base/try.h"
#include "server/loop/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A chain: the certificate, and issuers up to a root. */
enum { CHAIN_MAX = 8 };
/* No handshake takes as long: the deadline of headers is over it. */
enum { HANDSHAKE_MS_MAX = 600000 };

typedef struct certificate {
    struct certificate *older;
    gnutls_pcert_st chain[CHAIN_MAX];
    unsigned int count;
    gnutls_privkey_t key;
    uint64_t retired_ms;
} certificate;

static certificate *current;

static void free_certificate(certificate *of) {
    for (unsigned int i = 0; i < of->count; i++) {
        gnutls_pcert_deinit(&of->chain[i]);
    }
    if (of->key != NULL) {
        gnutls_privkey_deinit(of->key);
    }
    free(of);
}

static void free_older(certificate *than, uint64_t now_ms, uint64_t age_ms) {
    certificate **link = &than->older;
    while (*link != NULL) {
        certificate *old = *link;
        if (now_ms - old->retired_ms >= age_ms) {
            *link = old->older;
            free_certificate(old);
        } else {
            link = &old->older;
        }
    }
}

static loam_status fail_tls(loam_error *error, const char *file, int code) {
    return loam_fail(error, LOAM_MALFORMED, NULL, "%.200s: %s", file, gnutls_strerror(code));
}

static loam_status read_file(const char *file, gnutls_datum_t *to, loam_error *error) {
    return gnutls_load_file(file, to) == 0
               ? LOAM_OK
               : loam_fail(error, LOAM_IO, NULL, "%.200s: cannot be read: %s", file,
                           strerror(errno));
}

static loam_status read_chain(certificate *to, const char *file, loam_error *error) {
    gnutls_datum_t text = {0};
    LOAM_TRY(read_file(file, &text, error));
    unsigned int count = CHAIN_MAX;
    int code = gnutls_pcert_list_import_x509_raw(to->chain, &count, &text, GNUTLS_X509_FMT_PEM,
                                                 GNUTLS_X509_CRT_LIST_FAIL_IF_UNSORTED);
    gnutls_free(text.data);
    to->count = code == 0 ? count : 0;
    return code == 0 ? LOAM_OK : fail_tls(error, file, code);
}

static loam_status read_key(certificate *to, const char *file, loam_error *error) {
    gnutls_datum_t text = {0};
    struct stat about;
    if (stat(file, &about) == 0 && (about.st_mode & S_IRWXO) != 0) {
        return loam_fail(error, LOAM_FORBIDDEN, NULL,
                         "%.200s: a key must not be open to everybody: chmod o= it", file);
    }
    LOAM_TRY(read_file(file, &text, error));
    int code = gnutls_privkey_init(&to->key);
    if (code == 0) {
        code = gnutls_privkey_import_x509_raw(to->key, &text, GNUTLS_X509_FMT_PEM, NULL, 0);
    }
    gnutls_memset(text.data, 0, text.size);
    gnutls_free(text.data);
    return code == 0 ? LOAM_OK : fail_tls(error, file, code);
}

/* Whether the key is the one that the certificate speaks of. */
static bool is_pair(const certificate *of) {
    unsigned char theirs[64];
    unsigned char ours[64];
    size_t their_size = sizeof theirs;
    size_t our_size = sizeof ours;
    gnutls_pubkey_t public_key = NULL;
    if (gnutls_pubkey_init(&public_key) != 0) {
        return false;
    }
    bool same =
        gnutls_pubkey_import_privkey(public_key, of->key, 0, 0) == 0 &&
        gnutls_pubkey_get_key_id(public_key, GNUTLS_KEYID_USE_SHA256, ours, &our_size) == 0 &&
        gnutls_pubkey_get_key_id(of->chain[0].pubkey, GNUTLS_KEYID_USE_SHA256, theirs,
                                 &their_size) == 0 &&
        our_size == their_size && memcmp(ours, theirs, our_size) == 0;
    gnutls_pubkey_deinit(public_key);
    return same;
}

static loam_status read_pair(certificate *to, const char *certificate_file, const char *key_file,
                             loam_error *error) {
    LOAM_TRY(read_chain(to, certificate_file, error));
    LOAM_TRY(read_key(to, key_file, error));
    return is_pair(to) ? LOAM_OK
                       : loam_fail(error, LOAM_MALFORMED, NULL,
                                   "%.200s: the key is not that of the certificate", key_file);
}

loam_status certificate_load(const char *certificate_file, const char *key_file,
                             loam_error *error) {
    certificate *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a certificate");
    }
    loam_status status = read_pair(made, certificate_file, key_file, error);
    if (status != LOAM_OK) {
        free_certificate(made);
        return status;
    }
    made->older = current;
    if (current != NULL) {
        current->retired_ms = loop_now_ms();
    }
    current = made;
    free_older(made, loop_now_ms(), HANDSHAKE_MS_MAX);
    return LOAM_OK;
}

void certificate_unload(void) {
    if (current != NULL) {
        free_older(current, loop_now_ms(), 0);
        free_certificate(current);
        current = NULL;
    }
}

int certificate_give(gnutls_session_t session, const gnutls_datum_t *issuers, int issuer_count,
                     const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
                     gnutls_pcert_st **certificates, unsigned int *count, gnutls_privkey_t *key) {
    (void)session;
    (void)issuers;
    (void)issuer_count;
    (void)algorithms;
    (void)algorithm_count;
    if (current == NULL) {
        return -1;
    }
    *certificates = current->chain;
    *count = current->count;
    *key = current->key;
    return 0;
}
