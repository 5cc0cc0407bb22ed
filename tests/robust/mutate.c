/* tests/robust/mutate.c -- how a module is changed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

#include "gen/spirv.h"
#include "mutator.h"

static uint64_t next(Mutator *m)
{
    uint64_t z = (m->random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint32_t mutator_below(Mutator *m, size_t n)
{
    return n == 0 ? 0 : (uint32_t)(next(m) % n);
}

size_t mutator_pick(Mutator *m, const uint16_t *opcodes)
{
    size_t start = mutator_below(m, m->insts);

    for (size_t k = 0; k < m->insts; k++) {
        size_t i = (start + k) % m->insts;

        for (const uint16_t *o = opcodes; *o != 0; o++)
            if (*o == mutator_opcode(m, i))
                return i;
    }
    return m->insts;
}

static void forget(Mutator *m)
{
    hd_operand_types_free(&m->types);
    m->types = (HdOperandTypes){0};
    free(m->at), free(m->type_of), free(m->opcode_of), free(m->def_of);
}

void mutator_look(Mutator *m)
{
    HdOperandWalk walk;
    HdOperandPart part;

    forget(m);
    m->insts = 0;
    m->bound = m->w[3] < 65536 ? m->w[3] : 65536;
    m->at = calloc(m->count, sizeof *m->at);
    m->type_of = calloc(m->bound + 1, sizeof *m->type_of);
    m->opcode_of = calloc(m->bound + 1, sizeof *m->opcode_of);
    m->def_of = calloc(m->bound + 1, sizeof *m->def_of);
    m->functions = SIZE_MAX;
    for (size_t at = 5; at < m->count;) {
        uint32_t n = m->w[at] >> 16, type = 0;

        if (n == 0 || n > m->count - at)
            break;
        hd_operands_start(&walk, &m->types, m->w + at, n);
        while (hd_operands_next(&walk, &part)) {
            uint32_t id = m->w[at + part.at];

            if (part.klass == HD_OPERAND_TYPE_ID)
                type = id;
            if (part.klass == HD_OPERAND_RESULT && id < m->bound) {
                m->type_of[id] = type;
                m->opcode_of[id] = (uint16_t)m->w[at];
                m->def_of[id] = (uint32_t)m->insts;
            }
        }
        if (walk.problem == HD_OPERANDS_FINE)
            hd_operand_types_note(&m->types, m->w + at, n);
        if ((m->w[at] & 0xffff) == SpvOpFunction && m->functions == SIZE_MAX)
            m->functions = m->insts;
        m->at[m->insts++] = (uint32_t)at;
        at += n;
    }
    if (m->functions == SIZE_MAX)
        m->functions = m->insts;
}

void mutator_splice(Mutator *m, size_t at, size_t out, const uint32_t *in, size_t words)
{
    uint32_t *w = malloc((m->count + words) * 4);

    memcpy(w, m->w, at * 4);
    if (words != 0)
        memcpy(w + at, in, words * 4);
    memcpy(w + at + words, m->w + at + out, (m->count - at - out) * 4);
    free(m->w);
    m->w = w;
    m->count += words - out;
}

/* ---- operands ----------------------------------------------------------------------------------
 */

static bool is_alike(const Mutator *m, uint32_t kind, uint32_t id, uint32_t x)
{
    bool same = m->opcode_of[x] == m->opcode_of[id];

    if (m->opcode_of[id] == SpvOpFunction || m->type_of[id] == 0)
        return kind < 6 ? same : m->type_of[x] != 0;
    return kind < 5   ? m->type_of[x] == m->type_of[id] && m->opcode_of[x] != SpvOpFunction
           : kind < 6 ? same
                      : m->type_of[x] != 0;
}

/* Another id in an operand of instruction `i`: mostly of the same type, and of those that may be
 * used there; or of the same kind, or any. */
static uint32_t other_id(Mutator *m, size_t i, uint32_t id)
{
    uint32_t kind = mutator_below(m, 8), start = mutator_below(m, m->bound);
    bool anywhere = mutator_below(m, 8) == 0;
    size_t function = i;

    while (function > m->functions && mutator_opcode(m, function) != SpvOpFunction)
        function--;
    for (uint32_t k = 0; k < m->bound && id < m->bound && kind < 7; k++) {
        uint32_t x = (start + k) % m->bound, def = m->def_of[x];
        bool near = def < m->functions || m->type_of[x] == 0 || m->opcode_of[x] == SpvOpFunction ||
                    (def >= function && def < i);

        if (x != id && m->opcode_of[x] != 0 && (near || anywhere) && is_alike(m, kind, id, x))
            return x;
    }
    return kind < 7 ? id : start;
}

static uint32_t odd_number(Mutator *m, uint32_t old)
{
    static const uint32_t odd[] = {
        0,      1,     2,          3,           4,           5,     7,          8,      0x10,
        31,     32,    33,         63,          64,          65,    127,        128,    255,
        256,    0x108, 0x208,      0x110,       0x210,       0x308, 0x310,      0x7fff, 0x8000,
        0xffff, 65536, 0x7fffffff, 0x80000000u, 0xfffffffeu, ~0u,   0x10000000u};

    switch (mutator_below(m, 4)) {
    case 0: return old + 1;
    case 1: return old ^ (1u << mutator_below(m, 32));
    default: return odd[mutator_below(m, sizeof odd / sizeof *odd)];
    }
}

/* Bits of floats: zeros, ones, the largest, infinities, NaN, a denormal, integers' limits. */
static uint64_t odd_float(Mutator *m, unsigned bits)
{
    static const uint16_t halves[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7bff, 0x7c00,
                                      0xfc00, 0x7e00, 1,      0x8001, 0x7800, 0x3800};
    static const uint32_t singles[] = {0,          0x80000000u, 0x3f800000,  0xbf800000u,
                                       0x7f7fffff, 0x7f800000,  0xff800000,  0x7fc00000,
                                       1,          0x4f000000,  0xcf000000u, 0x5f800000};
    static const uint64_t doubles[] = {0,
                                       1ull << 63,
                                       0x3ffull << 52,
                                       0xbffull << 52,
                                       (0x7ffull << 52) - 1,
                                       0x7ffull << 52,
                                       0xfffull << 52,
                                       0x7ff8ull << 48,
                                       1,
                                       0x41eull << 52,
                                       0xc1eull << 52,
                                       0x43eull << 52};
    uint32_t k = mutator_below(m, 12);

    return bits == 16 ? halves[k] : bits == 32 ? singles[k] : doubles[k];
}

uint32_t mutator_literal(Mutator *m, HdNumberType type, const uint32_t *old, uint32_t out[2])
{
    HdNumberType wide = {.number = HD_NUMBER_INT, .bits = 64};
    uint32_t number[2] = {odd_number(m, old[0])};
    uint64_t bits;

    if (type.number == HD_NUMBER_FLOAT && mutator_below(m, 4) != 0) {
        bits = odd_float(m, type.bits);
        out[0] = (uint32_t)bits, out[1] = (uint32_t)(bits >> 32);
        return type.bits > 32 ? 2 : 1;
    }
    if (type.number == HD_NUMBER_FLOAT)
        wide = type, number[1] = type.bits > 32 ? old[1] ^ (1u << mutator_below(m, 32)) : 0;
    else if (mutator_below(m, 2) == 0) /* as far up as it goes */
        bits = (uint64_t)(int64_t)(int32_t)number[0] << (type.bits > 32 ? type.bits - 32u : 0),
        number[0] = (uint32_t)bits, number[1] = (uint32_t)(bits >> 32);
    else
        number[1] = mutator_below(m, 2) == 0 && (int32_t)number[0] < 0 ? ~0u : 0;
    return mutator_convert(wide, number, type, out);
}

/* A number that its enumeration has; of a mask one more, or one less. */
static void change_enumerant(Mutator *m, const HdOperandPart *p, uint32_t *w)
{
    const HdKind *kind = &hd_gram_kinds[p->kind];
    uint32_t value = kind->enumerants[mutator_below(m, kind->count)].value;

    *w = p->klass == HD_OPERAND_MASK && mutator_below(m, 2) == 0 ? *w ^ value : value;
}

/* Another instruction of an extended set, mostly one with as many operands. */
static void change_extended(Mutator *m, const HdOperandPart *p, uint32_t *w)
{
    const HdExtInst *old = hd_gram_extinst(p->set, *w);

    for (unsigned tries = 0; tries < 300; tries++) {
        uint32_t number = mutator_below(m, 205);
        const HdExtInst *other = hd_gram_extinst(p->set, number);

        if (tries == 299 || old == NULL ||
            (other != NULL && other->operand_count == old->operand_count && number != *w)) {
            *w = number;
            return;
        }
    }
}

/* Another character of a string. */
static void change_string(Mutator *m, uint32_t *w)
{
    char *s = (char *)w;
    size_t n = strlen(s);

    if (n != 0)
        s[mutator_below(m, n)] = (char)(' ' + mutator_below(m, 95));
}

/* Declare a constant of a type, mostly with an odd value; returns its id. Instructions behind it
 * have moved. */
static uint32_t new_constant(Mutator *m, uint32_t type)
{
    HdNumberType number = hd_operand_types_number(&m->types, type);
    uint32_t id = m->w[3], w[5] = {0, type, id}, n = 3, opcode = SpvOpConstantNull;
    const uint32_t zero[2] = {0};

    if (number.number != HD_NUMBER_NONE)
        n += mutator_literal(m, number, zero, w + 3), opcode = SpvOpConstant;
    else if (type < m->bound && m->opcode_of[type] == SpvOpTypeBool)
        opcode = mutator_below(m, 2) == 0 ? SpvOpConstantTrue : SpvOpConstantFalse;
    else if (mutator_below(m, 8) == 0)
        opcode = SpvOpUndef;
    w[0] = n << 16 | opcode;
    m->w[3]++;
    if (m->functions < m->insts)
        mutator_splice(m, m->at[m->functions], 0, w, n);
    return id;
}

/* Change one operand of an instruction. */
static void change_operand(Mutator *m, size_t i)
{
    HdOperandPart parts[64], *p;
    HdOperandWalk walk;
    uint32_t *w = m->w + m->at[i], n = 0, value[2], made;

    hd_operands_start(&walk, &m->types, w, mutator_length(m, i));
    while (n < 64 && hd_operands_next(&walk, &parts[n]))
        n++;
    if (n == 0)
        return;
    p = &parts[mutator_below(m, n)];
    switch (p->klass) {
    case HD_OPERAND_ENUM:
    case HD_OPERAND_MASK: change_enumerant(m, p, &w[p->at]); break;
    case HD_OPERAND_RESULT: break;
    case HD_OPERAND_EXT_INST: change_extended(m, p, &w[p->at]); break;
    case HD_OPERAND_TYPED_LITERAL:
        made = mutator_literal(m, p->number, &w[p->at], value);
        memcpy(&w[p->at], value, (made < p->nwords ? made : p->nwords) * sizeof *value);
        break;
    case HD_OPERAND_STRING: change_string(m, w + p->at); break;
    case HD_OPERAND_INTEGER:
    case HD_OPERAND_FLOAT: w[p->at] = odd_number(m, w[p->at]); break;
    case HD_OPERAND_SPEC_OP:
        w[p->at] = hd_gram_insts[1 + mutator_below(m, HD_OPIX_COUNT - 1)].opcode;
        break;
    default:
        made = w[p->at] < m->bound ? m->type_of[w[p->at]] : 0;
        if (made != 0 && i >= m->functions && p->klass != HD_OPERAND_TYPE_ID &&
            mutator_below(m, 4) == 0) {
            w[p->at] = m->w[3];
            new_constant(m, made);
        } else {
            w[p->at] = other_id(m, i, w[p->at]);
        }
        break;
    }
}

/* Exchange two operands of an instruction. */
static void swap_operands(Mutator *m, size_t i)
{
    const HdForm *form = &hd_gram_forms[hd_gram_find(mutator_opcode(m, i))];
    uint32_t *w = m->w + m->at[i], n = mutator_length(m, i), first = form->result_at + 1u;

    if (n > first + 1) {
        uint32_t a = first + mutator_below(m, n - first), b = first + mutator_below(m, n - first);
        uint32_t old = w[a];

        w[a] = w[b];
        w[b] = old;
    }
}

/* ---- instructions ------------------------------------------------------------------------------
 */

/* Another opcode whose operands are alike, mostly of the same class. */
static void change_opcode(Mutator *m, size_t i)
{
    uint32_t *w = m->w + m->at[i];
    enum HdOpix old = hd_gram_find(w[0] & 0xffff);
    const HdGramInst *a = &hd_gram_insts[old];
    bool same_class = mutator_below(m, 4) != 0;

    for (unsigned tries = 0; tries < 600; tries++) {
        uint32_t x = 1 + mutator_below(m, HD_OPIX_COUNT - 1);
        const HdGramInst *b = &hd_gram_insts[x];
        bool alike = b->has_type == a->has_type && b->has_result == a->has_result &&
                     b->operand_count == a->operand_count && (!same_class || a->klass == b->klass);

        for (unsigned k = 0; alike && k < a->operand_count; k++)
            alike = a->operands[k].klass == b->operands[k].klass;
        if (alike && b->opcode != a->opcode) {
            w[0] = (w[0] & 0xffff0000u) | b->opcode;
            return;
        }
    }
}

/* Put a copy of an instruction before another, with a new result. */
static void copy_inst(Mutator *m, size_t from, size_t to)
{
    uint32_t copy[4096], n = mutator_length(m, from), at;

    if (n > 4096)
        return;
    memcpy(copy, m->w + m->at[from], n * sizeof *copy);
    at = hd_gram_forms[hd_gram_find(copy[0] & 0xffff)].result_at;
    if (at != 0 && m->w[3] < 60000 && at < n)
        copy[at] = m->w[3]++;
    mutator_splice(m, m->at[to], 0, copy, n);
}

static void swap_neighbours(Mutator *m, size_t i)
{
    size_t lo = i + 1 < m->insts ? i : i - 1;
    uint32_t first[4096], n = mutator_length(m, lo), k = mutator_length(m, lo + 1), at = m->at[lo];

    if (n > 4096)
        return;
    memcpy(first, m->w + at, n * sizeof *first);
    memmove(m->w + at, m->w + at + n, k * sizeof *first);
    memcpy(m->w + at + k, first, n * sizeof *first);
}

/* Make an instruction longer. */
static void append(Mutator *m, size_t i, const uint32_t *words, uint32_t count)
{
    uint32_t n = mutator_length(m, i);

    m->w[m->at[i]] += count << 16;
    mutator_splice(m, m->at[i] + n, 0, words, count);
}

/* Memory operands where there are none. */
static void add_memory_operands(Mutator *m)
{
    static const uint16_t opcodes[] = {SpvOpLoad, SpvOpStore, SpvOpCopyMemory, SpvOpCopyMemorySized,
                                       0};
    size_t i = mutator_pick(m, opcodes);
    uint32_t words[] = {mutator_below(m, 8), 1u << mutator_below(m, 8)};

    if (i < m->insts && mutator_length(m, i) <= (mutator_opcode(m, i) == SpvOpStore ? 3u : 4u))
        append(m, i, words, 1 + (words[0] >> 1 & 1));
}

/* One more case of a switch. */
static void add_case(Mutator *m)
{
    static const uint16_t opcodes[] = {SpvOpSwitch, 0};
    size_t i = mutator_pick(m, opcodes);
    uint32_t words[3], n, selector;
    HdNumberType type;
    const uint32_t zero[2] = {0};

    if (i == m->insts || (selector = m->w[m->at[i] + 1]) >= m->bound)
        return;
    type = hd_operand_types_number(&m->types, m->type_of[selector]);
    n = mutator_literal(m, type, zero, words);
    words[n] = other_id(m, i, m->w[m->at[i] + 2]);
    append(m, i, words, n + 1);
}

/* A merge instruction before a branch, with a loop's or a selection's control. */
static void add_merge(Mutator *m)
{
    static const uint16_t opcodes[] = {SpvOpBranchConditional, 0};
    size_t i = mutator_pick(m, opcodes);
    uint32_t words[4] = {0}, n = mutator_below(m, 2) == 0 ? 4 : 3;
    const uint32_t *w = m->w + m->at[i % m->insts];

    if (i == m->insts)
        return;
    words[0] = n << 16 | (n == 4 ? SpvOpLoopMerge : SpvOpSelectionMerge);
    words[1] = w[2 + mutator_below(m, 2)];
    words[2] = w[2 + mutator_below(m, 2)];
    words[n - 1] = mutator_below(m, 4);
    mutator_splice(m, m->at[i], 0, words, n);
}

/* A decoration of an id that something defines. */
static void add_decoration(Mutator *m)
{
    static const struct {
        uint16_t decoration, parameters; /* of the latter the greatest one, or none */
    } all[] = {{SpvDecorationNoSignedWrap, 0},
               {SpvDecorationNoUnsignedWrap, 0},
               {SpvDecorationSaturatedConversion, 0},
               {SpvDecorationFPRoundingMode, 3},
               {SpvDecorationAlignment, 64},
               {SpvDecorationConstant, 0},
               {SpvDecorationVolatile, 0},
               {SpvDecorationRestrict, 0},
               {SpvDecorationAliased, 0},
               {SpvDecorationFuncParamAttr, 7},
               {SpvDecorationMaxByteOffset, 64},
               {SpvDecorationCPacked, 0},
               {SpvDecorationNonWritable, 0},
               {SpvDecorationFPFastMathMode, 31},
               {SpvDecorationSpecId, 9},
               {SpvDecorationCoherent, 0},
               {SpvDecorationNonReadable, 0},
               {SpvDecorationUniform, 0}};
    uint32_t k = mutator_below(m, sizeof all / sizeof *all), id = mutator_below(m, m->bound);
    uint32_t words[4] = {0, 0, all[k].decoration}, n = 3;
    size_t to = 0;

    for (uint32_t tries = 0; tries < m->bound && m->opcode_of[id] == 0; tries++)
        id = (id + 1) % m->bound;
    words[1] = id;
    if (all[k].parameters >= 64)
        words[n++] = 1u << mutator_below(m, 7);
    else if (all[k].parameters != 0)
        words[n++] = mutator_below(m, all[k].parameters + 1u);
    words[0] = n << 16 | SpvOpDecorate;
    while (to < m->functions &&
           hd_gram_insts[hd_gram_find(mutator_opcode(m, to))].klass != HD_CLASS_Type_Declaration)
        to++;
    mutator_splice(m, m->at[to < m->insts ? to : m->insts - 1], 0, words, n);
}

/* A constant that can be specialised, or can no longer be. */
static void change_special(Mutator *m)
{
    static const uint16_t opcodes[] = {SpvOpConstantTrue,
                                       SpvOpSpecConstantTrue,
                                       SpvOpConstantFalse,
                                       SpvOpSpecConstantFalse,
                                       SpvOpConstant,
                                       SpvOpSpecConstant,
                                       SpvOpConstantComposite,
                                       SpvOpSpecConstantComposite,
                                       0};
    size_t i = mutator_pick(m, opcodes);
    unsigned k = 0;

    if (i == m->insts)
        return;
    while (opcodes[k] != mutator_opcode(m, i))
        k++;
    m->w[m->at[i]] = (m->w[m->at[i]] & 0xffff0000u) | opcodes[k ^ 1];
}

/* ---- mutants -----------------------------------------------------------------------------------
 */

/* What a module is unlikely to survive: bits anywhere. */
static void damage(Mutator *m)
{
    uint32_t *w = &m->w[mutator_below(m, m->count)];

    if (mutator_below(m, 2) == 0)
        *w ^= 1u << mutator_below(m, 32);
    else
        *w = odd_number(m, *w);
}

static void mutate_once(Mutator *m, bool may_damage)
{
    uint32_t how = mutator_below(m, may_damage ? 34 : 32);
    size_t i, to;

    mutator_look(m);
    if (m->insts < 2)
        return;
    i = mutator_below(m, m->insts);
    if (mutator_below(m, 4) != 0)
        i = m->functions + mutator_below(m, m->insts - m->functions);
    if (i >= m->insts)
        i = m->insts - 1;
    to = i + mutator_below(m, 8); /* near by: it may well fit */
    if (how < 11)
        change_operand(m, i);
    else if (how < 15)
        change_opcode(m, i);
    else if (how < 16)
        mutator_splice(m, m->at[i], mutator_length(m, i), NULL, 0);
    else if (how < 18)
        copy_inst(m, i, to < m->insts ? to : m->insts - 1);
    else if (how < 19)
        copy_inst(m, mutator_below(m, m->insts), i);
    else if (how < 20)
        swap_neighbours(m, i);
    else if (how < 22)
        swap_operands(m, i);
    else if (how < 25)
        mutator_retype(m);
    else if (how < 27)
        add_decoration(m);
    else if (how < 28)
        add_memory_operands(m);
    else if (how < 29)
        add_case(m);
    else if (how < 30)
        add_merge(m);
    else if (how < 32)
        change_special(m);
    else
        damage(m);
}

/* As many changes as asked for, each of which leaves the module valid, where some are. */
static void walk(Mutator *m, uint32_t changes)
{
    for (uint32_t tries = 0; tries < 40 * changes && changes != 0; tries++) {
        size_t count = m->count;
        uint32_t *before = malloc(count * sizeof *before);

        memcpy(before, m->w, count * sizeof *before);
        mutate_once(m, false);
        if (m->count == count && memcmp(before, m->w, count * sizeof *before) == 0) {
            free(before);
        } else if (mutant_is_sound(m->w, m->count)) {
            free(before);
            changes--;
        } else {
            free(m->w);
            m->w = before;
            m->count = count;
        }
    }
}

uint32_t *mutant_make(const Seeds *s, uint64_t number, size_t *count, size_t *seed)
{
    Mutator m = {.random = number * 0x2545f4914f6cdd1du};
    uint32_t changes;

    *seed = mutator_below(&m, s->count);
    m.count = s->at[*seed].count;
    m.w = malloc(m.count * 4);
    memcpy(m.w, s->at[*seed].words, m.count * 4);
    if (number % 4 != 0) {
        walk(&m, 1 + mutator_below(&m, 4) * mutator_below(&m, 5));
    } else {
        changes = 1 + mutator_below(&m, 3) * mutator_below(&m, 2);
        for (uint32_t k = 0; k < changes && m.count > 5; k++)
            mutate_once(&m, true);
    }
    forget(&m);
    *count = m.count;
    return m.w;
}
