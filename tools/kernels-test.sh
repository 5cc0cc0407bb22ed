#!/bin/sh
# tools/kernels-test.sh KERNELS SPVDIR [OPTION…] -- all kernel cases, from source and from every
# producer's SPIR-V.
#
#   KERNELS   the `kernels` program
#   SPVDIR    what tools/kernels-spv.sh filled; its folders are taken one by one
#   OPTION    handed to KERNELS (--device-name, --size, --options …)
#
# Which driver runs is the environment's say (OCL_ICD_VENDORS). A mode runs in one process; when
# that dies or hangs, its cases run again one by one, so that the culprit is named and the others
# still count. Prints what did not pass, and ends with one line of counts. Exit status 1 when
# something failed. Environment: CASES (default: all), MODES (default: source and SPVDIR's
# folders), LIMIT (seconds per process, default 300).
#
# SPDX-License-Identifier: MIT
set -u

if [ $# -lt 2 ]; then
    echo "usage: tools/kernels-test.sh KERNELS SPVDIR [OPTION...]" >&2
    exit 2
fi
kernels=$1
spvdir=$2
shift 2
passed=0
failed=0
skipped=0
log=$(mktemp -d) || exit 2
trap 'rm -rf "$log"' EXIT

# run_once ARGUMENTS: one process; true when it came to its line of counts, which is added.
run_once() {
    timeout "${LIMIT:-300}" "$kernels" "$@" >"$log/out" 2>"$log/err"
    status=$?
    counts=$(tail -n 1 "$log/out" | grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$') ||
        return 1
    passed=$((passed + $(echo "$counts" | cut -d ' ' -f 1)))
    failed=$((failed + $(echo "$counts" | cut -d ' ' -f 3)))
    skipped=$((skipped + $(echo "$counts" | cut -d ' ' -f 5)))
    # Failures with what the driver said; skipped cases by name.
    grep -E '^(FAILED|skipped) ' "$log/out" | sed "s/^/$mode: /"
    if grep -q '^FAILED ' "$log/out"; then
        sed "s/^/$mode:   /" "$log/err" | head -n 20
    fi
    return 0
}

# run_mode ARGUMENTS: all cases in one process, or one process each if that does not end well.
run_mode() {
    # shellcheck disable=SC2086 # CASES is a list of words
    if run_once ${CASES:-} "$@"; then
        return
    fi
    if [ "$status" -eq 2 ]; then # a wrong call, or no such device
        failed=$((failed + 1))
        echo "$mode: FAILED: $(head -n 1 "$log/err")"
        return
    fi
    echo "$mode: ended early with status $status; one by one:"
    for case in ${CASES:-$("$kernels" --list | cut -d ' ' -f 1)}; do
        if ! run_once "$case" "$@"; then
            failed=$((failed + 1))
            echo "$mode: FAILED $case: ended with status $status"
            sed "s/^/$mode:   /" "$log/err" | head -n 20
        fi
    done
}

for mode in ${MODES:-source $(ls "$spvdir")}; do
    if [ "$mode" = source ]; then
        run_mode --source "$@"
    else
        run_mode --il-dir "$spvdir/$mode" "$@"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
