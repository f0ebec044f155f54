/* SPDX-License-Identifier: MIT
 *
 * remote.c: see remote.h.
 */
#include "api/cli/remote.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/cli/output.h"
#include "api/wire/seed.h"
#include "core/base/try.h"

bool remote_is_named(const cli_arguments *arguments) {
    return options_text(arguments, "server") != NULL || options_text(arguments, "unix") != NULL ||
           options_text(arguments, "port-file") != NULL;
}

loam_status remote_read_port(const char *port_file, uint32_t *port, loam_error *error) {
    char line[16] = {0};
    int64_t number = 0;
    FILE *file = fopen(port_file, "r");
    if (file == NULL) {
        return loam_fail(error, LOAM_NOT_FOUND, NULL, "cannot read the port file %s: %s", port_file,
                         strerror(errno));
    }
    bool read = fgets(line, sizeof line, file) != NULL;
    (void)fclose(file);
    line[strcspn(line, "\n")] = '\0';
    if (!read || !coordinate_parse(loam_text_of(line), &number) || number < 1 || number > 65535) {
        return loam_fail(error, LOAM_MALFORMED, NULL, "%s holds no port number", port_file);
    }
    *port = (uint32_t)number;
    return LOAM_OK;
}

static loam_status address_join(const char *scheme, const char *rest,
                                char address[REMOTE_ADDRESS_BYTES], loam_error *error) {
    int length = snprintf(address, REMOTE_ADDRESS_BYTES, "%s%s", scheme, rest);
    return length > 0 && length < REMOTE_ADDRESS_BYTES
               ? LOAM_OK
               : loam_fail(error, LOAM_MALFORMED, NULL, "the server's address is too long");
}

/* Without a scheme it is http: 127.0.0.1:7373 is enough. */
static loam_status address_set(const char *server, char address[REMOTE_ADDRESS_BYTES],
                               loam_error *error) {
    bool whole = strstr(server, "://") != NULL || strncmp(server, "unix:", 5) == 0;
    return address_join(whole ? "" : "http://", server, address, error);
}

static loam_status address_find(const cli_arguments *arguments, char address[REMOTE_ADDRESS_BYTES],
                                loam_error *error) {
    const char *server = options_text(arguments, "server");
    const char *socket = options_text(arguments, "unix");
    const char *port_file = options_text(arguments, "port-file");
    uint32_t port;
    if (server == NULL && socket != NULL) {
        return address_join("unix:", socket, address, error);
    }
    if (server == NULL && port_file != NULL) {
        LOAM_TRY(remote_read_port(port_file, &port, error));
        (void)snprintf(address, REMOTE_ADDRESS_BYTES, "http://127.0.0.1:%" PRIu32, port);
        return LOAM_OK;
    }
    if (server != NULL && server[0] == '\0') {
        return loam_fail(error, LOAM_MALFORMED, NULL, "--server is empty; write HOST:PORT");
    }
    server = server != NULL ? server : getenv("LOAM_SERVER");
    return address_set(server != NULL && server[0] != '\0' ? server : "127.0.0.1:7373", address,
                       error);
}

/* One word, and white space after it; a header must not hold anything else. */
static bool token_trim(char *text) {
    size_t size = strlen(text);
    while (size > 0 && isspace((unsigned char)text[size - 1])) {
        text[--size] = '\0';
    }
    for (size_t i = 0; i < size; i++) {
        if (!isgraph((unsigned char)text[i])) {
            return false;
        }
    }
    return size > 0;
}

static loam_status token_read(const char *path, char token[REMOTE_TOKEN_BYTES], loam_error *error) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return loam_fail(error, LOAM_IO, NULL, "cannot read the token file %s: %s", path,
                         strerror(errno));
    }
    size_t size = fread(token, 1, REMOTE_TOKEN_BYTES - 1, file);
    bool whole = fgetc(file) == EOF && !ferror(file);
    (void)fclose(file);
    token[size] = '\0';
    return whole && strlen(token) == size && token_trim(token)
               ? LOAM_OK
               : loam_fail(error, LOAM_MALFORMED, NULL, "%s does not hold one token and no more",
                           path);
}

/* --token-file over LOAM_TOKEN; an empty variable is none. */
static loam_status token_find(const cli_arguments *arguments, remote_place *place,
                              loam_client_options *options, loam_error *error) {
    const char *path = options_text(arguments, "token-file");
    const char *given = getenv("LOAM_TOKEN");
    options->token = given != NULL && given[0] != '\0' ? given : NULL;
    if (path == NULL) {
        return LOAM_OK;
    }
    LOAM_TRY(token_read(path, place->token, error));
    options->token = place->token;
    return LOAM_OK;
}

loam_status remote_options(const cli_arguments *arguments, remote_place *place,
                           loam_client_options *options, loam_error *error) {
    bool by_port_file = options_text(arguments, "server") == NULL &&
                        options_text(arguments, "unix") == NULL &&
                        options_text(arguments, "port-file") != NULL;
    place->exit_code = by_port_file ? CLI_UNREACHABLE : CLI_USAGE;
    LOAM_TRY(address_find(arguments, place->address, error));
    place->exit_code = CLI_FAILED;
    *options = (loam_client_options){.base_url = place->address,
                                     .ca_file = getenv("LOAM_CA_FILE"),
                                     .cache_folder = options_text(arguments, "cache")};
    return token_find(arguments, place, options, error);
}

loam_client *remote_open(const cli_arguments *arguments, loam_error *error) {
    remote_place place;
    loam_client_options options;
    return remote_options(arguments, &place, &options, error) == LOAM_OK
               ? loam_client_create(&options, error)
               : NULL;
}

loam_client *remote_open_for(const cli_arguments *arguments, uint32_t timeout_ms, int *exit_code) {
    remote_place place;
    loam_client_options options;
    loam_error error = {0};
    loam_client *client = NULL;
    if (remote_options(arguments, &place, &options, &error) == LOAM_OK) {
        options.timeout_ms = timeout_ms;
        client = loam_client_create(&options, &error);
        place.exit_code = error.status == LOAM_MALFORMED ? CLI_USAGE : CLI_FAILED;
    }
    if (client == NULL) {
        (void)output_failure(arguments->command->name, &error);
        *exit_code = place.exit_code;
    }
    return client;
}

loam_client *remote_open_or_tell(const cli_arguments *arguments, int *exit_code) {
    return remote_open_for(arguments, 0, exit_code);
}

bool remote_send(const cli_arguments *arguments, const loam_client_request *request,
                 loam_client_response *response, int *exit_code) {
    loam_error error = {0};
    loam_client *client = remote_open_or_tell(arguments, exit_code);
    if (client == NULL) {
        return false;
    }
    loam_status status = loam_client_send(client, request, response, &error);
    loam_client_destroy(client);
    if (status != LOAM_OK) {
        *exit_code = output_refusal(arguments->command->name, response, &error);
        loam_client_response_fini(response);
        return false;
    }
    return true;
}

void remote_member(const loam_client_response *response, const char *key, char *text,
                   size_t capacity) {
    json_t *document = json_loadb((const char *)response->body, response->body_size, 0, NULL);
    json_t *member = json_object_get(document, key);
    if (json_is_integer(member)) {
        (void)snprintf(text, capacity, "%lld", (long long)json_integer_value(member));
    } else {
        const char *value = json_string_value(member);
        (void)snprintf(text, capacity, "%s", value != NULL ? value : "");
    }
    json_decref(document);
}

int remote_print_body(const cli_arguments *arguments, const loam_client_response *response) {
    loam_error error = {0};
    bool ended = response->body_size == 0 || response->body[response->body_size - 1] == '\n';
    loam_status status = output_write(NULL, response->body, response->body_size, &error);
    if (status == LOAM_OK && !ended) {
        status = output_write(NULL, "\n", 1, &error);
    }
    return status == LOAM_OK ? CLI_DONE : output_failure(arguments->command->name, &error);
}
