#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Runs test programs one after the other and closes with the line `N passed, N failed` over all of
# them. A Criterion program counts its own tests, and what was tested and did not pass has failed,
# crashes too; any other program is one test. A program that ends badly without a failure counted
# has failed once: nothing is lost when one dies. BUILD/asan/test/http is given the daemon of
# BUILD/asan in LOAM_BIN and LOAM_BUILD, and so on.
set -u

# A program that is still running after so long hangs: with sanitizers, or all of something, it may
# take longer.
timeout_s=${LOAM_TEST_TIMEOUT_S:-300}
export LSAN_OPTIONS="suppressions=$(pwd)/tests/support/leaks.supp:print_suppressions=0"
passed=0
failed=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT

# Prints "tested passing" as Criterion counted them; nothing when there is no such line.
criterion_counts() {
    sed -n 's/.*Synthesis: Tested: \([0-9]*\) | Passing: \([0-9]*\) .*/\1 \2/p' "$log" | tail -n 1
}

for program in "$@"; do
    echo "== $program"
    build=$(cd "$(dirname "$program")/.." && pwd)
    if [ -d "$build/bin" ]; then
        export LOAM_BUILD="$build" LOAM_BIN="$build/bin"
    fi
    timeout -k 10 "$timeout_s" "$program" >"$log" 2>&1 </dev/null
    code=$?
    cat "$log"
    counts=$(criterion_counts)
    if [ -n "$counts" ]; then
        set -- $counts
        passing=$2
        failing=$(($1 - $2))
    else
        passing=$([ "$code" -eq 0 ] && echo 1 || echo 0)
        failing=0
    fi
    if [ "$code" -ne 0 ] && [ "$failing" -eq 0 ]; then
        echo "$program ended with $code"
        failing=1
    fi
    passed=$((passed + passing))
    failed=$((failed + failing))
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
