/* text/as_operand.c -- one operand of assembly text to words.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/pages.h"
#include "text/as_state.h"
#include "text/literal.h"

HdStatus hd_as_immediate(HdAs *as, HdAsToken t)
{
    char shown[64];
    uint32_t word;

    if (!hd_literal_parse_u32(t.s + 1, t.len - 1, &word))
        return hd_as_fail(as, "as.immediate", "a number from 0 to 4294967295 follows the '!'",
                          "'%s' is not a word", hd_as_show(t, shown, sizeof shown));
    return hd_as_push(as, word);
}

/* ---- ids ----------------------------------------------------------------------------------- */

HdStatus hd_as_push_id(HdAs *as, HdAsToken t)
{
    char shown[64];
    uint32_t id;

    if (!hd_as_is_id_name(t.s + 1, t.len - 1))
        return hd_as_fail(as, "as.id", "letters, digits and '_' may stand in the name of an id",
                          "'%s' is not a name of an id", hd_as_show(t, shown, sizeof shown));
    HD_TRY(hd_as_id(as, (HdAsToken){t.s + 1, t.len - 1}, &id));
    return hd_as_push(as, id);
}

static HdStatus push_id_operand(HdAs *as, const HdOperand *row, HdAsToken t)
{
    unsigned set;
    bool semantic;
    char shown[64];

    if (t.s[0] != '%')
        return hd_as_fail(as, "as.id", "ids begin with '%'",
                          "'%s' stands where %.*s needs an id (%s)",
                          hd_as_show(t, shown, sizeof shown), (int)as->op_name_len, as->op_name,
                          hd_operand_name(row));
    HD_TRY(hd_as_push_id(as, t));
    if ((as->opix == HD_OPIX_ExtInst || as->opix == HD_OPIX_ExtInstWithForwardRefsKHR) &&
        as->count - as->open == 4 &&
        !hd_operand_types_import(&as->types, as->words[as->count - 1], &set, &semantic))
        return hd_as_fail(as, "as.import", "OpExtInstImport must come before its uses",
                          "%s is not an extended instruction import",
                          hd_as_show(t, shown, sizeof shown));
    return HD_OK;
}

/* ---- literals ------------------------------------------------------------------------------ */

static HdStatus push_number(HdAs *as, HdNumberType number, bool optional, HdAsToken t, bool *match)
{
    uint32_t words[2];
    unsigned count;
    char shown[64];
    HdLiteralResult r;

    r = hd_literal_parse(t.s, t.len, number, words, &count);
    if (r != HD_LITERAL_OK && optional && (r == HD_LITERAL_NO_NUMBER || r == HD_LITERAL_RANGE)) {
        *match = false;
        return HD_OK;
    }
    if (r == HD_LITERAL_OK) {
        HD_TRY(hd_as_push(as, words[0]));
        return count > 1 ? hd_as_push(as, words[1]) : HD_OK;
    }
    hd_as_show(t, shown, sizeof shown);
    switch (r) {
    case HD_LITERAL_NEGATIVE:
        return hd_as_fail(as, "as.number", NULL, "'%s' is negative, but the literal is unsigned",
                          shown);
    case HD_LITERAL_RANGE:
        return hd_as_fail(as, "as.number", NULL, "'%s' does not fit into %u bits", shown,
                          number.bits == 0 ? 32u : (unsigned)number.bits);
    case HD_LITERAL_UNSUPPORTED:
        return hd_as_fail(as, "as.number", "give the words as !<integer>",
                          "literals of this %u-bit type cannot be written as numbers",
                          (unsigned)number.bits);
    default: break;
    }
    return hd_as_fail(as, "as.number", NULL, "'%s' is not a valid %s literal", shown,
                      number.number == HD_NUMBER_FLOAT ? "float" : "integer");
}

/* Up to nine digits, which is nearly every literal; false for all else. */
static bool parse_quick(HdAsToken t, uint32_t *value)
{
    uint32_t v = 0;

    if (t.len == 0 || t.len > 9 || (t.s[0] == '0' && t.len > 1))
        return false;
    for (size_t i = 0; i < t.len; i++) {
        unsigned digit = (unsigned)((unsigned char)t.s[i] - '0');

        if (digit > 9)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

static HdStatus push_typed(HdAs *as, bool optional, HdAsToken t, bool *match)
{
    const uint32_t *w = as->words + as->open;
    HdNumberType number = {HD_NUMBER_NONE, 0, 0};
    uint32_t value;

    if (as->opix == HD_OPIX_Switch) {
        if (as->count - as->open > 1)
            number = hd_operand_types_number(&as->types, hd_operand_types_value(&as->types, w[1]));
        if (number.number != HD_NUMBER_INT && number.number != HD_NUMBER_UINT)
            return hd_as_fail(as, "as.switch",
                              "the selector must be defined, with an integer type, before OpSwitch",
                              "the type of OpSwitch's selector is not a known integer type");
    } else {
        number = hd_operand_types_number(&as->types, w[1]);
        if (number.number == HD_NUMBER_NONE)
            return hd_as_fail(as, "as.constant-type",
                              "OpTypeInt or OpTypeFloat must define it before",
                              "the type of %.*s is not an integer or float type",
                              (int)as->op_name_len, as->op_name);
    }
    if (number.bits == 32 && number.number != HD_NUMBER_FLOAT && parse_quick(t, &value))
        return hd_as_push(as, value);
    return push_number(as, number, optional, t, match);
}

/* A string of at least its two quotes; *match false when it is none. */
static HdStatus push_string(HdAs *as, bool optional, HdAsToken t, bool *match)
{
    size_t at = as->count, n = 0;
    bool escaped = false;
    char shown[64];
    uint32_t word = 0;

    if (t.len < 2 || t.s[0] != '"' || t.s[t.len - 1] != '"') {
        if (optional) {
            *match = false;
            return HD_OK;
        }
        return hd_as_fail(as, "as.string",
                          t.len > 0 && t.s[0] == '"' ? "the closing quote is missing"
                                                     : "strings stand in quotes",
                          "'%s' is not a string", hd_as_show(t, shown, sizeof shown));
    }
    HD_TRY(hd_as_reserve(as, t.len / 4 + 1));
    for (const char *p = t.s + 1; p < t.s + t.len - 1; p++) {
        if (*p == '\\' && !escaped) {
            escaped = true;
            continue;
        }
        escaped = false;
        word |= (uint32_t)(unsigned char)*p << 8 * (n % 4);
        if (++n % 4 == 0) {
            as->words[at++] = word;
            word = 0;
        }
    }
    if (at + 1 - as->open > HD_AS_MAX_WORDS)
        return hd_as_fail(as, "as.string", NULL, "the string is longer than an instruction");
    as->words[at++] = word;
    as->count = at;
    return HD_OK;
}

static HdStatus push_import_name(HdAs *as, HdAsToken t)
{
    size_t first = as->count;
    char name[64] = "", shown[64];
    unsigned set, was;
    size_t len = 0;
    bool match = true, semantic;
    uint32_t id;

    HD_TRY(push_string(as, false, t, &match));
    while (len + 1 < sizeof name && len / 4 < as->count - first) {
        name[len] = (char)(as->words[first + len / 4] >> 8 * (len % 4));
        if (name[len] == '\0')
            break;
        len++;
    }
    name[len] = '\0';
    set = hd_gram_extset(name, len);
    semantic = strncmp(name, "NonSemantic.", 12) != 0;
    if (set == HD_EXTSET_UNKNOWN && semantic)
        return hd_as_fail(as, "as.import", "\"OpenCL.std\" is the set for OpenCL",
                          "%s is not a known extended instruction set",
                          hd_as_show(t, shown, sizeof shown));
    if (as->count - as->open < 3)
        return HD_OK;
    id = as->words[as->open + 1];
    if (hd_operand_types_import(&as->types, id, &was, &semantic))
        return hd_as_fail(as, "as.import", NULL, "the id of the import is defined a second time");
    hd_operand_types_set_import(&as->types, id, set, strncmp(name, "NonSemantic.", 12) != 0);
    return as->types.failed ? HD_NO_MEMORY : HD_OK;
}

/* ---- names --------------------------------------------------------------------------------- */

static HdStatus push_ext_inst(HdAs *as, HdAsToken t)
{
    unsigned set = HD_EXTSET_UNKNOWN;
    bool semantic = true;
    const HdExtInst *e;
    char shown[64];
    uint32_t number;

    if (as->count - as->open >= 4)
        (void)hd_operand_types_import(&as->types, as->words[as->open + 3], &set, &semantic);
    e = hd_gram_extinst_name(set, t.s, t.len);
    if (e != NULL) {
        hd_pattern_ext_inst(&as->pattern, e, semantic);
        return hd_as_push(as, e->number);
    }
    if (!semantic && hd_literal_parse_u32(t.s, t.len, &number))
        return hd_as_push(as, number);
    return hd_as_fail(as, "as.extended-instruction",
                      semantic ? NULL : "instructions of unknown sets are given by number",
                      "'%s' is not an instruction of the set %s",
                      hd_as_show(t, shown, sizeof shown), hd_gram_extsets[set].name);
}

static HdStatus push_spec_op(HdAs *as, HdAsToken t)
{
    enum HdOpix opix = HD_OPIX_NONE;
    const HdGramInst *g;
    char shown[64];
    unsigned skip;

    if (!hd_as_starts_op(as, t.s))
        opix = hd_gram_find_name(t.s, t.len);
    if (opix == HD_OPIX_NONE || !hd_operands_is_spec_op(opix))
        return hd_as_fail(as, "as.spec-op", "opcodes stand here without 'Op', as IAdd",
                          "'%s' is not an opcode that OpSpecConstantOp may have",
                          hd_as_show(t, shown, sizeof shown));
    g = &hd_gram_insts[opix];
    skip = (unsigned)g->has_type + (unsigned)g->has_result;
    (void)hd_pattern_push(&as->pattern, g->operands + skip, g->operand_count - skip);
    return hd_as_push(as, g->opcode);
}

static HdStatus fail_name(HdAs *as, const HdOperand *row, HdAsToken t)
{
    const char *near = hd_text_near_name(row->kind, t.s, t.len);
    char shown[64], hint[96];

    snprintf(hint, sizeof hint, "did you mean %s?", near != NULL ? near : "");
    return hd_as_fail(as, "as.enumerant", near != NULL ? hd_diags_string(as->d, hint) : NULL,
                      "'%s' is not a valid %s", hd_as_show(t, shown, sizeof shown),
                      hd_gram_kinds[row->kind].name);
}

/* hd_operands_is_no_class, as the disassembler writes it. */
#define NO_CLASS "4294967295"

static HdStatus push_enum(HdAs *as, const HdOperand *row, HdAsToken t)
{
    const HdEnumerant *e = hd_gram_enumerant_name(row->kind, t.s, t.len);

    if (e == NULL && as->opix == HD_OPIX_ExtInst && row->kind == HD_KIND_StorageClass &&
        t.len == strlen(NO_CLASS) && memcmp(t.s, NO_CLASS, t.len) == 0)
        return hd_as_push(as, UINT32_MAX);
    if (e == NULL)
        return fail_name(as, row, t);
    (void)hd_pattern_push(&as->pattern, e->parameters, e->parameter_count);
    return hd_as_push(as, e->value);
}

static HdStatus push_mask(HdAs *as, const HdOperand *row, HdAsToken t)
{
    const char *p = t.s, *end = t.s + t.len;
    uint32_t value = 0;

    for (;;) {
        const char *bar = memchr(p, '|', (size_t)(end - p));
        HdAsToken one = {p, (size_t)((bar != NULL ? bar : end) - p)};
        const HdEnumerant *e = hd_gram_enumerant_name(row->kind, one.s, one.len);

        if (e == NULL)
            return fail_name(as, row, one);
        value |= e->value;
        if (bar == NULL)
            break;
        p = bar + 1;
    }
    for (uint32_t left = value; left != 0;) { /* lowest bit's parameters first: push it last */
        uint32_t bit = 0x80000000u >> __builtin_clz(left);
        const HdEnumerant *e = hd_gram_enumerant(row->kind, bit);

        left &= ~bit;
        if (e != NULL && !hd_pattern_push(&as->pattern, e->parameters, e->parameter_count))
            return fail_name(as, row, t);
    }
    return hd_as_push(as, value);
}

/* ---- operands ------------------------------------------------------------------------------ */

HdStatus hd_as_operand(HdAs *as, const HdOperand *row, bool optional, HdAsToken t, bool *match)
{
    uint32_t value;

    *match = true;
    switch ((HdOperandClass)row->klass) {
    case HD_OPERAND_ID:
    case HD_OPERAND_TYPE_ID:
    case HD_OPERAND_RESULT:
    case HD_OPERAND_SCOPE_ID:
    case HD_OPERAND_SEMANTICS_ID: return push_id_operand(as, row, t);
    case HD_OPERAND_INTEGER:
        if (parse_quick(t, &value))
            return hd_as_push(as, value);
        return push_number(as, (HdNumberType){HD_NUMBER_UINT, 0, 32}, optional, t, match);
    case HD_OPERAND_FLOAT:
        return push_number(as, (HdNumberType){HD_NUMBER_FLOAT, 0, 32}, optional, t, match);
    case HD_OPERAND_TYPED_LITERAL: return push_typed(as, optional, t, match);
    case HD_OPERAND_STRING:
        if (as->opix == HD_OPIX_ExtInstImport)
            return push_import_name(as, t);
        return push_string(as, optional, t, match);
    case HD_OPERAND_EXT_INST: return push_ext_inst(as, t);
    case HD_OPERAND_SPEC_OP: return push_spec_op(as, t);
    case HD_OPERAND_ENUM: return push_enum(as, row, t);
    case HD_OPERAND_MASK: return push_mask(as, row, t);
    default: return HD_BUG; /* pairs are already split */
    }
}

HdStatus hd_as_loose(HdAs *as, HdAsToken result, size_t limit)
{
    static const HdNumberType any = {HD_NUMBER_NONE, 0, 0};

    if (result.s != NULL)
        HD_TRY(hd_as_push_id(as, result));
    while (as->count - as->open < limit && hd_as_skip(as) && !hd_as_starts_inst(as)) {
        HdAsToken t = hd_as_word(as, as->at);
        bool match = true;

        if (t.s[0] == '!') {
            HD_TRY(hd_as_immediate(as, t));
        } else if (t.s[0] == '%') {
            HD_TRY(hd_as_push_id(as, t));
        } else if (t.s[0] == '"') {
            HD_TRY(push_string(as, false, t, &match));
        } else if (t.len == 1 && t.s[0] == '=') {
            return hd_as_fail(as, "as.immediate", NULL, "'=' cannot follow !<integer>");
        } else {
            HD_TRY(push_number(as, any, false, t, &match));
        }
        as->at = t.s + t.len;
    }
    return HD_OK;
}
