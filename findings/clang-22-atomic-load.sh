#!/bin/sh
# findings/clang-22-atomic-load.sh -- atomic_load_explicit(p, order, scope) of clang-22's SPIR-V back end passes OpenCL C's
# numbers of order and scope on as Scope and Memory Semantics.
#
# clang-22 22.1.8 (Debian): the Scope of OpAtomicLoad is 2 (memory_order_acquire, read as Workgroup) and its Semantics 2
# (memory_scope_device, read as Acquire), for the device's scope. With memory_scope_work_group the Semantics are 1, which is
# no order. The same with atomic_fetch_add_explicit has Device (1) and Acquire (2) as it should. Seen on 28 November 2026.
#
# Expected: scope 1, semantics with Acquire, in both. Ends with 1 if that changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/debian.sh"
cat >a.cl <<'C'
kernel void k(global atomic_int *p, global int *o)
{
    o[0] = atomic_load_explicit(p, memory_order_acquire, memory_scope_device);
    o[1] = atomic_load_explicit(p, memory_order_acquire, memory_scope_work_group);
    o[2] = atomic_fetch_add_explicit(p, 1, memory_order_acquire, memory_scope_device);
}
C
compile a.cl a.spv
spirv-dis --no-indent a.spv | sed -n 's/.*\(OpAtomic[A-Za-z]*\) %[a-z_]* %[0-9a-z_]* \(.*\)/\1 \2/p' | tee seen
expect seen '^OpAtomicLoad %uint_2 %uint_2$' '^OpAtomicLoad %uint_2 %uint_1$' '^OpAtomicIAdd %uint_1 %uint_2 '
