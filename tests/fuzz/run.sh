#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh SECONDS BUILD PROGRAM...: lets libFuzzer loose on each target for so long, one after the
# other, beginning with its corpus. What is new is kept in BUILD/corpus/NAME, findings in
# BUILD/found/NAME; one line a target says how much was run. Ends with 1 when anything was found.
set -u

seconds=$1
build=$2
shift 2
findings=0

for program in "$@"; do
    name=${program##*/fuzz_}
    found=$build/found/$name
    log=$build/found/$name.log
    dictionary=tests/fuzz/${name##*_}.dict
    mkdir -p "$build/corpus/$name" "$found"
    # An input takes milliseconds: one that takes ten seconds, or 1 GB, is a finding.
    "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$found/" $([ -e "$dictionary" ] && echo "-dict=$dictionary") \
        "$build/corpus/$name" "tests/fuzz/corpus/$name" >"$log" 2>&1
    code=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    echo "$name: $seconds s, ${executions:-no} executions, ${coverage:-no} edges"
    if [ "$code" -ne 0 ]; then
        findings=$((findings + 1))
        grep -E '^does not hold|ERROR: |runtime error|SUMMARY|Test unit written' "$log"
    fi
done

echo "$findings targets with findings"
[ "$findings" -eq 0 ]
