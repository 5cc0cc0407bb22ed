/* module/operands.c -- one instruction's operands, decoded by the grammar.
 *
 * SPDX-License-Identifier: MIT
 */
#include "module/operands.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

/* ---- what ids are -------------------------------------------------------------------------- */

/* One word for each id. The two highest bits say what the rest is: a value's type id, a number
 * type, an import, or a label's number. */
#define TAG_MASK        0xc0000000u
#define TAG_NUMBER      0x40000000u
#define TAG_IMPORT      0x80000000u
#define TAG_LABEL       HD_OPERAND_LABEL
#define NUMBER_SHIFT    16
#define ENCODE_SHIFT    20
#define IMPORT_SEMANTIC 0x100u

void hd_operand_types_grow(HdOperandTypes *t, uint32_t room)
{
    uint32_t *bigger = hd_realloc(t->of, (size_t)room * sizeof *bigger);

    if (bigger == NULL) {
        t->failed = true;
        return;
    }
    memset(bigger + t->room, 0, (size_t)(room - t->room) * sizeof *bigger);
    t->of = bigger;
    t->room = room;
}

static void set(HdOperandTypes *t, uint32_t id, uint32_t value)
{
    if (t->is_small) {
        if (t->few_count < 4) {
            t->few[t->few_count][0] = id;
            t->few[t->few_count++][1] = value;
        }
        return;
    }
    if (id >= t->room) {
        uint32_t room = t->room < 256 ? 256 : t->room;

        if (id >= (t->limit != 0 ? t->limit : HD_OPERAND_ID_LIMIT) || value == 0)
            return;
        while (room <= id)
            room *= 2;
        hd_operand_types_grow(t, room);
        if (id >= t->room)
            return;
    }
    __atomic_store_n(&t->of[id], value, __ATOMIC_RELAXED); /* several readers may share it */
}

uint32_t hd_operand_id_limit(size_t nwords)
{
    if (nwords <= HD_OPERAND_ID_LIMIT)
        return HD_OPERAND_ID_LIMIT;
    return nwords < 0x10000000u ? (uint32_t)nwords : 0x10000000u;
}

static uint32_t get(const HdOperandTypes *t, uint32_t id)
{
    if (id < t->room)
        return __atomic_load_n(&t->of[id], __ATOMIC_RELAXED);
    for (unsigned i = 0; i < t->few_count; i++)
        if (t->few[i][0] == id)
            return t->few[i][1];
    return 0;
}

void hd_operand_types_reserve(HdOperandTypes *t, uint32_t bound)
{
    uint32_t limit = t->limit != 0 ? t->limit : HD_OPERAND_ID_LIMIT;

    if (t->room != 0)
        return;
    t->room = bound < limit ? bound : limit;
    t->of = hd_alloc_zero((size_t)t->room * sizeof *t->of); /* touched where it is used only */
    t->failed = t->of == NULL;
    if (t->failed)
        t->room = 0;
}

void hd_operand_types_free(HdOperandTypes *t)
{
    hd_free(t->of);
    t->of = NULL;
    t->room = 0;
}

void hd_operand_types_set_number(HdOperandTypes *t, uint32_t type, HdNumberType number)
{
    set(t, type,
        TAG_NUMBER | number.bits | (uint32_t)(number.number & 3) << NUMBER_SHIFT |
            (uint32_t)number.encoding << ENCODE_SHIFT);
}

void hd_operand_types_set_value(HdOperandTypes *t, uint32_t id, uint32_t type)
{
    set(t, id, type & ~TAG_MASK);
}

void hd_operand_types_set_import(HdOperandTypes *t, uint32_t id, unsigned extset, bool semantic)
{
    set(t, id, TAG_IMPORT | (semantic ? IMPORT_SEMANTIC : 0) | (extset & 0xff));
}

void hd_operand_types_set_label(HdOperandTypes *t, uint32_t id, uint32_t number)
{
    set(t, id, TAG_LABEL | number);
}

HdNumberType hd_operand_types_number(const HdOperandTypes *t, uint32_t type)
{
    uint32_t x = get(t, type);
    HdNumberType n = {HD_NUMBER_NONE, 0, 0};

    if ((x & TAG_MASK) != TAG_NUMBER)
        return n;
    n.number = (uint8_t)(x >> NUMBER_SHIFT & 3);
    n.encoding = (uint8_t)(x >> ENCODE_SHIFT);
    n.bits = (uint16_t)x;
    return n;
}

bool hd_operand_types_is_type(const HdOperandTypes *t, uint32_t id)
{
    return (get(t, id) & TAG_MASK) == TAG_NUMBER;
}

uint32_t hd_operand_types_declared(const HdOperandTypes *t, uint32_t id)
{
    uint32_t x = get(t, id), word;
    const uint32_t *w;

    if (x != 0 || id >= t->bound)
        return (x & TAG_MASK) == 0 ? x : 0;
    word = __atomic_load_n(&t->def[id], __ATOMIC_RELAXED);
    w = t->words + word;
    return word != 0 && hd_gram_forms[hd_gram_find(w[0] & 0xffff)].type_at != 0 ? w[1] : 0;
}

bool hd_operand_types_import(const HdOperandTypes *t, uint32_t import, unsigned *extset,
                             bool *semantic)
{
    uint32_t x = get(t, import);

    if ((x & TAG_MASK) != TAG_IMPORT)
        return false;
    *extset = x & 0xff;
    *semantic = (x & IMPORT_SEMANTIC) != 0;
    return true;
}

uint8_t hd_number_encoding(uint32_t spirv)
{
    switch (spirv) {
    case SpvFPEncodingBFloat16KHR: return HD_ENCODING_BFLOAT16;
    case SpvFPEncodingFloat8E4M3EXT: return HD_ENCODING_E4M3;
    case SpvFPEncodingFloat8E5M2EXT: return HD_ENCODING_E5M2;
    case SpvFPEncodingFloat6E2M3EXT: return HD_ENCODING_E2M3;
    case SpvFPEncodingFloat6E3M2EXT: return HD_ENCODING_E3M2;
    case SpvFPEncodingFloat4E2M1EXT: return HD_ENCODING_E2M1;
    case SpvFPEncodingMXInt8EXT: return HD_ENCODING_MXINT8;
    default: return HD_ENCODING_OTHER;
    }
}

/* Words that the string at w takes; 0 when it does not end within `nwords`. */
static uint32_t string_words(const uint32_t *w, uint32_t nwords)
{
    for (uint32_t i = 0; i < nwords; i++) {
        uint32_t x = w[i];

        if (((x - 0x01010101u) & ~x & 0x80808080u) != 0)
            return i + 1;
    }
    return 0;
}

static void note_import(HdOperandTypes *t, const uint32_t *w, uint32_t nwords)
{
    char name[64];
    size_t len = 0;

    while (len + 1 < sizeof name && len / 4 < nwords - 2) {
        name[len] = (char)(w[2 + len / 4] >> 8 * (len % 4));
        if (name[len] == '\0')
            break;
        len++;
    }
    name[len] = '\0';
    hd_operand_types_set_import(t, w[1], hd_gram_extset(name, len),
                                strncmp(name, "NonSemantic.", 12) != 0);
}

void hd_operand_types_note(HdOperandTypes *t, const uint32_t *w, uint32_t nwords)
{
    enum HdOpix opix = hd_gram_find(w[0] & 0xffff);
    const HdGramInst *g = &hd_gram_insts[opix];

    if (!g->has_result || nwords < 2u + g->has_type)
        return;
    if (g->has_type) {
        hd_operand_types_set_value(t, w[2], w[1]);
    } else if (opix == HD_OPIX_TypeInt && nwords > 3) {
        HdNumberType n = {w[3] != 0 ? HD_NUMBER_INT : HD_NUMBER_UINT, 0, (uint16_t)w[2]};

        if (w[2] <= UINT16_MAX)
            hd_operand_types_set_number(t, w[1], n);
    } else if (opix == HD_OPIX_TypeFloat && nwords > 2) {
        HdNumberType n = {HD_NUMBER_FLOAT, 0, (uint16_t)w[2]};

        if (nwords > 3)
            n.encoding = hd_number_encoding(w[3]);
        if (w[2] <= UINT16_MAX)
            hd_operand_types_set_number(t, w[1], n);
    } else if (opix == HD_OPIX_ExtInstImport) {
        note_import(t, w, nwords);
    }
}

/* ---- what is expected next ----------------------------------------------------------------- */

void hd_pattern_start(HdPattern *p, const HdOperand *rows, uint32_t count)
{
    p->depth = 0;
    (void)hd_pattern_push(p, rows, count);
}

bool hd_pattern_push(HdPattern *p, const HdOperand *rows, uint32_t count)
{
    if (count == 0)
        return true;
    if (p->depth == HD_PATTERN_DEPTH)
        return false;
    p->level[p->depth].row = rows;
    p->level[p->depth].left = count;
    p->depth++;
    return true;
}

/* Replace what is left of the operand list on top by others (extended instructions). */
static void replace_rest(HdPattern *p, const HdOperand *rows, uint32_t count)
{
    if (hd_pattern_peek(p) != NULL)
        p->depth--;
    (void)hd_pattern_push(p, rows, count);
}

void hd_pattern_ext_inst(HdPattern *p, const HdExtInst *e, bool semantic)
{
    static const HdOperand more = {HD_OPERAND_ID, HD_ANY_NUMBER, 0, "Operand"};

    replace_rest(p, &more, semantic ? 0 : 1);
    (void)hd_pattern_push(p, e->operands, e->operand_count);
}

const HdOperand *hd_pattern_pair(uint8_t klass, bool in_switch)
{
    static const HdOperand switch_case[2] = {{HD_OPERAND_TYPED_LITERAL, HD_ONCE, 0, "Literal"},
                                             {HD_OPERAND_ID, HD_ONCE, 0, "Label"}};
    static const HdOperand literal_id[2] = {{HD_OPERAND_INTEGER, HD_ONCE, 0, "Literal"},
                                            {HD_OPERAND_ID, HD_ONCE, 0, "Id"}};
    static const HdOperand id_literal[2] = {{HD_OPERAND_ID, HD_ONCE, 0, "Id"},
                                            {HD_OPERAND_INTEGER, HD_ONCE, 0, "Literal"}};
    static const HdOperand id_id[2] = {{HD_OPERAND_ID, HD_ONCE, 0, "Id"},
                                       {HD_OPERAND_ID, HD_ONCE, 0, "Id"}};

    switch (klass) {
    case HD_OPERAND_PAIR_LITERAL_ID: return in_switch ? switch_case : literal_id;
    case HD_OPERAND_PAIR_ID_LITERAL: return id_literal;
    case HD_OPERAND_PAIR_ID_ID: return id_id;
    default: return NULL;
    }
}

/* ---- the walk ------------------------------------------------------------------------------ */

void hd_operands_start(HdOperandWalk *walk, const HdOperandTypes *types, const uint32_t *w,
                       uint32_t nwords)
{
    const HdGramInst *g;

    walk->types = types;
    walk->w = w;
    walk->nwords = nwords;
    walk->at = 1;
    walk->opix = hd_gram_find(w[0] & 0xffff);
    walk->problem = walk->opix == HD_OPIX_NONE ? HD_OPERANDS_UNKNOWN_OPCODE : HD_OPERANDS_FINE;
    walk->expected = NULL;
    g = &hd_gram_insts[walk->opix];
    hd_pattern_start(&walk->pattern, g->operands, g->operand_count);
}

void hd_operands_start_rest(HdOperandWalk *walk, const HdOperandTypes *types, const uint32_t *w,
                            uint32_t nwords)
{
    unsigned prefix;

    hd_operands_start(walk, types, w, nwords);
    prefix = hd_gram_forms[walk->opix].prefix;
    walk->at = prefix + 1;
    if (prefix != 0) {
        walk->pattern.level[0].row += prefix;
        walk->pattern.level[0].left -= prefix;
    }
}

static bool stop(HdOperandWalk *walk, HdOperandProblem problem)
{
    walk->problem = problem;
    return false;
}

/* No words are left: fine unless something that must come is still expected. */
static bool finish(HdOperandWalk *walk)
{
    HdPattern *p = &walk->pattern;
    const HdOperand *row;

    while ((row = hd_pattern_peek(p)) != NULL) {
        if (row->quantifier == HD_ONCE) {
            walk->expected = row;
            return stop(walk, HD_OPERANDS_MISSING);
        }
        p->level[p->depth - 1].row++;
        p->level[p->depth - 1].left--;
    }
    return false;
}

static bool expand_enum(HdOperandWalk *walk, const HdOperand *row, uint32_t value)
{
    const HdEnumerant *e = hd_gram_enumerant(row->kind, value);

    if (walk->opix == HD_OPIX_ExtInst && hd_operands_is_no_class(row->kind, value))
        return true;
    if (e == NULL || !hd_pattern_push(&walk->pattern, e->parameters, e->parameter_count))
        return stop(walk, HD_OPERANDS_ENUM);
    return true;
}

/* Parameters come lowest bit first, so push from the highest. */
static bool expand_mask(HdOperandWalk *walk, const HdOperand *row, uint32_t value)
{
    for (uint32_t left = value; left != 0;) {
        uint32_t bit = 0x80000000u >> __builtin_clz(left);
        const HdEnumerant *e;

        left &= ~bit;
        e = hd_gram_enumerant(row->kind, bit);
        if (e == NULL || !hd_pattern_push(&walk->pattern, e->parameters, e->parameter_count))
            return stop(walk, HD_OPERANDS_MASK);
    }
    return true;
}

static bool expand_ext_inst(HdOperandWalk *walk, HdOperandPart *part, uint32_t value)
{
    const HdExtInst *e;
    unsigned extset;
    bool semantic;

    if (walk->at < 4 || !hd_operand_types_import(walk->types, walk->w[3], &extset, &semantic))
        return stop(walk, HD_OPERANDS_IMPORT);
    part->set = (uint8_t)extset;
    e = hd_gram_extinst(extset, value);
    if (e != NULL) {
        hd_pattern_ext_inst(&walk->pattern, e, semantic);
        return true;
    }
    if (semantic && extset != HD_EXTSET_UNKNOWN)
        return stop(walk, HD_OPERANDS_EXT_INST);
    part->set = HD_EXTSET_UNKNOWN; /* a newer revision: all its operands are ids */
    return true;
}

static bool expand_spec_op(HdOperandWalk *walk, uint32_t value)
{
    enum HdOpix opix = hd_gram_find(value);
    const HdGramInst *g = &hd_gram_insts[opix];
    unsigned skip;

    if (!hd_operands_is_spec_op(opix))
        return stop(walk, HD_OPERANDS_SPEC_OP);
    skip = (unsigned)g->has_type + (unsigned)g->has_result;
    if (!hd_pattern_push(&walk->pattern, g->operands + skip, g->operand_count - skip))
        return stop(walk, HD_OPERANDS_SPEC_OP);
    return true;
}

/* How wide a typed literal is: of the result type, or of the type of OpSwitch's selector. */
static bool measure_literal(HdOperandWalk *walk, HdOperandPart *part)
{
    uint32_t type = walk->w[1];

    if (walk->opix == HD_OPIX_Switch)
        type = hd_operand_types_value(walk->types, type);
    part->number = hd_operand_types_number(walk->types, type);
    if (part->number.number == HD_NUMBER_NONE || part->number.bits == 0 ||
        (part->number.number == HD_NUMBER_FLOAT && walk->opix == HD_OPIX_Switch))
        return stop(walk, HD_OPERANDS_TYPE);
    part->nwords = (part->number.bits + 31u) / 32u;
    if (part->nwords > walk->nwords - walk->at) {
        walk->expected = part->row;
        return stop(walk, HD_OPERANDS_MISSING);
    }
    return true;
}

bool hd_operands_next(HdOperandWalk *walk, HdOperandPart *part)
{
    const HdOperand *row, *pair;
    uint32_t value;

    if (walk->problem != HD_OPERANDS_FINE)
        return false;
    if (walk->at >= walk->nwords)
        return finish(walk);
    row = hd_pattern_peek(&walk->pattern);
    if (row == NULL)
        return stop(walk, HD_OPERANDS_EXTRA);
    hd_pattern_take(&walk->pattern);
    if (row->klass >= HD_OPERAND_PAIR_LITERAL_ID) {
        pair = hd_pattern_pair(row->klass, walk->opix == HD_OPIX_Switch);
        (void)hd_pattern_push(&walk->pattern, pair, 2);
        row = hd_pattern_peek(&walk->pattern);
        hd_pattern_take(&walk->pattern);
    }
    value = walk->w[walk->at];
    walk->expected = row;
    *part = (HdOperandPart){row->klass, 0, row->kind, walk->at, 1, {HD_NUMBER_NONE, 0, 0}, row};

    switch ((HdOperandClass)row->klass) {
    case HD_OPERAND_ID:
    case HD_OPERAND_TYPE_ID:
    case HD_OPERAND_RESULT:
    case HD_OPERAND_SCOPE_ID:
    case HD_OPERAND_SEMANTICS_ID:
        if (value == 0)
            return stop(walk, HD_OPERANDS_ZERO_ID);
        break;
    case HD_OPERAND_INTEGER: part->number = (HdNumberType){HD_NUMBER_UINT, 0, 32}; break;
    case HD_OPERAND_FLOAT: part->number = (HdNumberType){HD_NUMBER_FLOAT, 0, 32}; break;
    case HD_OPERAND_STRING:
        part->nwords = string_words(walk->w + walk->at, walk->nwords - walk->at);
        if (part->nwords == 0)
            return stop(walk, HD_OPERANDS_STRING);
        break;
    case HD_OPERAND_TYPED_LITERAL:
        if (!measure_literal(walk, part))
            return false;
        break;
    case HD_OPERAND_EXT_INST:
        if (!expand_ext_inst(walk, part, value))
            return false;
        break;
    case HD_OPERAND_SPEC_OP:
        if (!expand_spec_op(walk, value))
            return false;
        break;
    case HD_OPERAND_ENUM:
        if (!expand_enum(walk, row, value))
            return false;
        break;
    case HD_OPERAND_MASK:
        if (!expand_mask(walk, row, value))
            return false;
        break;
    default: return stop(walk, HD_OPERANDS_EXTRA);
    }
    walk->at += part->nwords;
    return true;
}

/* ---- words --------------------------------------------------------------------------------- */

/* The name of an operand that has none in the grammar. */
const char *hd_operand_name(const HdOperand *row)
{
    if (row == NULL)
        return "operand";
    if (row->klass == HD_OPERAND_ENUM || row->klass == HD_OPERAND_MASK)
        return hd_gram_kinds[row->kind].name;
    if (row->name[0] != '\0')
        return row->name;
    switch ((HdOperandClass)row->klass) {
    case HD_OPERAND_TYPE_ID: return "result type";
    case HD_OPERAND_RESULT: return "result id";
    case HD_OPERAND_SCOPE_ID: return "scope id";
    case HD_OPERAND_SEMANTICS_ID: return "memory semantics id";
    case HD_OPERAND_ID: return "id";
    case HD_OPERAND_STRING: return "string";
    default: return "literal";
    }
}

/* An enumerant, or a single bit, that has no parameters but integers: their number; else false. */
static bool is_simple(const HdOperand *row, uint32_t value, uint32_t *integers)
{
    const HdEnumerant *e;

    *integers = 0;
    if (row->klass == HD_OPERAND_MASK && (value & (value - 1)) != 0)
        return false;
    if (row->klass == HD_OPERAND_MASK && value == 0)
        return true;
    e = hd_gram_enumerant(row->kind, value);
    if (e == NULL)
        return false;
    for (uint32_t i = 0; i < e->parameter_count; i++)
        if (e->parameters[i].klass != HD_OPERAND_INTEGER || e->parameters[i].quantifier != HD_ONCE)
            return false;
    *integers = e->parameter_count;
    return true;
}

/* An OpSpecConstantOp: its words after the opcode's are those of that instruction after its result,
 * which may be regular. */
static bool is_simple_spec_op(const uint32_t *w, uint32_t nwords, uint64_t *ids)
{
    enum HdOpix opix = nwords > 3 && nwords < 64 ? hd_gram_find(w[3]) : HD_OPIX_NONE;
    const HdForm *form = &hd_gram_forms[opix];

    if (opix == HD_OPIX_NONE || !hd_operands_is_spec_op(opix) || form->type_at != 1 ||
        form->result_at != 2 || !hd_form_is_plain(form, nwords - 1))
        return false;
    for (uint32_t i = 3; i + 1 < nwords; i++)
        *ids |= (uint64_t)hd_form_is_id(form, i) << (i - 2);
    return true;
}

bool hd_operands_simple(enum HdOpix opix, const uint32_t *w, uint32_t nwords, uint64_t *ids)
{
    const HdGramInst *g = &hd_gram_insts[opix];
    uint32_t first = hd_gram_forms[opix].prefix + 1u, at = first, integers;

    *ids = 0;
    if (opix == HD_OPIX_SpecConstantOp)
        return is_simple_spec_op(w, nwords, ids);
    for (uint32_t i = first - 1; i < g->operand_count; i++) {
        const HdOperand *row = &g->operands[i];

        if (row->quantifier == HD_ANY_NUMBER || (at == nwords && row->quantifier == HD_ONCE) ||
            at - first > 63)
            return false;
        if (at == nwords)
            break;
        switch ((HdOperandClass)row->klass) {
        case HD_OPERAND_ID:
        case HD_OPERAND_SCOPE_ID:
        case HD_OPERAND_SEMANTICS_ID: *ids |= (uint64_t)1 << (at - first); break;
        case HD_OPERAND_ENUM:
        case HD_OPERAND_MASK:
            if (!is_simple(row, w[at], &integers) || nwords - at <= integers)
                return false;
            at += integers;
            break;
        case HD_OPERAND_INTEGER: break;
        default: return false;
        }
        at++;
    }
    return at == nwords;
}

const char *hd_operands_problem(const HdOperandWalk *walk, char *text, size_t room)
{
    const char *op = walk->opix != HD_OPIX_NONE ? hd_gram_insts[walk->opix].name : "instruction";
    const char *name = hd_operand_name(walk->expected);
    unsigned value = walk->at < walk->nwords ? walk->w[walk->at] : 0;

    switch (walk->problem) {
    case HD_OPERANDS_FINE: snprintf(text, room, "no problem"); break;
    case HD_OPERANDS_UNKNOWN_OPCODE:
        snprintf(text, room, "opcode %u is not known", (unsigned)(walk->w[0] & 0xffff));
        break;
    case HD_OPERANDS_MISSING:
        snprintf(text, room, "%s ends before its operand '%s'", op, name);
        break;
    case HD_OPERANDS_EXTRA:
        snprintf(text, room, "%s has %u words, but its operands end after %u", op,
                 (unsigned)walk->nwords, (unsigned)walk->at);
        break;
    case HD_OPERANDS_STRING:
        snprintf(text, room, "the string '%s' of %s does not end inside the instruction", name, op);
        break;
    case HD_OPERANDS_ENUM:
        snprintf(text, room, "%u is not a valid %s (in %s)", value, name, op);
        break;
    case HD_OPERANDS_MASK:
        snprintf(text, room, "0x%x has bits that %s does not have (in %s)", value, name, op);
        break;
    case HD_OPERANDS_TYPE:
        snprintf(text, room, "the literal '%s' of %s needs a type that is a number", name, op);
        break;
    case HD_OPERANDS_IMPORT:
        snprintf(text, room, "%s names a set that no OpExtInstImport before it imports", op);
        break;
    case HD_OPERANDS_EXT_INST:
        snprintf(text, room, "the extended instruction set has no instruction %u", value);
        break;
    case HD_OPERANDS_SPEC_OP:
        snprintf(text, room, "OpSpecConstantOp cannot have opcode %u", value);
        break;
    case HD_OPERANDS_ZERO_ID: snprintf(text, room, "the %s of %s is 0", name, op); break;
    }
    return text;
}

bool hd_operands_is_chain(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_AccessChain:
    case HD_OPIX_InBoundsAccessChain:
    case HD_OPIX_PtrAccessChain:
    case HD_OPIX_InBoundsPtrAccessChain:
    case HD_OPIX_UntypedAccessChainKHR:
    case HD_OPIX_UntypedInBoundsAccessChainKHR:
    case HD_OPIX_UntypedPtrAccessChainKHR:
    case HD_OPIX_UntypedInBoundsPtrAccessChainKHR: return true;
    default: return false;
    }
}

bool hd_operands_is_uniform_group(enum HdOpix opix)
{
    switch (opix) {
    case HD_OPIX_GroupIMulKHR:
    case HD_OPIX_GroupFMulKHR:
    case HD_OPIX_GroupBitwiseAndKHR:
    case HD_OPIX_GroupBitwiseOrKHR:
    case HD_OPIX_GroupBitwiseXorKHR:
    case HD_OPIX_GroupLogicalAndKHR:
    case HD_OPIX_GroupLogicalOrKHR:
    case HD_OPIX_GroupLogicalXorKHR: return true;
    default: return false;
    }
}

bool hd_operands_is_spec_op(enum HdOpix opix)
{
    switch ((int)opix) {
    case HD_OPIX_SConvert:
    case HD_OPIX_UConvert:
    case HD_OPIX_FConvert:
    case HD_OPIX_ConvertFToS:
    case HD_OPIX_ConvertSToF:
    case HD_OPIX_ConvertFToU:
    case HD_OPIX_ConvertUToF:
    case HD_OPIX_ConvertPtrToU:
    case HD_OPIX_ConvertUToPtr:
    case HD_OPIX_GenericCastToPtr:
    case HD_OPIX_PtrCastToGeneric:
    case HD_OPIX_Bitcast:
    case HD_OPIX_QuantizeToF16:
    case HD_OPIX_SNegate:
    case HD_OPIX_Not:
    case HD_OPIX_IAdd:
    case HD_OPIX_ISub:
    case HD_OPIX_IMul:
    case HD_OPIX_UDiv:
    case HD_OPIX_SDiv:
    case HD_OPIX_UMod:
    case HD_OPIX_SRem:
    case HD_OPIX_SMod:
    case HD_OPIX_ShiftRightLogical:
    case HD_OPIX_ShiftRightArithmetic:
    case HD_OPIX_ShiftLeftLogical:
    case HD_OPIX_BitwiseOr:
    case HD_OPIX_BitwiseAnd:
    case HD_OPIX_BitwiseXor:
    case HD_OPIX_FNegate:
    case HD_OPIX_FAdd:
    case HD_OPIX_FSub:
    case HD_OPIX_FMul:
    case HD_OPIX_FDiv:
    case HD_OPIX_FRem:
    case HD_OPIX_FMod:
    case HD_OPIX_VectorShuffle:
    case HD_OPIX_CompositeExtract:
    case HD_OPIX_CompositeInsert:
    case HD_OPIX_LogicalOr:
    case HD_OPIX_LogicalAnd:
    case HD_OPIX_LogicalNot:
    case HD_OPIX_LogicalEqual:
    case HD_OPIX_LogicalNotEqual:
    case HD_OPIX_Select:
    case HD_OPIX_IEqual:
    case HD_OPIX_INotEqual:
    case HD_OPIX_ULessThan:
    case HD_OPIX_SLessThan:
    case HD_OPIX_UGreaterThan:
    case HD_OPIX_SGreaterThan:
    case HD_OPIX_ULessThanEqual:
    case HD_OPIX_SLessThanEqual:
    case HD_OPIX_UGreaterThanEqual:
    case HD_OPIX_SGreaterThanEqual:
    case HD_OPIX_CooperativeMatrixLengthNV:
    case HD_OPIX_CooperativeMatrixLengthKHR: return true;
    default: return hd_operands_is_chain(opix);
    }
}
