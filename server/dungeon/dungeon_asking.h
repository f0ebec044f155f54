/* SPDX-License-Identifier: MIT
 *
 * dungeon_asking.h: a dungeon that was asked for, as it is kept: its request under its build key,
 * and where it has content or a secret of its own, both under a content key that only the server
 * scope is told. For workers.
 */
#ifndef LOAM_SERVER_DUNGEON_DUNGEON_ASKING_H
#define LOAM_SERVER_DUNGEON_DUNGEON_ASKING_H

#include "api/wire/dungeon_document.h"
#include "api/wire/text_buffer.h"
#include "server/slot/flow_state.h"

/* Who asks: whether he may see what dungeons hide. */
typedef struct dungeon_asker {
    const flow_state *flow;
    bool server;
} dungeon_asker;

typedef struct dungeon_asking {
    digest key; /* build key */
    text_buffer request;
    bool secret; /* whoever asks has the server scope: content_key is set */
    digest content_key;
    text_buffer content; /* empty: nothing to keep */
} dungeon_asking;

/* Of a document and the plan of its request; pointers of errors are into the document. Its buffers
 * are begun here and ended by dungeon_asking_fini, in every case. LOAM_FORBIDDEN for a secret
 * without the server scope. */
LOAM_MUST_USE loam_status dungeon_asking_make(dungeon_asking *asking, const dungeon_asker *by,
                                              const dungeon_document *document,
                                              const loam_dungeon_plan *plan, loam_arena *scratch,
                                              loam_error *error);
void dungeon_asking_fini(dungeon_asking *asking);

#endif
