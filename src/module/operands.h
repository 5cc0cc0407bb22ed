/* module/operands.h -- one instruction's operands, decoded by the grammar.
 *
 * The reader, the disassembler and all other code that must know what each word of an instruction
 * is walks it with this. The walk checks what can be decided from the instruction alone (and the
 * number types and imports before it): that all operands are present, that nothing is left over,
 * that enumerants are known, that strings end, that no id is 0. It allocates nothing.
 *
 *     HdOperandWalk walk;
 *     HdOperandPart part;
 *
 *     hd_operands_start(&walk, &types, w, nwords);
 *     while (hd_operands_next(&walk, &part))
 *         …
 *     if (walk.problem != HD_OPERANDS_FINE)
 *         … hd_operands_problem(&walk, text, sizeof text)
 *     hd_operand_types_note(&types, w, nwords);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_OPERANDS_H
#define HD_MODULE_OPERANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "grammar/grammar.h"

/* What literals of a type look like. */
typedef enum HdNumberKind {
    HD_NUMBER_NONE,
    HD_NUMBER_UINT,
    HD_NUMBER_INT,
    HD_NUMBER_FLOAT
} HdNumberKind;

/* How the bits of a float are laid out. */
typedef enum HdEncoding {
    HD_ENCODING_IEEE,
    HD_ENCODING_BFLOAT16,
    HD_ENCODING_E4M3,
    HD_ENCODING_E5M2,
    HD_ENCODING_E2M3,
    HD_ENCODING_E3M2,
    HD_ENCODING_E2M1,
    HD_ENCODING_MXINT8, /* 8 bits, two's complement, in 64ths */
    HD_ENCODING_OTHER
} HdEncoding;

typedef struct HdNumberType {
    uint8_t number;   /* HdNumberKind */
    uint8_t encoding; /* FLOAT: HdEncoding */
    uint16_t bits;
} HdNumberType;

/* HdEncoding of an SpvFPEncoding. */
uint8_t hd_number_encoding(uint32_t spirv);

/* What walking needs to remember of earlier instructions: number types, the types of values, what
 * imports name; and for the reader, labels. One word for each id that was seen, on the heap. A
 * zeroed one is empty. */
typedef struct HdOperandTypes {
    uint32_t *of;
    uint32_t room;
    uint32_t limit; /* ids from here on are not kept; 0: HD_OPERAND_ID_LIMIT */
    bool failed;    /* no memory */
    /* A module's: types of values that are not in `of` are read off the instructions. */
    const uint32_t *def, *words;
    uint32_t bound;
    bool is_small; /* keep a few ids only, in `few`, and take no memory */
    uint8_t few_count;
    uint32_t few[4][2];
} HdOperandTypes;

/* Ids below this, or below the number of words if that is more, are kept: SPIR-V's limit for ids,
 * which no module need exceed. So a short module cannot cause a large allocation. */
#define HD_OPERAND_ID_LIMIT 4194304u
uint32_t hd_operand_id_limit(size_t nwords);

/* Remember what an instruction declares. Never fails; without memory `failed` is set and literals
 * of later types are not known. The instruction must have been walked without a problem. */
void hd_operand_types_note(HdOperandTypes *t, const uint32_t *w, uint32_t nwords);
/* Allocate space for ids below `bound` up front, if it is known; without memory `failed` is set. */
void hd_operand_types_reserve(HdOperandTypes *t, uint32_t bound);
/* Have room for ids below `room`, which is more than there is. */
void hd_operand_types_grow(HdOperandTypes *t, uint32_t room);
void hd_operand_types_free(HdOperandTypes *t);
/* The number type that `type` declares; .number is HD_NUMBER_NONE when it is none. */
HdNumberType hd_operand_types_number(const HdOperandTypes *t, uint32_t type);
/* Was the id recorded as a type (of any kind, by hd_operand_types_set_number)? */
bool hd_operand_types_is_type(const HdOperandTypes *t, uint32_t id);
/* The extended set that `import` names (HD_EXTSET_…); false when it is no import. *semantic is
 * false for names that start with "NonSemantic.". */
bool hd_operand_types_import(const HdOperandTypes *t, uint32_t import, unsigned *set,
                             bool *semantic);
/* The number that a label was recorded with; false when the id is no label, or only a few are kept.
 */
#define HD_OPERAND_LABEL 0xc0000000u /* the two bits that say so */
static inline bool hd_operand_types_label(const HdOperandTypes *t, uint32_t id, uint32_t *number)
{
    uint32_t x = id < t->room ? __atomic_load_n(&t->of[id], __ATOMIC_RELAXED) : 0;

    *number = x & ~HD_OPERAND_LABEL;
    return (x & HD_OPERAND_LABEL) == HD_OPERAND_LABEL;
}
void hd_operand_types_set_label(HdOperandTypes *t, uint32_t id, uint32_t number);
/* The type id of a value's id, 0 when not known. */
uint32_t hd_operand_types_declared(const HdOperandTypes *t, uint32_t id);
static inline uint32_t hd_operand_types_value(const HdOperandTypes *t, uint32_t id)
{
    uint32_t x = id < t->room ? __atomic_load_n(&t->of[id], __ATOMIC_RELAXED) : 0;

    if (x != 0) /* the two bits that tell other things from types are HD_OPERAND_LABEL */
        return (x & HD_OPERAND_LABEL) == 0 ? x : 0;
    return hd_operand_types_declared(t, id);
}
/* Record by hand, for who reads other forms than words (the assembler). */
void hd_operand_types_set_number(HdOperandTypes *t, uint32_t type, HdNumberType number);
void hd_operand_types_set_value(HdOperandTypes *t, uint32_t id, uint32_t type);
void hd_operand_types_set_import(HdOperandTypes *t, uint32_t id, unsigned set, bool semantic);

/* One operand, or one half of a pair. */
typedef struct HdOperandPart {
    uint8_t klass;       /* HdOperandClass, never a pair */
    uint8_t set;         /* EXT_INST: the set; HD_EXTSET_UNKNOWN when its names are not known */
    uint16_t kind;       /* ENUM, MASK: index into hd_gram_kinds */
    uint32_t at, nwords; /* w[at] … w[at + nwords - 1] */
    HdNumberType number; /* INTEGER, FLOAT, TYPED_LITERAL: how to read it */
    const HdOperand *row;
} HdOperandPart;

typedef enum HdOperandProblem {
    HD_OPERANDS_FINE,
    HD_OPERANDS_UNKNOWN_OPCODE,
    HD_OPERANDS_MISSING,  /* the instruction ends before an operand that must be there */
    HD_OPERANDS_EXTRA,    /* words after the last operand */
    HD_OPERANDS_STRING,   /* a string does not end inside the instruction */
    HD_OPERANDS_ENUM,     /* not an enumerant of its kind */
    HD_OPERANDS_MASK,     /* bits that its kind does not have */
    HD_OPERANDS_TYPE,     /* literal whose type is not a known number type */
    HD_OPERANDS_IMPORT,   /* extended instruction of an id that is no import */
    HD_OPERANDS_EXT_INST, /* number that the extended set does not have */
    HD_OPERANDS_SPEC_OP,  /* opcode that OpSpecConstantOp does not allow */
    HD_OPERANDS_ZERO_ID
} HdOperandProblem;

/* Operands that are expected next, the innermost on top. The assembler drives it without words. */
#define HD_PATTERN_DEPTH 48
typedef struct HdPattern {
    struct {
        const HdOperand *row;
        uint32_t left;
    } level[HD_PATTERN_DEPTH];
    unsigned depth;
} HdPattern;

void hd_pattern_start(HdPattern *p, const HdOperand *rows, uint32_t count);
/* The operand expected next; NULL if there is none. One that may repeat stays on top until
 * hd_pattern_drop. Pairs are returned as such. */
static inline const HdOperand *hd_pattern_peek(HdPattern *p)
{
    while (p->depth > 0 && p->level[p->depth - 1].left == 0)
        p->depth--;
    return p->depth > 0 ? p->level[p->depth - 1].row : NULL;
}
/* Take the operand that peek gave: once and optional ones leave, repeated ones stay. */
static inline void hd_pattern_take(HdPattern *p)
{
    unsigned top = p->depth - 1;

    if (p->level[top].row->quantifier == HD_ANY_NUMBER)
        return;
    p->level[top].row++;
    p->level[top].left--;
}
/* Expect `count` further operands before the rest. False when nested too deeply. */
bool hd_pattern_push(HdPattern *p, const HdOperand *rows, uint32_t count);
/* Expect an extended instruction's operands instead of OpExtInst's. Those of a NonSemantic set may
 * be followed by further ids: its revisions add operands. */
void hd_pattern_ext_inst(HdPattern *p, const HdExtInst *e, bool semantic);
/* The two halves of a pair class; NULL for others. `in_switch`: the literal has the selector's
 * type. */
const HdOperand *hd_pattern_pair(uint8_t klass, bool in_switch);

typedef struct HdOperandWalk {
    const HdOperandTypes *types;
    const uint32_t *w;
    uint32_t nwords, at;
    enum HdOpix opix;
    HdOperandProblem problem;
    const HdOperand *expected; /* MISSING: what; ENUM, MASK: which operand */
    HdPattern pattern;
} HdOperandWalk;

/* Begin with the instruction whose first word is w[0]; it has `nwords` words. */
void hd_operands_start(HdOperandWalk *walk, const HdOperandTypes *types, const uint32_t *w,
                       uint32_t nwords);
/* Begin after the words that the opcode's HdForm covers; there must be so many. */
void hd_operands_start_rest(HdOperandWalk *walk, const HdOperandTypes *types, const uint32_t *w,
                            uint32_t nwords);
/* Step to the next operand; false at the end and at a problem. */
bool hd_operands_next(HdOperandWalk *walk, HdOperandPart *part);
/* Are the words after those that the opcode's form covers no more than ids, enumerants and
 * integers, all that the grammar wants? Bit i of *ids: of those, word i is the id of a value, which
 * may be 0. False: they have to be walked. */
bool hd_operands_simple(enum HdOpix opix, const uint32_t *w, uint32_t nwords, uint64_t *ids);
/* How an operand is called in messages; NULL: "operand". */
const char *hd_operand_name(const HdOperand *row);
/* Say in one sentence what the problem is. Returns text. */
const char *hd_operands_problem(const HdOperandWalk *walk, char *text, size_t room);
/* Does it make a pointer from another one and indexes? */
bool hd_operands_is_chain(enum HdOpix opix);
/* An instruction of SPV_KHR_uniform_group_instructions. */
bool hd_operands_is_uniform_group(enum HdOpix opix);
/* The storage class of a pointer in debug information that has none, as llvm-spirv writes it: not
 * allowed by the specification, but the only defect of many modules. Debug rules report it. */
static inline bool hd_operands_is_no_class(uint32_t kind, uint32_t value)
{
    return kind == HD_KIND_StorageClass && value == UINT32_MAX;
}
/* May OpSpecConstantOp have this opcode? */
bool hd_operands_is_spec_op(enum HdOpix opix);

#endif
