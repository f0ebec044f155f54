#!/bin/sh
# SPDX-License-Identifier: MIT
#
# headers.sh FOLDER: copies core's public headers there, side by side: what they include of each
# other is named as it stands there.
set -eu

for header in core/loam*.h; do
    sed 's|^#include "core/|#include "|' "$header" >"$1/$(basename "$header")"
    chmod 644 "$1/$(basename "$header")"
done
