/* SPDX-License-Identifier: MIT
 *
 * cell_tell.c: see cell_tell.h.
 */
#include "api/cli/cell_tell.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/wire/text_buffer.h"

/* A line of facts: two digests, a name, some numbers. */
#define FACTS_BYTES_MAX 4096

static void facts_print_json(const char *output, const cell_address *address,
                             const cell_facts *facts) {
    text_buffer line;
    buffer_init(&line, FACTS_BYTES_MAX);
    buffer_open_object(&line);
    buffer_key(&line, "output");
    buffer_string(&line, output);
    buffer_key(&line, "level");
    buffer_integer(&line, address->level);
    buffer_key(&line, "x");
    buffer_integer(&line, address->x);
    buffer_key(&line, "z");
    buffer_integer(&line, address->z);
    buffer_key(&line, "build_key");
    buffer_string(&line, facts->key);
    buffer_key(&line, "digest");
    buffer_string(&line, facts->id);
    buffer_key(&line, "bytes");
    buffer_unsigned(&line, facts->bytes);
    buffer_key(&line, "note");
    buffer_string(&line, facts->note);
    buffer_close_object(&line);
    (void)printf("%.*s\n", (int)line.size, line.bytes);
    buffer_fini(&line);
}

void cell_tell(const cli_arguments *arguments, const cell_address *address,
               const cell_facts *facts) {
    const char *output = options_text(arguments, "output");
    if (options_flag(arguments, "json")) {
        facts_print_json(output, address, facts);
        return;
    }
    (void)fprintf(stderr,
                  "%s %" PRId64 "/%" PRId64 "/%" PRId64 ": %zu bytes, %s\n  digest %s\n"
                  "  key    %s\n",
                  output, address->level, address->x, address->z, facts->bytes, facts->note,
                  facts->id, facts->key);
}
