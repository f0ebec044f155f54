/* SPDX-License-Identifier: MIT
 *
 * replay.c: the driver of a target where there is no libFuzzer: `fuzz_NAME [FILE...]` runs the
 * target once on each file, or on all of tests/fuzz/corpus/NAME. So every input that was ever worth
 * keeping is a test of every build. When one ends the program, its name is printed last.
 */
#include "tests/fuzz/property.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t size_max);

/* libFuzzer's, which targets with a mutator of their own call; a replay changes nothing. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t size_max) {
    (void)bytes;
    return size < size_max ? size : size_max;
}

/* What an input may take: milliseconds and megabytes are usual, sanitizers and a busy machine cost
 * some times more; a byte that asks for a gigabyte is a finding. run.sh says the same to libFuzzer.
 */
enum { INPUT_SECONDS_MAX = 10, MEMORY_KB_MAX = 1 << 20 };

enum { FOLDER_BYTES = 512, PATH_BYTES = 1024 };

/* The file that is running, for the handler. */
static char running[PATH_BYTES];

static void say_file(int number) {
    static const char text[] = "the input is ";
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    written = write(STDERR_FILENO, running, strlen(running));
    written = write(STDERR_FILENO, "\n", 1);
    (void)written;
    raise(number);
}

static void watch_signals(void) {
    static const int numbers[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGALRM};
    struct sigaction action = {.sa_handler = say_file, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaction(numbers[i], &action, NULL);
    }
}

/* The whole file, in a block of exactly its size, so that a sanitizer sees a byte read beyond. */
static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    require(file != NULL && fseek(file, 0, SEEK_END) == 0, "the input can be read");
    long length = ftell(file);
    require(length >= 0 && fseek(file, 0, SEEK_SET) == 0, "the input is a file");
    *size = (size_t)length;
    uint8_t *bytes = malloc(*size == 0 ? 1 : *size);
    require(bytes != NULL && fread(bytes, 1, *size, file) == *size, "the input is read whole");
    fclose(file);
    return bytes;
}

static void run_file(const char *path) {
    size_t size = 0;
    snprintf(running, sizeof running, "%s", path);
    uint8_t *bytes = read_file(path, &size);
    struct rusage usage;
    alarm(INPUT_SECONDS_MAX);
    LLVMFuzzerTestOneInput(bytes, size);
    alarm(0);
    require(getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss < MEMORY_KB_MAX,
            "no input takes a gigabyte");
    free(bytes);
}

/* How many files it holds. */
static unsigned run_corpus(const char *folder) {
    struct dirent **names = NULL;
    int count = scandir(folder, &names, NULL, alphasort);
    unsigned files = 0;
    for (int i = 0; i < count; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.') {
            run_file(path);
            files++;
        }
        free(names[i]);
    }
    free(names);
    return files;
}

/* "tests/fuzz/corpus/NAME" for a program ".../fuzz_NAME". */
static void name_corpus(const char *program, char folder[FOLDER_BYTES]) {
    static const char prefix[] = "fuzz_";
    const char *slash = strrchr(program, '/');
    const char *name = slash == NULL ? program : slash + 1;
    require(strncmp(name, prefix, sizeof prefix - 1) == 0, "the program is called fuzz_NAME");
    snprintf(folder, FOLDER_BYTES, "tests/fuzz/corpus/%s", name + sizeof prefix - 1);
}

int main(int count, char **arguments) {
    char folder[FOLDER_BYTES];
    watch_signals();
    for (int i = 1; i < count; i++) {
        run_file(arguments[i]);
    }
    if (count > 1) {
        return 0;
    }
    name_corpus(arguments[0], folder);
    unsigned files = run_corpus(folder);
    printf("%s: %u inputs\n", folder, files);
    return files > 0 ? 0 : 1;
}
