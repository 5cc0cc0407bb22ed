/* xform/repair_state.h -- what the files of the repairs share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_REPAIR_STATE_H
#define HD_XFORM_REPAIR_STATE_H

#include "module/edit.h"
#include "module/type.h"
#include "xform/declared.h"
#include "xform/repair.h"

#define HD_NO_WRAP_EXTENSION "SPV_KHR_no_integer_wrap_decoration"   /* core since SPIR-V 1.4 */
#define HD_STORAGE_EXTENSION "SPV_KHR_storage_buffer_storage_class" /* core since SPIR-V 1.3 */
/* From a pointer to what it was derived from, by as many instructions at most: modules that have
 * not been validated may have circles. */
#define HD_MOST_STEPS 8u
#define HD_LLVM_22    0x002b0016u /* the generator word of LLVM's back end, version 22 */

/* Kinds of slips, in the order of their warnings. */
typedef enum HdSlip {
    HD_SLIP_BLOCK_ORDER,
    HD_SLIP_PHI,
    HD_SLIP_SHIFT,
    HD_SLIP_WIDTH,
    HD_SLIP_NULL_INDEX,
    HD_SLIP_COPY_SIZE,
    HD_SLIP_COPY_TYPE,
    HD_SLIP_VARIABLE,
    HD_SLIP_VECTOR_COUNT,
    HD_SLIP_SHUFFLE,
    HD_SLIP_INITIALIZER,
    HD_SLIP_NULL_PART,
    HD_SLIP_POINTER_PART,
    HD_SLIP_COMPUTED_PART,
    HD_SLIP_BYTE_OFFSET,
    HD_SLIP_CONSTANT_CAST,
    HD_SLIP_ADDRESS,
    HD_SLIP_NO_HOOKS,
    HD_SLIP_POINTEE,
    HD_SLIP_POINTER_TYPES,
    HD_SLIP_RESULT,
    HD_SLIP_BROADCAST,
    HD_SLIP_WEAK,
    HD_SLIP_EXCHANGE,
    HD_SLIP_SINGLE,
    HD_SLIP_INT64_ATOMICS,
    HD_SLIP_DEBUG_CLASS,
    HD_SLIP_EXPONENT,
    HD_SLIP_BARRIER,
    HD_SLIP_BUILTIN,
    HD_SLIP_INTERFACE,
    HD_SLIP_NO_WRAP,
    HD_SLIP_STORAGE_BUFFER,
    HD_SLIP_FLOAT_CONTROLS,
    HD_SLIP_SUBGROUP_SIZE,
    HD_SLIP_EXTENSION,
    HD_SLIP_ALIAS_ORDER,
    HD_SLIP_ROUNDING,
    HD_SLIP_MERGE,
    HD_SLIP_MEDIA,
    HD_SLIP_COMPONENT,
    HD_SLIP_LOOP_HINT,
    HD_SLIP_ALIGNMENT,
    HD_SLIP_NO_ALIGNMENT,
    HD_SLIP_LOAD,
    HD_SLIP_NO_MEMORY,
    HD_SLIP_ANY,
    HD_SLIP_CHANNEL_TYPE,
    HD_SLIP_COPY_ALIGNMENT,
    HD_SLIP_ZERO_ALIGNMENT,
    HD_SLIP_ALIGNED,
    HD_SLIP_WHOLE,
    HD_SLIP_SAME_TYPE,
    HD_SLIP_FUNNEL,
    HD_SLIP_COMPARED,
    HD_SLIP_WIDE_PART,
    HD_SLIP_SATURATION, /* told, not repaired */
    HD_SLIP_COUNT
} HdSlip;

typedef struct HdRepair {
    const HdModule *m;
    HdArena *a;
    HdDiags *d;
    HdWriter *out;
    bool is_compiled; /* by Heddle's own compiler, from a source */
    uint32_t bound;
    uint32_t where[HD_SLIP_COUNT]; /* word of the first of its kind; 0 = none */
    uint64_t *null_index;          /* set of ids: integer nulls that choose a member */
    uint64_t *enumerants;          /* likewise: queries that are not to change; NULL: not known */
    uint32_t **order;              /* [functions] blocks in the order to write, NULL = unchanged */
    bool *hoist;                   /* [functions] variables go to the front of the first block */
    uint64_t *computed;            /* set of ids: constants that contain addresses */
    HdMap conformed;               /* of a constant and a type: the constant in that type */
    uint64_t looked;               /* at so many parts of constants */
    HdMap pointers;                /* of a storage class and a pointee: a type that is written */
    uint32_t bytes_at;             /* word of the type of bytes; UINT32_MAX: there is none */
    uint32_t *met;                 /* [bound] the last scan of a phi that met a predecessor */
    uint32_t phi_scan;
    uint64_t *moved;  /* set of ids: built-in variables in memory, pointers into them; NULL: none */
    HdId label;       /* of the block that is examined */
    uint64_t *merges; /* set of blocks that are merge blocks of loops; NULL: of none yet */
    HdMap dropped;    /* words of hints about loops that are left out */
    bool *extensions; /* [HD_EXT_COUNT] those that the module declares; NULL: not looked at */
    uint32_t aliases; /* word of the first declaration of what may alias; 0: none yet */
    /* Of a variable that is declared with a part of its type: elements of its array, the type of a
     * pointer to that, the id that it gets. */
    HdMap whole_count, whole_type, whole_id;
    HdMap unrounded;  /* of a decoration group with a rounding mode: the id of one without */
    HdWriter globals; /* types and constants that the module lacks, written after its own */
    HdDeclared declared;
    bool knows;               /* `declared` knows the module's: filled on first use */
    bool new_half, new_int64; /* among the types */
} HdRepair;

/* How one opcode is examined, before anything is written, and written. */
typedef struct HdMender {
    HdStatus (*find)(HdRepair *r, const HdInst *in); /* records defects, requests types; NULL: never
                                                      * any */
    bool (*write)(HdRepair *r, const HdInst *in);    /* false: nothing is wrong, it is to be copied;
                                                        NULL: that is so always */
} HdMender;

extern const HdMender hd_repair_menders[HD_OPIX_COUNT];

static inline void hd_repair_note(HdRepair *r, HdSlip slip, uint32_t word)
{
    if (r->where[slip] == 0)
        r->where[slip] = word;
}

/* Made by LLVM's back end, of whatever version? */
static inline bool hd_repair_is_of_llvm(const HdRepair *r)
{
    return r->m->generator >> 16 == HD_LLVM_22 >> 16;
}

/* That of the module that is written. */
static inline uint32_t hd_repair_version(const HdRepair *r)
{
    return r->where[HD_SLIP_BROADCAST] != 0 ? 0x10500 : r->m->version;
}

/* The operand in the type that it should have: itself, or the id of a cast that is written. */
HdId hd_repair_cast(HdRepair *r, SpvOp cast, HdId type, HdId operand);

/* What knows the module's types and constants. */
HdDeclared *hd_repair_declared(HdRepair *r);
/* Ids of types and constants: the module's, or new ones, which have to be requested while defects
 * are searched for. */
HdId hd_repair_int(HdRepair *r, uint32_t bits);
HdId hd_repair_number(HdRepair *r, const HdType *t, uint32_t value);
HdId hd_repair_pointer(HdRepair *r, uint32_t storage, HdId pointee);
HdId hd_repair_work_group(HdRepair *r, HdId type); /* the scope */

/* The variable that a pointer is, through casts; 0: another thing. */
HdId hd_repair_variable_of(const HdModule *m, HdId id);
/* The alignment of a variable in bytes: as decorated, or that of its type. 0: unknown. */
uint32_t hd_repair_variable_alignment(const HdModule *m, HdId variable);

/* ---- menders of what has to do with pointers: repair_pointer.c ------------------------------- */

HdStatus hd_repair_find_copy(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_pointee(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_equal(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_index(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_result(HdRepair *r, const HdInst *in);
bool hd_repair_write_copy(HdRepair *r, const HdInst *in);
bool hd_repair_write_pointee(HdRepair *r, const HdInst *in);
bool hd_repair_write_equal(HdRepair *r, const HdInst *in);
bool hd_repair_write_result(HdRepair *r, const HdInst *in);
bool hd_repair_write_null(HdRepair *r, const HdInst *in);

/* ---- menders of variables that are declared with a part of their type: repair_whole.c -------- */

HdStatus hd_repair_find_life(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_whole(HdRepair *r, const HdInst *in);
/* The id that such a variable gets; 0: it is no such variable. */
HdId hd_repair_whole_id(const HdRepair *r, HdId variable);
bool hd_repair_write_whole(HdRepair *r, const HdInst *in);
bool hd_repair_write_whole_target(HdRepair *r, const HdInst *in);
/* What has the id that the variable had, if it is one. Behind the function's variables. */
void hd_repair_write_whole_cast(HdRepair *r, const HdInst *in);

/* ---- menders of accesses that promise too much: repair_aligned.c ------------------------------
 */

HdStatus hd_repair_find_aligned(HdRepair *r, const HdInst *in);
bool hd_repair_write_aligned(HdRepair *r, const HdInst *in);

/* ---- menders of constants: repair_constant.c --------------------------------------------------
 */

HdStatus hd_repair_find_initializer(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_part(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_address(HdRepair *r, const HdInst *in);
bool hd_repair_write_initializer(HdRepair *r, const HdInst *in);
bool hd_repair_write_part(HdRepair *r, const HdInst *in);
bool hd_repair_write_address(HdRepair *r, const HdInst *in);

/* ---- menders of atomics: repair_atomic.c ----------------------------------------------------- */

HdStatus hd_repair_find_exchange(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_weak(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_bits_equal(HdRepair *r, const HdInst *in);
bool hd_repair_write_exchange(HdRepair *r, const HdInst *in);
bool hd_repair_write_bits_equal(HdRepair *r, const HdInst *in);
bool hd_repair_write_weak(HdRepair *r, const HdInst *in);

/* ---- what is not declared: repair_needs.c ---------------------------------------------------- */

HdStatus hd_repair_find_capability(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_mode(HdRepair *r, const HdInst *in);
/* Between capabilities and extensions. */
void hd_repair_write_needs(HdRepair *r);

/* ---- menders of built-in variables: repair_builtin.c ----------------------------------------- */

HdStatus hd_repair_find_entry_point(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_variable(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_cast(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_chain(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_builtin(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_component(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_dimension(HdRepair *r, const HdInst *in);
bool hd_repair_write_entry_point(HdRepair *r, const HdInst *in);
bool hd_repair_write_variable(HdRepair *r, const HdInst *in);
bool hd_repair_write_chain(HdRepair *r, const HdInst *in);
bool hd_repair_write_builtin(HdRepair *r, const HdInst *in);
bool hd_repair_write_component(HdRepair *r, const HdInst *in);
bool hd_repair_write_dimension(HdRepair *r, const HdInst *in);

/* ---- menders of hints about loops: repair_loop.c --------------------------------------------- */

HdStatus hd_repair_find_label(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_merge(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_loop_control(HdRepair *r, const HdInst *in);
bool hd_repair_write_merge(HdRepair *r, const HdInst *in);

/* ---- menders of built-ins that clang translates wrongly: repair_clang.c ---------------------- */

HdStatus hd_repair_find_load(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_fence(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_any(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_query(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_saturation(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_copy_alignment(HdRepair *r, const HdInst *in);
bool hd_repair_write_load(HdRepair *r, const HdInst *in);
bool hd_repair_write_fence(HdRepair *r, const HdInst *in);
bool hd_repair_write_any(HdRepair *r, const HdInst *in);
bool hd_repair_write_query(HdRepair *r, const HdInst *in);
bool hd_repair_write_copy_alignment(HdRepair *r, const HdInst *in);

/* A shift by all bits where it is to shift by none: is it one, note it, write it. */
bool hd_repair_is_funnel(const HdRepair *r, const HdInst *in);
void hd_repair_note_funnel(HdRepair *r, const HdInst *in);
void hd_repair_write_funnel(HdRepair *r, const HdInst *in);

/* Note a barrier or fence that orders no memory. */
void hd_repair_note_barrier(HdRepair *r, const HdInst *in);
/* The semantics that such a one ought to have; others are as they are. */
HdId hd_repair_semantics(HdRepair *r, HdId semantics);

#endif
