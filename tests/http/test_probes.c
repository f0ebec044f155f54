/* SPDX-License-Identifier: MIT
 *
 * test_probes.c: the lines of probes.txt against a daemon: bytes in, whole answers out, and whether
 * the connection lives on. All answers are cut at their own length, so a byte too many or an answer
 * that nobody asked for shows.
 */
#include "tests/support/suite_daemon.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINE_BYTES = 4096, COLUMNS_MAX = 16, REQUEST_BYTES = 3 << 20, REPLY_BYTES = 4 << 20 };
enum { ANSWERS_MAX = 16, PATIENCE_MS = 8000 };

#define CELL_ALIAS "/v1/worlds/forest/cells/1/1/1/trees"

static char cell_path[256];
static char cell_etag[128];
static char gzip_etag[128];
static char *request;
static char *reply;

static void start(void) {
    const char *coded[] = {"Accept-Encoding: gzip", NULL};
    server = daemon_start(NULL, (const char *const[]){"--header-deadline-s", "1", NULL});
    forest_put(&server);
    answer plain = ask_get(&server, CELL_ALIAS);
    answer gzip = ask(&server, "GET", &(ask_options){.headers = coded}, CELL_ALIAS);
    cr_assert_eq(plain.status, 200);
    snprintf(cell_path, sizeof cell_path, "%s", answer_header(&plain, "Content-Location"));
    snprintf(cell_etag, sizeof cell_etag, "%s", answer_header(&plain, "ETag"));
    snprintf(gzip_etag, sizeof gzip_etag, "%s", answer_header(&gzip, "ETag"));
    answer_free(&plain);
    answer_free(&gzip);
    request = malloc(REQUEST_BYTES);
    reply = malloc(REPLY_BYTES);
}

static void stop(void) {
    free(request);
    free(reply);
    server_stop();
}

TestSuite(probes, .init = start, .fini = stop);

/* ---- A line of the table -------------------------------------------------------------------- */

static char *trim(char *text) {
    size_t size = strlen(text);
    while (size > 0 && strchr(" \n", text[size - 1]) != NULL) {
        text[--size] = 0;
    }
    return text + strspn(text, " ");
}

static size_t cut_columns(char *line, char *columns[COLUMNS_MAX]) {
    size_t count = 0;
    for (char *at = line; at != NULL && count < COLUMNS_MAX;) {
        char *end = strchr(at, '|');
        if (end != NULL) {
            *end++ = 0;
        }
        columns[count++] = trim(at);
        at = end;
    }
    return count;
}

static size_t put(char *to, size_t used, const char *bytes, size_t size) {
    cr_assert_lt(used + size, REQUEST_BYTES);
    memcpy(to + used, bytes, size);
    return used + size;
}

static size_t put_text(char *to, size_t used, const char *text) {
    return put(to, used, text, strlen(text));
}

static size_t expand(const char *text, const char *end, char *to, size_t used);

/* "500x}" or "4*text}": repetition. */
static size_t put_repeated(const char *text, const char *end, char *to, size_t used) {
    char *what = NULL;
    long count = strtol(text, &what, 10);
    bool nested = *what == '*';
    for (long i = 0; i < count; i++) {
        used = nested ? expand(what + 1, end, to, used) : put(to, used, what, 1);
    }
    return used;
}

/* The end of a variable that may hold others. */
static const char *find_close(const char *text) {
    int depth = 1;
    for (; *text != 0; text++) {
        depth += *text == '{';
        depth -= *text == '}';
        if (depth == 0) {
            return text;
        }
    }
    return NULL;
}

static size_t put_variable(const char *name, const char *end, char *to, size_t used) {
    const struct {
        const char *name;
        const char *text;
    } known[] = {{"H", "Host: localhost\r\n"}, {"J", "Content-Type: application/json\r\n"},
                 {"cell", cell_path},          {"etag", cell_etag},
                 {"gzip", gzip_etag},          {"", "{}"}};
    size_t size = (size_t)(end - name);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == size && memcmp(known[i].name, name, size) == 0) {
            return put_text(to, used, known[i].text);
        }
    }
    cr_assert(*name >= '0' && *name <= '9', "no such variable: %.*s", (int)size, name);
    return put_repeated(name, end, to, used);
}

static size_t put_escape(const char **at, char *to, size_t used) {
    char byte = *++*at;
    char hex[3] = "";
    switch (byte) {
    case 'r':
        return put(to, used, "\r", 1);
    case 'n':
        return put(to, used, "\n", 1);
    case 't':
        return put(to, used, "\t", 1);
    case '0':
        return put(to, used, "", 1);
    case 'x':
        memcpy(hex, *at + 1, 2);
        byte = (char)strtol(hex, NULL, 16);
        *at += 2;
        break;
    default:
        break;
    }
    return put(to, used, &byte, 1);
}

static size_t expand(const char *text, const char *end, char *to, size_t used) {
    for (const char *at = text; at < end; at++) {
        if (*at == '~') {
            used = put_text(to, used, "\r\n");
        } else if (*at == '\\') {
            used = put_escape(&at, to, used);
        } else if (*at == '{') {
            const char *close = find_close(at + 1);
            cr_assert_not_null(close, "%s", text);
            used = put_variable(at + 1, close, to, used);
            at = close;
        } else {
            used = put(to, used, at, 1);
        }
    }
    return used;
}

/* ---- Answers -------------------------------------------------------------------------------- */

typedef struct cut_answer {
    int status;
    const char *head;
    size_t head_size;
    size_t size; /* with its body; 0: not whole yet */
} cut_answer;

/* A header's value within a head, copied; false when it is not there. */
static bool head_value(const cut_answer *of, const char *name, char value[512]) {
    size_t size = strlen(name);
    const char *end = of->head + of->head_size;
    for (const char *line = of->head; line < end; line = memchr(line, '\n', (size_t)(end - line))) {
        line += *line == '\n';
        if ((size_t)(end - line) > size && strncasecmp(line, name, size) == 0 &&
            line[size] == ':') {
            const char *from = line + size + 1 + strspn(line + size + 1, " ");
            snprintf(value, 512, "%.*s", (int)strcspn(from, "\r"), from);
            return true;
        }
        if (memchr(line, '\n', (size_t)(end - line)) == NULL) {
            break;
        }
    }
    return false;
}

static cut_answer cut_one(const char *bytes, size_t size, bool is_head) {
    cut_answer of = {.head = bytes};
    char length[512];
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    if (end == NULL || sscanf(bytes, "HTTP/1.1 %d", &of.status) != 1) {
        return of;
    }
    of.head_size = (size_t)(end - bytes) + 4;
    bool bodiless = is_head || of.status < 200 || of.status == 204 || of.status == 304;
    size_t body = 0;
    if (!bodiless && head_value(&of, "Content-Length", length)) {
        body = strtoul(length, NULL, 10);
    }
    of.size = of.head_size + body <= size ? of.head_size + body : 0;
    return of;
}

/* The first head of an answer that has two. */
static size_t doubled_head(size_t used) {
    const char *end = memmem(reply, used, "\r\n\r\n", 4);
    size_t size = end == NULL ? 0 : (size_t)(end - reply) + 4;
    return size > 0 && used >= 2 * size && memcmp(reply, reply + size, size) == 0 ? size : 0;
}

static size_t cut_all(size_t used, bool is_head, cut_answer answers[ANSWERS_MAX], size_t *count) {
    size_t at = doubled_head(used);
    *count = 0;
    while (at < used && *count < ANSWERS_MAX) {
        cut_answer one = cut_one(reply + at, used - at, is_head);
        if (one.size == 0) {
            break;
        }
        answers[(*count)++] = one;
        at += one.size;
    }
    return at;
}

/* ---- The exchange --------------------------------------------------------------------------- */

typedef struct exchange {
    int client;
    size_t used;
    bool ended;
    bool is_head;
    cut_answer answers[ANSWERS_MAX];
    size_t count;
    size_t cut; /* bytes that are whole answers */
} exchange;

static void connect_client(exchange *with) {
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(server.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    with->client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    cr_assert_eq(connect(with->client, (struct sockaddr *)&to, sizeof to), 0);
}

/* What the daemon no longer reads is not sent. */
static void send_all(const exchange *with, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(with->client, bytes, size, MSG_NOSIGNAL);
        if (sent <= 0) {
            return;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* Reads until there are `wanted` whole answers, or the end. */
static void read_answers(exchange *with, size_t wanted) {
    while (!with->ended && with->count < wanted && with->used + 1 < REPLY_BYTES) {
        struct pollfd waits = {.fd = with->client, .events = POLLIN};
        if (poll(&waits, 1, PATIENCE_MS) <= 0) {
            return;
        }
        ssize_t got = recv(with->client, reply + with->used, REPLY_BYTES - with->used - 1, 0);
        with->ended = got <= 0;
        with->used += got > 0 ? (size_t)got : 0;
        reply[with->used] = 0;
        with->cut = cut_all(with->used, with->is_head, with->answers, &with->count);
    }
}

/* ---- What is expected ----------------------------------------------------------------------- */

static void check_last(const char *name, const exchange *with, const char *check) {
    char wanted[1024];
    char value[512];
    char header[128];
    size_t size = expand(check, check + strlen(check), wanted, 0);
    const cut_answer *last = &with->answers[with->count - 1];
    wanted[size] = 0;
    if (wanted[0] == '*') {
        cr_expect(memmem(last->head, last->size, wanted + 1, size - 1) != NULL, "%s: no %s", name,
                  check);
        return;
    }
    if (wanted[0] == '!') {
        cr_expect(!head_value(last, wanted + 1, value), "%s: %s", name, wanted + 1);
        return;
    }
    size_t name_size = strcspn(wanted, ":");
    snprintf(header, sizeof header, "%.*s", (int)name_size, wanted);
    bool found = head_value(last, header, value);
    cr_expect(found, "%s: no %s in %.*s", name, header, (int)last->head_size, last->head);
    if (found && wanted[name_size + 1] != 0) {
        cr_expect_str_eq(value, wanted + name_size + 2, "%s: %s: %s", name, header, value);
    }
}

static size_t read_statuses(const char *expected, int statuses[ANSWERS_MAX], bool *keeps) {
    size_t count = 0;
    char *end = NULL;
    for (const char *at = expected; *at >= '0' && *at <= '9'; at = end + strspn(end, " ")) {
        statuses[count++] = (int)strtol(at, &end, 10);
    }
    *keeps = strstr(expected, "keep") != NULL;
    cr_assert(*keeps || strstr(expected, "close") != NULL, "%s", expected);
    return count;
}

/* Another request finds its answer and nothing else. */
static void expect_kept(const char *name, exchange *with) {
    static const char again[] = "GET /healthz/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    size_t before = with->count;
    with->used -= with->cut;
    memmove(reply, reply + with->cut, with->used);
    with->is_head = false;
    with->count = 0;
    send_all(with, again, sizeof again - 1);
    read_answers(with, 1);
    cr_expect(with->count == 1 && with->answers[0].status == 200 && with->cut == with->used,
              "%s: the connection does not go on after %zu answers: %.300s", name, before, reply);
}

static void expect_closed(const char *name, exchange *with) {
    read_answers(with, ANSWERS_MAX);
    cr_expect(with->ended, "%s: the connection stays open", name);
}

static void run_probe(char *columns[COLUMNS_MAX], size_t column_count) {
    exchange with = {0};
    int statuses[ANSWERS_MAX];
    bool keeps = false;
    const char *name = columns[0];
    size_t wanted = read_statuses(columns[2], statuses, &keeps);
    size_t size = expand(columns[1], columns[1] + strlen(columns[1]), request, 0);
    with.is_head = strncmp(request, "HEAD ", 5) == 0;
    connect_client(&with);
    send_all(&with, request, size);
    read_answers(&with, wanted);
    if (!keeps) {
        expect_closed(name, &with);
    }
    bool doubled = doubled_head(with.used) > 0;
    bool right = with.count == wanted && doubled == (strstr(columns[2], "doubled") != NULL);
    for (size_t i = 0; i < wanted && right; i++) {
        right = with.answers[i].status == statuses[i];
    }
    cr_expect(right && with.cut == with.used, "%s: wanted %s, got %.600s", name, columns[2],
              with.used == 0 ? "nothing" : reply);
    for (size_t i = 3; i < column_count && right; i++) {
        check_last(name, &with, columns[i]);
    }
    if (keeps && right) {
        expect_kept(name, &with);
    }
    close(with.client);
}

Test(probes, every_line_of_the_table_gets_its_answers, .timeout = 120) {
    char line[LINE_BYTES];
    size_t count = 0;
    FILE *table = fopen("tests/http/probes.txt", "re");
    cr_assert_not_null(table, "tests run in the root of the tree");
    while (fgets(line, sizeof line, table) != NULL) {
        char *columns[COLUMNS_MAX];
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        size_t column_count = cut_columns(line, columns);
        cr_assert_geq(column_count, 3, "%s", line);
        run_probe(columns, column_count);
        count++;
    }
    fclose(table);
    cr_expect_geq(count, 60);
}
