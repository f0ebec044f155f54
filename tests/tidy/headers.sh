#!/bin/sh
# SPDX-License-Identifier: MIT
#
# headers.sh: each public header, as it is installed, compiles alone in C17 and in C++11 with nothing
# of the tree in sight. Part of `make test`; run from the root of the tree.
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
faults=0

# compile LANGUAGE STANDARD HEADER
compile() {
    echo "#include \"$3\"" >"$folder/program"
    (cd "$folder" && cc -std="$2" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x "$1" program) ||
        faults=$((faults + 1))
}

sh deploy/headers.sh "$folder" || exit 1
for header in "$folder"/*.h; do
    compile c c17 "$(basename "$header")"
    compile c++ c++11 "$(basename "$header")"
done
[ "$faults" -eq 0 ]
