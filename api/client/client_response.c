/* SPDX-License-Identifier: MIT
 *
 * client_response.c: the head of an answer, line by line as it comes, and its life. A name and its
 * value live in one piece of memory, which begins with the name.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/client/client.h"

/* Headers of one answer: more than that is no loamd. */
#define CLIENT_FIELDS_MAX 128

static void fields_drop(loam_client_response *response) {
    for (size_t i = 0; i < response->field_count; i++) {
        free((void *)(uintptr_t)response->fields[i].name);
    }
    response->field_count = 0;
}

/* Stores "name: value"; the piece of memory begins with the name. */
static bool field_store(loam_client_response *response, const char *line, size_t size) {
    const char *colon = memchr(line, ':', size);
    if (colon == NULL || response->field_count == CLIENT_FIELDS_MAX) {
        return colon == NULL;
    }
    if (response->fields == NULL) {
        response->fields = calloc(CLIENT_FIELDS_MAX, sizeof *response->fields);
    }
    char *copy = malloc(size + 1);
    if (response->fields == NULL || copy == NULL) {
        free(copy);
        return false;
    }
    memcpy(copy, line, size);
    copy[size] = '\0';
    size_t name_size = (size_t)(colon - line);
    copy[name_size] = '\0';
    char *value = copy + name_size + 1;
    value += strspn(value, " \t");
    value[strcspn(value, "\r\n")] = '\0';
    response->fields[response->field_count++] = (loam_client_field){copy, value};
    return true;
}

bool client_response_take(loam_client_response *response, const char *line, size_t size) {
    if (size >= 5 && memcmp(line, "HTTP/", 5) == 0) {
        fields_drop(response);
        return true;
    }
    return field_store(response, line, size);
}

uint32_t client_retry_after_ms(CURL *curl) {
    curl_off_t seconds = 0;
    (void)curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &seconds);
    return seconds > UINT32_MAX / 1000 ? UINT32_MAX : (uint32_t)(seconds * 1000);
}

const char *loam_client_header(const loam_client_response *response, const char *name) {
    for (size_t i = 0; i < response->field_count; i++) {
        if (strcasecmp(response->fields[i].name, name) == 0) {
            return response->fields[i].value;
        }
    }
    return NULL;
}

void loam_client_response_fini(loam_client_response *response) {
    fields_drop(response);
    free(response->fields);
    free(response->body);
    memset(response, 0, sizeof *response);
}
