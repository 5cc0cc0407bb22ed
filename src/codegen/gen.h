/* codegen/gen.h -- the state that the files of codegen/ share while one function is emitted.
 *
 * A lane-IR value becomes an HdGenValue: `s`, the scalar of lane 0 (uniform and affine values have
 * only that), and `v`, the vector of all lanes (varying values). Addresses have both where they
 * can: the vector is exact for every lane, the scalar is where a contiguous access starts, if `ok`
 * (i1; NULL = always) says when the code runs that no lane's index wrapped, and `same` (a mask;
 * NULL = all) in which lanes choices between two addresses fell as the scalar's did.
 *
 * No LLVM flag that makes poison (nsw, inbounds, nnan …) is ever set: lanes that are switched off
 * compute too, and their poison would reach the others through masks.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CODEGEN_GEN_H
#define HD_CODEGEN_GEN_H

#include <llvm-c/Core.h>

#include "codegen/request.h"
#include "ir/stream.h"

#define HD_GEN_MOST_LANES 512u /* elements of a vector: of several members of a group together */

/* `s` is lane 0's value, `v` all lanes'. An address that leads only where conditions hold has them:
 * `same`, by lane, `ok`, and `edge`, which matters to accesses with inactive lanes alone: no object
 * spans the 2^32 elements between the lanes on both sides of a wrap. NULL: always. */
typedef struct HdGenValue {
    LLVMValueRef s, v, ok, same, edge;
} HdGenValue;

/* A part of something that was loaded for all lanes together, in memory layout. */
typedef struct HdGenInterleaved {
    LLVMValueRef all; /* lane l's part c is element l * parts + c; NULL: it was not */
    unsigned part, parts;
} HdGenInterleaved;

typedef struct HdGen {
    const HdIrFunc *f;
    unsigned width;
    LLVMContextRef c;
    LLVMModuleRef m;
    LLVMBuilderRef b;
    LLVMBuilderRef entry; /* before the entry block's branch: allocas */
    LLVMValueRef fn;
    LLVMBasicBlockRef latch;
    HdIrStreams streams; /* stores to them may go past the caches */
    uint32_t block;      /* being made */
    bool *in_loop;       /* [blocks] it is part of some loop */
    bool keeps_sums;     /* private_atomics.c */
    bool one_row;        /* as in the request */
    bool waits;          /* the kernel, or what it calls, has YIELDs */
    bool repeats;        /* the function's blocks run for one sub-group after the other */
    LLVMBasicBlockRef *starts, *ends; /* [blocks] first and last LLVM block of a wide block */
    HdGenValue *values;               /* [insts] */
    uint8_t *nan;                     /* [insts] minmax.c; NULL: there is neither FMIN nor FMAX */
    uint32_t *uses;                   /* [insts] how often it is somebody's operand */
    bool *asked;                      /* [insts] masks, or slots of masks: control flow tests
                                       * whether any lane is set */
    HdGenInterleaved *packs;          /* [insts] loads */
    HdIrRef *grouped, *first_of; /* [insts] interleaved_access.c: where an access's group is made,
                                    and that place's first member */
    struct HdSlp *bundles;       /* slp.h; NULL: there are none */
    LLVMValueRef group;          /* HdRtGroup * */
    LLVMValueRef subgroup;       /* i32 */
    LLVMValueRef scatter_room;   /* of some function, see access.c */
    LLVMValueRef last_scatter;   /* of some function, see access.c */
    LLVMValueRef first[3];       /* i32: local id of lane 0, where ids are affine in x */
    const HdIrFunc *kernel;      /* f, or the one that calls it */
    LLVMValueRef *callees;       /* [kernel's callees]; NULL: nothing calls it */
    bool callees_need_first;     /* one of them needs the local id of lane 0 */
    HdArena *scratch;
    struct HdGenRegion *regions; /* regions.c: NULL without */
    uint32_t region;             /* being made */
    LLVMValueRef patience;    /* place: YIELDs of this sub-group until one calls the runtime; NULL:
                               * there are none */
    LLVMValueRef next, *vars; /* places: region that comes next (i32); [var_count] */
    LLVMTypeRef i1, i8, i32, i64, ptr;
    LLVMTypeRef scalar[HD_IR_TYPE_COUNT], vector[HD_IR_TYPE_COUNT];
    bool is_x86, has_avx2, has_avx512, has_fp16, has_fma, has_vnni; /* of the target */
    const HdCpuCosts *costs;
    struct HdGenMath *math; /* mathcode.c */
    struct {
        bool (*place_of)(void *user, uint32_t place, HdCodegenPlace *out);
        void *user;
        LLVMDIBuilderRef builder; /* NULL: no debug information */
        LLVMMetadataRef scope, other_scope;
        const char *file, *other_file; /* of these */
    } debug;
    struct {
        LLVMValueRef area;        /* operands and results of calls for texels; NULL = none yet */
        LLVMValueRef (*parts)[4]; /* [insts] components of each IMAGE_GET; NULL: there is none */
        uint8_t *looked_at;       /* [insts] which of them something is made of, as bits */
    } image;
    struct {
        LLVMValueRef area;    /* matrices of one product at a time; NULL = none yet */
        LLVMValueRef **parts; /* [insts] components of each PRODUCT; NULL: there is none yet */
    } product;
    uint64_t private_bytes;
    uint64_t frame_bytes; /* of all functions' frames: private memory and what registers spill */
    char *error;          /* [256], first reason */
    HdStatus status;
} HdGen;

/* The slot that a value is taken from; itself where it is from none. */
static inline HdIrRef hd_gen_kept_in(const HdIrFunc *f, HdIrRef r)
{
    return f->insts.at[r].op == HD_IR_SLOT_GET ? hd_ir_arg(f, r, 0) : r;
}

#endif
