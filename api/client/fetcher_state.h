/* SPDX-License-Identifier: MIT
 *
 * fetcher_state.h: a fetcher from within. A fetch stands in a slot and goes from state to state:
 *
 *     WAITING -> (READING) -> SENT -> (READING) -> STORING -> READY -> taken
 *
 * with a way back to WAITING for what is to be repeated. Its turn (state, priority, order) lies
 * apart from the rest, so that finding the next of a thousand stays in the processor's cache. Every
 * function that works looks at the poll's deadline between pieces; in every poll each kind of work
 * does at least one piece, however late it is, so that all of them go on.
 */
#ifndef API_CLIENT_FETCHER_STATE_H
#define API_CLIENT_FETCHER_STATE_H

#include "api/client/batch_format.h"
#include "api/client/client.h"

/* Connections to one daemon beyond that only queue there. */
#define FETCH_IN_FLIGHT 8
#define FETCH_IN_FLIGHT_MAX 64
/* What surrounds a player fits many times; and what finding the next one costs: 24 bytes each. */
#define FETCH_ASKED 1024
#define FETCH_ASKED_MAX 16384
/* A thirtieth of a frame at 60 Hz. */
#define FETCH_POLL_US 500
/* Read, hashed and written at one time: some 50 microseconds. */
#define FETCH_PIECE_BYTES ((size_t)65536)
/* How long a daemon may hold a request for a cell that it builds: short, since a connection that
 * waits keeps others from being asked. */
#define FETCH_WAIT_S 2
/* A cell that is still being built after that is given up. */
#define FETCH_TOTAL_MS (10 * 60 * 1000)
/* Before a cell that is being built is asked for again, when the daemon names no time. */
#define FETCH_PAUSE_MS 200
/* A disk that takes longer than the daemon would. */
#define FETCH_DISK_MS 1000
#define FETCH_CONNECT_MS 5000
#define FETCH_NONE UINT32_MAX

typedef enum fetch_state {
    FETCH_FREE,
    FETCH_WAITING, /* for its turn, or for the time of a repeat */
    FETCH_READING, /* from the disk */
    FETCH_SENT,
    FETCH_STORING, /* to the disk */
    FETCH_READY,
} fetch_state;

typedef struct fetch_turn {
    uint64_t order;    /* of asking; of readiness once READY */
    uint64_t since_ms; /* WAITING: not before that */
    int32_t priority;
    fetch_state state;
} fetch_turn;

typedef struct fetch {
    loam_client_cell cell; /* texts in `texts` */
    char *texts;           /* owned */
    uint32_t attempt;
    uint64_t asked_ms;
    uint32_t transfer; /* SENT: which */
    bool looked;       /* the disk was asked */
    bool known;        /* the disk has what is called `facts` */
    bool recall;       /* which is what the daemon has as well: to be read */
    bool alone;        /* it did not fit a batch */
    disk_cell facts;
    char *location; /* STORING: the Content-Location, or NULL; owned */
    disk_reader reader;
    uint64_t disk_ms; /* READING: when that is too long */
    loam_fetch_result result;
} fetch;

/* How far the answer to a batch has come. */
typedef struct fetch_batch {
    unsigned char head[BATCH_ENTRY_BYTES]; /* of the batch, then of each cell */
    size_t head_size;
    bool begun;     /* the head of the batch was right */
    bool wrong;     /* something was not */
    uint32_t next;  /* whose turn in `slots` it is */
    uint64_t taken; /* bytes of cells, all together */
    uint64_t left;  /* bytes of this cell to come */
    size_t padding; /* behind them */
    batch_entry_head entry;
} fetch_batch;

/* One request on its way; its handle and its connection are used again. */
typedef struct fetch_transfer {
    loam_fetcher *fetcher;
    CURL *curl;
    uint32_t slots[LOAM_CLIENT_BATCH_MAX]; /* FETCH_NONE: settled, or forgotten */
    uint32_t slot_count;                   /* 0: idle; more than one: a batch */
    bool paused;                           /* the poll's time was over */
    uint64_t random; /* one for all, so that what is asked again together stays together */
    struct curl_slist *headers;
    loam_client_response response;
    text_buffer request;  /* of a batch */
    text_buffer body;     /* of a batch: what is no cell */
    digest_stream stream; /* of the cell so far */
    fetch_batch batch;
    char fault[CURL_ERROR_SIZE];
} fetch_transfer;

struct loam_fetcher {
    loam_client *client; /* owned: address, token, cache, limits */
    CURLM *multi;
    struct curl_slist *addresses; /* of the daemon's name */
    fetch_transfer *transfers;    /* in_flight_max */
    uint32_t in_flight_max;
    uint32_t in_flight;
    uint32_t batch_max;
    fetch_turn *turns; /* asked_max */
    fetch *fetches;
    uint32_t asked_max;
    uint32_t asked_end; /* no slot from here on was ever used */
    uint32_t asked;
    uint32_t reading;
    uint32_t storing;
    uint32_t ready;
    uint64_t order;
    uint64_t serial;
    disk_writer writer;
    uint32_t writing; /* whose bytes the writer writes, or FETCH_NONE */
    bool written;     /* they are, and their addresses are not yet */
    uint32_t poll_us;
    uint64_t deadline_us;
    bool taken; /* a piece was taken from the network in this poll */
};

bool fetcher_is_late(const loam_fetcher *fetcher);
/* Moves a fetch into a state, and the counts with it. */
void fetch_move(loam_fetcher *fetcher, uint32_t slot, fetch_state state);
bool fetch_turn_before(const fetch_turn *a, const fetch_turn *b);
/* The first in the order of priority, then age, in a state, that may go on; FETCH_NONE. */
uint32_t fetch_next(const loam_fetcher *fetcher, fetch_state state, uint64_t now_ms);
/* Makes it ready with an error, or lets it wait for another attempt. */
void fetch_fail(loam_fetcher *fetcher, uint32_t slot, const loam_error *error);
void fetch_again(loam_fetcher *fetcher, uint32_t slot, uint64_t delay_ms);

/* ---- From the network (fetch_transfer.c) ---------------------------------------------------- */

/* The daemon's name is looked up, the handles are made, an https daemon is greeted. */
LOAM_MUST_USE loam_status fetch_network_open(loam_fetcher *fetcher, loam_error *error);
void fetch_network_close(loam_fetcher *fetcher);
/* Sends one fetch, or a batch of more; there must be an idle transfer. */
void fetch_send(loam_fetcher *fetcher, const uint32_t *slots, uint32_t count);
/* Takes what has come, until the poll is late. */
void fetch_network_work(loam_fetcher *fetcher);
void fetch_transfer_drop(loam_fetcher *fetcher, uint32_t slot);
/* ---- What becomes of a fetch (fetch_settle.c) ------------------------------------------------ */

/* What to do with a whole answer. */
void fetch_settle(loam_fetcher *fetcher, fetch_transfer *transfer, CURLcode code);
/* The cell has come, and its bytes hash to facts.id. */
void fetch_settle_cell(loam_fetcher *fetcher, uint32_t slot, bool kept);
/* It is being built. */
void fetch_settle_building(loam_fetcher *fetcher, uint32_t slot, uint32_t pause_ms);
/* The daemon has said why not. */
void fetch_settle_refusal(loam_fetcher *fetcher, uint32_t slot, const loam_client_response *told,
                          uint32_t retry_after_ms, uint64_t random);

/* ---- Many by one request (fetch_batch.c) ----------------------------------------------------- */

/* Those that may go with `first`, the most urgent ones, it among them; how many. */
uint32_t fetch_batch_gather(const loam_fetcher *fetcher, uint32_t first,
                            uint32_t slots[LOAM_CLIENT_BATCH_MAX]);
/* Writes the request and begins its answer; false when memory is short. */
LOAM_MUST_USE bool fetch_batch_prepare(fetch_transfer *transfer, char *path, size_t capacity);
/* Takes a piece of the answer and settles the cells that are whole; false: it is no such answer. */
LOAM_MUST_USE bool fetch_batch_take(fetch_transfer *transfer, const char *bytes, size_t size);

/* ---- From and to the disk (fetch_disk.c) ---------------------------------------------------- */

/* Whether the disk has the cell; then it is READING, or to be asked for by its digest. */
bool fetch_disk_look(loam_fetcher *fetcher, uint32_t slot);
/* Reads from the disk; false when it is not there any more. */
LOAM_MUST_USE bool fetch_disk_read(loam_fetcher *fetcher, uint32_t slot);
void fetch_disk_work(loam_fetcher *fetcher);
void fetch_disk_drop(loam_fetcher *fetcher, uint32_t slot);

#endif
