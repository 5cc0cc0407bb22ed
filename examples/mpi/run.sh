#!/bin/sh
# Heat in a plate with 1, 2 and 4 ranks on this machine; all must have the sum of one.
# PYTHON names the interpreter that has mpi4py, pyopencl and numpy. Options go to heat.py.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${PYTHON:=python3}" "${OCL_ICD_VENDORS:=$here/../../build/heddle.icd}"
export OCL_ICD_VENDORS OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if ! command -v mpirun > /dev/null || ! "$PYTHON" -c 'import mpi4py, pyopencl, numpy' 2> /dev/null; then
    echo 'skipped: mpirun, mpi4py, pyopencl or numpy is missing'
    exit 0
fi
sum=
for ranks in 1 2 4; do
    said=$(mpirun --oversubscribe --bind-to none -n "$ranks" "$PYTHON" "$here/heat.py" ${sum:+--expect "$sum"} "$@")
    echo "$said"
    sum=${said##*sum }
done
