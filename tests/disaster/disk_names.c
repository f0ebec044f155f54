/* SPDX-License-Identifier: MIT
 *
 * disk_names.c: changes of names since their folders were synced, in order, each with what undoes
 * it. What was removed lies in the grave until then.
 */
#include "tests/disaster/disk.h"

#include "tests/disaster/real.h"
#include "tests/disaster/strand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHANGES_MAX = 4000, PATH_BYTES = 512 };

typedef enum change_kind {
    MADE_FILE,
    MADE_FOLDER,
    REMOVED_FILE,
    REMOVED_FOLDER,
    RENAMED
} change_kind;

typedef struct change {
    change_kind kind;
    char path[PATH_BYTES];
    char to[PATH_BYTES];   /* of what was renamed */
    char kept[PATH_BYTES]; /* in the grave: what stood at `path`, or at `to`; empty: nothing did */
} change;

static change changes[CHANGES_MAX];
static uint32_t change_count;
static uint32_t buried;
static char grave[PATH_BYTES];

void disk_names_begin(const char *folder) {
    snprintf(grave, sizeof grave, "%s", folder);
}

static change *add_change(change_kind kind, const char *path) {
    if (change_count == CHANGES_MAX) {
        fprintf(stderr, "more than %d names changed\n", CHANGES_MAX);
        abort();
    }
    change *made = &changes[change_count++];
    made->kind = kind;
    snprintf(made->path, sizeof made->path, "%s", path);
    made->to[0] = made->kept[0] = 0;
    return made;
}

/* A second name keeps a file alive. */
static void bury(const char *path, char kept[PATH_BYTES]) {
    int size = snprintf(kept, PATH_BYTES, "%s/%u", grave, buried++);
    if (size >= PATH_BYTES || link(path, kept) != 0) {
        kept[0] = 0;
    }
}

void disk_made(const char *path, bool folder) {
    add_change(folder ? MADE_FOLDER : MADE_FILE, path);
}

void disk_will_remove(const char *path, bool folder) {
    change *made = add_change(folder ? REMOVED_FOLDER : REMOVED_FILE, path);
    if (!folder) {
        bury(path, made->kept);
    }
}

void disk_will_rename(const char *from, const char *to) {
    change *made = add_change(RENAMED, from);
    snprintf(made->to, sizeof made->to, "%s", to);
    bury(to, made->kept);
}

void disk_forget_last(void) {
    change_count--;
}

static bool stands_in(const char *path, const char *folder) {
    size_t size = strlen(folder);
    return strncmp(path, folder, size) == 0 && path[size] == '/' &&
           strchr(path + size + 1, '/') == NULL;
}

/* A file that moves between folders is in one of them, as soon as either is synced. */
void disk_folder_synced(const char *path) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < change_count; i++) {
        bool synced = stands_in(changes[i].path, path) || stands_in(changes[i].to, path);
        if (!synced) {
            changes[left++] = changes[i];
        }
    }
    change_count = left;
}

/* What cannot be undone was undone, or taken over, by what is synced. */
static void undo(const change *of) {
    switch (of->kind) {
    case MADE_FILE:
        (void)real_unlink(of->path);
        break;
    case MADE_FOLDER:
        (void)real_rmdir(of->path);
        break;
    case REMOVED_FILE:
        (void)(of->kept[0] == 0 ? 0 : real_rename(of->kept, of->path));
        break;
    case REMOVED_FOLDER:
        (void)real_mkdir(of->path, 0700);
        break;
    case RENAMED:
        (void)real_rename(of->to, of->path);
        (void)(of->kept[0] == 0 ? 0 : real_rename(of->kept, of->to));
        break;
    }
}

void disk_cut_names(void) {
    uint32_t kept = (uint32_t)strands_draw(change_count + 1);
    while (change_count > kept) {
        undo(&changes[--change_count]);
    }
}
