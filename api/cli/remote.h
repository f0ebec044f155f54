/* SPDX-License-Identifier: MIT
 *
 * remote.h: the way to a daemon: which one, and how its answers are shown.
 */
#ifndef API_CLI_REMOTE_H
#define API_CLI_REMOTE_H

#include "api/cli/options.h"
#include "api/client/loam_client.h"

/* Whether the command line names a daemon (the environment does not count here). */
bool remote_is_named(const cli_arguments *arguments);

/* A token of ours is a third of that; one of a proxy may be longer. */
enum { REMOTE_ADDRESS_BYTES = 512, REMOTE_TOKEN_BYTES = 512 };

/* Where a daemon is, and what it asks for. */
typedef struct remote_place {
    char address[REMOTE_ADDRESS_BYTES];
    char token[REMOTE_TOKEN_BYTES];
    int exit_code; /* of what went wrong with finding it */
} remote_place;

/* Which daemon, as remote_open finds it, the token (--token-file, LOAM_TOKEN), and the cache's
 * folder where --cache names one. Borrows `place`. */
LOAM_MUST_USE loam_status remote_options(const cli_arguments *arguments, remote_place *place,
                                         loam_client_options *options, loam_error *error);
/* Finds the daemon: --server, --unix, --port-file, LOAM_SERVER, the default address, in this order.
 * NULL with `error` filled in; owned by the caller. */
LOAM_MUST_USE loam_client *remote_open(const cli_arguments *arguments, loam_error *error);
/* Reads the port that a loamd wrote; LOAM_NOT_FOUND while the file is not there. */
LOAM_MUST_USE loam_status remote_read_port(const char *port_file, uint32_t *port,
                                           loam_error *error);

/* Opens, sends, closes. On failure the error is already shown and *exit_code says how it ended;
 * on success the caller gives the response back. */
LOAM_MUST_USE bool remote_send(const cli_arguments *arguments, const loam_client_request *request,
                               loam_client_response *response, int *exit_code);
/* Opens; without a client it has shown what is wrong, and *exit_code says how it ended: CLI_USAGE
 * for an address that is none, CLI_UNREACHABLE while a port file is not written, else CLI_FAILED.
 */
loam_client *remote_open_or_tell(const cli_arguments *arguments, int *exit_code);
/* The same for requests that take longer than others; 0 is the time of others. */
loam_client *remote_open_for(const cli_arguments *arguments, uint32_t timeout_ms, int *exit_code);

/* A member of a JSON body as text, "" when it is not there; for messages. */
void remote_member(const loam_client_response *response, const char *key, char *text,
                   size_t capacity);
/* Prints a body on stdout, with a newline when it has none at its end; returns the exit code. */
int remote_print_body(const cli_arguments *arguments, const loam_client_response *response);

#endif
