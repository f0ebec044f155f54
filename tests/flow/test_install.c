/* SPDX-License-Identifier: MIT
 *
 * test_install.c: what `make install` and `make deb` put down is whole and works: a program is
 * compiled against it in C and in C++ and runs, libraries show what their headers do, pages are
 * sound and current, samples are taken by the programs they are for, and every metric that a
 * dashboard or an alert names is there.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/program.h"
#include "tests/support/sanitized.h"

/* What `systemd-analyze security` may say of the unit, in tenths: 0.0 is sealed, 10.0 open. */
#define EXPOSURE_TENTHS_MAX "15"

static char folder[64];

static void folder_begin(void) {
    const char *build = getenv("LOAM_BUILD");
    const char *abi = getenv("LOAM_ABI");
    const char *version = getenv("LOAM_VERSION");
    program_folder_make(folder);
    (void)setenv("BUILD", build != NULL ? build : "build", 1);
    (void)setenv("ABI", abi != NULL ? abi : "0", 1);
    (void)setenv("VERSION", version != NULL ? version : "0.1.0", 1);
}

static void folder_end(void) {
    program_folder_remove(folder);
}

/* Only the build that ships has shared libraries and pages. */
TestSuite(install, .init = folder_begin, .fini = folder_end, .timeout = 120,
          .disabled = LOAM_SANITIZED);

static void expect(const char *line) {
    const program_result *result = program_run(folder, "set -e; %s", line);
    cr_assert_eq(result->exit_code, 0, "'%s' ended with %d: %s", line, result->exit_code,
                 result->output);
}

/* Whether a program is there; what needs one that is not is passed over, and said. */
static bool tool_is_there(const char *tool) {
    bool there = program_run(folder, "command -v %s", tool)->exit_code == 0;
    if (!there) {
        (void)fprintf(stderr, "install: no %s here\n", tool);
    }
    return there;
}

#define INSTALL                                                                                    \
    "DESTDIR=$DIR/root PREFIX=/opt/loam UNITDIR=/lib/systemd/system sh deploy/install.sh "
#define SOURCE                                                                                     \
    "cat > $DIR/a.c <<'END'\n"                                                                     \
    "#include <loam_client.h>\n#include <loam_dungeon.h>\n#include <stdio.h>\n"                    \
    "int main(void) {\n"                                                                           \
    "    loam_client_options options = {};\n    loam_error error = {};\n"                          \
    "    options.base_url = \"ftp://x\";\n"                                                        \
    "    loam_client *client = loam_client_create(&options, &error);\n"                            \
    "    printf(\"%s %d\\n\", loam_status_code(error.status), client == NULL);\n"                  \
    "    return loam_self_test(&error) == LOAM_OK && loam_blob_index(255) < 47 ? 0 : 1;\n}\nEND\n"
#define PKG                                                                                        \
    "export PKG_CONFIG_PATH=$DIR/root/opt/loam/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$DIR/root; "   \
    "flags=\"$(pkg-config --cflags --libs libloam_client)\"; "
#define RUN "[ \"$(LD_LIBRARY_PATH=$DIR/root/opt/loam/lib $DIR/a)\" = 'malformed 1' ]"

Test(install, a_program_is_compiled_against_it_in_c_and_in_cpp) {
    expect(INSTALL "install $BUILD");
    expect(SOURCE PKG "cc -std=gnu17 -Wall -Wextra -Werror $DIR/a.c -o $DIR/a $flags; " RUN);
    expect("readelf -d $DIR/a | grep -q 'libloam_client.so.0' && "
           "readelf -d $DIR/a | grep -q 'libloam.so.0'");
    expect("cc -std=gnu17 $DIR/a.c -o $DIR/a -I$DIR/root/opt/loam/include $DIR/root/opt/loam/lib/"
           "libloam_client.a $DIR/root/opt/loam/lib/libloam_api.a $DIR/root/opt/loam/lib/libloam.a "
           "-lcurl -ljansson -lnettle -lm; [ \"$($DIR/a)\" = 'malformed 1' ]");
    if (tool_is_there("c++")) {
        expect(SOURCE PKG "cp $DIR/a.c $DIR/a.cpp; c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "
                          "$DIR/a.cpp -o $DIR/a $flags; " RUN);
    }
}

Test(install, uninstall_takes_all_of_it_away_but_what_was_edited) {
    expect(INSTALL "install $BUILD; [ $(find $DIR/root -type f | wc -l) -gt 25 ]");
    expect("[ \"$($DIR/root/opt/loam/bin/loam --version)\" = \"loam $VERSION\" ]");
    expect(INSTALL "uninstall $BUILD; ! find $DIR/root ! -type d | grep .");
    expect(INSTALL "install $BUILD; echo workers = 3 >> $DIR/root/etc/loam/loamd.conf; " INSTALL
                   "install $BUILD; grep -q '^workers' $DIR/root/etc/loam/loamd.conf; " INSTALL
                   "uninstall $BUILD; [ \"$(find $DIR/root ! -type d)\" = "
                   "$DIR/root/etc/loam/loamd.conf ]");
}

/* A name that comes or goes is a change of the libraries' face, and is written down by
 * `make symbols`. */
Test(install, libraries_show_the_symbols_that_are_written_down) {
    expect("nm -D --defined-only $BUILD/lib/libloam.so | awk '{print $3}' | LC_ALL=C sort | "
           "diff core/libloam.symbols -");
    expect("nm -D --defined-only $BUILD/lib/libloam_client.so | awk '{print $3}' | LC_ALL=C sort | "
           "diff api/client/libloam_client.symbols -");
    expect("readelf -d $BUILD/lib/libloam.so | grep -q 'SONAME.*libloam.so.0' && "
           "readelf -d $BUILD/lib/libloam_client.so | grep -q 'SONAME.*libloam_client.so.0'");
}

Test(install, pages_are_current_and_sound) {
    expect("$BUILD/bin/loam manual | cmp - $BUILD/share/loam.1; "
           "$BUILD/bin/loam completion bash | cmp - $BUILD/share/loam.bash; "
           "$BUILD/bin/loamd --manual | cmp - $BUILD/share/loamd.8; "
           "$BUILD/bin/loamd --manual-config | cmp - $BUILD/share/loamd.conf.5; "
           "$BUILD/bin/loamd --sample-config | cmp - $BUILD/share/loamd.conf");
    expect("$BUILD/bin/loamd --help | sed -n 's/^  --\\([a-z-]*\\) .*/\\1/p' | while read -r o; do "
           "sed 's/\\\\//g' $BUILD/share/loamd.8 | grep -q \"^fB--$o\" || exit 1; done");
    if (tool_is_there("groff")) {
        expect("for page in $BUILD/share/*.[158]; do said=$(groff -man -ww -z $page 2>&1); "
               "[ -z \"$said\" ] || { echo \"$page: $said\"; exit 1; }; done");
    }
}

Test(install, the_sample_is_a_file_that_the_daemon_takes) {
    expect("sed -n 's/^#\\([a-z0-9-]* = ..*\\)/\\1/p' $BUILD/share/loamd.conf > $DIR/all.conf; "
           "[ $(wc -l < $DIR/all.conf) -gt 15 ]");
    expect("$BUILD/bin/loamd --config $DIR/all.conf --listen 127.0.0.1:0 --data $DIR/data "
           "--port-file $DIR/port 2> $DIR/log & pid=$!; "
           "$LOAM wait-ready --port-file $DIR/port --pid $pid || { cat $DIR/log; exit 1; }; "
           "kill $pid; wait $pid");
}

Test(install, every_metric_of_dashboard_and_alerts_is_there) {
    int daemon_pid = program_daemon_start(folder);
    const program_result *result = program_run(
        folder,
        "set -e; $LOAM get /v1/version --port-file $DIR/port > /dev/null; "
        "$LOAM get /metrics --port-file $DIR/port > $DIR/metrics; "
        "grep -ohE 'loam_[a-z_]+' deploy/grafana.json deploy/alerts.yml | sort -u > $DIR/names; "
        "[ $(wc -l < $DIR/names) -gt 20 ]; while read -r name; do "
        "grep -qE \"^$name(\\{| )\" $DIR/metrics || { echo \"no $name\"; exit 1; }; "
        "done < $DIR/names");
    cr_expect_eq(result->exit_code, 0, "%s", result->output);
    cr_expect_eq(program_daemon_end(daemon_pid), 0);
}

/* An apostrophe within a text ends it, and Prometheus refuses the whole file. */
Test(install, every_text_of_the_alerts_is_closed_on_its_line) {
    expect("awk -F\"'\" '!/^ *#/ && NF % 2 == 0 {print FILENAME \":\" FNR \": \" $0; bad = 1} END "
           "{exit bad}' "
           "deploy/alerts.yml");
    if (tool_is_there("python3") && system("python3 -c 'import yaml' 2>/dev/null") == 0) {
        expect("python3 -c 'import yaml; yaml.safe_load(open(\"deploy/alerts.yml\"))'");
    }
}

Test(install, the_dashboard_is_json_and_the_proxy_takes_its_sample) {
    expect("$LOAM get --help > /dev/null; grep -q '\"panels\"' deploy/grafana.json");
    if (tool_is_there("nginx")) {
        expect(
            "mkdir -p $DIR/nginx; sed \"s|/run/nginx.pid|$DIR/nginx/pid|\" deploy/nginx.conf > "
            "$DIR/nginx/nginx.conf; nginx -t -q -e stderr -p $DIR/nginx -c $DIR/nginx/nginx.conf");
    }
}

Test(install, the_unit_leaves_little_open) {
    if (tool_is_there("systemd-analyze")) {
        expect(INSTALL "install $BUILD; systemd-analyze security --offline=true --no-pager "
                       "--threshold=" EXPOSURE_TENTHS_MAX
                       " $DIR/root/lib/systemd/system/loamd.service | tail -n 1 >&2");
    }
}

Test(install, packages_hold_what_they_should) {
    if (!tool_is_there("dpkg-shlibdeps")) {
        return;
    }
    expect("LINTIAN=no sh deploy/deb.sh $BUILD $DIR/deb > /dev/null; [ $(ls $DIR/deb/*.deb | wc "
           "-l) -eq 3 ]");
    expect("dpkg-deb --contents $DIR/deb/loam_*.deb > $DIR/list; for file in ./usr/bin/loamd "
           "./lib/systemd/system/loamd.service ./etc/loam/loamd.conf "
           "./usr/share/man/man8/loamd.8.gz ./usr/share/man/man5/loamd.conf.5.gz; do "
           "grep -q \" $file\\$\" $DIR/list || { echo \"no $file\"; exit 1; }; done; "
           "! grep -v ' root/root ' $DIR/list");
    expect("dpkg-deb --field $DIR/deb/loam_*.deb Depends | grep -q libmicrohttpd12; "
           "dpkg-deb --field $DIR/deb/libloam0_*.deb Depends | grep -q libcurl4");
    if (tool_is_there("lintian")) {
        expect("lintian --allow-root --fail-on error,warning $DIR/deb/*.deb");
    }
}

#define DPKG "dpkg --root=$DIR/machine --force-script-chrootless --force-depends --log=/dev/null "
/* A tree for packages, with the least that dpkg wants of one. */
#define MACHINE                                                                                    \
    "LINTIAN=no sh deploy/deb.sh $BUILD $DIR/deb > /dev/null; mkdir -p "                           \
    "$DIR/machine/var/lib/dpkg/updates $DIR/machine/var/lib/dpkg/info $DIR/machine/etc; "          \
    ": > $DIR/machine/var/lib/dpkg/status; "

/* What an administrator has changed stays until the packages are purged. */
Test(install, packages_come_and_go_and_leave_nothing) {
    if (!tool_is_there("dpkg-shlibdeps") || geteuid() != 0) {
        return;
    }
    expect(MACHINE DPKG "--install $DIR/deb/*.deb 2> $DIR/said || { cat $DIR/said; exit 1; }; "
                        "cd $DIR/machine; [ -x usr/bin/loamd ] && [ -f usr/include/loam.h ] && "
                        "[ -f etc/loam/loamd.conf ]; "
                        "[ $(LD_LIBRARY_PATH=$(echo usr/lib/*-linux-gnu) usr/bin/loam version | "
                        "wc -l) -ge 1 ]");
    expect("echo '# mine' >> $DIR/machine/etc/loam/loamd.conf; " DPKG
           "--remove loam libloam-dev libloam0 > /dev/null; "
           "grep -q mine $DIR/machine/etc/loam/loamd.conf; [ ! -e $DIR/machine/usr/bin/loam ]");
    expect(DPKG "--purge loam libloam-dev libloam0 > /dev/null; cd $DIR/machine; "
                "left=$(find . -path ./var/lib/dpkg -prune -o -name '*loam*' -print); "
                "[ -z \"$left\" ] || { echo \"left: $left\"; exit 1; }");
}
