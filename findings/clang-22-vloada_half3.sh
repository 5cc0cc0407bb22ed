#!/bin/sh
# findings/clang-22-vloada_half3.sh -- vloada_half3(i, p) of clang-22's SPIR-V back end reads from p + 3 * i.
#
# OpenCL C: "The address computed as (p + (offset * 4))" for vloada_half3. clang-22 22.1.8 (Debian 12) emits OpenCL.std's
# vload_halfn with 3 components, whose address is p + offset * 3, and never vloada_halfn. With 4 components both have one
# address, and the result is right. Seen on 28 November 2026.
#
# Expected: vloada_halfn. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/debian.sh"
cat >a.cl <<'C'
kernel void three(global float3 *o, global const half *p) { o[0] = vloada_half3(1, p); }
kernel void four(global float4 *o, global const half *p) { o[0] = vloada_half4(1, p); }
C
compile a.cl a.spv
spirv-dis --raw-id a.spv | sed -n 's/.*OpExtInst.* \(vload[a_]*halfn\) .* \([34]\)$/\1 \2/p' | sort -u | tee seen
expect seen '^vload_halfn 3$' '^vload_halfn 4$'
expect_no seen 'vloada'
