/* build/build.h -- from a SPIR-V module to lane IR: the engine, and what a builder is given.
 *
 * The engine walks functions block by block and calls, for each instruction, the builder that the
 * instruction's row names (ops/<family>/<family>_build.c through hd_build_fns). A builder sees one
 * work-item. A SPIR-V value is a list of scalar lane-IR values in memory order of its components
 * (HdBuildValue); pointers are one PTR; images, samplers, events … are one PTR or I64.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_BUILD_BUILD_H
#define HD_BUILD_BUILD_H

#include "ir/ir.h"
#include "module/constant.h"
#include "module/type.h"

typedef struct HdBuildValue {
    HdIrRef *at; /* scalars */
    uint32_t count;
} HdBuildValue;

/* Largest number of scalars that one value may split into; larger ones are HD_UNSUPPORTED. */
#define HD_BUILD_MAX_SCALARS 65536u

/* How the kernels of one program lie in memory: offsets that PROGRAM_ADDR, LOCAL_ADDR and KARG
 * name. Made once per program (build/layout.h), shared by all its kernels. */
struct HdBuildLayout;

typedef struct HdBuild {
    const HdModule *m;
    HdIrModule *ir;
    HdIrFunc *fn;
    uint32_t block; /* where instructions go now */
    HdArena *arena; /* scratch of this build */
    HdDiags *diags;
    const struct HdBuildLayout *layout;
    const HdFunction *function;
    HdBuildValue *values; /* [bound] */
    uint32_t
        *function_index; /* [bound] lane-IR function of a SPIR-V function, UINT32_MAX = not yet */
    uint32_t *block_of;  /* [bound] lane-IR block of a label */
    uint32_t subgroup_size; /* W if it is fixed for this compilation, else 0 */
    bool fast_math;         /* build option or FPFastMathMode */
} HdBuild;

typedef HdStatus HdBuildFn(HdBuild *b, const HdInst *in);
extern HdBuildFn *const hd_build_fns[HD_OPIX_COUNT]; /* defined in ops/index_build.c */

/* The scalars of an id: its value, or its constant emitted in the current block. */
HdStatus hd_build_use(HdBuild *b, HdId id, HdBuildValue *out);
/* The same where exactly one scalar is expected. */
HdStatus hd_build_use1(HdBuild *b, HdId id, HdIrRef *out);
/* Bind an instruction's result. The refs are copied. */
HdStatus hd_build_bind(HdBuild *b, HdId id, const HdIrRef *refs, uint32_t count);
/* Lane-IR type of a scalar SPIR-V type; HD_IR_VOID when it is not scalar. */
HdIrType hd_build_scalar(const HdType *t);
/* Number of scalars a value of this type splits into, and the type and byte offset of each. */
HdStatus hd_build_flatten(HdBuild *b, const HdType *t, uint32_t *count, const HdIrType **types,
                          const uint64_t **offsets);
HdIrSpace hd_build_space(uint32_t storage_class);
/* "Unsupported" with the instruction named. */
HdStatus hd_build_unsupported(HdBuild *b, const HdInst *in, const char *why);

/* Build one kernel (an entry point's function and all it calls) into a fresh lane-IR module; the
 * kernel is funcs.at[0].
 *   m       validated for an OpenCL environment and specialised
 * Errors: HD_UNSUPPORTED with a diagnostic naming the instruction, HD_NO_MEMORY, HD_BUG. */
HdStatus hd_build_kernel(const HdModule *m, const struct HdBuildLayout *layout,
                         const HdEntryPoint *entry, uint32_t subgroup_size, bool fast_math,
                         HdArena *a, HdDiags *d, HdIrModule **out);

#endif
