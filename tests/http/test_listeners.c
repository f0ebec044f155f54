/* SPDX-License-Identifier: MIT
 *
 * test_listeners.c: the ways to a daemon other than a port of loopback: TLS, a unix socket, sockets
 * of a service manager, proxies; and what it tells that manager.
 */
#include "tests/support/certificate.h"
#include "tests/support/large_asset.h"
#include "tests/support/pause.h"
#include "tests/support/suite_daemon.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 128 };

static char folder[] = "/tmp/loam-listeners-XXXXXX";

static void start(void) {
    cr_assert_not_null(mkdtemp(folder));
}

static void stop(void) {
    char command[PATH_BYTES];
    if (server.pid != 0) {
        server_stop();
    }
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
}

TestSuite(listeners, .init = start, .fini = stop);

static const char *path_of(const char *name) {
    static char paths[8][PATH_BYTES];
    static unsigned at;
    at = (at + 1) % 8;
    snprintf(paths[at], PATH_BYTES, "%s/%s", folder, name);
    return paths[at];
}

/* ---- TLS ------------------------------------------------------------------------------------ */

static void copy_certificate(const char *from, const char *to) {
    char command[512];
    snprintf(command, sizeof command,
             "cp -p '%s/%s.crt' '%s/%s.crt'; cp -p '%s/%s.key' '%s/%s.key'", folder, from, folder,
             to, folder, from, folder, to);
    cr_assert_eq(system(command), 0);
}

static int status_by_tls(const char *certificate, const char *path) {
    answer of = ask(&server, "GET", &(ask_options){.trusted = certificate}, "%s", path);
    int status = of.status;
    answer_free(&of);
    return status;
}

static int status_of_target(const char *target) {
    answer of =
        ask(&server, "GET", &(ask_options){.trusted = path_of("one.crt"), .target = target}, "/");
    int status = of.status;
    answer_free(&of);
    return status;
}

static void start_by_tls(void) {
    certificate_make(folder, "one");
    certificate_make(folder, "two");
    copy_certificate("one", "own");
    server = daemon_start(NULL, (const char *const[]){"--tls-cert", path_of("own.crt"), "--tls-key",
                                                      path_of("own.key"), NULL});
}

Test(listeners, by_tls_an_address_may_be_absolute) {
    start_by_tls();
    cr_expect_eq(status_of_target("https://localhost/healthz/live"), 200);
    cr_expect_eq(status_of_target("https://localhost:7373/v1/worlds?limit=1"), 200);
    cr_expect_eq(status_of_target("https://evil.example/healthz/live"), 421);
    cr_expect_eq(status_of_target("http://localhost/healthz/live"), 421, "another scheme");
}

Test(listeners, by_tls_the_same_is_served_and_plain_text_is_not) {
    char reply[256];
    static const char plain[] = "GET /healthz/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    start_by_tls();
    cr_expect_eq(status_by_tls(path_of("one.crt"), "/healthz/ready"), 200);
    cr_expect_eq(status_by_tls(path_of("one.crt"), "/v1/operations"), 200);
    cr_expect_eq(status_by_tls(path_of("two.crt"), "/healthz/ready"), 0);
    daemon_raw(&server, plain, sizeof plain - 1, 1000, reply, sizeof reply);
    cr_expect_null(strstr(reply, "200"), "%s", reply);
}

Test(listeners, a_new_certificate_is_taken_while_the_daemon_runs) {
    start_by_tls();
    copy_certificate("two", "own");
    kill(server.pid, SIGHUP);
    int status = 0;
    for (int i = 0; i < 300 && status != 200; i++) {
        pause_ms(10);
        status = status_by_tls(path_of("two.crt"), "/healthz/ready");
    }
    cr_expect_eq(status, 200);
    cr_expect_eq(status_by_tls(path_of("one.crt"), "/healthz/ready"), 0);
    FILE *broken = fopen(path_of("own.crt"), "w");
    fputs("no certificate\n", broken);
    fclose(broken);
    kill(server.pid, SIGHUP);
    pause_ms(300);
    cr_expect_eq(status_by_tls(path_of("two.crt"), "/healthz/ready"), 200, "the earlier one stays");
}

static void expect_refused(const char *certificate, const char *key, const char *text) {
    char said[1024];
    const char *args[] = {"--listen",      "127.0.0.1:0", "--data",
                          path_of("data"), "--tls-cert",  certificate,
                          "--tls-key",     key,           NULL};
    cr_expect_eq(daemon_fail(args, said, sizeof said), 1);
    cr_expect_not_null(strstr(said, text), "%s", said);
}

Test(listeners, a_certificate_that_cannot_be_had_is_one_clear_error) {
    certificate_make(folder, "one");
    certificate_make(folder, "two");
    expect_refused(path_of("none.crt"), path_of("one.key"), "none.crt");
    expect_refused(path_of("one.crt"), path_of("two.key"), "not that of the certificate");
    expect_refused(path_of("one.key"), path_of("one.key"), "one.key");
    chmod(path_of("one.key"), 0644);
    expect_refused(path_of("one.crt"), path_of("one.key"), "chmod");
    char said[1024];
    const char *half[] = {"--data", path_of("data"), "--tls-cert", path_of("one.crt"), NULL};
    cr_expect_eq(daemon_fail(half, said, sizeof said), 1);
    cr_expect_not_null(strstr(said, "--tls-key"), "%s", said);
}

/* ---- A unix socket -------------------------------------------------------------------------- */

Test(listeners, a_unix_socket_serves_beside_the_port_and_its_user_may_everything) {
    const char *path = path_of("socket");
    struct stat about;
    server = daemon_start(
        NULL, (const char *const[]){"--unix", path, "--anonymous-scopes", "read", NULL});
    cr_assert_eq(stat(path, &about), 0);
    cr_expect_eq(about.st_mode & 0777, 0600);
    static const char graph[] = "{\"loam_graph\": 1, \"nodes\": {}, \"outputs\": {}}";
    ask_options there = {.unix_path = path, .body = graph, .type = "application/json"};
    answer local = ask(&server, "POST", &there, "/v1/graph-validations");
    cr_expect_eq(local.status, 200, "%s", local.body);
    answer_free(&local);
    expect_problem(ask_json(&server, "POST", graph, "/v1/graph-validations"), 403, "forbidden",
                   NULL);
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect_neq(stat(path, &about), 0, "it goes with the daemon");
    daemon_remove_folder(&server);
    server.pid = 0;
}

Test(listeners, a_daemon_may_listen_on_a_unix_socket_alone) {
    const char *path = path_of("socket");
    struct stat about;
    server = daemon_start(NULL, (const char *const[]){"--listen", "none", "--unix", path,
                                                      "--unix-access", "group", NULL});
    cr_expect_eq(server.port, 0);
    cr_assert_eq(stat(path, &about), 0);
    cr_expect_eq(about.st_mode & 0777, 0660);
    answer live = ask(&server, "GET", &(ask_options){.unix_path = path}, "/healthz/live");
    cr_expect_eq(live.status, 200);
    answer_free(&live);
}

/* ---- A service manager ---------------------------------------------------------------------- */

static int listen_here(uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof address;
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert_eq(bind(descriptor, (struct sockaddr *)&address, size), 0);
    cr_assert_eq(listen(descriptor, 16), 0);
    cr_assert_eq(getsockname(descriptor, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return descriptor;
}

/* In the child: a loamd that finds the socket as its descriptor 3. */
static void become_activated(int descriptor) {
    char program[512];
    char pid[32];
    const char *bin = getenv("LOAM_BIN");
    snprintf(program, sizeof program, "%s/loamd", bin == NULL ? "build/bin" : bin);
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    setenv("LISTEN_PID", pid, 1);
    setenv("LISTEN_FDS", "1", 1);
    dup2(descriptor, 3);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execl(program, program, "--listen", "127.0.0.1:1", "--data", path_of("data"), (char *)NULL);
    _exit(127);
}

Test(listeners, a_socket_that_is_handed_over_takes_the_place_of_the_address) {
    uint16_t port = 0;
    int status = 0;
    int descriptor = listen_here(&port);
    pid_t pid = fork();
    if (pid == 0) {
        become_activated(descriptor);
    }
    close(descriptor);
    test_daemon activated = {.pid = pid, .port = port};
    /* Who connects before it is ready waits in the queue of the socket. */
    answer ready = ask_get(&activated, "/healthz/live");
    cr_expect_eq(ready.status, 200);
    answer_free(&ready);
    kill(pid, SIGTERM);
    waitpid(pid, &status, 0);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int notify_socket(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path_of("notify"));
    cr_assert_eq(bind(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    return descriptor;
}

/* Reads until the manager has heard this. */
static bool hears(int descriptor, const char *wanted) {
    char text[256];
    struct pollfd waits = {.fd = descriptor, .events = POLLIN};
    while (poll(&waits, 1, 10000) == 1) {
        ssize_t size = recv(descriptor, text, sizeof text - 1, 0);
        text[size < 0 ? 0 : size] = 0;
        if (strcmp(text, wanted) == 0) {
            return true;
        }
    }
    return false;
}

Test(listeners, a_service_manager_hears_ready_a_sign_of_life_and_stopping) {
    int manager = notify_socket();
    setenv("NOTIFY_SOCKET", path_of("notify"), 1);
    setenv("WATCHDOG_USEC", "200000", 1);
    server = daemon_start(NULL, NULL);
    unsetenv("NOTIFY_SOCKET");
    cr_expect(hears(manager, "READY=1"));
    cr_expect(hears(manager, "WATCHDOG=1"));
    cr_expect(hears(manager, "WATCHDOG=1"));
    kill(server.pid, SIGHUP);
    cr_expect(hears(manager, "RELOADING=1"));
    cr_expect(hears(manager, "READY=1"));
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect(hears(manager, "STOPPING=1"));
    daemon_remove_folder(&server);
    server.pid = 0;
    close(manager);
}

/* What was said and not yet heard, joined. */
static void hear_rest(int descriptor, char *text, size_t size) {
    size_t used = 0;
    ssize_t count = 0;
    while (used + 1 < size &&
           (count = recv(descriptor, text + used, size - used - 1, MSG_DONTWAIT)) > 0) {
        used += (size_t)count;
    }
    text[used] = 0;
}

Test(listeners, a_reload_during_a_drain_is_nothing_that_a_manager_hears) {
    char first[16];
    char rest[512];
    int manager = notify_socket();
    setenv("NOTIFY_SOCKET", path_of("notify"), 1);
    server = daemon_start(NULL, (const char *const[]){"--drain-s", "2", NULL});
    unsetenv("NOTIFY_SOCKET");
    large_put(&server);
    int client =
        narrow_client(&server, "GET " LARGE_CONTENT " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    cr_assert_eq(recv(client, first, sizeof first, MSG_PEEK), (ssize_t)sizeof first);
    kill(server.pid, SIGTERM);
    cr_expect(hears(manager, "STOPPING=1"));
    kill(server.pid, SIGHUP);
    pause_ms(300);
    cr_expect_eq(waitpid(server.pid, NULL, WNOHANG), 0, "it drains still");
    cr_expect_eq(daemon_end(&server), 1, "the second signal");
    hear_rest(manager, rest, sizeof rest);
    cr_expect_null(strstr(rest, "READY"), "%s", rest);
    cr_expect_null(strstr(rest, "RELOADING"), "%s", rest);
    daemon_remove_folder(&server);
    server.pid = 0;
    close(client);
    close(manager);
}

/* ---- Proxies and traces --------------------------------------------------------------------- */

static bool log_has(const char *text) {
    char path[DAEMON_PATH_BYTES];
    char line[4096];
    bool found = false;
    snprintf(path, sizeof path, "%s/log", server.folder);
    FILE *log = fopen(path, "r");
    while (log != NULL && fgets(line, sizeof line, log) != NULL) {
        found = found || strstr(line, text) != NULL;
    }
    fclose(log);
    return found;
}

static void get_forwarded(const char *header) {
    const char *headers[] = {header, NULL};
    answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "/v1/worlds");
    cr_expect_eq(of.status, 200);
    answer_free(&of);
}

Test(listeners, only_a_trusted_proxy_says_for_whom_it_asks) {
    server = daemon_start(NULL, (const char *const[]){"--log-level", "debug", NULL});
    get_forwarded("X-Forwarded-For: 203.0.113.7");
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect(!log_has("203.0.113.7"));
    server =
        daemon_start(server.folder, (const char *const[]){"--log-level", "debug", "--trusted-proxy",
                                                          "127.0.0.0/8", NULL});
    get_forwarded("X-Forwarded-For: 198.51.100.1, 203.0.113.7");
    get_forwarded("Forwarded: for=192.0.2.99");
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect(log_has("\"client\":\"203.0.113.7\""));
    cr_expect(!log_has("198.51.100.1"));
    cr_expect(!log_has("192.0.2.99"), "a header that this proxy does not write");
    server = daemon_start(server.folder, NULL);
}

/* Root's proxy, or one of the daemon's own user, would hand everybody the rights of an operator. */
Test(listeners, who_asks_through_a_proxy_on_the_unix_socket_is_no_operator) {
    const char *path = path_of("socket");
    const char *headers[] = {"X-Forwarded-For: 203.0.113.7", NULL};
    server = daemon_start(NULL, (const char *const[]){"--unix", path, "--trusted-proxy", "unix",
                                                      "--anonymous-scopes", "read", NULL});
    ask_options there = {.unix_path = path, .headers = headers};
    expect_problem(ask(&server, "GET", &there, "/v1/admin/stats"), 403, "forbidden", NULL);
    there.headers = NULL;
    expect_problem(ask(&server, "GET", &there, "/v1/admin/stats"), 403, "forbidden", NULL);
    answer read = ask(&server, "GET", &there, "/v1/worlds");
    cr_expect_eq(read.status, 200);
    answer_free(&read);
}

Test(listeners, the_trace_of_a_request_is_in_the_log) {
    const char *headers[] = {"traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                             NULL};
    server = daemon_start(NULL, (const char *const[]){"--log-level", "debug", NULL});
    answer of = ask(&server, "GET", &(ask_options){.headers = headers}, "/v1/worlds");
    answer_free(&of);
    cr_expect_eq(daemon_end(&server), 0);
    cr_expect(log_has("\"trace\":\"0af7651916cd43dd8448eb211c80319c\""));
    cr_expect(log_has("\"parent\":\"b7ad6b7169203331\""));
    server = daemon_start(server.folder, NULL);
}

/* Requests of a forwarded client that wait at one time. */
Test(listeners, a_forwarded_client_has_a_limit_of_requests) {
    server = daemon_start(NULL, (const char *const[]){"--trusted-proxy", "127.0.0.1",
                                                      "--address-connection-limit", "2", NULL});
    static const char slow[] =
        "POST /v1/graphs HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 203.0.113.7\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(server.port),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int clients[2];
    for (int i = 0; i < 2; i++) {
        clients[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        cr_assert_eq(connect(clients[i], (struct sockaddr *)&to, sizeof to), 0);
        cr_assert_eq(send(clients[i], slow, sizeof slow - 1, MSG_NOSIGNAL),
                     (ssize_t)sizeof slow - 1);
    }
    pause_ms(200);
    const char *same[] = {"X-Forwarded-For: 203.0.113.7", NULL};
    const char *other[] = {"X-Forwarded-For: 203.0.113.8", NULL};
    answer refused = ask(&server, "GET", &(ask_options){.headers = same}, "/v1/worlds");
    cr_expect_not_null(answer_header(&refused, "Retry-After"));
    expect_problem(refused, 429, "too-many-requests", NULL);
    answer taken = ask(&server, "GET", &(ask_options){.headers = other}, "/v1/worlds");
    cr_expect_eq(taken.status, 200);
    answer_free(&taken);
    close(clients[0]);
    close(clients[1]);
}
