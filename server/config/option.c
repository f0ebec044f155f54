/* SPDX-License-Identifier: MIT
 *
 * option.c: the table of options. Limits give their reason in the help text, where the operator who
 * meets them reads it.
 */
#include "server/config/option.h"

#include "server/config/config.h"

#define MIB ((int64_t)1 << 20)
#define GIB ((int64_t)1 << 30)
#define AT(member) offsetof(config, member)

static const char *const simd_choices[] = {"best", "baseline", "avx2", "avx512", NULL};
static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const unix_choices[] = {"owner", "group", "everyone", NULL};
static const char *const forwarded_choices[] = {"x-forwarded-for", "forwarded", NULL};
static const char *const log_choices[] = {"error", "warning", "info", "debug", NULL};

static const option_schema options[] = {
    {.name = "listen",
     .argument = "ADDRESS:PORT",
     .kind = OPTION_TEXT,
     .offset = AT(listen),
     .initial_text = "127.0.0.1:7373",
     .help = "Where to listen. Port 0 takes a free one; none listens at no address. Beyond "
             "loopback --tokens is needed, and TLS or --plaintext. Sockets that systemd hands over "
             "take the place of this and of --unix."},
    {.name = "unix",
     .argument = "PATH",
     .kind = OPTION_TEXT,
     .offset = AT(unix_path),
     .help = "Listens on a unix socket too. There processes of the daemon's own user and of root "
             "have every scope, admin with it."},
    {.name = "unix-access",
     .argument = "WHO",
     .kind = OPTION_CHOICE,
     .offset = AT(unix_mode),
     .choices = unix_choices,
     .help = "Who may connect to the unix socket. Others than the daemon's user and root have the "
             "same scopes there as on the port."},
    {.name = "tls-cert",
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = AT(tls_cert),
     .help = "Serves by TLS, 1.2 or 1.3, with this certificate (PEM, those of its issuers behind "
             "it). Read again at SIGHUP."},
    {.name = "tls-key",
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = AT(tls_key),
     .help = "The certificate's key (PEM), which must not be readable by everybody."},
    {.name = "tokens",
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = AT(tokens),
     .help =
         "Only who shows one of these tokens may ask (lines that `loam token new` prints). Read "
         "again at SIGHUP; refused when everybody can read it."},
    {.name = "plaintext",
     .argument = "[=no]",
     .kind = OPTION_FLAG,
     .offset = AT(plaintext),
     .choices = no_yes,
     .help = "With tokens, listens beyond loopback without TLS: for a proxy or a net that nobody "
             "else reads."},
    {.name = "public-read",
     .argument = "[=no]",
     .kind = OPTION_FLAG,
     .offset = AT(public_read),
     .choices = no_yes,
     .help = "With tokens, lets everybody read without one, and shared caches keep what was read."},
    {.name = "trusted-proxy",
     .argument = "ADDRESS[/BITS]",
     .kind = OPTION_LIST,
     .offset = AT(trusted_proxies),
     .help = "Believes this proxy for whom it asks, and does not count its connections; the word "
             "unix stands for the unix socket, where then nobody is an operator. May be given "
             "several times."},
    {.name = "forwarded-header",
     .argument = "NAME",
     .kind = OPTION_CHOICE,
     .offset = AT(forwarded_header),
     .choices = forwarded_choices,
     .help = "Where a trusted proxy says for whom it asks. The one that it does not write comes "
             "from the client, and is not read."},
    {.name = "data",
     .argument = "DIR",
     .kind = OPTION_TEXT,
     .offset = AT(data),
     .help = "The folder of the databases, made when it is missing; one daemon holds it at a time. "
             "Default $XDG_DATA_HOME/loam, else $HOME/.local/share/loam."},
    {.name = "backup-dir",
     .argument = "DIR",
     .kind = OPTION_TEXT,
     .offset = AT(backup_dir),
     .help = "Where `loam admin backup` puts its copies, each in a folder named by the time; made "
             "when it is missing. Without it there are no backups."},
    {.name = "config",
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = AT(file),
     .command_line_only = true,
     .help = "Reads `key = value` lines with the names of these options; # begins a comment. What "
             "the command line gives stands over it."},
    {.name = "port-file",
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = AT(port_file),
     .help = "Once ready, writes the port and a newline there (under a temporary name, then "
             "renamed), so that who starts the daemon on port 0 can find it."},
    {.name = "workers",
     .argument = "N",
     .kind = OPTION_COUNT,
     .offset = AT(workers),
     .max = 256,
     .help = "Threads that generate. 0 takes one for each processor. Results never depend on it."},
    {.name = "simd",
     .argument = "LEVEL",
     .kind = OPTION_CHOICE,
     .offset = AT(simd),
     .choices = simd_choices,
     .help = "Forces a level of vector instructions. Results never depend on it."},
    {.name = "host",
     .argument = "NAME",
     .kind = OPTION_LIST,
     .offset = AT(hosts),
     .help = "Takes requests whose Host header has this name too; localhost, 127.0.0.1 and [::1] "
             "are always taken. May be given several times."},
    {.name = "origin",
     .argument = "ORIGIN",
     .kind = OPTION_LIST,
     .offset = AT(origins),
     .help = "Lets pages of this origin (https://name[:port]) ask from a browser. May be given "
             "several times."},
    {.name = "anonymous-scopes",
     .argument = "SCOPES",
     .kind = OPTION_TEXT,
     .offset = AT(anonymous_scopes),
     .initial_text = "read,generate,upload,server",
     .help = "Without --tokens: what everyone may do who reaches the port, with commas between: "
             "read, generate, upload, server. Without server, what is hidden in dungeons stays "
             "hidden."},
    {.name = "cache-bytes",
     .argument = "BYTES",
     .kind = OPTION_BYTES,
     .offset = AT(cache_bytes),
     .initial = 16 * GIB,
     .min = 16 * MIB,
     .max = 4096 * GIB,
     .help = "Size of the store of results on disk; beyond it the least recently used are "
             "dropped."},
    {.name = "ram-cache-bytes",
     .argument = "BYTES",
     .kind = OPTION_BYTES,
     .offset = AT(ram_cache_bytes),
     .initial = 256 * MIB,
     .min = MIB,
     .max = 1024 * GIB,
     .help = "Memory for answers that are ready to be sent."},
    {.name = "asset-ram-bytes",
     .argument = "BYTES",
     .kind = OPTION_BYTES,
     .offset = AT(asset_ram_bytes),
     .initial = 2 * GIB,
     .min = 16 * MIB,
     .max = 1024 * GIB,
     .help = "Memory for decoded terrain and areas; those that no running work needs make room."},
    {.name = "worker-arena-bytes",
     .argument = "BYTES",
     .kind = OPTION_BYTES,
     .offset = AT(worker_arena_bytes),
     .initial = 4 * GIB,
     .min = 64 * MIB,
     .max = 64 * GIB,
     .help = "Address space that each worker reserves; a cell that needs more is refused."},
    {.name = "worker-keep-bytes",
     .argument = "BYTES",
     .kind = OPTION_BYTES,
     .offset = AT(worker_keep_bytes),
     .initial = 64 * MIB,
     .min = MIB,
     .max = 64 * GIB,
     .help = "Memory that a worker keeps between cells; what it used beyond is given back."},
    {.name = "queue-interactive",
     .argument = "N",
     .kind = OPTION_COUNT,
     .offset = AT(queue_interactive),
     .initial = 1024,
     .min = 1,
     .max = 1000000,
     .help = "Requests that may wait for a worker; further ones get 503 and Retry-After, batches "
             "from three quarters of it on, new jobs from half of it."},
    {.name = "queue-batch",
     .argument = "N",
     .kind = OPTION_COUNT,
     .offset = AT(queue_batch),
     .initial = 4096,
     .min = 16,
     .max = 1000000,
     .help = "Cells of jobs that may wait for a worker. Requests go before them."},
    {.name = "job-cells-in-flight",
     .argument = "N",
     .kind = OPTION_COUNT,
     .offset = AT(job_cells_in_flight),
     .initial = 0,
     .max = 4096,
     .help = "Cells of jobs that are built or stored at one time. 0 takes 32 for each worker: "
             "enough that none waits for the store."},
    {.name = "reader-threads",
     .argument = "N",
     .kind = OPTION_COUNT,
     .offset = AT(reader_threads),
     .initial = 1,
     .min = 1,
     .max = 2,
     .help = "Threads that read the store; a second one helps when it does not fit in memory."},
    {.name = "connection-limit",
     .argument = "N",
     .kind = OPTION_COUNT,
     .offset = AT(connection_limit),
     .initial = 4096,
     .min = 16,
     .max = 65536,
     .help = "Connections at one time; nearly full, silent ones are closed for new ones, and when "
             "all are busy those get 503. Each is a descriptor: as many as the system allows are "
             "taken."},
    {.name = "address-connection-limit",
     .argument = "N",
     .kind = OPTION_COUNT,
     .offset = AT(address_connection_limit),
     .initial = 256,
     .min = 1,
     .max = 65536,
     .help = "Connections of one address (or of one network of IPv6, 64 bits) at one time; further "
             "ones are closed. Loopback, the unix socket and trusted proxies are not counted; of "
             "those whom a proxy forwards, requests are: further ones get 429."},
    {.name = "header-deadline-s",
     .argument = "SECONDS",
     .kind = OPTION_SECONDS,
     .offset = AT(header_deadline_s),
     .initial = 5,
     .min = 1,
     .max = 600,
     .help = "A connection whose request line and headers take longer is cut."},
    {.name = "body-window-s",
     .argument = "SECONDS",
     .kind = OPTION_SECONDS,
     .offset = AT(body_window_s),
     .initial = 5,
     .min = 1,
     .max = 600,
     .help = "A body must bring 16 KB a second, measured over so many seconds, or its connection "
             "is cut."},
    {.name = "stall-s",
     .argument = "SECONDS",
     .kind = OPTION_SECONDS,
     .offset = AT(stall_s),
     .initial = 30,
     .min = 1,
     .max = 3600,
     .help = "An answer of which the client takes nothing for so long is given up."},
    {.name = "idle-s",
     .argument = "SECONDS",
     .kind = OPTION_SECONDS,
     .offset = AT(idle_s),
     .initial = 75,
     .min = 1,
     .max = 86400,
     .help = "A kept-alive connection without a request for so long is closed."},
    {.name = "drain-s",
     .argument = "SECONDS",
     .kind = OPTION_SECONDS,
     .offset = AT(drain_s),
     .initial = 30,
     .min = 0,
     .max = 3600,
     .help = "After SIGTERM or SIGINT running requests have so long to end, and answers to be "
             "sent. A second signal ends at once."},
    {.name = "log-level",
     .argument = "LEVEL",
     .kind = OPTION_CHOICE,
     .offset = AT(log_level),
     .initial = 2,
     .choices = log_choices,
     .help = "What goes to stderr, one JSON line per event. Answers from memory are logged at "
             "debug only: there are too many of them."},
};

_Static_assert(sizeof options / sizeof options[0] <= OPTION_COUNT_MAX,
               "sets of options are fixed arrays");

uint32_t option_count(void) {
    return (uint32_t)(sizeof options / sizeof options[0]);
}

const option_schema *option_at(uint32_t index) {
    return &options[index];
}

int32_t option_find(loam_text name) {
    for (uint32_t i = 0; i < option_count(); i++) {
        if (loam_text_equal(name, loam_text_of(options[i].name))) {
            return (int32_t)i;
        }
    }
    return -1;
}
