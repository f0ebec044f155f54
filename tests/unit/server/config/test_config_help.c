/* SPDX-License-Identifier: MIT
 *
 * test_config_help.c: the manual names and explains every option of the table, within 80 columns.
 */
#include "server/config/config.h"
#include "server/config/option.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static char manual[32768];

static void gather(void *context, const char *text) {
    (void)context;
    cr_assert(strlen(manual) + strlen(text) < sizeof manual);
    memcpy(manual + strlen(manual), text, strlen(text) + 1);
}

Test(help, every_option_is_in_the_manual_and_explained) {
    config_help(gather, NULL);
    for (uint32_t i = 0; i < option_count(); i++) {
        char head[80];
        snprintf(head, sizeof head, "  --%s %s\n      ", option_at(i)->name,
                 option_at(i)->argument);
        cr_expect(strstr(manual, head) != NULL, "--%s", option_at(i)->name);
        cr_expect(strlen(option_at(i)->help) > 20, "--%s", option_at(i)->name);
    }
}

Test(help, no_line_is_longer_than_eighty_columns) {
    config_help(gather, NULL);
    for (const char *line = manual; *line != 0;) {
        const char *end = strchr(line, '\n');
        cr_assert(end != NULL);
        cr_expect(end - line <= 80, "%.*s", (int)(end - line), line);
        line = end + 1;
    }
}
