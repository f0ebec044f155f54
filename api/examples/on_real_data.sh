#!/bin/sh
# SPDX-License-Identifier: MIT
#
# on_real_data.sh: the examples on real terrain, coast, rivers, roads and houses. Needs the folder
# that LOAM_TEST_DATA names (terrain/*.r16, vector/*.local.geojson, in local metres) and the loam of
# the build. For each row of the table at the end it writes NAME.world.json and NAME.assets.json
# into the folder given (build/real), bakes the cells of the area and draws them:
#
#     LOAM_TEST_DATA=/data sh api/examples/on_real_data.sh [FOLDER [ROW...]]
#
# What it wrote can be put into a daemon: loam put assets NAME.assets.json, loam put world NAME ...
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
loam=${LOAM:-${LOAM_BUILD:-$root/build}/bin/loam}
to=${1:-$root/build/real}
[ $# -gt 0 ] && shift
rows=$*
data=${LOAM_TEST_DATA:-}
pixels=${PIXELS:-1024}
cell=256

if [ ! -d "$data/terrain" ] || [ ! -d "$data/vector" ]; then
    echo "on_real_data: LOAM_TEST_DATA names no folder with terrain/ and vector/" >&2
    exit 1
fi
data=$(cd "$data" && pwd)
mkdir -p "$to"

# Assets of one row, as members of its assets file.
terrain() { # NAME FILE SAMPLES SPACING OFFSET SCALE
    printf '  "%s": { "file": "%s/terrain/%s.r16", "kind": "heightfield", "width": %d,\n' \
        "$1" "$data" "$2" "$3"
    printf '    "height": %d, "spacing_m": %s, "offset_m": %s, "scale_m": %s,\n' "$3" "$4" "$5" "$6"
    printf '    "encoding": "u16le", "row0": "north" }'
}
cape() { terrain "$1" cape_flattery 513 30 -11 0.015625; }
bayreuth() { terrain "$1" bayreuth 257 32 307 0.00390625; }
vector() { # NAME FILE KIND
    printf ',\n  "%s": { "file": "%s/vector/%s.local.geojson", "kind": "%s", "crs": "local" }' \
        "$1" "$data" "$2" "$3"
}
own() { # NAME FILE REST: one of the example itself
    printf ',\n  "%s": { "file": "%s/%s", %s }' "$1" "$here" "$2" "$3"
}

# The slots of a graph are bound to assets of their own names.
slots() {
    for slot in $1; do
        printf '%s"%s": "%s"' "$comma" "$slot" "$slot"
        comma=', '
    done
}

# row NAME GRAPH OUTPUT X0 Z0 X1 Z1 PARAMETERS SLOTS: the assets come on stdin.
row() {
    if [ -n "$rows" ] && ! echo " $rows " | grep -q " $1 "; then
        cat >/dev/null
        return
    fi
    comma=
    { echo '{'; cat; echo ' }'; } >"$to/$1.assets.json"
    {
        printf '{ "seed": "42", "graph":\n'
        cat "$here/$2.graph.json"
        printf ', "parameters": { %s }, "slots": { %s },\n' "$8" "$(slots "$9")"
        printf '  "grid": { "levels": [ { "cell_size_m": %d } ] } }\n' "$cell"
    } >"$to/$1.world.json"
    echo "$3" >"$to/$1.output"
    echo "== $1: $2 on real data"
    "$loam" bake "$to/$1.world.json" --output "$3" -o "$to/$1" \
        --cells "$(($4 / cell)),$(($5 / cell)),$((($6 - 1) / cell)),$((($7 - 1) / cell))"
    "$loam" picture "$to/$1.world.json" --output "$3" --area "$4,$5,$6,$7" --pixels "$pixels" \
        -o "$to/$1.png"
    echo "see $to/$1.png"
}

# ---- The table ----------------------------------------------------------------------------------

{
    bayreuth terrain
    vector village bayreuth_settlement areas
} | row forest forest trees 2048 4096 3072 5120 '"spacing_m": 1' 'terrain village'

{
    cape terrain
    vector shore cape_flattery_coast_dem lines
} | row coast shore all 6144 8192 6656 8704 '' 'terrain shore'

{
    bayreuth terrain
    vector shore bayreuth_waterways lines
} | row river shore rocks 4608 6144 5120 6656 '"max_height_m": 1000' 'terrain shore'

# Few ruins are mapped, so houses of a village stand in, as if ruined.
{
    bayreuth terrain
    vector buildings bayreuth_buildings_west areas
} | row ruins ruins all 1024 5120 1280 5376 '' 'terrain buildings'

{
    bayreuth terrain
    own rules biomes.rules.json '"kind": "rules"'
    vector woods bayreuth_forest areas
    vector river bayreuth_waterways lines
    vector settlement bayreuth_settlement areas
} | row biomes biomes plants 2048 1024 3072 2048 \
    '"heights_from_m": [-65536, 420, -65536], "treeline_from_m": 420, "treeline_to_m": 450' \
    'terrain rules woods river settlement'

{
    bayreuth terrain
    vector roads bayreuth_roads lines
    vector settlement bayreuth_settlement areas
    vector landmarks bayreuth_places points
    own verges hamlet.verges.geojson '"kind": "points", "crs": "local"'
    own fences hamlet.fences.json '"kind": "rules"'
} | row hamlet hamlet all 1024 4864 1536 5376 '' \
    'terrain roads settlement landmarks verges fences'
