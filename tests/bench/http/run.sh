#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh BUILD: loamd beside nginx, for answers that are ready: the same bodies, the same client (wrk,
# one thread), rounds in the order A B B A, medians. One worker process of nginx against the one network
# thread of loamd. What is printed is a line for each body and number of connections:
#
#   body connections  loamd/s nginx/s ratio  loamd CPU us, nginx CPU us  loamd p99 us, nginx p99 us
#
# The machine's noise is in both columns, so read the ratio and the processor time. ROUNDS and
# SECONDS_EACH (of one run) may be set; the defaults take two minutes. Loopback only; ends what it
# started.
set -eu

build=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
rounds=${ROUNDS:-5}
seconds=${SECONDS_EACH:-1}
work=$(mktemp -d "${TMPDIR:-/tmp}/loam-bench.XXXXXX")
# Readable to the worker of nginx, which gives up root.
chmod 755 "$work"
daemon=
nginx=

finish() {
    status=$?
    trap - EXIT INT TERM
    for pid in $daemon $nginx; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The daemon, its world, and one cell of each size, built and kept in memory.
start_daemon() {
    "$build/bin/loamd" --listen 127.0.0.1:0 --data "$work/data" --workers 1 \
        --connection-limit 4096 --port-file "$work/port" 2>"$work/loamd.log" &
    daemon=$!
    "$build/bin/loam" wait-ready --port-file "$work/port" --pid "$daemon"
    "$build/bin/loam" put asset terrain "$root/api/examples/forest.terrain.json" \
        --port-file "$work/port" >"$work/put"
    "$build/bin/loam" put world sizes "$here/sizes.world.json" --port-file "$work/port" >>"$work/put"
    loamd_base=http://127.0.0.1:$(cat "$work/port")
    revision=$(curl -sf "$loamd_base/v1/worlds/sizes" | sed 's/.*"revision": *"\([^"]*\)".*/\1/')
    cells=/v1/worlds/sizes/revisions/$revision/cells/0/3/5
}

# Fetches a body once, so that it is ready, and lays it where nginx serves it with the same headers.
# body NAME PATH TYPE
body() {
    curl -sf -H "Accept: $3" "$loamd_base$2" -o "$work/files/$1"
}

# A free port for nginx: bound to nothing now, and asked of nginx at once.
start_nginx() {
    nginx_port=$(($(cat "$work/port") + 1))
    while ss -ltn | grep -q "127.0.0.1:$nginx_port "; do
        nginx_port=$((nginx_port + 1))
    done
    nginx_base=http://127.0.0.1:$nginx_port
    sed -e "s|@WORK@|$work|g" -e "s|@PORT@|$nginx_port|" "$here/nginx.conf.in" >"$work/nginx.conf"
    nginx -c "$work/nginx.conf" -p "$work" &
    nginx=$!
    curl -sf --retry 20 --retry-connrefused --retry-delay 1 "$nginx_base/small" -o "$work/probe"
    cmp "$work/probe" "$work/files/small"
    nginx_worker=$(pgrep -P "$nginx")
}

# Processor time of a process, all threads, in ticks.
ticks() {
    awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"
}

# One run of wrk: "requests/s p50_us p99_us cpu_us failures" appended to a file.
# run PID URL TYPE CONNECTIONS FILE
run() {
    before=$(ticks "$1")
    wrk -t1 -c"$4" -d"${seconds}s" --latency -H "Accept: $3" "$2" >"$work/wrk"
    after=$(ticks "$1")
    awk -v ticks="$((after - before))" -v hertz="$(getconf CLK_TCK)" '
        function us(text) {
            if (text ~ /us$/) return text + 0
            if (text ~ /ms$/) return text * 1000
            return text * 1000000
        }
        $1 == "50%" { p50 = us($2) }
        $1 == "99%" { p99 = us($2) }
        /requests in/ { requests = $1 }
        /Requests\/sec/ { rate = $2 }
        /Socket errors/ { gsub(",", ""); failures += $4 + $6 + $8 + $10 }
        /Non-2xx/ { failures += $NF }
        END { printf "%.0f %.0f %.0f %.2f %d\n", rate, p50, p99,
              requests ? ticks / hertz * 1e6 / requests : 0, failures }' "$work/wrk" >>"$5"
}

# median FILE COLUMN
median() {
    sort -n -k"$2,$2" "$1" | awk -v c="$2" '{ v[NR] = $c }
        END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# pair NAME PATH TYPE CONNECTIONS
pair() {
    a=$work/a.$1.$4
    b=$work/b.$1.$4
    for round in $(seq "$rounds"); do
        run "$daemon" "$loamd_base$2" "$3" "$4" "$a"
        run "$nginx_worker" "$nginx_base/$1" "$3" "$4" "$b"
        run "$nginx_worker" "$nginx_base/$1" "$3" "$4" "$b"
        run "$daemon" "$loamd_base$2" "$3" "$4" "$a"
    done
    printf '%-7s %7s %5s  %8s %8s %5s  %6s %6s  %6s %6s  %6s %6s  %s\n' "$1" \
        "$(wc -c <"$work/files/$1")" "$4" "$(median "$a" 1)" "$(median "$b" 1)" \
        "$(echo "$(median "$a" 1) $(median "$b" 1)" | awk '{ printf "%.2f", $1 / $2 }')" \
        "$(median "$a" 4)" "$(median "$b" 4)" "$(median "$a" 2)" "$(median "$b" 2)" \
        "$(median "$a" 3)" "$(median "$b" 3)" "$(awk '{ n += $5 } END { print n }' "$a" "$b")"
}

ulimit -n 8192
mkdir "$work/files"
cell=application/vnd.loam.cell
start_daemon
body small "$cells/small" "$cell"
body json "$cells/small" application/json
body medium "$cells/medium" "$cell"
body large "$cells/large" "$cell"
start_nginx

printf '%-7s %7s %5s  %8s %8s %5s  %6s %6s  %6s %6s  %6s %6s  %s\n' body bytes conns loamd/s nginx/s \
    ratio cpu_us nginx p50_us nginx p99_us nginx failed
pair small "$cells/small" "$cell" 64
pair json "$cells/small" application/json 1
pair small "$cells/small" "$cell" 1000
pair medium "$cells/medium" "$cell" 64
pair large "$cells/large" "$cell" 64
