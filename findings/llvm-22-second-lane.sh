#!/bin/sh
# findings/llvm-22-second-lane.sh -- LLVM 22.1 takes the first lane of a vector for the second one: a sum of products is wrong.
#
# LLVM 22.1.8 (Debian's lli), code for sapphirerapids on a processor with AVX-512. Vectors of eight 64-bit numbers, five of whose lanes
# are spread over all lanes and multiplied, product by product; of the sum the first lane is used. Where the two lowest lanes of such
# a constant permutation are all that is demanded, it becomes VPERMILPD of half a register, whose control is in bit 1 of each
# element: there it is still the lane's number, so that lane 1 is lane 0. For x86-64-v4 it is another wrong number (173); LLVM
# 19.1.7 has it right, and so has 22.1 without AVX-512 and for znver4.
# Seen on 30 November 2026.
#
# Expected: 3*2 - 5*9 + 7*4 + 11*5 + 13*6 = 122, in both. Ends with 1 if that changes.
# SPDX-License-Identifier: MIT
set -eu
grep -q avx512vl /proc/cpuinfo || { echo "needs AVX-512"; exit 0; }
here=$(cd "$(dirname "$0")/common" && pwd)
. "$here/packages.sh"
unpack "llvm-22-runtime=$llvm" "libllvm22=$llvm"
{
    echo '@a = global <8 x i32> <i32 3, i32 -5, i32 7, i32 11, i32 13, i32 17, i32 19, i32 23>'
    echo '@b = global <8 x i8> <i8 2, i8 9, i8 4, i8 5, i8 6, i8 7, i8 8, i8 1>'
    echo 'define <8 x i64> @sum(<8 x i32> %x, <8 x i8> %y) noinline {'
    echo '  %a = sext <8 x i32> %x to <8 x i64>'
    echo '  %b = zext <8 x i8> %y to <8 x i64>'
    sum=zeroinitializer
    for k in 0 1 2 3 4; do
        lanes="<8 x i32> <i32 $k, i32 $k, i32 $k, i32 $k, i32 $k, i32 $k, i32 $k, i32 $k>"
        echo "  %e$k = extractelement <8 x i64> %a, i32 $k"
        echo "  %i$k = insertelement <8 x i64> poison, i64 %e$k, i32 0"
        echo "  %a$k = shufflevector <8 x i64> %i$k, <8 x i64> poison, <8 x i32> zeroinitializer"
        echo "  %b$k = shufflevector <8 x i64> %b, <8 x i64> poison, $lanes"
        echo "  %p$k = mul <8 x i64> %a$k, %b$k"
        echo "  %s$k = add <8 x i64> %p$k, $sum"
        sum=%s$k
    done
    echo "  %first = shufflevector <8 x i64> $sum, <8 x i64> poison, <8 x i32> zeroinitializer"
    echo "  %all = shufflevector <8 x i64> $sum, <8 x i64> %first, <8 x i32> <i32 0, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>"
    echo '  ret <8 x i64> %all'
    echo '}'
    echo 'define i32 @main() {'
    echo '  %x = load volatile <8 x i32>, ptr @a'
    echo '  %y = load volatile <8 x i8>, ptr @b'
    echo '  %s = call <8 x i64> @sum(<8 x i32> %x, <8 x i8> %y)'
    echo '  %first = extractelement <8 x i64> %s, i32 0'
    echo '  %r = trunc i64 %first to i32'
    echo '  ret i32 %r'
    echo '}'
} >sum.ll
for features in +avx512vl -avx512f; do
    status=0
    lli -mcpu=sapphirerapids -mattr=$features sum.ll || status=$?
    echo "$features: $status"
done | tee seen
expect seen '^+avx512vl: 194$' '^-avx512f: 122$'
