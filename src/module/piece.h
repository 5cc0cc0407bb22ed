/* module/piece.h -- how values lie in memory that decorations lay out: matrices, padding.
 *
 * A matrix is laid out by the member of a structure that it is, or is an array of: MatrixStride,
 * RowMajor. Types and pointers do not say so; where a pointer comes from does. As a value, and in
 * memory without such decorations, a matrix is its columns, one after the other without gaps.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_PIECE_H
#define HD_MODULE_PIECE_H

#include "module/type.h"

/* stride 0: without gaps, and column by column. */
typedef struct HdMatrixLayout {
    uint32_t stride; /* bytes from column to column, or from row to row */
    bool is_row_major;
} HdMatrixLayout;

/* A pointer into a pointer's memory: OpAccessChain and its kin. */
typedef struct HdChain {
    unsigned base;    /* word; 0: it is no chain */
    unsigned indexes; /* word of the first one; base + 2: the one before counts whole elements */
} HdChain;

HdChain hd_module_chain(const HdInst *in);
/* The type that the indexes lead into; NULL: the pointer has none. */
const HdType *hd_module_chain_type(const HdModule *m, const HdInst *in, HdChain c);

/* Of a structure's member. */
HdMatrixLayout hd_module_member_matrix(const HdModule *m, const HdType *t, uint32_t member);
/* Of what a pointer points to, taken as that type: a matrix, an array of them, a column of one; of
 * other things stride is 0. An untyped pointer that is taken as another type than its chain leads
 * to points to nothing of a matrix. Spec: such pointers are no variable pointers, so it is known
 * from the module. */
HdMatrixLayout hd_module_pointer_matrix(const HdModule *m, HdId pointer, const HdType *as);
/* Has a variable or a member that the pointer leads into a decoration: Volatile, Coherent? */
bool hd_module_pointer_has(const HdModule *m, HdId pointer, uint32_t decoration);
/* Bytes from one part of it to the next: of arrays, matrices and vectors. */
uint64_t hd_module_stride_in(const HdModule *m, const HdType *t, HdMatrixLayout layout);
/* Bytes in memory. */
uint64_t hd_module_extent(const HdModule *m, const HdType *t, HdMatrixLayout layout);
/* Is there a matrix in a structure or array whose layout is not that of a value? */
bool hd_module_has_layout(const HdModule *m, const HdType *t);
/* Does a structure or array have bytes that are no part of a member? */
bool hd_module_is_padded(const HdModule *m, const HdType *t);

/* Bytes of a value that lie together in memory. */
typedef HdStatus HdPieceFn(void *user, uint64_t memory, uint64_t value, uint64_t bytes);
/* All of a value, in the order of its members: neighbours that lie together in both are one.
 * Errors: those of fn. */
HdStatus hd_module_pieces(const HdModule *m, const HdType *t, HdMatrixLayout layout, HdPieceFn *fn,
                          void *user);

#endif
