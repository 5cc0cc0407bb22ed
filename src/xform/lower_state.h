/* xform/lower_state.h -- what the files of the lowering share.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_XFORM_LOWER_STATE_H
#define HD_XFORM_LOWER_STATE_H

#include "base/array.h"
#include "base/map.h"
#include "module/edit.h"
#include "module/type.h"
#include "xform/declared.h"
#include "xform/group.h"
#include "xform/lower.h"

typedef struct HdLowerCast {
    HdId id, variable, type;
} HdLowerCast;

/* A second variable of a binding: as a type, or as a block that begins with it. Without a variable:
 * the block. */
typedef struct HdLowerView {
    HdId variable, type, id;
    bool is_wrapped;
} HdLowerView;

/* Built-in variables that rewritten code reads. */
enum {
    HD_LOWER_LANE,
    HD_LOWER_LANES,
    HD_LOWER_MOST_LANES,
    HD_LOWER_LOCAL_ID,
    HD_LOWER_LOCAL_SIZE,
    HD_LOWER_BUILTINS
};

typedef struct HdLower {
    const HdModule *m;
    const HdLowerOptions *o;
    HdDiags *d;
    HdArena *arena;
    HdWriter capabilities, imports, front, globals, functions;
    HdWriter *at;        /* where instructions are written */
    HdId next, *map;     /* [bound] what uses of an id become */
    uint64_t *gone;      /* [bound] a set: no longer defined: its names and decorations go */
    HdId *exit_of;       /* [bound] label of the last piece of a block that was split; 0: whole */
    HdDeclared declared; /* as written; new ones follow the globals */
    HdMap split;         /* word of an instruction that splits its block, to the label after it */
    uint64_t needed;     /* of capabilities to add: bits of `extra` in lower.c */
    HdId std;            /* import of OpenCL.std; 0: none yet */
    HD_ARRAY(HdLowerCast) casts; /* of the first block's variables, to write after them */
    const HdType **points_to;    /* [bound] logical addressing: untyped pointers, as rewritten */
    HD_ARRAY(HdLowerView) views;
    HdMap in_words;      /* variables of Workgroup memory that are words: their first byte plus 1 */
    uint64_t word_bytes; /* of all of them */
    HdId words;          /* the variable that they are */
    bool words_begin_null;
    HdId word_block[2]; /* a block of words of 32 bits, of 64 bits; 0: none yet */
    HdId glsl;          /* import of GLSL.std.450; 0: none yet */
    HdMap headers;      /* labels of loops' first blocks that are split, to the merge's word */
    uint32_t merge;     /* of the block that is being written; 0: it is none of those */
    HdId block;
    bool merge_is_there;
    HdMap again; /* of those, loops of one block, to the new block that goes back */
    struct {
        HdId id; /* 0: not needed */
        bool is_new;
    } builtin[HD_LOWER_BUILTINS];
    bool *meets; /* [block_count] all work-items of a sub-group come here together; or NULL */
    bool *meets_function; /* [function_count] and are in all its calls; NULL as meets is */
    uint8_t *holds;       /* [function_count] what it, or what it calls, contains: lower_parted.c */
    HdMap together;   /* results of operations that all come to, though the flow does not show it */
    bool *has_arrays; /* [bound] by the label of a function's first block: it has arrays of variable
                         length; theirs while a function is written: */
    HdId room, room_free; /* variables: the bytes, and a pointer to those that are free */
    bool room_is_new;     /* the pointer is not set yet */
    struct {              /* the member whose offset was queried last, and where the next may be */
        const HdType *type;
        uint32_t member;
        uint64_t at, end;
    } layout;
    uint32_t size_mode; /* word of a LocalSizeId that becomes WorkgroupSize; 0: none does */
    bool needs_wrap;    /* decorations that are the target's by an extension */
    bool in_pieces;     /* all come to all operations already: lower_pieces.c */
    bool failed;
} HdLower;

/* Capabilities that rewritten code needs. */
enum {
    HD_LOWER_INT8,
    HD_LOWER_INT16,
    HD_LOWER_INT64,
    HD_LOWER_INT64_ATOMICS,
    HD_LOWER_GROUPS,
    HD_LOWER_SHUFFLE,
    HD_LOWER_LINKAGE,
    HD_LOWER_FLOAT16_BUFFER,
    HD_LOWER_FLOAT16,
    HD_LOWER_EXTRA
};
static inline void hd_lower_need(HdLower *l, unsigned extra)
{
    l->needed |= (uint64_t)1 << extra;
}

/* lower_write.c: ids of declarations, made when they are not there. */
HdId hd_lower_int(HdLower *l, uint32_t bits);
HdId hd_lower_bool(HdLower *l);
HdId hd_lower_vector(HdLower *l, HdId scalar, uint32_t lanes);
HdId hd_lower_pointer(HdLower *l, uint32_t storage, HdId pointee);
HdId hd_lower_constant(HdLower *l, uint32_t bits, uint64_t value);
HdId hd_lower_array(HdLower *l, HdId element, uint32_t count);
HdId hd_lower_std(HdLower *l);
HdId hd_lower_glsl(HdLower *l);
/* The value of a type that is all zero bits; true; a float of the module whose bits are given. */
HdId hd_lower_null(HdLower *l, HdId type);
HdId hd_lower_true(HdLower *l);
HdId hd_lower_float(HdLower *l, const HdType *t, uint64_t bits);
/* A scalar in each lane of a type that has so many. */
HdId hd_lower_splat(HdLower *l, HdId type, uint32_t lanes, HdId scalar);
/* The storage class that replaces one. */
uint32_t hd_lower_storage(const HdLower *l, uint32_t storage);
/* The id that replaces an id. */
static inline HdId hd_lower_use(const HdLower *l, HdId id)
{
    return id < l->m->bound && l->map[id] != 0 ? l->map[id] : id;
}
/* One instruction with a result; `result` 0: a new id. Returns the id. */
HdId hd_lower_emit(HdLower *l, HdId result, uint32_t opcode, HdId type, const uint32_t *operands,
                   size_t count);
#define HD_LOWER_OP(l, result, opcode, type, ...)                                   \
    hd_lower_emit((l), (result), (opcode), (type), (const uint32_t[]){__VA_ARGS__}, \
                  sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
HdStatus hd_lower_fail(HdLower *l, const HdInst *in, const char *what);
/* Copy an instruction with its ids replaced. */
void hd_lower_copy(HdLower *l, const HdInst *in);
/* The same with another id at some words. */
typedef struct HdLowerWord {
    uint32_t at, word;
} HdLowerWord;
void hd_lower_copy_with(HdLower *l, const HdInst *in, const HdLowerWord *words, size_t count);
/* A built-in variable that will be needed; the new ones, after the module's own; the value of one.
 */
void hd_lower_want(HdLower *l, unsigned which);
void hd_lower_declare_builtins(HdLower *l);
HdId hd_lower_load(HdLower *l, unsigned which);

/* lower_arith.c: each returns HD_OK and *done false for an instruction that is not its own. */
HdStatus hd_lower_bits(HdLower *l, const HdInst *in, bool *done);
HdStatus hd_lower_dot(HdLower *l, const HdInst *in, bool *done);
void hd_lower_trinary(HdLower *l, const HdInst *in, bool *done);
HdStatus hd_lower_float_atomic(HdLower *l, const HdInst *in, bool *done);
bool hd_lower_is_float_atomic(const HdInst *in);
bool hd_lower_splits(const HdLower *l, const HdInst *in);
/* lower_constant.c: likewise; constants among them. */
HdStatus hd_lower_composite(HdLower *l, const HdInst *in, bool *done);
/* lower_group.c: what an instruction will need, before anything is written; the instruction. */
void hd_lower_plan_group(HdLower *l, const HdInst *in);
HdStatus hd_lower_group(HdLower *l, const HdInst *in, bool *done);
/* One that becomes a loop. */
bool hd_lower_is_uniform(const HdLower *l, const HdInst *in);
/* lower_flow.c: find out where all come, then ask. */
HdStatus hd_lower_find_flow(HdLower *l);
bool hd_lower_all_meet(const HdLower *l, const HdInst *in);
/* lower_subgroup.c: as for groups; does it become a loop? */
void hd_lower_plan_subgroup(HdLower *l, const HdInst *in);
bool hd_lower_subgroup_loops(const HdLower *l, const HdInst *in);
HdStatus hd_lower_subgroup(HdLower *l, const HdInst *in, bool *done);
/* Is it one of the built-in variables that SPIR-V 1.3 brought? They are computed where they are
 * loaded. */
bool hd_lower_is_mask(const HdLower *l, HdId id);
HdStatus hd_lower_mask(HdLower *l, const HdInst *in, bool *done);
/* Does it see other work-items of the sub-group? (The others of SPIR-V 1.3's only read a ballot.)
 */
bool hd_lower_sees_others(const HdInst *in);
/* The value that changes no other of this type that it is joined with by such an operation. */
HdId hd_lower_neutral(HdLower *l, enum HdOpix opix, HdId type, const HdType *t);
/* lower_parted.c: are there functions with such operations where not all work-items reach them
 * together? lower_pieces.c: write them so that all do. */
HdStatus hd_lower_find_parted(HdLower *l, bool *any);
HdStatus hd_lower_write_pieces(HdLower *l);
/* lower_vla.c: record that the function whose first block is `entry` has arrays; its variables,
 * with the first block's; what follows all variables; the instruction. */
void hd_lower_plan_arrays(HdLower *l, const HdInst *in, HdId entry);
void hd_lower_open_room(HdLower *l);
void hd_lower_start_room(HdLower *l);
HdStatus hd_lower_arrays(HdLower *l, const HdInst *in, bool *done);
/* lower_version.c: decorations, execution modes by ids, and the extensions that what is left needs;
 * likewise; a copy between places of memory, with one set of memory operands. */
HdStatus hd_lower_version(HdLower *l, const HdInst *in, bool *done);
HdInst hd_lower_one_mask(HdLower *l, const HdInst *in);
bool hd_lower_decoration(HdLower *l, const HdInst *in);
bool hd_lower_local_size(HdLower *l, const HdInst *in);
/* After the module's own constants. */
void hd_lower_declare_size(HdLower *l);
void hd_lower_add_extensions(HdLower *l);
/* lower_untyped.c */
HdStatus hd_lower_untyped(HdLower *l, const HdInst *in, bool *done);
/* The same of logical pointers: lower_logical.c. */
HdStatus hd_lower_logical(HdLower *l, const HdInst *in, bool *done);
/* A pointer of a shader, of any kind, that is followed to `want`, or to a number of its size if
 * `alike`. */
typedef struct HdLowerPlace {
    HdId value;
    const HdType *to;
    uint32_t storage;
} HdLowerPlace;
HdStatus hd_lower_place(HdLower *l, const HdInst *in, HdId pointer, const HdType *want, bool alike,
                        HdLowerPlace *out);
/* A block that begins with a type; the type itself if it is one. */
HdStatus hd_lower_block(HdLower *l, const HdType *t, HdId *block, bool *is_wrapped);
/* lower_copy.c: OpCopyMemory and OpCopyMemorySized of shaders with untyped pointers. */
HdStatus hd_lower_copy_memory(HdLower *l, const HdInst *in, bool *done);
/* A second variable of a binding, which is of another block; made where there is none yet.
 *   descriptors  the array of descriptors that the first one is; NULL: it is none */
HdStatus hd_lower_second_variable(HdLower *l, HdId variable, HdId block, uint32_t storage,
                                  const HdType *descriptors, HdId *out);
/* lower_words.c: which variables become words; is a variable one of them; the declaration of one,
 * which goes; an instruction on pointers into them. */
HdStatus hd_lower_plan_words(HdLower *l);
bool hd_lower_is_in_words(const HdLower *l, HdId variable);
bool hd_lower_word_variable(HdLower *l, const HdInst *in);
HdStatus hd_lower_words(HdLower *l, const HdInst *in, bool *done);
/* The word that an atomic of a float in logical addressing is in: of 64 bits for those of 64 bits,
 * otherwise of 32; and of a half, how far up in it. Word 3 is the pointer. */
HdStatus hd_lower_atomic_word(HdLower *l, const HdInst *in, uint32_t bits, HdId *pointer,
                              HdId *shift);
/* lower_loop.c: note a merge whose block is split; write what precedes the rest of such a block;
 * is the instruction the merge, which is there already? */
HdStatus hd_lower_plan_loop(HdLower *l, const HdInst *merge, HdId block);
HdStatus hd_lower_loop(HdLower *l, const HdInst *in, bool *done);
/* The block from which a loop of one block that is split goes on; 0: it is none. */
HdId hd_lower_again(const HdLower *l, HdId block);
/* Word of the pointer and type of the memory of an instruction that accesses it; 0: none. */
uint32_t hd_lower_access(HdLower *l, const HdInst *in, HdId *pointee);
/* What an untyped pointer becomes one to: kernels have bytes, shaders may have none. */
HdId hd_lower_pointee_of_none(HdLower *l);
/* An operation with a result; among the globals it is one of specialisation constants. */
HdId hd_lower_operation(HdLower *l, HdId result, uint32_t opcode, HdId type,
                        const uint32_t *operands, uint32_t count);
/* An untyped pointer as one to `pointee`. */
HdId hd_lower_cast(HdLower *l, HdId pointer, HdId pointee);
/* Decorations Offset and ArrayStride, which kernels have with untyped pointers only. */
HdStatus hd_lower_layout(HdLower *l, const HdInst *in, bool *done);

#endif
