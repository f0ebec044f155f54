/* SPDX-License-Identifier: MIT
 *
 * verdict.c: see verdict.h.
 */
#include "server/cell/verdict.h"

#include "api/wire/check_document.h"

#include <stdlib.h>
#include <string.h>

enum { SET_WAYS = 4 };

typedef struct verdict_entry {
    digest artifact;
    digest checks;
    blob *verdict;
    uint64_t used; /* 0: empty */
} verdict_entry;

struct verdict_cache {
    uint64_t set_count;
    uint64_t clock;
    verdict_entry entries[];
};

/* ---- One ------------------------------------------------------------------------------------ */

blob *verdict_make(const loam_verdict *of) {
    char words[LOAM_ERROR_TEXT_BYTES];
    text_buffer text;
    if (of->reason_count == 0) {
        return blob_create("", 0);
    }
    buffer_init(&text, LOAM_ERROR_TEXT_BYTES + CHECK_REASONS_BYTES_MAX);
    reasons_tell(of, words);
    buffer_add_text(&text, words);
    buffer_add_text(&text, "\n");
    reasons_write(&text, of);
    blob *made = text.failed ? NULL : blob_create(text.bytes, text.size);
    buffer_fini(&text);
    return made;
}

bool verdict_passed(const blob *verdict) {
    return verdict->size == 0;
}

loam_text verdict_detail(const blob *verdict) {
    if (verdict == NULL || verdict->size == 0) {
        return (loam_text){0};
    }
    const char *start = (const char *)verdict->bytes;
    const char *end = memchr(start, '\n', verdict->size);
    return (loam_text){start, end == NULL ? verdict->size : (size_t)(end - start)};
}

loam_text verdict_reasons(const blob *verdict) {
    loam_text detail = verdict_detail(verdict);
    if (detail.bytes == NULL || detail.size == verdict->size) {
        return (loam_text){0};
    }
    return (loam_text){detail.bytes + detail.size + 1, verdict->size - detail.size - 1};
}

/* ---- Those of lately ------------------------------------------------------------------------ */

verdict_cache *verdict_cache_create(uint32_t entries) {
    uint64_t sets = (entries + SET_WAYS - 1) / SET_WAYS;
    verdict_cache *cache = calloc(1, sizeof *cache + sets * SET_WAYS * sizeof(verdict_entry));
    if (cache != NULL) {
        cache->set_count = sets;
    }
    return cache;
}

void verdict_cache_destroy(verdict_cache *cache) {
    for (uint64_t i = 0; cache != NULL && i < cache->set_count * SET_WAYS; i++) {
        blob_release(cache->entries[i].verdict);
    }
    free(cache);
}

/* Digests are spread as they are. */
static verdict_entry *find_set(verdict_cache *cache, const digest *artifact, const digest *checks) {
    uint64_t a = 0;
    uint64_t b = 0;
    memcpy(&a, artifact->bytes, sizeof a);
    memcpy(&b, checks->bytes, sizeof b);
    return &cache->entries[(a ^ b) % cache->set_count * SET_WAYS];
}

static bool entry_is(const verdict_entry *entry, const digest *artifact, const digest *checks) {
    return entry->used != 0 && digest_equal(&entry->artifact, artifact) &&
           digest_equal(&entry->checks, checks);
}

blob *verdict_cache_find(verdict_cache *cache, const digest *artifact, const digest *checks) {
    verdict_entry *set = find_set(cache, artifact, checks);
    for (int way = 0; way < SET_WAYS; way++) {
        if (entry_is(&set[way], artifact, checks)) {
            set[way].used = ++cache->clock;
            return blob_retain(set[way].verdict);
        }
    }
    return NULL;
}

void verdict_cache_add(verdict_cache *cache, const digest *artifact, const digest *checks,
                       blob *verdict) {
    verdict_entry *set = find_set(cache, artifact, checks);
    verdict_entry *oldest = set;
    for (int way = 0; way < SET_WAYS; way++) {
        if (entry_is(&set[way], artifact, checks)) {
            oldest = &set[way];
            break;
        }
        oldest = set[way].used < oldest->used ? &set[way] : oldest;
    }
    blob *before = oldest->verdict;
    *oldest = (verdict_entry){*artifact, *checks, blob_retain(verdict), ++cache->clock};
    blob_release(before);
}
