/* build/build.h -- from a SPIR-V module to lane IR: the engine, and the interface for builders.
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

#include "build/layout.h"
#include "ir/ir.h"
#include "module/cfg.h"
#include "module/constant.h"
#include "module/piece.h"
#include "module/type.h"

/* A value of a SPIR-V id. Large ones (more than HD_BUILD_SPLIT_MAX scalars) that come from memory
 * stay there: `at` is NULL and `memory` is the address of a private copy that nothing changes
 * before the value is recomputed. hd_build_use loads its scalars. */
typedef struct HdBuildValue {
    HdIrRef *at; /* scalars */
    uint32_t count;
    HdIrRef memory;
} HdBuildValue;

/* How a type splits: scalar i has this type and is at this byte. */
typedef struct HdBuildFlat {
    uint32_t count;
    HdIrType *types;
    uint64_t *offsets;
} HdBuildFlat;

/* Largest number of scalars that one value may split into, or all arguments of a call; larger ones
 * are HD_UNSUPPORTED. They are operands of one instruction, with one more for arrays. */
#define HD_BUILD_MAX_SCALARS (UINT16_MAX - 1u)
/* Loads of more scalars than this become a copy of bytes. */
#define HD_BUILD_SPLIT_MAX 64u

typedef struct HdBuild {
    const HdModule *m;
    HdIrModule *ir;
    HdIrFunc *fn;
    uint32_t block; /* where instructions go now */
    HdArena *arena; /* scratch of this build */
    HdDiags *diags;
    const struct HdBuildLayout *layout;
    const HdKernelInfo *kernel;
    const HdFunction *function;
    HdBuildValue *values;  /* [bound]; ids of one function are never those of another */
    HdBuildFlat **flats;   /* [bound] by type id, computed on demand */
    HdIrRef *builtins;     /* [bound] private copies of built-in variables in this function */
    HD_ARRAY(HdId) copied; /* which of them there are */
    uint32_t
        *function_index; /* [bound] lane-IR function of a SPIR-V function, UINT32_MAX = not yet */
    uint32_t *block_of;  /* [bound] lane-IR block where a label's code starts; HD_IR_NOWHERE */
    HdId *phi_of;        /* [bound] by label: the phi that has its value from there already */
    uint32_t *block_end; /* [bound] and where it ends: builders may split blocks */
    HdId label;          /* of the block being built */
    uint32_t rank;       /* of the block being built; parts of a split block share it */
    HD_ARRAY(HdId) pending; /* functions to be built */
    bool has_arrays;   /* the module has variable-length arrays: functions take one more parameter,
                        * after their own, where their arrays may begin (I64) */
    HdIrRef array_top; /* with them: where that is kept in this function; an ALLOCA of an I64 */
    uint32_t named;    /* number of named barriers created up to now */
    uint32_t subgroup_size; /* of hd_build_lanes */
    bool fast_math;         /* build option or FPFastMathMode */
} HdBuild;

typedef HdStatus HdBuildFn(HdBuild *b, const HdInst *in);
extern HdBuildFn *const hd_build_fns[HD_OPIX_COUNT]; /* defined in ops/index_build.c */

/* Lanes of a sub-group, 0 if that is not known. The result is for this number alone. */
static inline uint32_t hd_build_lanes(const HdBuild *b)
{
    b->ir->is_for_width = true;
    return b->subgroup_size;
}

/* The scalars of an id: its value, or its constant emitted in the current block. */
HdStatus hd_build_use(HdBuild *b, HdId id, HdBuildValue *out);
/* The same where exactly one scalar is expected. */
HdStatus hd_build_use1(HdBuild *b, HdId id, HdIrRef *out);
/* Bind an instruction's result. The refs are copied. */
HdStatus hd_build_bind(HdBuild *b, HdId id, const HdIrRef *refs, uint32_t count);
/* Flush the result of an instruction, in an entry point that asks for it. */
HdStatus hd_build_flush(HdBuild *b, const HdInst *in);
/* Bind an instruction's result, whose words 1 and 2 are type and id, to scalars that an operation
 * without operands makes. */
HdStatus hd_build_bind_op0(HdBuild *b, const HdInst *in, HdIrOp op);
/* Lane-IR type of a scalar SPIR-V type; HD_IR_VOID when it is not scalar. */
HdIrType hd_build_scalar(const HdType *t);
/* How values of a type split.
 * Errors: HD_UNSUPPORTED for types that cannot be values or are too large. The result lives as long
 * as the build. */
HdStatus hd_build_flatten(HdBuild *b, const HdType *t, const HdBuildFlat **out);
/* The same where a member's decorations lay out the matrices in it. */
HdStatus hd_build_flatten_in(HdBuild *b, const HdType *t, HdMatrixLayout layout,
                             const HdBuildFlat **out);
/* Number of scalars before part `index` of a vector, array or struct, and the part's own. */
HdStatus hd_build_part(HdBuild *b, const HdType *t, uint64_t index, uint32_t *first,
                       const HdType **part);
/* Bind a result that is at a private address. */
HdStatus hd_build_bind_memory(HdBuild *b, HdId id, const HdType *t, HdIrRef address);
/* The value without loading it: NULL when the id is a constant or not bound yet. */
const HdBuildValue *hd_build_peek(HdBuild *b, HdId id);
/* Address of a variable. */
HdStatus hd_build_variable(HdBuild *b, HdId id, HdIrRef *out);
/* The address of a variable that is a table (HdBuildTable). */
HdIrRef hd_build_table(HdBuild *b, HdId id);
/* The value of a built-in variable, all components; HD_UNSUPPORTED when it is not known. */
HdStatus hd_build_builtin(HdBuild *b, HdId variable, HdIrRef *to, uint32_t *count);
/* The built-in that an Input variable is decorated with; false when it is none. */
bool hd_build_is_builtin(const HdModule *m, HdId id, uint32_t *builtin);
/* Private memory in the entry block. */
HdIrRef hd_build_alloca(HdBuild *b, uint64_t bytes, uint64_t align);
/* A new block of the same rank; the caller makes it the current one when it is time. */
uint32_t hd_build_split(HdBuild *b);
/* Parameters of the function being built: of arguments for a kernel, else of a call. */
HdStatus hd_build_parameters(HdBuild *b, const HdFunction *f);
/* The lane-IR block that a label starts. */
HdStatus hd_build_target(HdBuild *b, HdId label, uint32_t *block);
/* The lane-IR function of a SPIR-V function; queued for building when it is new. */
HdStatus hd_build_callee(HdBuild *b, const HdInst *in, HdId function, uint32_t *index);
/* The type of an id, an instruction's result: HD_BUG with a diagnostic when there is none. */
HdStatus hd_build_type(HdBuild *b, HdId type, const HdType **out);
HdStatus hd_build_type_of(HdBuild *b, HdId id, const HdType **out);
HdIrSpace hd_build_space(uint32_t storage_class);
/* "Unsupported" with the instruction named. */
HdStatus hd_build_unsupported(HdBuild *b, const HdInst *in, const char *why);

/* Build one kernel (an entry point's function and all it calls) into a fresh lane-IR module; the
 * kernel is funcs.at[0].
 *   m       validated for an OpenCL environment and specialised
 *   subgroup_size  lanes of a sub-group; the result is for others, too, unless out->is_for_width
 * Errors: HD_UNSUPPORTED with a diagnostic naming the instruction, HD_NO_MEMORY, HD_BUG. */
HdStatus hd_build_kernel(const HdModule *m, const struct HdBuildLayout *layout,
                         const HdEntryPoint *entry, uint32_t subgroup_size, bool fast_math,
                         HdArena *a, HdDiags *d, HdIrModule **out);

#endif
