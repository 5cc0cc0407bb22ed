/* text/as.c -- from assembly text to words: instructions and the whole.
 *
 * The text is read once, without a list of tokens: each operand is read as the grammar expects it
 * and its words are appended to the result. Nothing is copied out of the text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text/as.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "text/as_state.h"
#include "text/literal.h"

#define GENERATOR 0x00070000u /* SPIRV-Tools' assembler, whose output this is word for word */

/* ---- one instruction ----------------------------------------------------------------------- */

/* A result id's name and the opcode that follows `=`. */
static HdStatus read_result(HdAs *as, HdAsToken *result, HdAsToken *op)
{
    char shown[64];

    if (op->s[0] != '%')
        return hd_as_fail(as, "as.syntax", NULL,
                          "'%s' stands where an instruction must begin, with %%id = or Op...",
                          hd_as_show(*op, shown, sizeof shown));
    *result = *op;
    as->at += op->len;
    if (!hd_as_skip(as))
        return hd_as_fail(as, "as.syntax", NULL, "the text ends where '=' must follow %s",
                          hd_as_show(*result, shown, sizeof shown));
    *op = hd_as_word(as, as->at);
    if (op->len != 1 || op->s[0] != '=')
        return hd_as_fail(as, "as.syntax", NULL, "'=' must follow the result id, not '%s'",
                          hd_as_show(*op, shown, sizeof shown));
    as->at += op->len;
    if (!hd_as_skip(as))
        return hd_as_fail(as, "as.syntax", NULL, "the text ends where an opcode must follow '='");
    *op = hd_as_word(as, as->at);
    if (!hd_as_starts_op(as, as->at))
        return hd_as_fail(as, "as.opcode", "opcodes begin with 'Op'", "'%s' is not an opcode",
                          hd_as_show(*op, shown, sizeof shown));
    return HD_OK;
}

/* The positions of the result id and the opcode, for messages about them. */
static HdStatus fail_opcode(HdAs *as, HdAsToken op)
{
    const char *near = hd_text_near_name(HD_KIND_COUNT, op.s, op.len);
    char shown[64], hint[96];

    snprintf(hint, sizeof hint, "did you mean %s?", near != NULL ? near : "");
    return hd_as_fail(as, "as.opcode", near != NULL ? hd_diags_string(as->d, hint) : NULL,
                      "'%s' is not an opcode", hd_as_show(op, shown, sizeof shown));
}

/* The words of a type or the type of a value are remembered for literals. */
static HdStatus note_result(HdAs *as)
{
    const HdGramInst *g = &hd_gram_insts[as->opix];
    const uint32_t *w = as->words + as->open;
    size_t n = as->count - as->open;

    if (g->has_result && !g->has_type && hd_gram_forms[as->opix].is_type) {
        HdNumberType number = {HD_NUMBER_NONE, 0, 0};

        if (n < 2)
            return HD_OK;
        if (hd_operand_types_is_type(&as->types, w[1]))
            return hd_as_fail(as, "as.type", NULL, "the id of this type is a type already");
        if (as->opix == HD_OPIX_TypeInt) {
            if (n != 4)
                return hd_as_fail(as, "as.type", NULL, "OpTypeInt has a width and a signedness");
            number.number = w[3] != 0 ? HD_NUMBER_INT : HD_NUMBER_UINT;
            number.bits = (uint16_t)(w[2] <= UINT16_MAX ? w[2] : UINT16_MAX);
        } else if (as->opix == HD_OPIX_TypeFloat) {
            if (n != 3 && n != 4)
                return hd_as_fail(as, "as.type", NULL, "OpTypeFloat has a width and an encoding");
            number.number = HD_NUMBER_FLOAT;
            number.bits = (uint16_t)(w[2] <= UINT16_MAX ? w[2] : UINT16_MAX);
            if (n == 4) {
                number.encoding = hd_number_encoding(w[3]);
                if ((number.encoding == HD_ENCODING_BFLOAT16 && w[2] != 16) ||
                    ((number.encoding == HD_ENCODING_E4M3 || number.encoding == HD_ENCODING_E5M2) &&
                     w[2] != 8))
                    return hd_as_fail(as, "as.type", NULL,
                                      "a float of %u bits cannot have this encoding",
                                      (unsigned)w[2]);
            }
        }
        hd_operand_types_set_number(&as->types, w[1], number);
    } else if (g->has_type && n > 2 && hd_operand_types_value(&as->types, w[2]) == 0) {
        if (w[2] >= as->types.room && w[2] < as->types.limit)
            hd_operand_types_grow(&as->types, hd_as_next_room(as, as->types.room, w[2]));
        hd_operand_types_set_value(&as->types, w[2], w[1]);
    }
    return as->types.failed ? HD_NO_MEMORY : HD_OK;
}

/* Operands as the grammar lists them. */
static HdStatus read_operands(HdAs *as, HdAsToken result)
{
    const HdOperand *row;

    while ((row = hd_pattern_peek(&as->pattern)) != NULL) {
        bool optional = row->quantifier != HD_ONCE, match;
        const HdOperand *pair;
        HdAsToken t;

        if (row->klass == HD_OPERAND_RESULT && result.s != NULL) {
            const char *at = as->at;

            hd_pattern_take(&as->pattern);
            as->at = result.s;
            HD_TRY(hd_as_push_id(as, result));
            as->at = at;
            continue;
        }
        if (!hd_as_skip(as)) {
            if (optional)
                break;
            return hd_as_fail(as, "as.operands", NULL, "the text ends where %.*s needs an operand",
                              (int)as->op_name_len, as->op_name);
        }
        if (*as->at == '%') {
            const char *at = as->at;

            HD_TRY(hd_as_plain_ids(as));
            if (as->at != at)
                continue;
        }
        /* An opcode in the same line is the operand that OpSpecConstantOp wants, misspelt. */
        if (hd_as_starts_inst(as) &&
            (row->klass != HD_OPERAND_SPEC_OP || !hd_as_continues_line(as))) {
            if (optional)
                break;
            return hd_as_fail(as, "as.operands", NULL,
                              "the next instruction begins where %.*s needs an operand",
                              (int)as->op_name_len, as->op_name);
        }
        t = hd_as_word(as, as->at);
        hd_pattern_take(&as->pattern);
        if (t.s[0] == '!') {
            HD_TRY(hd_as_immediate(as, t));
            as->at = t.s + t.len;
            if (as->count - as->open != 2 || !hd_gram_insts[as->opix].has_type)
                result.s = NULL; /* it is already in the words */
            return hd_as_loose(as, result, SIZE_MAX);
        }
        pair = hd_pattern_pair(row->klass, as->opix == HD_OPIX_Switch);
        if (pair != NULL) {
            (void)hd_pattern_push(&as->pattern, pair, 2);
            row = hd_pattern_peek(&as->pattern);
            hd_pattern_take(&as->pattern);
        }
        HD_TRY(hd_as_operand(as, row, optional, t, &match));
        if (!match)
            break;
        as->at = t.s + t.len;
    }
    return HD_OK;
}

/* OpUnknown(<opcode>, <words>) and its operands. */
static HdStatus read_unknown(HdAs *as)
{
    uint32_t value[2] = {0, 0};
    static const HdAsToken none = {NULL, 0};

    as->at += strlen("OpUnknown");
    for (int i = 0; i < 2; i++) {
        const char *digits;

        if (!hd_as_skip(as) || *as->at != (i == 0 ? '(' : ','))
            return hd_as_fail(as, "as.unknown", "OpUnknown(<opcode>, <words>) <operands>",
                              "OpUnknown needs an opcode and a number of words");
        as->at++;
        (void)hd_as_skip(as);
        digits = as->at;
        while (as->at < as->end && ((*as->at >= '0' && *as->at <= '9') || *as->at == 'x' ||
                                    (*as->at >= 'a' && *as->at <= 'f')))
            as->at++;
        if (!hd_literal_parse_u32(digits, (size_t)(as->at - digits), &value[i]) ||
            value[i] > HD_AS_MAX_WORDS || (i == 1 && value[i] == 0)) {
            as->at = digits;
            return hd_as_fail(as, "as.unknown", NULL, "a number from %d to 65535 must stand here",
                              i);
        }
    }
    if (!hd_as_skip(as) || *as->at != ')')
        return hd_as_fail(as, "as.unknown", NULL, "')' must follow the number of words");
    as->at++;
    HD_TRY(hd_as_push(as, value[1] << 16 | value[0]));
    HD_TRY(hd_as_loose(as, none, value[1]));
    if (as->count - as->open != value[1])
        return hd_as_fail(as, "as.unknown", NULL, "OpUnknown says %u words, but %zu are given",
                          (unsigned)value[1], as->count - as->open);
    return HD_OK;
}

static bool is_unknown(HdAsToken op)
{
    return op.len >= 9 && memcmp(op.s, "OpUnknown", 9) == 0 && (op.len == 9 || op.s[9] == '(');
}

/* Nearly all opcodes differ in their first or last eight letters. */
static uint64_t op_key(HdAsToken op)
{
    uint64_t first = hd_load_text(op.s, op.len);

    return op.len > 8 ? first ^ hd_load_text(op.s + op.len - 8, 8) * 31 : first;
}

/* hd_gram_find_name, remembering what was found. */
static enum HdOpix find_op(HdAs *as, HdAsToken op)
{
    uint64_t key = op_key(op);
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 32) % HD_AS_OPS;
    enum HdOpix opix = (enum HdOpix)as->ops[at].opix;

    if (opix != HD_OPIX_NONE && as->ops[at].key == key && as->ops[at].len == op.len &&
        hd_same_text(hd_gram_insts[opix].name, op.s, op.len))
        return opix;
    opix = hd_gram_find_name(op.s, op.len);
    if (opix == HD_OPIX_NONE || strlen(hd_gram_insts[opix].name) != op.len) /* or an alias */
        return opix;
    as->ops[at].key = key;
    as->ops[at].opix = (uint16_t)opix;
    as->ops[at].len = (uint16_t)op.len;
    return opix;
}

/* The words before the operands. */
static HdStatus read_head(HdAs *as, HdAsToken *result, HdAsToken *op)
{
    if (!as->is_careful && hd_as_quick_head(as, result, op))
        return HD_OK;
    *result = (HdAsToken){NULL, 0};
    *op = hd_as_word(as, as->at);
    return op->s[0] == '!' || hd_as_starts_op(as, as->at) ? HD_OK : read_result(as, result, op);
}

static HdStatus read_inst(HdAs *as);

/* Once more, without the quick way, which takes a comment without a blank before it for a part of
 * the word. */
static HdStatus read_again(HdAs *as, const char *start)
{
    HdStatus st;

    as->at = start;
    as->count = as->open;
    as->is_careful = true;
    st = read_inst(as);
    as->is_careful = false;
    return st;
}

/* Behind a backslash a semicolon belongs to the word on a closer look, too. */
static bool may_have_comment(const HdAs *as, HdAsToken t)
{
    return !as->is_careful && t.s != NULL && memchr(t.s, ';', t.len) != NULL;
}

static HdStatus read_inst(HdAs *as)
{
    const char *start = as->at;
    HdAsToken op, result;
    const HdGramInst *g;
    char shown[64];
    bool done;

    as->open = as->count;
    HD_TRY(read_head(as, &result, &op));
    if (op.s[0] == '!') {
        HD_TRY(hd_as_immediate(as, op));
        as->at = op.s + op.len;
        return hd_as_loose(as, result, SIZE_MAX);
    }
    as->opix = find_op(as, op);
    if (as->opix == HD_OPIX_NONE) {
        if (may_have_comment(as, op) || may_have_comment(as, result))
            return read_again(as, start);
        as->at = op.s;
        if (!is_unknown(op))
            return fail_opcode(as, op);
        if (result.s == NULL)
            return read_unknown(as);
    }
    hd_as_expect(as, op.s);
    g = &hd_gram_insts[as->opix];
    as->op_name = op.s;
    as->op_name_len = op.len < 64 ? op.len : 64;
    if (g->has_result && result.s == NULL) {
        as->at = start;
        return hd_as_fail(as, "as.result", "write %id = before it",
                          "%.*s makes a result, but no result id stands before it",
                          (int)as->op_name_len, as->op_name);
    }
    if (!g->has_result && result.s != NULL) {
        as->at = start;
        return hd_as_fail(as, "as.result", NULL, "%s cannot be set: %.*s makes no result",
                          hd_as_show(result, shown, sizeof shown), (int)as->op_name_len,
                          as->op_name);
    }
    as->at = op.s + op.len;
    HD_TRY(hd_as_push(as, 0));
    HD_TRY(hd_as_quick_operands(as, &result, &done));
    if (!done && may_have_comment(as, result))
        return read_again(as, start);
    if (!done) {
        as->next = NULL;
        HD_TRY(read_operands(as, result));
    }
    if (g->has_result)
        HD_TRY(note_result(as));
    if (as->count - as->open > HD_AS_MAX_WORDS)
        return hd_as_fail(as, "as.length", NULL, "%.*s has %zu words; 65535 is the limit",
                          (int)as->op_name_len, as->op_name, as->count - as->open);
    as->words[as->open] = (uint32_t)(as->count - as->open) << 16 | g->opcode;
    return HD_OK;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Printable in ASCII, or white space, with a zero byte before or behind it? */
static bool is_wide_char(const char *s, int zero)
{
    return s[zero] == '\0' && (s[1 - zero] >= ' ' || strchr("\t\n\r", s[1 - zero]) != NULL) &&
           s[1 - zero] != '\0';
}

bool hd_text_is_wide(const char *text, size_t len)
{
    if (len < 4)
        return false;
    return memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0 ||
           (is_wide_char(text, 0) && is_wide_char(text + 2, 0)) ||
           (is_wide_char(text, 1) && is_wide_char(text + 2, 1));
}

/* What is given instead of text in UTF-8. A zero byte ends it for SPIRV-Tools, which loses what
 * comes after; here only a single one at the end is taken for that of a string in C. */
static HdStatus check_text(HdAs *as, size_t len)
{
    const char *text = as->text;

    if (len >= 4 &&
        (memcmp(text, "\x03\x02#\x07", 4) == 0 || memcmp(text, "\x07#\x02\x03", 4) == 0))
        return hd_as_fail(as, "as.syntax", "heddle dis makes text of it",
                          "this is a module already, not text");
    if (hd_text_is_wide(text, len))
        return hd_as_fail(as, "as.syntax", "save it as UTF-8, without a byte order mark",
                          "the text is in UTF-16 or UTF-32");
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        return hd_as_fail(as, "as.syntax", "save it as UTF-8 without one",
                          "the text begins with a byte order mark, which SPIR-V's text has not");
    if ((size_t)(as->end - text) + 1 >= len)
        return HD_OK;
    as->at = as->end;
    return hd_as_fail(as, "as.syntax", NULL, "a zero byte stands in the text");
}

#define NEWEST       0x00010600u
#define HEADER_WORDS 5u

/* A line of the text without spaces around it; true: it is a comment or empty. */
static bool comment(const HdAs *as, const char **at, HdAsToken *line)
{
    const char *end = memchr(*at, '\n', (size_t)(as->end - *at)), *from = *at;

    end = end != NULL ? end : as->end;
    *at = end < as->end ? end + 1 : as->end;
    while (from < end && strchr(" \t\r", *from) != NULL)
        from++;
    while (end > from && strchr(" \t\r", end[-1]) != NULL)
        end--;
    *line = (HdAsToken){.s = from, .len = (size_t)(end - from)};
    return line->len == 0 || *from == ';';
}

static bool begins(HdAsToken line, const char *with)
{
    return line.len >= strlen(with) && memcmp(line.s, with, strlen(with)) == 0;
}

static void warn_of_version(const HdAs *as, uint32_t line, HdAsToken version)
{
    HdDiag diag = {.severity = HD_WARNING,
                   .rule = "as.version",
                   .word = HD_NO_PLACE,
                   .line = line,
                   .column = 1};
    char shown[32];

    (void)hd_diags_add(as->d, &diag, "'%s' is no version of SPIR-V: the module has version 1.6",
                       hd_as_show(version, shown, sizeof shown));
}

/* The version in the comments with which a disassembler begins; the newest without any, and, told
 * by a warning, for one that is none. */
static uint32_t named_version(const HdAs *as)
{
    static const char key[] = "; Version: ";
    const char *at = as->at;
    bool is_header = false;
    HdAsToken line;

    for (uint32_t number = 1; at < as->end && comment(as, &at, &line); number++) {
        is_header = is_header || (begins(line, "; SPIR-V") && line.len == 8);
        if (!is_header || !begins(line, key))
            continue;
        line.s += sizeof key - 1;
        line.len -= sizeof key - 1;
        if (line.len == 3 && begins(line, "1.") && line.s[2] >= '0' && line.s[2] <= '6')
            return 0x00010000u | (uint32_t)(line.s[2] - '0') << 8;
        warn_of_version(as, number, line);
        break;
    }
    return NEWEST;
}

static HdStatus assemble(HdAs *as, const HdAsOptions *options)
{
    static const HdDiag empty = {.severity = HD_WARNING, .rule = "as.empty", .word = HD_NO_PLACE};
    uint32_t version =
        options != NULL && options->version != 0 ? options->version : named_version(as);
    uint32_t generator =
        options != NULL && options->generator != 0 ? options->generator : GENERATOR;

    if (options != NULL && options->preserve_numeric_ids) {
        HD_TAKE(as->arena, hd_arena_open());
        HD_TRY(hd_as_collect_numeric_ids(as));
    }
    HD_TRY(hd_as_push(as, SpvMagicNumber));
    HD_TRY(hd_as_push(as, version));
    HD_TRY(hd_as_push(as, generator));
    HD_TRY(hd_as_push(as, 0));
    HD_TRY(hd_as_push(as, 0));
    while (hd_as_skip(as)) {
        as->next = NULL;
        HD_TRY(read_inst(as));
        if (as->next != NULL)
            as->at = as->next;
    }
    if (as->count == HEADER_WORDS)
        (void)hd_diags_add_text(as->d, &empty, "the text has no instruction");
    as->words[3] = as->bound;
    return HD_OK;
}

/* Whoever keeps the words need not keep the room for more. */
static uint32_t *fit_words(HdAs *as)
{
    uint32_t *words = as->room > as->count + as->count / 8
                          ? hd_realloc(as->words, as->count * sizeof *words)
                          : NULL;

    return words != NULL ? words : as->words;
}

/* Assemble, and keep information about ids if `ids` requests it. */
static HdStatus assemble_text(const char *text, size_t len, const HdAsOptions *options, HdDiags *d,
                              HdTextIds *ids, uint32_t **words, size_t *nwords)
{
    HdAs as = {.text = text, .at = text, .d = d, .next_id = 1, .bound = 1};
    const char *nul = len > 0 ? memchr(text, '\0', len) : NULL;
    HdStatus st;

    *words = NULL;
    *nwords = 0;
    if (len >= UINT32_MAX)
        return hd_fail(d, HD_UNSUPPORTED, HD_NO_PLACE, "as.length",
                       "a text of 4 GiB or more is not assembled");
    as.types.limit = hd_operand_id_limit(len);
    as.end = nul != NULL ? nul : text + len;
    st = check_text(&as, len);
    if (st == HD_OK)
        st = assemble(&as, options);
    if (st == HD_OK && ids != NULL)
        st = hd_as_list_ids(&as, ids);
    if (st == HD_OK) {
        *words = fit_words(&as);
        *nwords = as.count;
    } else {
        hd_free(as.words);
    }
    hd_as_free_ids(&as);
    hd_operand_types_free(&as.types);
    hd_arena_drop(as.arena);
    return st;
}

HdStatus hd_text_assemble(const char *text, size_t len, const HdAsOptions *options, HdDiags *d,
                          uint32_t **words, size_t *nwords)
{
    return assemble_text(text, len, options, d, NULL, words, nwords);
}

HdStatus hd_text_ids(const char *text, size_t len, const HdAsOptions *options, HdTextIds *out)
{
    uint32_t *words;
    size_t nwords;
    HdDiags d;
    HdStatus st;

    *out = (HdTextIds){0};
    hd_diags_init(&d);
    st = assemble_text(text, len, options, &d, out, &words, &nwords);
    hd_diags_drop(&d);
    hd_free(words);
    return st;
}

bool hd_text_env_version(const char *name, uint32_t *version)
{
    static const struct {
        const char *name;
        uint32_t minor;
    } envs[] = {
        {"spv1.0", 0},       {"spv1.1", 1},       {"spv1.2", 2},          {"spv1.3", 3},
        {"spv1.4", 4},       {"spv1.5", 5},       {"spv1.6", 6},          {"universal1.0", 0},
        {"universal1.1", 1}, {"universal1.2", 2}, {"universal1.3", 3},    {"universal1.4", 4},
        {"universal1.5", 5}, {"universal1.6", 6}, {"opencl1.2", 0},       {"opencl2.0", 0},
        {"opencl2.1", 0},    {"opencl2.2", 2},    {"opencl3.0", 2},       {"opencl3.1", 4},
        {"vulkan1.0", 0},    {"vulkan1.1", 3},    {"vulkan1.1spv1.4", 4}, {"vulkan1.2", 5},
        {"vulkan1.3", 6},    {"vulkan1.4", 6},    {"opengl4.0", 0},       {"opengl4.1", 0},
        {"opengl4.2", 0},    {"opengl4.3", 0},    {"opengl4.5", 0}};
    size_t len = strlen(name);

    if (len > 8 && strncmp(name, "opencl", 6) == 0 && strcmp(name + len - 8, "embedded") == 0)
        len -= name[len - 9] == '-' ? 9 : 8;
    for (size_t i = 0; i < sizeof envs / sizeof *envs; i++) {
        if (strlen(envs[i].name) == len && strncmp(envs[i].name, name, len) == 0) {
            *version = 0x00010000u | envs[i].minor << 8;
            return true;
        }
    }
    return false;
}
