/* SPDX-License-Identifier: MIT
 *
 * catalogue.c: see catalogue.h.
 */
#include "server/flow/catalogue.h"

#include "api/wire/document.h"
#include "api/wire/geojson.h"
#include "api/wire/job_document.h"
#include "api/wire/schema_write.h"
#include "server/cell/cell_question.h"
#include "server/config/option.h"
#include "server/slot/negotiate.h"
#include "server/slot/reply.h"
#include "server/world/asset_put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All operations with their descriptions: some hundred KB. */
#define CATALOGUE_BYTES_MAX ((size_t)8 << 20)

static const unsigned char contract_bytes[] = {
#include "api/openapi.yaml.inc"
};

typedef enum catalogue_document {
    DOCUMENT_OPERATIONS,
    DOCUMENT_RECIPES,
    DOCUMENT_VERSION,
    DOCUMENT_CAPABILITIES,
    DOCUMENT_CONTRACT,
    DOCUMENT_COUNT,
} catalogue_document;

struct catalogue {
    ram_answer answers[DOCUMENT_COUNT][CODINGS];
};

/* ---- Writing -------------------------------------------------------------------------------- */

static void write_version(text_buffer *buffer) {
    static const char *const names[] = {"noise", "hash", "math"};
    uint64_t digests[3];
    loam_self_test_digests(digests);
    buffer_open_object(buffer);
    buffer_key(buffer, "release");
    buffer_string(buffer, LOAM_VERSION_TEXT);
    buffer_key(buffer, "operations");
    operation_versions_write(buffer);
    buffer_key(buffer, "recipes");
    recipe_versions_write(buffer);
    buffer_key(buffer, "self_test");
    buffer_open_object(buffer);
    for (int i = 0; i < 3; i++) {
        char hex[17];
        snprintf(hex, sizeof hex, "%016llx", (unsigned long long)digests[i]);
        buffer_key(buffer, names[i]);
        buffer_string(buffer, hex);
    }
    buffer_close_object(buffer);
    buffer_close_object(buffer);
}

static void write_limit(text_buffer *buffer, const char *name, uint64_t value) {
    buffer_key(buffer, name);
    buffer_unsigned(buffer, value);
}

static void write_limits(text_buffer *buffer) {
    buffer_open_object(buffer);
    write_limit(buffer, "json_bytes", JSON_BYTES_MAX);
    write_limit(buffer, "json_depth", JSON_DEPTH_MAX);
    write_limit(buffer, "json_values", JSON_VALUES_MAX);
    write_limit(buffer, "geojson_bytes", GEOJSON_BYTES_MAX);
    write_limit(buffer, "geojson_numbers", GEOJSON_NUMBERS_MAX);
    write_limit(buffer, "asset_bytes", ASSET_BODY_BYTES_MAX);
    write_limit(buffer, "nodes", NODES_MAX);
    write_limit(buffer, "candidates_per_node", CANDIDATES_PER_NODE_MAX);
    write_limit(buffer, "candidates_per_cell", CANDIDATES_PER_CELL_MAX);
    write_limit(buffer, "tests_per_cell", TESTS_PER_CELL_MAX);
    write_limit(buffer, "reach_m", (uint64_t)REACH_UNITS_MAX / LOAM_UNITS_PER_METRE);
    write_limit(buffer, "cell_size_m", CELL_SIZE_M_MAX);
    write_limit(buffer, "job_cells", JOB_CELLS_MAX);
    write_limit(buffer, "job_dungeons", JOB_DUNGEONS_MAX);
    write_limit(buffer, "job_dungeon_values", JOB_DUNGEON_VALUES_MAX);
    write_limit(buffer, "wait_s", REQUEST_WAIT_S);
    buffer_close_object(buffer);
}

/* Numbers and choices alone: paths and names are the operator's. */
static void write_options(text_buffer *buffer, const config *settings) {
    buffer_open_object(buffer);
    for (uint32_t i = 0; i < option_count(); i++) {
        const option_schema *option = option_at(i);
        int64_t value = 0;
        if (option->kind == OPTION_TEXT || option->kind == OPTION_LIST) {
            continue;
        }
        memcpy(&value, (const char *)settings + option->offset, sizeof value);
        buffer_key(buffer, option->name);
        if (option->choices != NULL) {
            buffer_string(buffer, option->choices[value]);
        } else {
            buffer_integer(buffer, value);
        }
    }
    buffer_close_object(buffer);
}

static void write_capabilities(text_buffer *buffer, const config *settings) {
    static const loam_simd levels[] = {LOAM_SIMD_BASELINE, LOAM_SIMD_AVX2, LOAM_SIMD_AVX512};
    buffer_open_object(buffer);
    buffer_key(buffer, "limits");
    write_limits(buffer);
    buffer_key(buffer, "options");
    write_options(buffer, settings);
    buffer_key(buffer, "simd");
    buffer_open_array(buffer);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (loam_simd_available(levels[i])) {
            buffer_string(buffer, loam_simd_name(levels[i]));
        }
    }
    buffer_close_array(buffer);
    buffer_close_object(buffer);
}

/* ---- Keeping -------------------------------------------------------------------------------- */

static const char *document_type(catalogue_document which) {
    return which == DOCUMENT_CONTRACT ? "application/yaml" : MEDIA_JSON;
}

static bool keep_coded(ram_answer *answer, loam_text document, content_coding coding,
                       const char *type) {
    blob *bytes = reply_code(document, &coding);
    if (bytes == NULL) {
        return false;
    }
    reply_form form = {.status = 200,
                       .type = type,
                       .cache = CACHE_REVALIDATE,
                       .etag = &bytes->digest,
                       .coding = coding_name(coding),
                       .vary = true};
    reply_etag(&bytes->digest, answer->etag);
    answer->full = reply_create(&form, reply_blob(bytes));
    form.status = 304;
    answer->not_modified = reply_create(&form, (http_body){0});
    blob_release(bytes);
    return answer->full != NULL && answer->not_modified != NULL;
}

static bool keep(ram_answer answers[CODINGS], text_buffer *buffer, const char *type) {
    bool whole = buffer_status(buffer) == LOAM_OK;
    for (int coding = CODING_IDENTITY; coding < CODINGS && whole; coding++) {
        whole = keep_coded(&answers[coding], buffer_view(buffer), (content_coding)coding, type);
    }
    buffer_fini(buffer);
    return whole;
}

static void write_document(catalogue_document which, text_buffer *buffer, const config *settings) {
    switch (which) {
    case DOCUMENT_OPERATIONS:
        operations_write(buffer);
        break;
    case DOCUMENT_RECIPES:
        recipes_write(buffer);
        break;
    case DOCUMENT_VERSION:
        write_version(buffer);
        break;
    case DOCUMENT_CAPABILITIES:
        write_capabilities(buffer, settings);
        break;
    case DOCUMENT_CONTRACT:
    case DOCUMENT_COUNT:
        buffer_add(buffer, contract_bytes, sizeof contract_bytes);
        break;
    }
}

catalogue *catalogue_create(const config *settings) {
    catalogue *documents = calloc(1, sizeof *documents);
    bool whole = documents != NULL;
    for (int i = 0; i < DOCUMENT_COUNT && whole; i++) {
        text_buffer buffer;
        buffer_init(&buffer, CATALOGUE_BYTES_MAX);
        write_document((catalogue_document)i, &buffer, settings);
        whole = keep(documents->answers[i], &buffer, document_type((catalogue_document)i));
    }
    if (!whole) {
        catalogue_destroy(documents);
        return NULL;
    }
    return documents;
}

void catalogue_destroy(catalogue *documents) {
    for (int i = 0; documents != NULL && i < DOCUMENT_COUNT; i++) {
        for (int coding = CODING_IDENTITY; coding < CODINGS; coding++) {
            http_response_release(documents->answers[i][coding].full);
            http_response_release(documents->answers[i][coding].not_modified);
        }
    }
    free(documents);
}

/* ---- Handlers ------------------------------------------------------------------------------- */

static bool answer_kept(const flow_state *flow, http_request *request, catalogue_document which) {
    content_coding coding = negotiate_content_coding(http_header(request, "Accept-Encoding"));
    const ram_answer *answer = &flow->catalogue->answers[which][coding];
    http_response *unfit = reply_unfit(request, document_type(which));
    http_reply(request, unfit != NULL ? unfit : reply_kept(request, answer));
    return true;
}

bool catalogue_operations(flow_state *flow, http_request *request) {
    return answer_kept(flow, request, DOCUMENT_OPERATIONS);
}

bool catalogue_recipes(flow_state *flow, http_request *request) {
    return answer_kept(flow, request, DOCUMENT_RECIPES);
}

bool catalogue_version(flow_state *flow, http_request *request) {
    return answer_kept(flow, request, DOCUMENT_VERSION);
}

bool catalogue_capabilities(flow_state *flow, http_request *request) {
    return answer_kept(flow, request, DOCUMENT_CAPABILITIES);
}

bool catalogue_contract(flow_state *flow, http_request *request) {
    return answer_kept(flow, request, DOCUMENT_CONTRACT);
}

static bool answer_one(http_request *request, loam_status (*write)(loam_text, text_buffer *),
                       const char *what) {
    const flow_route *route = http_user(request);
    loam_text name = http_segment(request, (size_t)route_capture(route, "name"));
    text_buffer buffer;
    buffer_init(&buffer, CATALOGUE_BYTES_MAX);
    if (write(name, &buffer) == LOAM_OK) {
        http_reply(request, reply_document(request, &buffer, (reply_form){0}));
    } else {
        loam_error error = {0};
        loam_fail(&error, LOAM_NOT_FOUND, NULL, "there is no %s of this name", what);
        http_reply(request, reply_problem(&error, NULL));
    }
    buffer_fini(&buffer);
    return true;
}

bool catalogue_operation(flow_state *flow, http_request *request) {
    (void)flow;
    return answer_one(request, operation_write, "operation");
}

bool catalogue_recipe(flow_state *flow, http_request *request) {
    (void)flow;
    return answer_one(request, recipe_write, "recipe");
}
