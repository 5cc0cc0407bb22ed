/* xform/repair.h -- known defects of shipping producers, repaired before validation.
 *
 * Some compilers emit modules that the specification forbids though their meaning is clear, and
 * other drivers run them. `heddle val` reports them as errors; programs that are about to run are
 * repaired, each kind of defect with a warning in the build log:
 *
 *   repair.block-order   blocks before their dominators (llvm-spirv at -O2)
 *   repair.phi           OpPhi that names a predecessor several times (llvm-spirv at -O2)
 *   repair.shift         OpShift... whose base is wider than the result (clang-22 at -O1)
 *   repair.width         integer operations with an operand wider than the result (clang-22 at -O1)
 *   repair.null-index    a struct member chosen by OpConstantNull (clang-22 at -O0)
 *   repair.copy-size     an asynchronous copy whose sizes differ in width
 *   repair.copy-type     such a copy through pointers to arrays or structs (clang-22)
 *   repair.variable      OpVariable after other instructions, or in another block than the first
 *   repair.vector-count  vectors of 5 to 15 components (clang-22 at -O1)
 *   repair.shuffle       a shuffle with a vector of other components, not used (clang-22 at -O1)
 *   repair.null-words    nulls of events that repeat their type (clang-22): repair_words.h
 *   repair.initializer   a variable that starts with another type's null (clang-22)
 *   repair.null-part     an array or struct with another type's null in it (clang-22)
 *   repair.pointer-part  constants with pointers to other types than they should (clang-22)
 *   repair.computed-part constants of addresses that are not called specialisation constants
 *                         (clang-22, llvm-spirv)
 *   repair.byte-offset   a constant chain that counts bytes in a larger type (clang-22,
 *                         llvm-spirv)
 *   repair.constant-cast  constant casts to or from generic pointers that also change the pointee
 *                         (clang-22, tables of virtual functions)
 *   repair.address       constant addresses as integers that are cast to their own type, or
 *                         defined in a function (clang-22)
 *   repair.no-constructors  exported empty lists of constructors in functions (clang-22)
 *   repair.pointee       vload…, vstore…, fract… through a pointer to another type (clang-22)
 *   repair.pointer-types pointers to different types that are compared (clang-22)
 *   repair.chain-type    the result of a chain points to another type than its indexes lead to,
 *                         where it is compared with a null (clang-22 at -O0)
 *   repair.broadcast     a broadcast from any lane before SPIR-V 1.5 (clang-22, llvm-spirv)
 *   repair.weak          OpAtomicCompareExchangeWeak after SPIR-V 1.3 (clang-22)
 *   repair.int64-atomics 64-bit compare-exchanges without Int64Atomics (clang-22)
 *   repair.exchange      floats exchanged (clang-22)
 *   repair.single        vectors of one component (clang-22 at -O2, Triton)
 *   repair.barrier       barriers of the device, or of a work-item (clang-22)
 *   repair.debug-class   debug information of a pointer without storage class (llvm-spirv)
 *   repair.rounding      a rounding mode for a conversion between integers (clang-22)
 *   repair.merge         several OpLoopMerge in a block (llvm-spirv-15)
 *   repair.loop-hint     OpLoopMerge without a merge block, or not before a branch (llvm-spirv-15)
 *   repair.media-image   media blocks whose image is the last operand (clang-22)
 *   repair.component     a component behind a vector's last (clang-22, llvm-spirv-15)
 *   repair.exponent      ldexp of a vector and one integer (clang-22)
 *   repair.alignment     alignments of 128 bytes as negative numbers (clang-22)
 *   repair.no-alignment  alignments of vectors of, say, 5 components as any number; those of 256
 *                         bytes and more as 0 (clang-22)
 *   repair.load          atomic loads with OpenCL C's order and scope (clang-22)
 *   repair.memory        barriers that order no memory, as flags are not constant (clang-22)
 *   repair.any           any and all of integers (clang-22)
 *   repair.channel-type  an image's data type as SPIR-V's enumerant (clang-22)
 *   repair.copy-alignment copies with the target's alignment from constants of a smaller one
 *                         (clang-22)
 *   repair.zero-alignment copies with an alignment of 0 (DPC++'s translator of 2024)
 *   repair.access-alignment loads and stores with more alignment than their variable has, which
 *                         states none (Zig)
 *   repair.whole         variables declared with a part (clang-22)
 *   repair.same-type     conversions to a number's own type (Zig)
 *   repair.funnel        funnel shifts by no bits (clang-22)
 *   repair.compared      integers of two widths are compared (clang-22)
 *   repair.wide-part     an integer too wide for its vector (clang-22)
 *   repair.saturation    saturating conversions between integers (clang-22): told, not repaired
 *   repair.builtin       built-in variables in UniformConstant (llvm-spirv before 2018), or
 *                         CrossWorkgroup (DPC++)
 *   repair.interface     an interface that lists memory before SPIR-V 1.4 (MLIR, IREE)
 *   repair.no-wrap       NoSignedWrap, NoUnsignedWrap without their extension before SPIR-V 1.4
 *                         (MLIR, IREE)
 *   repair.storage-buffer StorageBuffer without its extension before SPIR-V 1.3 (Zig)
 *   repair.float-controls FPFastMathDefault without FloatControls2 (clang-22)
 *   repair.subgroup-size SubgroupSize without SubgroupDispatch (oneMKL)
 *   repair.extension     a capability without its extension (oneMKL)
 *   repair.alias-order   lists of what does not alias before what they list (clang-22)
 *
 * One is refused:
 *   repair.constructors  objects at program scope with constructors or destructors, which the
 * module does not say to run (clang-22)
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_REPAIR_H
#define HD_XFORM_REPAIR_H

#include "module/edit.h"
#include "module/module.h"

/* Mend a module.
 *   is_compiled  Heddle's own compiler made it from a source
 *   d     gets a warning for each kind of slip that was found
 *   out   a repaired word stream (hd_writer_free); not started if nothing was wrong
 *   done  was anything repaired?
 * Errors: HD_NO_MEMORY, HD_BAD_INPUT (what is refused). A module that is invalid in other ways is
 * left unchanged. */
HdStatus hd_xform_repair(const HdModule *m, bool is_compiled, HdDiags *d, HdWriter *out,
                         bool *done);

#endif
