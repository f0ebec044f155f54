/* SPDX-License-Identifier: MIT
 *
 * test_proxies.c: the samples deploy/haproxy.cfg and deploy/nginx.conf, with other ports and
 * folders, in front of a daemon: the proxy takes its file, answers come through as they are, and
 * what is framed in two ways is refused before the daemon sees it. Where a proxy is not installed,
 * its tests say so.
 *
 * The listening socket is made here and handed over, so that no port is guessed.
 */
#include "tests/support/suite_daemon.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HOST "worlds.example.org"
#define CELL "/v1/worlds/forest/cells/1/1/1/trees"
/* Where a proxy finds its listening socket. */
enum { HANDED_OVER = 3, COMMAND_BYTES = 2048, PATIENCE_MS = 3000 };

typedef struct proxy_sample {
    const char *program;
    const char *edit;  /* sed; $FOLDER, $PORT of the proxy, $LOAMD of the daemon */
    const char *file;  /* the sample */
    const char *check; /* whether the program takes it; edited it is $FOLDER/proxy.conf */
    const char *arguments[8];
} proxy_sample;

static const proxy_sample haproxy = {
    .program = "haproxy",
    .file = "deploy/haproxy.cfg",
    /* Each of its connections is two descriptors, of which a test has few. */
    .edit = "-e 's|bind :8443.*|bind fd@3|' -e 's|maxconn 20000|maxconn 400|'"
            " -e \"s|127.0.0.1:7373|127.0.0.1:$LOAMD|\"",
    .check = "haproxy -c -q -f deploy/haproxy.cfg",
    .arguments = {"haproxy", "-db", "-q", "-f", "proxy.conf", NULL},
};

static const proxy_sample nginx = {
    .program = "nginx",
    .file = "deploy/nginx.conf",
    .edit = "-e \"s|/run/nginx.pid|$FOLDER/pid|\" -e \"s|listen 8443;.*|listen 127.0.0.1:$PORT;|\""
            " -e \"s|127.0.0.1:7373|127.0.0.1:$LOAMD|\""
            " -e \"s|^http {|error_log $FOLDER/errors; http { access_log off;"
            " client_body_temp_path $FOLDER/body; proxy_temp_path $FOLDER/proxied;"
            " fastcgi_temp_path $FOLDER/f; uwsgi_temp_path $FOLDER/u; scgi_temp_path $FOLDER/s;|\"",
    .check = "nginx -t -q -e stderr -p $FOLDER -c $FOLDER/proxy.conf",
    .arguments = {"nginx", "-e", "errors", "-p", ".", "-c", "proxy.conf", NULL},
};

/* What stands before it, as if it were a daemon: the same requests go there. */
static test_daemon front;

static bool is_installed(const char *program) {
    char command[COMMAND_BYTES];
    snprintf(command, sizeof command, "command -v %s >/dev/null", program);
    bool is_there = system(command) == 0;
    if (!is_there) {
        cr_log_warn("%s is not installed: its sample is not tried", program);
    }
    return is_there;
}

static int listen_somewhere(uint16_t *port) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(descriptor, (struct sockaddr *)&at, sizeof at), 0);
    cr_assert_eq(listen(descriptor, 64), 0);
    cr_assert_eq(getsockname(descriptor, (struct sockaddr *)&at, &size), 0);
    *port = ntohs(at.sin_port);
    return descriptor;
}

static void write_file(const proxy_sample *of) {
    char command[COMMAND_BYTES];
    snprintf(command, sizeof command,
             "FOLDER=%s PORT=%u LOAMD=%u; chmod 711 $FOLDER; sed %s %s >$FOLDER/proxy.conf && %s",
             front.folder, front.port, server.port, of->edit, of->file, of->check);
    cr_assert_eq(system(command), 0, "%s does not take its sample", of->program);
}

/* In the child. */
static void become(const proxy_sample *of, int listener) {
    if (listener != HANDED_OVER) {
        dup2(listener, HANDED_OVER);
        close(listener);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setenv("NGINX", "3;", 1);
    if (chdir(front.folder) == 0 && freopen("said", "w", stderr) != NULL) {
        execvp(of->program, (char **)(uintptr_t)of->arguments);
    }
    _exit(127);
}

static void stop(void) {
    if (front.pid > 0) {
        kill(front.pid, SIGTERM);
        waitpid(front.pid, NULL, 0);
        daemon_remove_folder(&front);
    }
    if (server.pid > 0) {
        server_stop();
    }
}

static void start(const proxy_sample *of) {
    server = daemon_start(
        NULL, (const char *const[]){"--host", HOST, "--trusted-proxy", "127.0.0.1", NULL});
    forest_put(&server);
    snprintf(front.folder, sizeof front.folder, "/tmp/loam-proxy-XXXXXX");
    cr_assert_not_null(mkdtemp(front.folder));
    int listener = listen_somewhere(&front.port);
    write_file(of);
    front.pid = fork();
    if (front.pid == 0) {
        become(of, listener);
    }
    close(listener);
}

/* ---- Answers -------------------------------------------------------------------------------- */

static answer get_by(const test_daemon *of, const char *header, const char *path) {
    const char *headers[] = {"Host: " HOST, header, NULL};
    return ask(of, "GET", &(ask_options){.headers = headers}, "%s", path);
}

static void expect_same_cell(void) {
    char condition[160];
    answer direct = get_by(&server, NULL, CELL);
    answer through = get_by(&front, NULL, CELL);
    cr_assert_eq(through.status, 200, "%d: %.300s", through.status, through.body);
    cr_expect(direct.size == through.size && memcmp(direct.body, through.body, direct.size) == 0);
    expect_hashes(&through);
    cr_expect_str_eq(answer_header(&through, "Cache-Status"), "loam; hit");
    snprintf(condition, sizeof condition, "If-None-Match: %s", answer_header(&through, "ETag"));
    answer again = get_by(&front, condition, CELL);
    cr_expect_eq(again.status, 304);
    answer coded = get_by(&front, "Accept-Encoding: gzip", CELL);
    const char *coding = answer_header(&coded, "Content-Encoding");
    cr_expect(coding != NULL && strcmp(coding, "gzip") == 0);
    expect_hashes(&coded);
    answer_free(&direct);
    answer_free(&through);
    answer_free(&again);
    answer_free(&coded);
}

static void expect_written_through(void) {
    const char *headers[] = {"Host: " HOST, "Transfer-Encoding: chunked", NULL};
    answer put = ask(
        &front, "PUT",
        &(ask_options){.headers = headers, .type = "application/json", .body = forest_world_json()},
        "/v1/worlds/copy");
    cr_expect_eq(put.status, 201, "%d: %.300s", put.status, put.body);
    answer_free(&put);
    answer problem = get_by(&front, NULL, "/v1/worlds/none");
    expect_problem(problem, 404, "not-found", NULL);
}

/* ---- Framing -------------------------------------------------------------------------------- */

#define LINE "POST /v1/graphs HTTP/1.1\r\nHost: " HOST "\r\nContent-Type: application/json\r\n"
#define SECOND "GET /healthz/live HTTP/1.1\r\nHost: " HOST "\r\n\r\n"

/* Each has a second request behind it, which one of two readings would find. */
typedef struct ambiguity {
    const char *text;
    bool may_be_resolved; /* as RFC 9112, section 6.3, allows: the coding counts, then the end */
} ambiguity;

static const ambiguity ambiguities[] = {
    {LINE "Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}" SECOND, false},
    {LINE "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" SECOND, true},
    {LINE "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" SECOND, false},
    {LINE "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" SECOND, false},
    {LINE "Content-Length: +2\r\n\r\n{}" SECOND, false},
    {LINE "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n" SECOND, false},
    {"GET /healthz/live HTTP/1.1\r\nHost: " HOST "\r\nHost: evil.example\r\n\r\n" SECOND, false},
};

static unsigned count_of(const char *text, const char *part) {
    unsigned count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/* One refusal, of the proxy's own making where there is no one reading, and the end. */
static void expect_refused_outside(void) {
    char reply[8192];
    for (size_t i = 0; i < sizeof ambiguities / sizeof ambiguities[0]; i++) {
        const char *text = ambiguities[i].text;
        daemon_raw(&front, text, strlen(text), PATIENCE_MS, reply, sizeof reply);
        int status = atoi(reply + sizeof "HTTP/1.1");
        cr_expect(status == 400 || status == 501, "%zu: %.300s", i, reply);
        cr_expect_eq(count_of(reply, "HTTP/1.1 "), 1, "%zu: %.600s", i, reply);
        cr_expect(ambiguities[i].may_be_resolved || strstr(reply, "problem+json") == NULL,
                  "%zu came to the daemon: %.300s", i, reply);
    }
}

static void try_sample(const proxy_sample *of) {
    if (!is_installed(of->program)) {
        return;
    }
    start(of);
    expect_same_cell();
    expect_written_through();
    expect_refused_outside();
    answer metrics = get_by(&front, NULL, "/metrics");
    cr_expect_eq(metrics.status, 200, "of this machine");
    answer_free(&metrics);
}

Test(proxies, haproxy_takes_its_sample_and_lets_one_framing_through, .fini = stop) {
    try_sample(&haproxy);
}

Test(proxies, nginx_takes_its_sample_and_lets_one_framing_through, .fini = stop) {
    try_sample(&nginx);
}
