/* module/module.h -- a SPIR-V module in memory: its words and an index over them.
 *
 * A module is its word stream (host-endian) plus an index made in one pass by the reader. Nothing
 * is allocated per instruction: an HdInst is a view that is created on demand. All memory is in the
 * module's arena. A module is immutable once read (module/edit.h makes new word streams) and may
 * then be read by many threads.
 *
 * The reader guarantees, whatever the bytes were: every instruction is inside the stream, has the
 * operands that the grammar demands (all literals and nested parameters included), every id is 0 <
 * id < bound, no id is defined twice, every string ends. It does not guarantee that ids are
 * defined, that types fit or that blocks are well formed: use the find functions, which return NULL
 * or false, or validate first (val/).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_MODULE_MODULE_H
#define HD_MODULE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bitset.h"
#include "base/diag.h"
#include "base/status.h"
#include "grammar/grammar.h"
#include "module/operands.h"

typedef uint32_t HdId; /* a SPIR-V id; 0 = none */

/* A view of one instruction. w[0] is its first word, w[1] its first operand. */
typedef struct HdInst {
    enum HdOpix opix; /* HD_OPIX_NONE: an opcode the grammar does not know */
    uint16_t opcode;
    uint16_t nwords;
    uint32_t word; /* offset of w[0] in the module, in words */
    const uint32_t *w;
} HdInst;

/* 8 bytes: some modules are mostly blocks. What is read off the words is not kept. */
typedef struct HdBlock {
    uint64_t word : 31;       /* of OpLabel */
    uint64_t terminator : 31; /* word of the last instruction; 0 when the block has no terminator */
    uint64_t merge : 2;       /* HdMergeAt, for hd_block_merge */
} HdBlock;
typedef enum HdMergeAt {
    HD_MERGE_NONE,
    HD_MERGE_3_BEFORE, /* so many words before the terminator: OpSelectionMerge */
    HD_MERGE_4_BEFORE, /* OpLoopMerge without parameters */
    HD_MERGE_ELSEWHERE
} HdMergeAt;

typedef struct HdFunction {
    HdId id;
    HdId result_type, type;            /* operands of OpFunction */
    uint32_t word, end;                /* of OpFunction, and after OpFunctionEnd */
    uint32_t first_param, param_count; /* see hd_function_param */
    uint32_t first_block, block_count; /* in HdModule.blocks; 0 blocks: a declaration */
} HdFunction;

typedef struct HdEntryPoint {
    uint32_t word;
    uint32_t model; /* SpvExecutionModel */
    HdId function;
    const char *name; /* NUL-terminated, in the arena */
    const uint32_t *interface;
    uint32_t interface_count;
} HdEntryPoint;

/* One decoration of an id (member == HD_NO_MEMBER) or of a struct's member, or all those of a
 * group: HdDecorations looks into it. Some modules are mostly decorated: hd_decoration_operands are
 * read off the words. */
#define HD_NO_MEMBER        UINT32_MAX
#define HD_DECORATION_GROUP UINT16_MAX /* of HdDecoration: it is a target of a group */
typedef struct HdDecoration {
    HdId target;
    uint32_t member;
    uint32_t word;       /* of the instruction that decorates */
    uint16_t decoration; /* SpvDecoration */
    uint16_t operand_count;
} HdDecoration;

#define HD_DECORATED_TOGETHER 16u

typedef struct HdModule {
    HdArena *arena; /* owned */
    const uint32_t *words;
    uint32_t *own_words; /* heap: the same, where nobody else frees them */
    uint32_t nwords;
    uint32_t version, generator, bound, schema;

    uint32_t *def;         /* [bound] word of the defining instruction; 0 = not defined */
    bool is_dense;         /* def is in the arena: most ids are defined */
    uint32_t *name_at;     /* [bound] word of OpName's text, or 0 */
    uint32_t *function_of; /* [bound] a function's index in functions, plus 1; 0 for all others
                              (a label's in blocks is in operand_types) */
    uint64_t *id_words;  /* [nwords] a set: words after those that the opcode's HdForm covers which
                          * are ids of values, scopes or semantics (in plain instructions: none) */
    uint32_t addressing; /* SpvAddressingModel; Physical64 when OpMemoryModel is missing */
    uint32_t memory_model;

    uint32_t *capabilities; /* as declared, in order */
    uint32_t capability_count;
    uint64_t *capability_set; /* declared and implied ones; use hd_module_has_capability */
    const char **extensions;  /* names as declared */
    uint32_t extension_count;
    HdEntryPoint *entries;
    uint32_t entry_count;
    HdFunction *functions;
    uint32_t function_count;
    uint32_t *params; /* words of all OpFunctionParameters */
    HdBlock *blocks;  /* of all functions, in module order */
    uint32_t block_count;
    HdDecoration
        *decorations; /* sorted by target, then by member (HD_NO_MEMBER last), then order */
    uint32_t decoration_count;
    bool has_groups;         /* of decorations */
    uint32_t *decorated_at;  /* [bound / HD_DECORATED_TOGETHER + 2] where in decorations those of so
                                many ids begin; NULL where there are none */
    uint32_t first_function; /* word of the first OpFunction, or nwords */
    bool has_lines;          /* some OpLine or DebugLine may be in it */
    bool has_calls;          /* there is an OpFunctionCall */
    bool has_undefs;         /* there is an OpUndef */
    bool has_joins;          /* there is an OpPhi or OpLoopMerge */

    HdOperandTypes operand_types;      /* types of values and forms of literals, of all ids */
    struct HdTypeTable *types;         /* module/type.h */
    struct HdConstantTable *constants; /* module/constant.h */
} HdModule;

/* Read a module.
 *   words    `nwords` words in either endianness; copied unless `borrow` (then they must be in host
 *            endianness or are copied all the same, and must outlive the module)
 *   d        gets every malformed place that the reader can name; at least one on failure
 * Errors: HD_BAD_INPUT, HD_NO_MEMORY. *out is NULL on error.
 * Spec: SPIR-V, "Physical Layout of a SPIR-V Module and Instruction". */
HdStatus hd_module_read(const uint32_t *words, size_t nwords, bool borrow, HdDiags *d,
                        HdModule **out);
/* The same by up to so many threads, of which the calling one is one. */
HdStatus hd_module_read_by(unsigned threads, const uint32_t *words, size_t nwords, bool borrow,
                           HdDiags *d, HdModule **out);
/* The same of words on the heap that become the module's, or are freed where there is none. */
HdStatus hd_module_read_own(uint32_t *words, size_t nwords, HdDiags *d, HdModule **out);
/* The same for who only looks at instructions: without types and constants as module/type.h and
 * module/constant.h have them, which take as much time and memory as the rest. */
HdStatus hd_module_index_own(uint32_t *words, size_t nwords, HdDiags *d, HdModule **out);
/* Read from bytes of a file: checks that the length is whole words. */
HdStatus hd_module_read_bytes(const void *bytes, size_t count, HdDiags *d, HdModule **out);
void hd_module_drop(HdModule *m);

/* The instruction at a word offset that the index gave. */
static inline HdInst hd_module_inst(const HdModule *m, uint32_t word)
{
    const uint32_t *w = m->words + word;

    return (HdInst){.opix = hd_gram_find(w[0] & 0xffff),
                    .opcode = (uint16_t)(w[0] & 0xffff),
                    .nwords = (uint16_t)(w[0] >> 16),
                    .word = word,
                    .w = w};
}
/* Is word i (1 … nwords - 1) of an instruction an id? Nothing is known of those of opcodes that the
 * grammar does not have. */
static inline bool hd_inst_is_id(const HdModule *m, const HdInst *in, uint32_t i)
{
    const HdForm *form = &hd_gram_forms[in->opix];

    return i <= form->prefix || hd_form_is_plain(form, in->nwords)
               ? hd_form_is_id(form, i)
               : hd_bit_has(m->id_words, in->word + i);
}
/* Step to the next instruction; false at the end. `at` starts as HD_MODULE_FIRST_WORD. */
#define HD_MODULE_FIRST_WORD 5u
static inline bool hd_module_more(const HdModule *m, uint32_t word)
{
    return word < m->nwords;
}
static inline uint32_t hd_inst_next(const HdInst *in)
{
    return in->word + in->nwords;
}
/* for (HdInst in; hd_module_next(m, &word, &in);) … with uint32_t word = start */
static inline bool hd_module_next(const HdModule *m, uint32_t *word, HdInst *in)
{
    if (*word >= m->nwords)
        return false;
    *in = hd_module_inst(m, *word);
    *word += in->nwords;
    return true;
}

/* One instruction of words that have not been read as a module yet. */
typedef struct HdRawInst {
    const uint32_t *w; /* `count` words, the first one included */
    uint32_t op, count;
} HdRawInst;
/* The same way through such words; false at the end, and where no instruction can be. */
static inline bool hd_words_next(const uint32_t *words, size_t nwords, size_t *at, HdRawInst *in)
{
    uint32_t count = *at < nwords ? words[*at] >> 16 : 0;

    if (count == 0 || count > nwords - *at)
        return false;
    *in = (HdRawInst){.w = words + *at, .op = words[*at] & 0xffff, .count = count};
    *at += count;
    return true;
}

/* Where an instruction of a module is in the words that the module was made from by adding,
 * removing or changing others: the one of the same result, or with the same words, as the same of
 * several. HD_NO_PLACE: it was made, or cannot be told. */
uint32_t hd_module_place_in(const HdModule *m, uint32_t word, const uint32_t *words, size_t nwords);
/* Give findings, those from an index on, the places that they have in such words. */
void hd_module_place_findings(const HdModule *m, const uint32_t *words, size_t nwords, HdDiags *d,
                              size_t from);

/* Result type and result id of an instruction, 0 when it has none. */
static inline HdId hd_inst_type(const HdInst *in)
{
    uint32_t at = hd_gram_forms[in->opix].type_at;

    return at != 0 && at < in->nwords ? in->w[at] : 0;
}
static inline HdId hd_inst_result(const HdInst *in)
{
    uint32_t at = hd_gram_forms[in->opix].result_at;

    return at != 0 && at < in->nwords ? in->w[at] : 0;
}
/* Does the instruction end a block? */
bool hd_inst_is_terminator(const HdInst *in);
static inline bool hd_inst_is_variable(const HdInst *in)
{
    return in->opix == HD_OPIX_Variable || in->opix == HD_OPIX_UntypedVariableKHR;
}
/* From integers to integers, where nothing is rounded. */
static inline bool hd_opix_converts_integers(enum HdOpix opix)
{
    return opix == HD_OPIX_UConvert || opix == HD_OPIX_SConvert || opix == HD_OPIX_SatConvertSToU ||
           opix == HD_OPIX_SatConvertUToS;
}
/* A lender for one who works on a module alone: what it has left stays the module's. */
HdArena *hd_module_arena(const HdModule *m);
/* The defining instruction of an id; false when there is none (id out of range included). */
bool hd_module_def(const HdModule *m, HdId id, HdInst *in);
/* Opcode index of an id's definition, HD_OPIX_NONE when not defined. */
enum HdOpix hd_module_opix(const HdModule *m, HdId id);
/* Type id of an id's value: its result type; 0 when it has none. */
HdId hd_module_type_id(const HdModule *m, HdId id);

/* OpName's text; NULL when there is none. */
static inline const char *hd_module_name(const HdModule *m, HdId id)
{
    uint32_t word = id < m->bound ? m->name_at[id] : 0;

    return word != 0 ? (const char *)(m->words + word) : NULL;
}

bool hd_module_has_capability(const HdModule *m, uint32_t capability);
bool hd_module_has_extension(const HdModule *m, const char *name);
/* Which extended set an OpExtInstImport's id names (HD_EXTSET_…); HD_EXTSET_UNKNOWN otherwise. */
unsigned hd_module_extset(const HdModule *m, HdId import);

/* A literal string at `w` with at most `nwords` words. The reader has proved that it ends. */
const char *hd_inst_string(const HdInst *in, uint32_t at);
/* Words that the string at operand word `at` takes. */
uint32_t hd_inst_string_words(const HdInst *in, uint32_t at);
/* The last word of a string with nothing but zeros behind the string's end, as it should be. */
static inline uint32_t hd_string_padded(uint32_t last)
{
    uint32_t zero = (last - 0x01010101u) & ~last & 0x80808080u; /* its lowest bit is exact */

    return last & (((zero & -zero) >> 7) - 1);
}
/* Word i of a definition that others are compared with: a string is what it says. */
static inline uint32_t hd_inst_definition_word(const HdInst *in, uint32_t i)
{
    bool ends_in_string = in->opix == HD_OPIX_ExtInstImport || in->opix == HD_OPIX_String ||
                          in->opix == HD_OPIX_TypeOpaque;

    return ends_in_string && i + 1 == in->nwords ? hd_string_padded(in->w[i]) : in->w[i];
}

/* Does the module follow OpenCL's memory model? Otherwise its entry points may be shaders, and
 * explicit decorations alone lay out memory that is shared with the host. */
static inline bool hd_module_is_opencl(const HdModule *m)
{
    return m->memory_model == SpvMemoryModelOpenCL;
}

/* Of an address, and of a size_t; 64 in logical addressing. */
static inline uint32_t hd_module_address_bits(const HdModule *m)
{
    return m->addressing == SpvAddressingModelPhysical32 ? 32 : 64;
}

/* Label of a block; first word after it. */
static inline HdId hd_block_label(const HdModule *m, const HdBlock *b)
{
    return m->words[b->word + 1];
}
uint32_t hd_block_end(const HdModule *m, const HdBlock *b);
/* Word of the first OpLoopMerge or OpSelectionMerge in a block; 0: none. */
uint32_t hd_block_find_merge(const HdModule *m, const HdBlock *b);
static inline uint32_t hd_block_merge(const HdModule *m, const HdBlock *b)
{
    switch ((HdMergeAt)b->merge) {
    case HD_MERGE_NONE: return 0;
    case HD_MERGE_3_BEFORE: return b->terminator - 3;
    case HD_MERGE_4_BEFORE: return b->terminator - 4;
    case HD_MERGE_ELSEWHERE: break;
    }
    return hd_block_find_merge(m, b);
}
/* A function's parameter i, which is below its param_count. */
static inline HdInst hd_function_param(const HdModule *m, const HdFunction *f, uint32_t i)
{
    return hd_module_inst(m, m->params[f->first_param + i]);
}

/* The first entry point that a function is; NULL: it is none. */
const HdEntryPoint *hd_module_entry_of(const HdModule *m, HdId function);

/* Function by id, block by label (index into m->blocks, UINT32_MAX when none). */
const HdFunction *hd_module_function(const HdModule *m, HdId id);
static inline uint32_t hd_module_block(const HdModule *m, HdId label)
{
    uint32_t at;

    return hd_operand_types_label(&m->operand_types, label, &at) && at < m->block_count
               ? at
               : UINT32_MAX;
}
/* The block that contains or precedes a word (index into m->blocks): the last one that begins at or
 * before it; UINT32_MAX if there is none. */
uint32_t hd_module_block_before(const HdModule *m, uint32_t word);
/* Where the execution modes of functions are. */
typedef struct HdModes {
    uint64_t *at; /* function and word, sorted */
    uint32_t count;
} HdModes;
/* Find those of all functions. Errors: HD_NO_MEMORY. */
HdStatus hd_module_find_modes(const HdModule *m, HdArena *a, HdModes *out);
/* Those of one function, a part of `all`. */
HdModes hd_modes_of(const HdModes *all, HdId function);
/* For each of these modes the word of the first OpExecutionMode(Id) of a function with it, 0 when
 * there is none. */
void hd_module_execution_modes(const HdModule *m, const HdModes *all, HdId function,
                               const uint32_t *modes, unsigned count, uint32_t *words);

#endif
