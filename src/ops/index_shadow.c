/* ops/index_shadow.c -- how results depend on uninitialised bits of operands, by opcode. For
 * opcodes not listed here a component is undefined if one bit of an operand's component is.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/facts.h"

#define MOVES(name)   [HD_OPIX_##name] = HD_SHADOW_MOVES
#define OWN(name)     [HD_OPIX_##name] = HD_SHADOW_OWN
#define CARRIES(name) [HD_OPIX_##name] = HD_SHADOW_CARRIES
#define SHIFTS(name)  [HD_OPIX_##name] = HD_SHADOW_SHIFTS

const unsigned char hd_eval_shadow[HD_OPIX_COUNT] = {
    MOVES(Phi),
    MOVES(Transpose),
    MOVES(CopyObject),
    MOVES(ArithmeticFenceEXT),
    MOVES(FPGARegALTERA),
    MOVES(CopyLogical),
    MOVES(CompositeConstruct),
    MOVES(CompositeConstructReplicateEXT),
    MOVES(CompositeExtract),
    MOVES(CompositeInsert),
    MOVES(VectorExtractDynamic),
    MOVES(VectorInsertDynamic),
    MOVES(VectorShuffle),
    MOVES(Select),
    MOVES(Bitcast),
    MOVES(UConvert),
    MOVES(SConvert),
    MOVES(ExpectKHR),
    [HD_OPIX_FreezeKHR] = HD_SHADOW_FREEZES,
    OWN(Load),
    OWN(PredicatedLoadINTEL),
    OWN(MaskedGatherINTEL),
    OWN(Variable),
    OWN(UntypedVariableKHR),
    OWN(FunctionCall),
    OWN(CooperativeMatrixLoadKHR),
    OWN(CooperativeMatrixMulAddKHR),
    CARRIES(IAdd),
    CARRIES(ISub),
    CARRIES(IMul),
    CARRIES(SNegate),
    [HD_OPIX_BitwiseAnd] = HD_SHADOW_AND,
    [HD_OPIX_LogicalAnd] = HD_SHADOW_AND,
    [HD_OPIX_BitwiseOr] = HD_SHADOW_OR,
    [HD_OPIX_LogicalOr] = HD_SHADOW_OR,
    [HD_OPIX_BitwiseXor] = HD_SHADOW_XOR,
    [HD_OPIX_Not] = HD_SHADOW_XOR,
    SHIFTS(ShiftLeftLogical),
    SHIFTS(ShiftRightLogical),
    SHIFTS(ShiftRightArithmetic),
    [HD_OPIX_IEqual] = HD_SHADOW_EQUALS,
    [HD_OPIX_INotEqual] = HD_SHADOW_EQUALS,
};
