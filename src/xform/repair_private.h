/* xform/repair_private.h -- what the files of the repairs share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_REPAIR_PRIVATE_H
#define HD_XFORM_REPAIR_PRIVATE_H

#include "module/edit.h"
#include "module/type.h"
#include "xform/declared.h"
#include "xform/repair.h"

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
    HD_SLIP_POINTEE,
    HD_SLIP_POINTER_TYPES,
    HD_SLIP_BROADCAST,
    HD_SLIP_WEAK,
    HD_SLIP_EXCHANGE,
    HD_SLIP_SINGLE,
    HD_SLIP_INT64_ATOMICS,
    HD_SLIP_DEBUG_CLASS,
    HD_SLIP_EXPONENT,
    HD_SLIP_BARRIER,
    HD_SLIP_BUILTIN,
    HD_SLIP_ROUNDING,
    HD_SLIP_MERGE,
    HD_SLIP_MEDIA,
    HD_SLIP_COMPONENT,
    HD_SLIP_COUNT
} HdSlip;

typedef struct HdRepair {
    const HdModule *m;
    HdArena *a;
    HdDiags *d;
    HdWriter *out;
    uint32_t bound;
    uint32_t where[HD_SLIP_COUNT]; /* word of the first of its kind; 0 = none */
    uint64_t *null_index;          /* set of ids: integer nulls that choose a member */
    uint32_t **order;              /* [functions] blocks in the order to write, NULL = unchanged */
    bool *hoist;                   /* [functions] variables go to the front of the first block */
    uint64_t *computed;            /* set of ids: constants that contain addresses */
    HdMap conformed;               /* of a constant and a type: the constant in that type */
    uint64_t looked;               /* at so many parts of constants */
    HdMap pointers;                /* of a storage class and a pointee: a type that is written */
    uint32_t bytes_at;             /* word of the type of bytes; UINT32_MAX: there is none */
    uint32_t *met;                 /* [bound] the last scan of a phi that met a predecessor */
    uint32_t phi_scan;
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

/* That of the module that is written. */
static inline uint32_t hd_repair_version(const HdRepair *r)
{
    return r->where[HD_SLIP_BROADCAST] != 0 ? 0x10500 : r->m->version;
}

/* The operand in the type that it should have: itself, or the id of a cast that is written. */
HdId hd_repair_cast(HdRepair *r, SpvOp cast, HdId type, HdId operand);

/* Ids of types and constants: the module's, or new ones, which have to be requested while defects
 * are searched for. */
HdId hd_repair_int(HdRepair *r, uint32_t bits);
HdId hd_repair_pointer(HdRepair *r, uint32_t storage, HdId pointee);
HdId hd_repair_work_group(HdRepair *r, HdId type); /* the scope */

/* ---- menders of what has to do with pointers: repair_pointer.c ------------------------------- */

HdStatus hd_repair_find_copy(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_pointee(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_equal(HdRepair *r, const HdInst *in);
HdStatus hd_repair_find_index(HdRepair *r, const HdInst *in);
bool hd_repair_write_copy(HdRepair *r, const HdInst *in);
bool hd_repair_write_pointee(HdRepair *r, const HdInst *in);
bool hd_repair_write_equal(HdRepair *r, const HdInst *in);
bool hd_repair_write_null(HdRepair *r, const HdInst *in);

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

#endif
