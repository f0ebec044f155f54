/* SPDX-License-Identifier: MIT
 *
 * test_manual.c: manual pages and completion say what the tables say: every command, every option.
 */
#include <criterion/criterion.h>

#include "api/cli/command.h"
#include "tests/support/program.h"

static char folder[64];

static void folder_begin(void) {
    program_folder_make(folder);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

TestSuite(manual, .init = folder_begin, .fini = folder_end, .timeout = 60);

static void expect(const char *line) {
    const program_result *result = program_run(folder, "%s", line);
    cr_assert_eq(result->exit_code, 0, "'%s' ended with %d: %s", line, result->exit_code,
                 result->output);
}

Test(manual, the_page_has_every_command_and_every_option) {
    expect("$LOAM manual > $DIR/page && head -1 $DIR/page | grep -q '^.TH LOAM 1 '");
    expect("sed 's/\\\\//g' $DIR/page > $DIR/plain; $LOAM --help | "
           "sed -n '/^usage/,/^$/d; s/^  \\([a-z][a-z-]*\\( [a-z]*\\)\\?\\)  .*/\\1/p' | "
           "grep -v '^[A-Z]' > $DIR/commands; [ $(wc -l < $DIR/commands) -gt 30 ]");
    expect("while read -r command; do grep -q \"^.SS \\\"loam $command \" $DIR/plain || "
           "{ echo \"$command is missing\"; exit 1; }; done < $DIR/commands");
    expect(
        "while read -r command; do $LOAM $command --help | sed -n 's/^  \\(--*[a-z0-9-]*\\) "
        ".*/\\1/p' | "
        "grep -vx -e --help | while read -r option; do grep -q \"fB$option\" $DIR/plain || "
        "{ echo \"$command $option is missing\"; exit 1; }; done || exit 1; done < $DIR/commands");
}

Test(manual, the_shell_completes_commands_and_their_options) {
    expect("$LOAM completion bash > $DIR/loam.bash && cat > $DIR/try <<'END'\n"
           "complete_words() { COMP_WORDS=(loam \"$@\"); COMP_CWORD=$#; _loam; echo "
           "\"${COMPREPLY[*]}\"; }\n"
           "source $1/loam.bash\n"
           "[ \"$(complete_words veri)\" = verify ] || exit 1\n"
           "[ \"$(complete_words graph re)\" = rename ] || exit 2\n"
           "[ \"$(complete_words graph rename -)\" = '--help -o' ] || exit 3\n"
           "[ \"$(complete_words cell --cached)\" = --cached-only ] || exit 4\n"
           "[ \"$(complete_words heightmap --ampl)\" = --amplitude-m ] || exit 5\n"
           "[ \"$(complete_words verify x.json dir)\" = '' ] || exit 6\n"
           "END\nbash $DIR/try $DIR");
    expect("! $LOAM completion fish");
}
