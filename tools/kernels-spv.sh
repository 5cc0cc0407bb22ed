#!/bin/sh
# tools/kernels-spv.sh OUTDIR [KERNEL.cl…] -- OpenCL C to SPIR-V by every producer there is.
#
# Compiles tests/kernels/*.cl (or the files named) with clang-22's own SPIR-V back end and with
# clang-15 + llvm-spirv-15, at several optimisation levels, into
#
#     OUTDIR/clang22-O0  clang22-O1  clang22-O2  clang15-O0  clang15-O2   /NAME.spv
#
# Only what is older than its source is made again. A producer that is not installed is left
# out with a note. Each new module goes through spirv-val where that is installed: what it says
# is printed and kept as NAME.val, and the module stays, since drivers meet such modules too.
# Exit status: 0 when every compiler run succeeded, 1 otherwise, 2 for a wrong call.
#
# Environment: CLANG22, CLANG15, LLVM_SPIRV (commands), JOBS (parallel compilers), PRODUCERS
# (folders to make, default all five).
#
# SPDX-License-Identifier: MIT
set -u

CLANG22=${CLANG22:-clang-22}
CLANG15=${CLANG15:-clang-15}
LLVM_SPIRV=${LLVM_SPIRV:-llvm-spirv-15}
PRODUCERS=${PRODUCERS:-clang22-O0 clang22-O1 clang22-O2 clang15-O0 clang15-O2}

# translate MODULE: MODULE.ll to SPIR-V. The translator knows no `freeze`, which LLVM's passes
# leave behind now and then; `or` with zero says the same to it (only integers are frozen here).
translate() {
    sed -E 's/ = freeze ([^%]+ %[A-Za-z0-9._]+)/ = or \1, zeroinitializer/' \
        "$1.ll" >"$1.nofreeze.ll" &&
        "$CLANG15" -c -emit-llvm -target spir64-unknown-unknown -Xclang -disable-llvm-passes \
            -x ir "$1.nofreeze.ll" -o "$1.bc" &&
        "$LLVM_SPIRV" --spirv-max-version=1.4 "$1.bc" -o "$1"
    translated=$?
    rm -f "$1.nofreeze.ll"
    return $translated
}

# compile PRODUCER SOURCE MODULE: one compiler run.
compile() {
    level=${1#*-}
    case $1 in
    clang22-*)
        "$CLANG22" -target spirv64 -cl-std=CL3.0 "-$level" -Xclang -finclude-default-header \
            -c "$2" -o "$3"
        ;;
    clang15-*)
        "$CLANG15" -S -emit-llvm -target spir64-unknown-unknown -cl-std=CL3.0 "-$level" \
            -fno-vectorize -fno-slp-vectorize -Xclang -finclude-default-header \
            "$2" -o "$3.ll" && translate "$3"
        status=$?
        rm -f "$3.ll" "$3.bc"
        return $status
        ;;
    *)
        echo "kernels-spv.sh: unknown producer $1" >&2
        return 2
        ;;
    esac
}

# make_one OUTDIR PRODUCER SOURCE: the module, if it is not newer than its source. The last
# step is a rename, so that nobody reads half a module.
make_one() {
    name=$(basename "$3" .cl)
    out=$1/$2/$name
    if [ -n "$(find "$out.spv" -newer "$3" 2>/dev/null)" ]; then
        return 0
    fi
    if ! compile "$2" "$3" "$out.tmp$$"; then
        echo "kernels-spv.sh: $2 does not compile $3" >&2
        rm -f "$out.tmp$$" "$out.spv" "$out.val"
        return 1
    fi
    rm -f "$out.val"
    if command -v spirv-val >/dev/null 2>&1 && ! spirv-val "$out.tmp$$" >"$out.val" 2>&1; then
        echo "kernels-spv.sh: spirv-val on $2/$name.spv: $(head -n 1 "$out.val")" >&2
    else
        rm -f "$out.val"
    fi
    mv "$out.tmp$$" "$out.spv"
}

have() {
    case $1 in
    clang22-*) command -v "$CLANG22" >/dev/null 2>&1 ;;
    clang15-*) command -v "$CLANG15" >/dev/null 2>&1 && command -v "$LLVM_SPIRV" >/dev/null 2>&1 ;;
    esac
}

if [ "${1:-}" = --one ]; then
    make_one "$2" "$3" "$4"
    exit
fi
if [ $# -lt 1 ]; then
    echo "usage: tools/kernels-spv.sh OUTDIR [KERNEL.cl...]" >&2
    exit 2
fi

outdir=$1
shift
if [ $# -eq 0 ]; then
    set -- "$(dirname "$0")"/../tests/kernels/*.cl
fi
for producer in $PRODUCERS; do
    if ! have "$producer"; then
        echo "kernels-spv.sh: $producer left out: its compiler is not installed" >&2
        continue
    fi
    mkdir -p "$outdir/$producer" || exit 2
    for source in "$@"; do
        printf '%s\0%s\0%s\0' "$outdir" "$producer" "$source"
    done
done | xargs -0 -r -n 3 -P "${JOBS:-$(nproc)}" sh "$0" --one || exit 1
