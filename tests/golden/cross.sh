#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# cross.sh CASES FOLDER: runs the digest programs that `make cross` built in FOLDER/ROW/golden over
# one case file and compares the SHA-256 of every record with the native gcc -O3 run and with
# catalogue.txt, dungeons.txt and contents.txt (lines that begin with `digest HEX` or `key HEX`, in the
# order of the cases). Then the builds that must be caught: contraction and fast math. A line for each run, and at the end
# `N passed, N failed`. A level that this processor lacks is skipped, and said so.
set -uo pipefail

cases=$1
folder=$2
here=$(dirname "$0")
catalogue=
work=$folder/out
reference=$work/reference
machine=$(uname -m)
passed=0
failed=0
# Exit codes of digest.c.
exit_self_test=3
exit_level=4

pass() {
    printf 'ok    %-28s %s\n' "$1" "$2"
    passed=$((passed + 1))
}

fail() {
    printf 'FAIL  %-28s %s\n' "$1" "$2"
    failed=$((failed + 1))
}

skip() {
    printf 'skip  %-28s %s\n' "$1" "$2"
}

# How a row's program is started.
launcher() {
    case $1 in
    *aarch64) echo qemu-aarch64 ;;
    *s390x) echo qemu-s390x ;;
    *riscv64) echo qemu-riscv64 ;;
    *wasm32) echo "node --no-warnings --experimental-wasi-unstable-preview1 $here/wasi_host.mjs" ;;
    esac
}

# Only the digests or only the keys of a list.
lines_of() {
    awk -v name="$1" '$1 == name && length($2) == 64 { print $2 }' "$2"
}

# The first record of a kind that differs, as got and want; nothing when all are equal.
difference() {
    diff <(lines_of "$1" "$2" | cat -n) <(lines_of "$1" "$3" | cat -n) |
        awk -v name="$1" '/^</ && !got { got = name " " $2 " got " $3 }
            /^>/ && !want { want = name " " $2 " want " $3 }
            END { if (got || want) print got ", " want }'
}

compare() {
    local faults
    faults=$(difference digest "$1" "$2"; difference key "$1" "$2")
    echo "${faults%%$'\n'*}"
}

hash_records() {
    node "$here/records.mjs" "$1" >"$2" 2>>"$work/error"
}

# run NAME ROW ARGUMENTS...
run() {
    local name=$1 row=$2 code fault
    shift 2
    $(launcher "$row") "$folder/$row/golden/digest" "$@" "$cases" >"$work/bytes" 2>"$work/error"
    code=$?
    if [ $code -eq $exit_level ]; then
        skip "$name" "this processor has no such level"
        return
    fi
    if [ $code -ne 0 ] || ! hash_records "$work/bytes" "$work/$name"; then
        fail "$name" "ended with $code: $(head -n 1 "$work/error")"
        return
    fi
    [ -e "$reference" ] || cp "$work/$name" "$reference"
    fault=$(compare "$work/$name" "$reference")
    if [ -z "$fault" ] && [ -n "$catalogue" ]; then
        fault=$(compare "$work/$name" "$catalogue")
    fi
    if [ -n "$fault" ]; then
        fail "$name" "$fault"
    else
        pass "$name" "$(wc -l <"$work/$name") records"
    fi
}

run_levels() {
    local level
    case $machine in
    x86_64) set -- "$1" baseline avx2 avx512 ;;
    *) set -- "$1" baseline ;;
    esac
    for level in "${@:2}"; do
        run "$1-$level" "$1" --level "$level"
    done
}

# A build that computes other bytes must refuse to.
run_caught() {
    local name=$1 code
    $(launcher "$name") "$folder/$name/golden/digest" "$cases" >/dev/null 2>"$work/error"
    code=$?
    if [ $code -eq $exit_self_test ]; then
        pass "$name" "refused: $(head -n 1 "$work/error")"
    else
        fail "$name" "ended with $code, the self-test let it pass"
    fi
}

# The guard of core/base/portable.h must stop every kernel; the same flags without -Ofast must not.
run_refused() {
    local name=refused-ofast kernel flags=$folder/gcc-O3/flags/core count=0
    for kernel in core/*/*_kernel.c; do
        if ! gcc "@$flags" -DKERNEL_LEVEL=baseline -fsyntax-only "$kernel" 2>"$work/error"; then
            fail "$name" "$kernel does not compile without it: $(head -n 1 "$work/error")"
            return
        fi
        if gcc "@$flags" -DKERNEL_LEVEL=baseline -Ofast -fsyntax-only "$kernel" 2>"$work/error" ||
            ! grep -q '#error "loam' "$work/error"; then
            fail "$name" "$kernel compiles with -Ofast"
            return
        fi
        count=$((count + 1))
    done
    pass "$name" "$count kernels refused"
}

rm -rf "$work"
mkdir -p "$work"
if [ -e "$here/catalogue.txt" ]; then
    catalogue=$work/catalogue
    cat "$here/catalogue.txt" "$here/dungeons.txt" "$here/contents.txt" >"$catalogue"
fi

run gcc-O3-best gcc-O3
[ -n "$catalogue" ] || echo "cross.sh: no catalogue.txt: comparing with gcc -O3 alone"
for row in gcc-O3 gcc-O2 gcc-O0 clang-O3 clang-O2 clang-O0 musl; do
    run_levels "$row"
done
for row in gcc-O3 clang-O3; do
    run "$row-general" "$row" --general
done
for row in aarch64 s390x riscv64 wasm32; do
    run "$row" "$row"
done

if [ "$machine" = x86_64 ] && ! grep -qw fma /proc/cpuinfo; then
    skip caught-fma "this processor has no fused multiply-add"
else
    run_caught caught-fma
fi
run_caught caught-aarch64
run_caught caught-ofast
run_refused

rm -f "$work/bytes"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
