/* SPDX-License-Identifier: MIT
 *
 * event_feed.h: events of one thing (a job, say) for any number of streams (text/event-stream).
 * Each event has an id, "EPOCH-NUMBER"; the last ones are kept, so that who comes back with
 * Last-Event-ID gets what he missed, or "resync" when that is no longer known: then he asks for the
 * whole anew. A comment every 15 s keeps proxies and dead peers apart.
 *
 * Invariant: network thread only. Streams may outlive the feed's closing by what was written.
 */
#ifndef LOAM_SERVER_SLOT_EVENT_FEED_H
#define LOAM_SERVER_SLOT_EVENT_FEED_H

#include "server/http/http.h"

typedef struct event_feed event_feed;

/* Owned; NULL when memory is short. */
LOAM_MUST_USE event_feed *event_feed_create(event_loop *loop);
/* Ends all streams after what was written, and the feed with the last of them. */
void event_feed_close(event_feed *feed);
/* Answers the request with a stream. It begins with what the client missed; for who comes first or
 * must resync, with `data`, what is now, as an event `name`. False when it has been answered
 * otherwise: the client has left, or there is no memory. */
bool event_feed_join(event_feed *feed, http_request *request, const char *name, loam_text data);
/* Tells everybody; `name` is a word, `data` has no line ends. */
void event_feed_publish(event_feed *feed, const char *name, loam_text data);
uint32_t event_feed_streams(const event_feed *feed);

#endif
