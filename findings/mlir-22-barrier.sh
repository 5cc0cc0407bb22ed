#!/bin/sh
# findings/mlir-22-barrier.sh -- MLIR's gpu.barrier, lowered to SPIR-V, does not order global memory.
#
# GPU dialect: gpu.barrier waits until "all memory accesses made by these work items prior to the op are visible to all
# work items in the workgroup". mlir-opt 22.1.8 (Debian 12), --convert-gpu-to-spirv, writes OpControlBarrier with
# semantics AcquireRelease | WorkgroupMemory, so that what work-items exchange through buffers is a race. The lowering to
# LLVM for SPIR-V has had both fences since November 2025 (llvm-project 169026), before 22. Seen on 29 November 2026.
#
# Expected: CrossWorkgroupMemory as well (0x308). Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/packages.sh"
unpack "mlir-22-tools=$llvm" "libmlir-22=$llvm" "libllvm22=$llvm"
cat >a.mlir <<'M'
module attributes {gpu.container_module, spirv.target_env = #spirv.target_env<
    #spirv.vce<v1.0, [Kernel, Addresses, Int64], []>, api=OpenCL, #spirv.resource_limits<>>} {
  gpu.module @kernels {
    gpu.func @exchange(%a: memref<64xi32, #spirv.storage_class<CrossWorkgroup>>) kernel
        attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [64, 1, 1]>} {
      %i = gpu.thread_id x
      %last = arith.constant 63 : index
      %j = arith.subi %last, %i : index
      %x = memref.load %a[%j] : memref<64xi32, #spirv.storage_class<CrossWorkgroup>>
      gpu.barrier
      memref.store %x, %a[%i] : memref<64xi32, #spirv.storage_class<CrossWorkgroup>>
      gpu.return
    }
  }
}
M
mlir-opt a.mlir --convert-gpu-to-spirv >spirv
sed -n 's/^ *\(spirv.ControlBarrier.*\)/\1/p' spirv >barrier
echo 'gpu.module @m { gpu.func @k() kernel { gpu.barrier gpu.return } }' >b.mlir
mlir-opt b.mlir --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-llvm-spv))' >llvm
grep -o 'llvm.mlir.constant([0-9]* : i32)' llvm >>barrier # CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE
tee seen <barrier
expect seen '^spirv.ControlBarrier <Workgroup>, <Workgroup>, <AcquireRelease|WorkgroupMemory>' 'constant(3 : i32)'
