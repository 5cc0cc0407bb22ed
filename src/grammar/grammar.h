/* grammar/grammar.h -- the shape of the tables that are generated from *.grammar.
 *
 * The data itself is `gen/tables.c`, made at build time by grammar/generate.py from the compact
 * source in grammar/. Khronos' names for numbers are in `gen/spirv.h` (SpvOp…, SpvCapability…,
 * SpvStorageClass…, all as enumerators of enums named Spv<Kind>), the dense index of opcodes in
 * `gen/opix.h` (HD_OPIX_<Name without Op>), extended instructions in `gen/extinst.h`
 * (OpenCLstd_<name>, …).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_GRAMMAR_GRAMMAR_H
#define HD_GRAMMAR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/opix.h"  /* enum HdOpix: HD_OPIX_NONE = 0, HD_OPIX_Nop …, HD_OPIX_COUNT */
#include "gen/spirv.h" /* Khronos enumerators */

/* What an operand is made of. */
typedef enum HdOperandClass {
    HD_OPERAND_ID,       /* any id: one word */
    HD_OPERAND_TYPE_ID,  /* the result type */
    HD_OPERAND_RESULT,   /* the result id */
    HD_OPERAND_SCOPE_ID, /* id of a scope constant */
    HD_OPERAND_SEMANTICS_ID,
    HD_OPERAND_INTEGER,         /* literal integer, one word */
    HD_OPERAND_STRING,          /* NUL-terminated UTF-8 in words */
    HD_OPERAND_FLOAT,           /* literal float, one word */
    HD_OPERAND_TYPED_LITERAL,   /* literal whose width is that of a type: OpConstant, OpSwitch */
    HD_OPERAND_EXT_INST,        /* literal instruction number of an extended set */
    HD_OPERAND_SPEC_OP,         /* literal opcode of OpSpecConstantOp */
    HD_OPERAND_ENUM,            /* one of `kind`'s enumerants, then that one's parameters */
    HD_OPERAND_MASK,            /* bits of `kind`'s enumerants, then parameters, lowest bit first */
    HD_OPERAND_PAIR_LITERAL_ID, /* composite pairs, see `HdOperand.quantifier` for repetition */
    HD_OPERAND_PAIR_ID_LITERAL,
    HD_OPERAND_PAIR_ID_ID
} HdOperandClass;

typedef enum HdQuantifier { HD_ONCE, HD_OPTIONAL, HD_ANY_NUMBER } HdQuantifier;

typedef struct HdOperand {
    uint8_t klass;      /* HdOperandClass */
    uint8_t quantifier; /* HdQuantifier */
    uint16_t kind;      /* index into hd_gram_kinds for ENUM and MASK */
    const char *name;   /* as the grammar names it, "" when it does not */
} HdOperand;

/* Version as SPIR-V's header word has it: 0x00010300 is 1.3. HD_VERSION_NONE: by extension only. */
#define HD_VERSION_NONE UINT32_MAX

/* What must hold for an instruction or enumerant to be used. */
typedef struct HdNeeds {
    const uint16_t *capabilities; /* any one of these; SpvCapability values */
    const uint16_t *extensions;   /* any one of these; HdExtension indexes (gen/spirv.h) */
    uint8_t capability_count, extension_count;
    bool provisional;
    uint32_t min_version; /* HD_VERSION_NONE: only by extension */
    uint32_t max_version; /* last version that has it; UINT32_MAX = still there */
} HdNeeds;

typedef struct HdGramInst {
    const char *name; /* with "Op": "OpIAdd" */
    uint16_t opcode;
    uint8_t klass; /* HdInstClass: gen/spirv.h, from the grammar's "class" */
    uint8_t operand_count;
    bool has_type, has_result;
    const HdOperand *operands; /* all, the result type and id included */
    HdNeeds needs;
} HdGramInst;

/* What may follow the words that an HdForm knows. */
typedef enum HdTail {
    HD_TAIL_NONE,
    HD_TAIL_IDS,      /* any number of ids */
    HD_TAIL_PAIRS,    /* any number of pairs of ids */
    HD_TAIL_INTEGERS, /* any number of literal integers */
    HD_TAIL_OPTIONAL, /* nothing, or operands that have to be walked */
    HD_TAIL_WALK      /* operands that have to be walked */
} HdTail;

/* The form of an opcode's words, for reading many instructions quickly: most consist of single
 * words, each of which is an id or a literal integer regardless of its context. */
typedef struct HdForm {
    uint32_t ids;               /* bit i: word i, 1 <= i <= prefix, is an id */
    uint8_t prefix;             /* leading operands that must be there and are one such word each */
    uint8_t tail;               /* HdTail */
    uint8_t type_at, result_at; /* words of the result type and id; 0 = none */
    bool is_type;               /* OpType… */
    uint8_t name_len;           /* of HdGramInst's name */
} HdForm;

typedef struct HdEnumerant {
    const char *name;
    uint32_t value;
    uint8_t parameter_count;
    const HdOperand *parameters;
    HdNeeds needs;
} HdEnumerant;

typedef struct HdKind {
    const char *name; /* "StorageClass" */
    bool is_mask;
    uint16_t count;
    const HdEnumerant *enumerants; /* sorted by value; the first of a value is the preferred name */
} HdKind;

typedef struct HdExtInst {
    const char *name;
    uint16_t number;
    uint8_t operand_count;
    const HdOperand *operands; /* those after the instruction number */
    HdNeeds needs;
} HdExtInst;

/* HdExtSet indexes are enumerators in gen/spirv.h: HD_EXTSET_OpenCL_std, HD_EXTSET_GLSL_std_450,
 * HD_EXTSET_OpenCL_DebugInfo_100, HD_EXTSET_DebugInfo, HD_EXTSET_NonSemantic_…,
 * HD_EXTSET_UNKNOWN (any other name), HD_EXTSET_COUNT. */
typedef struct HdExtSetTable {
    const char *name; /* as OpExtInstImport has it: "OpenCL.std" */
    uint16_t name_len, count;
    const HdExtInst *insts; /* sorted by number */
} HdExtSetTable;

extern const HdGramInst hd_gram_insts[HD_OPIX_COUNT]; /* [HD_OPIX_NONE] is all zero */
extern const HdForm hd_gram_forms[HD_OPIX_COUNT];     /* [HD_OPIX_NONE] has to be walked */
extern const HdKind hd_gram_kinds[];
extern const size_t hd_gram_kind_count;
extern const HdExtSetTable hd_gram_extsets[];

extern const uint16_t hd_gram_by_opcode[]; /* [hd_gram_opcode_end] */
extern const uint32_t hd_gram_opcode_end;

/* Dense index of an opcode; HD_OPIX_NONE when the grammar has no such opcode. Constant time. */
static inline enum HdOpix hd_gram_find(uint32_t opcode)
{
    return opcode < hd_gram_opcode_end ? (enum HdOpix)hd_gram_by_opcode[opcode] : HD_OPIX_NONE;
}
/* Does an instruction of `nwords` words consist of single words, as its shape says? (False also for
 * one that lacks operands.) */
static inline bool hd_form_is_plain(const HdForm *s, uint32_t nwords)
{
    uint32_t more = nwords - 1u - s->prefix;

    if (nwords <= s->prefix)
        return false;
    switch ((HdTail)s->tail) {
    case HD_TAIL_NONE:
    case HD_TAIL_OPTIONAL: return more == 0;
    case HD_TAIL_IDS:
    case HD_TAIL_INTEGERS: return true;
    case HD_TAIL_PAIRS: return more % 2 == 0;
    case HD_TAIL_WALK: break;
    }
    return false;
}
/* Is word `i` (1 … nwords - 1) of a plain instruction an id? */
static inline bool hd_form_is_id(const HdForm *s, uint32_t i)
{
    return i <= s->prefix ? (s->ids >> i & 1) != 0 : s->tail != HD_TAIL_INTEGERS;
}
/* The words of the prefix that are ids, the result's aside: a set as in `ids`. */
static inline uint32_t hd_form_used(const HdForm *s)
{
    return s->ids & ~((uint32_t)1 << s->result_at);
}
/* By name with or without "Op", aliases included; HD_OPIX_NONE when there is none. */
enum HdOpix hd_gram_find_name(const char *name, size_t len);
/* Enumerant of a kind by value (preferred name) or by name (aliases included); NULL when none. */
const HdEnumerant *hd_gram_enumerant(uint16_t kind, uint32_t value);
const HdEnumerant *hd_gram_enumerant_name(uint16_t kind, const char *name, size_t len);
/* Extended set by import name (HD_EXTSET_UNKNOWN when not known); instruction by number or name. */
unsigned hd_gram_extset(const char *name, size_t len);
const HdExtInst *hd_gram_extinst(unsigned set, uint32_t number);
const HdExtInst *hd_gram_extinst_name(unsigned set, const char *name, size_t len);
/* Extension index (HdExtension of gen/spirv.h) by name, -1 when the grammar never names it. */
int hd_gram_extension(const char *name, size_t len);
const char *hd_gram_extension_name(unsigned index);

#endif
