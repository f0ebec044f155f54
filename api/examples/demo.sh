#!/bin/sh
# SPDX-License-Identifier: MIT
#
# demo.sh: a world from nothing, in a minute: starts a daemon in a temporary folder, makes a terrain,
# puts the forest world, bakes 16 x 16 cells as a job, fetches one cell twice, asks a second daemon
# with another number of workers for the same cell, and draws the world. `make demo` runs it after
# the build. Needs sh and what the build made; ends its daemons however it ends.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${LOAM_BUILD:-$root/build}
loam=$build/bin/loam
loamd=$build/bin/loamd
result=$build/demo
daemons=

for program in "$loam" "$loamd"; do
    if [ ! -x "$program" ]; then
        echo "demo: $program is not there; run 'make' first" >&2
        exit 1
    fi
done

work=$(mktemp -d "${TMPDIR:-/tmp}/loam-demo.XXXXXX")

# Ends what was started, by its number, and leaves nothing behind.
finish() {
    status=$?
    trap - EXIT INT TERM HUP
    for daemon in $daemons; do
        kill "$daemon" 2>/dev/null || true
    done
    for daemon in $daemons; do
        wait "$daemon" 2>/dev/null || true
    done
    if [ "$status" -ne 0 ] && [ "$status" -lt 128 ]; then
        for log in "$work"/*.log; do
            [ -s "$log" ] && echo "demo: the end of $(basename "$log"):" >&2 && tail -n 5 "$log" >&2
        done
    fi
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

say() {
    printf '\n== %s\n' "$*"
}

# start NAME WORKERS: a daemon with a folder of its own on a free port. Waits until it is ready.
start() {
    "$loamd" --listen 127.0.0.1:0 --data "$work/$1" --workers "$2" --port-file "$work/$1.port" \
        >"$work/$1.log" 2>&1 &
    daemons="$daemons $!"
    "$loam" wait-ready --port-file "$work/$1.port" --pid "$!"
    echo "ready on port $(cat "$work/$1.port")"
}

# fill NAME: the same assets and the same world for a daemon.
fill() {
    "$loam" put asset forest-terrain "$here/forest.terrain.json" --port-file "$work/$1.port"
    "$loam" put asset forest-village "$here/village.geojson" --kind areas --crs local \
        --port-file "$work/$1.port"
    "$loam" put world forest "$here/forest.world.json" --port-file "$work/$1.port"
}

say "a daemon with 2 workers, in a temporary folder, on a free port"
start one 2

say "terrain (heightmap.fbm), village and world"
fill one

say "bake 16 x 16 cells"
"$loam" job submit forest --output trees --cells 0,0,15,15 --wait --port-file "$work/one.port"

say "one cell that the job did not make, and the same one again"
for visit in first again; do
    echo "($visit)"
    "$loam" cell forest --output trees --level 1 --x 24 --z 30 -o "$work/one.cell" \
        --port-file "$work/one.port"
done

say "a second daemon with 1 worker, its own folder, and nothing baked"
start two 1
fill two
"$loam" cell forest --output trees --level 1 --x 24 --z 30 -o "$work/two.cell" \
    --port-file "$work/two.port"

one=$("$loam" digest "$work/one.cell")
two=$("$loam" digest "$work/two.cell")
echo "first daemon   $one"
echo "second daemon  $two"
if [ "$one" != "$two" ]; then
    echo "demo: the two daemons disagree" >&2
    exit 1
fi
echo "equal: the world is the same whoever makes it"

say "a picture of the world"
mkdir -p "$result"
"$loam" picture "$here/forest.world.json" --output trees --area 0,0,4096,4096 --pixels 1024 \
    -o "$result/world.png"
echo "see $result/world.png"
