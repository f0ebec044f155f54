/* SPDX-License-Identifier: MIT
 *
 * client.c: a client's life and its one request function: an exchange, repeated while the daemon
 * says "later", and an error for every refusal.
 */
#include "api/client/client.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char default_url[] = "http://127.0.0.1:7373";

/* What stands before the path of a unix socket, and the host that a daemon is called there. */
static const char socket_prefix[] = "unix:";
static const char socket_url[] = "http://localhost";

static bool address_is_socket(const char *url) {
    return strncasecmp(url, socket_prefix, sizeof socket_prefix - 1) == 0;
}

static bool address_is_http(const char *url) {
    return strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0 ||
           (address_is_socket(url) && url[sizeof socket_prefix - 1] != '\0');
}

/* A proxy can never reach the loopback of this machine. */
static bool address_is_loopback(const char *url) {
    static const char *const hosts[] = {"http://127.", "http://localhost", "http://[::1]"};
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        if (strncasecmp(url, hosts[i], strlen(hosts[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* False when memory is short. */
static bool address_adopt(loam_client *client, const char *url) {
    bool local = address_is_socket(url);
    client->base_url = strdup(local ? socket_url : url);
    client->socket_path = local ? strdup(url + sizeof socket_prefix - 1) : NULL;
    return client->base_url != NULL && (!local || client->socket_path != NULL);
}

static bool client_adopt(loam_client *client, const loam_client_options *options) {
    bool known = address_adopt(client, options->base_url != NULL ? options->base_url : default_url);
    client->curl = curl_easy_init();
    client->token = options->token != NULL ? strdup(options->token) : NULL;
    client->ca_file = options->ca_file != NULL ? strdup(options->ca_file) : NULL;
    if (client->curl == NULL || !known || (options->token != NULL && client->token == NULL) ||
        (options->ca_file != NULL && client->ca_file == NULL)) {
        return false;
    }
    size_t length = strlen(client->base_url);
    while (length > 0 && client->base_url[length - 1] == '/') {
        client->base_url[--length] = '\0';
    }
    return true;
}

static void client_limits(loam_client *client, const loam_client_options *options) {
    client->timeout_ms = options->timeout_ms != 0 ? options->timeout_ms : CLIENT_TIMEOUT_MS;
    client->retries_max = options->retries_max != 0 ? options->retries_max : CLIENT_RETRIES_MAX;
    client->retries_max = options->retries_max == LOAM_CLIENT_NO_RETRY ? 0 : client->retries_max;
    client->body_bytes_max =
        options->body_bytes_max != 0 ? options->body_bytes_max : CLIENT_BODY_BYTES_MAX;
    client->random = client_now_us() * 0x9e3779b97f4a7c15u ^ (uint64_t)(uintptr_t)client;
}

loam_client *loam_client_create(const loam_client_options *options, loam_error *error) {
    static const loam_client_options defaults;
    options = options != NULL ? options : &defaults;
    if (options->base_url != NULL && !address_is_http(options->base_url)) {
        (void)loam_fail(error, LOAM_MALFORMED, NULL,
                        "'%s' is no address; write http://HOST:PORT or unix:/PATH",
                        options->base_url);
        return NULL;
    }
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        (void)loam_fail(error, LOAM_INTERNAL, NULL, "the HTTP library does not start");
        return NULL;
    }
    loam_client *client = calloc(1, sizeof *client);
    if (client == NULL || !client_adopt(client, options)) {
        (void)loam_fail(error, LOAM_ARENA_FULL, NULL, "no memory for a client");
        loam_client_destroy(client);
        return NULL;
    }
    if (options->cache_folder != NULL) {
        client->cache = disk_cache_open(options->cache_folder, options->cache_bytes_max, error);
        if (client->cache == NULL) {
            loam_client_destroy(client);
            return NULL;
        }
    }
    client_limits(client, options);
    return client;
}

void loam_client_destroy(loam_client *client) {
    if (client == NULL) {
        return;
    }
    curl_easy_cleanup(client->curl);
    free(client->base_url);
    free(client->socket_path);
    free(client->token);
    free(client->ca_file);
    disk_cache_close(client->cache);
    free(client);
    curl_global_cleanup();
}

const char *client_peer(const loam_client *client) {
    return client->socket_path != NULL ? client->socket_path : client->base_url;
}

void client_easy_prepare(const loam_client *client, CURL *curl) {
    (void)curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(curl, CURLOPT_PATH_AS_IS, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(curl, CURLOPT_USERAGENT, "loam/" LOAM_VERSION_TEXT);
    (void)curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)client->timeout_ms);
    (void)curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, client->socket_path);
    if (client->ca_file != NULL) {
        (void)curl_easy_setopt(curl, CURLOPT_CAINFO, client->ca_file);
    }
    if (address_is_loopback(client->base_url)) {
        (void)curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
    }
}

uint64_t client_random(loam_client *client) {
    client->random = client->random * 6364136223846793005u + 1442695040888963407u;
    return client->random >> 33;
}

loam_status loam_client_send(loam_client *client, const loam_client_request *request,
                             loam_client_response *response, loam_error *error) {
    for (uint32_t attempt = 0;; attempt++) {
        client_hint hint = {0};
        memset(response, 0, sizeof *response);
        loam_status status = client_exchange(client, request, response, &hint, error);
        if (status != LOAM_OK) {
            return status;
        }
        if (response->http_status < 400) {
            return LOAM_OK;
        }
        uint64_t delay_ms =
            client_retry_delay_ms(attempt, hint.retry_after_ms, client_random(client));
        if (!client_retry_wanted(response->http_status) || attempt >= client->retries_max ||
            delay_ms > CLIENT_RETRY_LONGEST_MS) {
            return client_problem_read(response, error);
        }
        loam_client_response_fini(response);
        client_sleep_ms(delay_ms);
    }
}
