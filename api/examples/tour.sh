#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tour.sh: five requests with curl, from nothing to a cell. Give it the address of a running loamd:
#
#     build/bin/loamd --data /tmp/loam &
#     build/bin/loam wait-ready
#     sh api/examples/tour.sh http://127.0.0.1:7373
set -eu

server=${1:-${LOAM_SERVER:-http://127.0.0.1:7373}}
here=$(cd "$(dirname "$0")" && pwd)

# ask WHAT CURL-ARGUMENTS...: says what is asked; a refusal ends the tour with its problem document.
ask() {
    printf '\n# %s\n' "$1"
    shift
    curl --silent --show-error --fail-with-body --noproxy '*' "$@"
    echo
}

ask '1. a terrain, made by the daemon from a seed' \
    -X PUT -H 'Content-Type: application/json' --data-binary "@$here/forest.terrain.json" \
    "$server/v1/assets/forest-terrain"

ask '2. a village that trees stay out of, as GeoJSON in metres' \
    -X PUT -H 'Content-Type: application/geo+json' --data-binary "@$here/village.geojson" \
    "$server/v1/assets/forest-village?kind=areas&crs=local"

ask '3. a world: seed, graph, slots, grid' \
    -X PUT -H 'Content-Type: application/json' --data-binary "@$here/forest.world.json" \
    "$server/v1/worlds/forest"

ask '4. a cell, built now; its canonical bytes hash to its ETag' \
    -o /dev/null -D - "$server/v1/worlds/forest/cells/1/24/30/trees"

ask '5. how it came about: what every node of the graph let through' \
    "$server/v1/worlds/forest/cells/1/24/30/trees/trace"
