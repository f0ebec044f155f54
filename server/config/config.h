/* SPDX-License-Identifier: MIT
 *
 * config.h: what the daemon was told. Options stand over the configuration file, the file over the
 * defaults. Read once at the start; nothing changes it afterwards.
 */
#ifndef LOAM_SERVER_CONFIG_CONFIG_H
#define LOAM_SERVER_CONFIG_CONFIG_H

#include "core/loam.h"

/* A path: the kernel's own limit. */
#define CONFIG_TEXT_BYTES 4096
/* Names in one list (hosts, origins): far more than one daemon has names. */
#define CONFIG_LIST_ITEMS 32
/* A host name is at most 253 bytes, an origin adds scheme and port. */
#define CONFIG_ITEM_BYTES 272

typedef struct config_list {
    uint32_t count;
    char items[CONFIG_LIST_ITEMS][CONFIG_ITEM_BYTES];
} config_list;

typedef struct config {
    char listen[CONFIG_TEXT_BYTES];
    char data[CONFIG_TEXT_BYTES];
    char backup_dir[CONFIG_TEXT_BYTES];
    char file[CONFIG_TEXT_BYTES];
    char port_file[CONFIG_TEXT_BYTES];
    char unix_path[CONFIG_TEXT_BYTES];
    char tokens[CONFIG_TEXT_BYTES];
    char tls_cert[CONFIG_TEXT_BYTES];
    char tls_key[CONFIG_TEXT_BYTES];
    config_list trusted_proxies;
    config_list hosts;
    config_list origins;
    int64_t workers;
    int64_t simd;      /* a loam_simd */
    int64_t log_level; /* a log_level */
    int64_t cache_bytes;
    int64_t ram_cache_bytes;
    int64_t asset_ram_bytes;
    int64_t worker_arena_bytes;
    int64_t worker_keep_bytes;
    int64_t queue_interactive;
    int64_t queue_batch;
    int64_t job_cells_in_flight;
    int64_t reader_threads;
    int64_t connection_limit;
    int64_t address_connection_limit;
    int64_t header_deadline_s;
    int64_t body_window_s;
    int64_t stall_s;
    int64_t idle_s;
    int64_t unix_mode;        /* a unix_access */
    int64_t forwarded_header; /* a forwarded_kind */
    int64_t plaintext;        /* 0 or 1, as the rest of these */
    int64_t public_read;
    int64_t drain_s;
    char anonymous_scopes[CONFIG_TEXT_BYTES];
    uint32_t scopes; /* the same as bits (scope.h) */
    /* Derived from `listen`. */
    char address[CONFIG_ITEM_BYTES];
    uint16_t port;
} config;

/* Who may connect to the unix socket, by its mode. */
typedef enum unix_access { UNIX_OWNER, UNIX_GROUP, UNIX_EVERYONE } unix_access;

typedef enum config_outcome {
    CONFIG_RUN,         /* all well: go on */
    CONFIG_HELP,        /* --help was asked for */
    CONFIG_VERSION,     /* --version was asked for */
    CONFIG_MANUAL,      /* --manual: loamd(8) */
    CONFIG_MANUAL_FILE, /* --manual-config: loamd.conf(5) */
    CONFIG_SAMPLE,      /* --sample-config */
    CONFIG_USAGE,       /* the command line is wrong: exit 2 */
    CONFIG_BAD,         /* the file or a value's meaning is wrong: exit 1 */
} config_outcome;

/* Reads the command line, and the file it names. `error` says in one line which option, and in a
 * file which line, is wrong. */
config_outcome config_read(config *settings, int argc, char *const argv[], loam_error *error);

/* The manual that --help prints, with every option of the table. `print` gets it in pieces. */
void config_help(void (*print)(void *context, const char *text), void *context);

/* What --manual, --manual-config and --sample-config print, whole. */
void config_page(config_outcome page, void (*print)(void *context, const char *text),
                 void *context);

#endif
