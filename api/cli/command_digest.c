/* SPDX-License-Identifier: MIT
 *
 * command_digest.c: `loam digest`: the digest of files as the contract writes it, so that a script
 * compares cells with nothing but loam.
 */
#include <stdio.h>
#include <stdlib.h>

#include "api/cli/options.h"
#include "api/cli/output.h"
#include "api/key/key.h"
#include "core/base/try.h"

/* As large as the largest asset. */
#define DIGEST_FILE_BYTES_MAX ((size_t)512 << 20)

static loam_status file_digest(const char *path, char text[DIGEST_TEXT_BYTES], loam_error *error) {
    loam_text content;
    LOAM_TRY(input_read(path, DIGEST_FILE_BYTES_MAX, &content, error));
    digest found = digest_of(content.bytes, content.size);
    digest_text(&found, text);
    free((void *)(uintptr_t)content.bytes);
    return LOAM_OK;
}

static int digest_run(const cli_arguments *arguments) {
    for (uint32_t i = 0; i < arguments->operand_count; i++) {
        char text[DIGEST_TEXT_BYTES];
        loam_error error = {0};
        if (file_digest(arguments->operands[i], text, &error) != LOAM_OK) {
            return output_failure(arguments->command->name, &error);
        }
        if (arguments->operand_count == 1) {
            (void)printf("%s\n", text);
        } else {
            (void)printf("%s  %s\n", text, arguments->operands[i]);
        }
    }
    return CLI_DONE;
}

const cli_command command_digest = {
    .name = "digest",
    .operands = "FILE...",
    .summary = "print the digest of files (- is stdin)",
    .details = "'sha256-' and the SHA-256 of the bytes: what ETag and Loam-Digest of a cell say.",
    .examples = "  loam digest a.cell b.cell",
    .operand_min = 1,
    .operand_max = 8,
    .run = digest_run,
};
