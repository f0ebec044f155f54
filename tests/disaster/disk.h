/* SPDX-License-Identifier: MIT
 *
 * disk.h: the disk of the simulated machine. What is written below its root can be read at once,
 * but is on the disk only once it was synced: a file's bytes by fsync of the file, names by fsync
 * of their folder. When the power is cut, each sector that was not synced holds any of the bytes it
 * had since it last was, sizes likewise, and of the changes of names that were not synced the last
 * ones are undone, any number of them. Calls fail, and write less than asked, as the weather will
 * have it.
 *
 * disk_sectors.c keeps what files had, disk_names.c what folders had; disk_calls.c and
 * disk_name_calls.c stand before the C library.
 */
#ifndef LOAM_TESTS_DISASTER_DISK_H
#define LOAM_TESTS_DISASTER_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* How many of 1,000 calls fail. It clears up by itself: nobody can do anything about a disk that
 * stays broken. */
typedef struct disk_weather {
    uint32_t failures_max;
    uint32_t reads;  /* EIO */
    uint32_t writes; /* EIO, or less is written */
    uint32_t space;  /* ENOSPC: of writes, new files, folders and names */
    uint32_t syncs;  /* EIO */
} disk_weather;

/* `grave` is a folder beside `root`, for what was removed and may come back. */
void disk_begin(const char *root, const char *grave);
void disk_set_weather(disk_weather weather);
/* How many calls the weather has let fail. */
uint64_t disk_failures(void);
/* Leaves below the root what a disk without power holds. The caller ends the process. */
void disk_cut(void);

/* ---- For those that stand before the C library ----------------------------------------------- */

/* What the trace calls them. */
enum { TRACE_READ = 2, TRACE_WRITE, TRACE_SYNC, TRACE_NAME, TRACE_FAILURE };

typedef struct disk_file disk_file;

bool disk_has(const char *path);
/* Shared memory that has a name: it holds nothing that a start after a crash looks at. */
bool disk_is_memory(const char *path);
/* Whether the weather lets a call that needs space fail; errno is set when it does. */
bool disk_space_strikes(int code);
/* The file behind an open descriptor; NULL when it is none of the disk's. */
disk_file *disk_file_of(int descriptor, const char *path);
/* Around a change of [from, from + size): both bytes and the size of the file. */
void disk_will_change(disk_file *file, off_t from, size_t size);
void disk_has_changed(disk_file *file, off_t from, size_t size);
void disk_synced(disk_file *file);
uint32_t disk_file_number(const disk_file *file);
void disk_cut_files(void);

void disk_names_begin(const char *grave);
void disk_made(const char *path, bool folder);
/* Keep what is about to go. Called before. */
void disk_will_remove(const char *path, bool folder);
void disk_will_rename(const char *from, const char *to);
/* The change that was announced last did not happen. */
void disk_forget_last(void);
void disk_folder_synced(const char *path);
void disk_cut_names(void);

#endif
