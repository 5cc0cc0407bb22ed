/* ops/coop/coop_vector.h -- words of instructions on cooperative vectors.
 *
 * Spec: SPV_NV_cooperative_vector.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_OPS_COOP_VECTOR_H
#define HD_OPS_COOP_VECTOR_H

#include "module/constant.h"
#include "module/type.h"

/* How an operand says that numbers are to be read. */
typedef struct HdCoopNumber {
    bool is_float, is_signed, is_packed;
    unsigned bits;
} HdCoopNumber;

/* A product of a matrix in memory and a vector. */
typedef struct HdCoopProduct {
    HdCoopNumber input, matrix, bias;
    HdId bias_pointer, bias_offset, stride; /* 0: there is none */
    uint64_t rows, depth;                   /* M and K */
    uint64_t across, along; /* bytes from row to row, and from number to number, of the matrix as it
                               is multiplied; where `stride` is given, it stands for one of them */
    bool by_columns;        /* the stride is that from column to column */
    uint32_t mask;          /* SpvCooperativeMatrixOperands */
} HdCoopProduct;

/* A matrix in memory to which a product of two vectors is added: operands as above. */
typedef struct HdCoopOuter {
    HdCoopNumber matrix;
    HdId stride;     /* 0: there are no gaps */
    bool by_columns; /* the stride is that from column to column */
} HdCoopOuter;

bool hd_coop_outer(const HdModule *m, const HdInst *in, HdCoopOuter *out);

/* Read the operands; false: they are not constants, or not known.
 * Optimal layouts are rows without gaps. */
bool hd_coop_product(const HdModule *m, const HdInst *in, HdCoopProduct *out);

#endif
