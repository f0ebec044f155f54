/* SPDX-License-Identifier: MIT
 *
 * event_feed.c: see event_feed.h. Events are kept as they are sent, in a ring of a fixed number;
 * one that is too large is not kept, and neither are those before it: who missed it resyncs.
 */
#include "server/slot/event_feed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEED_EVENTS_MAX = 64,      /* a quarter of a minute of a busy job */
    FEED_EVENT_BYTES = 1024,   /* of one that is kept; a job's progress is some 300 */
    FEED_HEARTBEAT_MS = 15000, /* proxies give up after 30 s and more */
    FEED_ID_BYTES = 48,
};

typedef struct kept_event {
    uint64_t number; /* 0: none */
    size_t size;
    char bytes[FEED_EVENT_BYTES];
} kept_event;

typedef struct feed_stream {
    event_feed *feed;
    http_stream *stream;
    struct feed_stream *next;
    struct feed_stream *previous;
} feed_stream;

struct event_feed {
    loop_timer *heartbeat;
    feed_stream *streams;
    uint32_t stream_count;
    bool closed;
    uint64_t epoch; /* another one of another feed, or of the same after a restart */
    uint64_t number;
    kept_event kept[FEED_EVENTS_MAX];
};

static void free_feed(event_feed *feed) {
    loop_timer_destroy(feed->heartbeat);
    free(feed);
}

/* ---- Streams -------------------------------------------------------------------------------- */

static void stream_left(void *context) {
    feed_stream *left = context;
    event_feed *feed = left->feed;
    *(left->previous == NULL ? &feed->streams : &left->previous->next) = left->next;
    if (left->next != NULL) {
        left->next->previous = left->previous;
    }
    feed->stream_count--;
    free(left);
    if (feed->stream_count == 0) {
        loop_timer_stop(feed->heartbeat);
        if (feed->closed) {
            free_feed(feed);
        }
    }
}

static void link_stream(event_feed *feed, feed_stream *made) {
    made->next = feed->streams;
    if (made->next != NULL) {
        made->next->previous = made;
    }
    feed->streams = made;
    if (feed->stream_count++ == 0) {
        loop_timer_start(feed->heartbeat, FEED_HEARTBEAT_MS, FEED_HEARTBEAT_MS);
    }
}

/* A write that does not fit cuts its stream, whose end comes later, by stream_left. */
static void write_all(event_feed *feed, const char *bytes, size_t size) {
    for (feed_stream *at = feed->streams; at != NULL; at = at->next) {
        http_stream_write(at->stream, bytes, size);
    }
}

static void beat(void *context) {
    static const char comment[] = ": still here\n\n";
    write_all(context, comment, sizeof comment - 1);
}

event_feed *event_feed_create(event_loop *loop) {
    event_feed *feed = calloc(1, sizeof *feed);
    if (feed == NULL) {
        return NULL;
    }
    feed->heartbeat = loop_timer_create(loop, beat, feed);
    feed->epoch = loop_now_us();
    if (feed->heartbeat == NULL) {
        free(feed);
        return NULL;
    }
    return feed;
}

void event_feed_close(event_feed *feed) {
    if (feed == NULL) {
        return;
    }
    feed->closed = true;
    if (feed->stream_count == 0) {
        free_feed(feed);
        return;
    }
    /* A stream that is closed takes no more, and may be there for as long as its client is slow. */
    loop_timer_stop(feed->heartbeat);
    for (feed_stream *at = feed->streams, *next = NULL; at != NULL; at = next) {
        next = at->next;
        http_stream_close(at->stream);
    }
}

uint32_t event_feed_streams(const event_feed *feed) {
    return feed->stream_count;
}

/* ---- Events --------------------------------------------------------------------------------- */

static void write_id(const event_feed *feed, uint64_t number, char id[FEED_ID_BYTES]) {
    snprintf(id, FEED_ID_BYTES, "%llx-%llu", (unsigned long long)feed->epoch,
             (unsigned long long)number);
}

/* An event as it is sent; 0 when it does not fit. */
static size_t write_event(const char *id, const char *name, loam_text data, char *to, size_t room) {
    int size = snprintf(to, room, "id: %s\nevent: %s\ndata: %.*s\n\n", id, name, (int)data.size,
                        data.bytes);
    return size < 0 || (size_t)size >= room ? 0 : (size_t)size;
}

/* Enough for what write_event writes. */
static size_t event_room(const char *name, loam_text data) {
    return data.size + strlen(name) + FEED_ID_BYTES + 32;
}

void event_feed_publish(event_feed *feed, const char *name, loam_text data) {
    char id[FEED_ID_BYTES];
    size_t room = event_room(name, data);
    char *bytes = malloc(room);
    write_id(feed, ++feed->number, id);
    kept_event *slot = &feed->kept[feed->number % FEED_EVENTS_MAX];
    slot->number = 0;
    if (bytes == NULL) {
        return; /* not kept: who counts on it is told to resync */
    }
    size_t size = write_event(id, name, data, bytes, room);
    if (size <= sizeof slot->bytes) {
        memcpy(slot->bytes, bytes, size);
        slot->size = size;
        slot->number = feed->number;
    }
    write_all(feed, bytes, size);
    free(bytes);
}

/* The number behind an id of ours; false for any other id. */
static bool read_id(const event_feed *feed, loam_text id, uint64_t *number) {
    char text[FEED_ID_BYTES];
    unsigned long long epoch = 0;
    unsigned long long value = 0;
    int used = 0;
    if (id.size == 0 || id.size >= sizeof text) {
        return false;
    }
    memcpy(text, id.bytes, id.size);
    text[id.size] = 0;
    bool read = sscanf(text, "%llx-%llu%n", &epoch, &value, &used) == 2 && text[used] == 0;
    *number = value;
    return read && epoch == feed->epoch && value <= feed->number;
}

static bool is_kept(const event_feed *feed, uint64_t number) {
    return feed->kept[number % FEED_EVENTS_MAX].number == number;
}

/* Whether all that came after this one is still known. */
static bool can_replay(const event_feed *feed, uint64_t after) {
    for (uint64_t number = feed->number; number > after; number--) {
        if (!is_kept(feed, number)) {
            return false;
        }
    }
    return true;
}

static void replay(const event_feed *feed, http_stream *stream, uint64_t after) {
    for (uint64_t number = after + 1; number <= feed->number; number++) {
        const kept_event *event = &feed->kept[number % FEED_EVENTS_MAX];
        http_stream_write(stream, event->bytes, event->size);
    }
}

/* An event for one stream alone, under the id of the last one that everybody had. */
static void send_one(const event_feed *feed, http_stream *stream, const char *name,
                     loam_text data) {
    char id[FEED_ID_BYTES];
    size_t room = event_room(name, data);
    char *bytes = malloc(room);
    if (bytes != NULL) {
        write_id(feed, feed->number, id);
        http_stream_write(stream, bytes, write_event(id, name, data, bytes, room));
        free(bytes);
    }
}

static void greet(const event_feed *feed, http_stream *stream, loam_text last, const char *name,
                  loam_text data) {
    uint64_t after = 0;
    bool known = last.bytes != NULL && read_id(feed, last, &after) && can_replay(feed, after);
    if (known) {
        replay(feed, stream, after);
        return;
    }
    if (last.bytes != NULL) {
        send_one(feed, stream, "resync", loam_text_of("{}"));
    }
    send_one(feed, stream, name, data);
}

bool event_feed_join(event_feed *feed, http_request *request, const char *name, loam_text data) {
    char text[FEED_ID_BYTES];
    loam_text last = http_header(request, "Last-Event-ID");
    if (last.bytes != NULL) { /* of the request, which the stream is the end of */
        last.size = last.size < sizeof text ? last.size : 0;
        memcpy(text, last.bytes, last.size);
        last.bytes = text;
    }
    feed_stream *made = calloc(1, sizeof *made);
    if (made == NULL) {
        http_reply(request, NULL);
        return false;
    }
    made->feed = feed;
    made->stream = http_stream_open(request, stream_left, made);
    if (made->stream == NULL) {
        free(made);
        return false;
    }
    link_stream(feed, made);
    greet(feed, made->stream, last, name, data);
    return true;
}
