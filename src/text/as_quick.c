/* text/as_quick.c -- fast paths for the forms of nearly all text, read eight bytes at a time.
 *
 * An instruction on a separate line, single spaces between its words, names that were seen before,
 * numbers of a few digits: what disassemblers print. Anything else is left, at its position, to the
 * readers of as.c and as_operand.c; so nothing is rejected here, and a text means the same with and
 * without this file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "text/as_state.h"
#include "text/literal.h"

#define ONES  0x0101010101010101u
#define HIGHS 0x8080808080808080u

/* Bytes that have to follow for a text to be read here: loads may go this far. */
#define AHEAD 16

static uint64_t load(const char *s)
{
    uint64_t x;

    memcpy(&x, s, 8);
    return x;
}

/* The high bit of the first byte of x that is a blank or a control character, if there is one;
 * bits above it mean nothing. */
static uint64_t blanks(uint64_t x)
{
    return (x - ONES * 0x21) & ~x & HIGHS;
}

/* A word that ends with a blank. */
typedef struct Word {
    const char *s;
    uint64_t all; /* its bytes, with zeros after them, when it has up to 7; else 0 */
    uint32_t len;
    uint32_t number; /* its value when it is up to 7 digits without leading zeros; else NONE */
} Word;

#define NONE UINT32_MAX

/* Of a string that is read here; no instruction has a longer one. */
#define MOST_STRING (HD_AS_MAX_WORDS * 4u)

/* The value of a word of up to 7 bytes, x: all eight from its first one on. */
static uint32_t number_of(uint64_t x, unsigned len)
{
    uint64_t digits = x << (64 - 8 * len); /* after zeros */
    uint64_t v = digits ^ ((ONES * '0') << (64 - 8 * len));

    if (((v + ONES * 0x76) & HIGHS) != 0 || (v & HIGHS) != 0 || ((x & 0xff) == '0' && len > 1))
        return NONE;
    return hd_decimal_join_eight(v);
}

/* The word at s; false when it does not end in time. */
static bool read_word(const HdAs *as, const char *s, Word *word)
{
    const char *p = s;
    uint64_t x, found;

    if (as->end - s < AHEAD)
        return false;
    x = load(s);
    found = blanks(x);
    word->s = s;
    if (found != 0) {
        word->len = (uint32_t)__builtin_ctzll(found) / 8;
        word->all = x & (((uint64_t)1 << 8 * word->len) - 1);
        word->number = word->len == 0 ? NONE : number_of(x, word->len);
        return word->len != 0;
    }
    word->number = NONE;
    word->all = 0;
    do {
        p += 8;
        if (as->end - p < AHEAD)
            return false;
        found = blanks(load(p));
    } while (found == 0);
    word->len = (uint32_t)(p - s) + (uint32_t)__builtin_ctzll(found) / 8;
    return true;
}

/* ---- ids ----------------------------------------------------------------------------------- */

/* Where the id of a short name is remembered. */
static HdAsShort *short_name(HdAs *as, const Word *word)
{
    return &as->shorts[(word->all * 0x9e3779b97f4a7c15u >> 32) % HD_AS_SHORTS];
}

static HdStatus find_id(HdAs *as, const Word *word, bool *match, uint32_t *id)
{
    *match = true;
    if (!as->preserve) {
        if (word->number < as->by_number_room && as->by_number[word->number] != 0) {
            *id = as->by_number[word->number];
            return HD_OK;
        }
        if (word->number == NONE && hd_as_quick_name(as, (HdAsToken){word->s, word->len}, id))
            return HD_OK;
    }
    *match = word->number != NONE || hd_as_is_id_name(word->s, word->len);
    if (!*match)
        return HD_OK;
    return hd_as_id(as, (HdAsToken){word->s, word->len}, id);
}

static HdStatus word_id(HdAs *as, const Word *word, bool *match, uint32_t *id)
{
    HdAsShort *known = short_name(as, word);

    if (word->number != NONE || word->all == 0)
        return find_id(as, word, match, id);
    *match = true;
    *id = known->id;
    if (known->all == word->all)
        return HD_OK;
    HD_TRY(find_id(as, word, match, id));
    if (*match)
        *known = (HdAsShort){word->all, *id};
    return HD_OK;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Behind a line break and indentation. NULL when that is not all, or the text's end is near. */
static const char *next_line(const HdAs *as, const char *at)
{
    if (*at != '\n')
        return NULL;
    for (at++; as->end - at >= AHEAD; at += 8) {
        uint64_t x = load(at) ^ ONES * ' ';

        if (x != 0)
            return at + __builtin_ctzll(x) / 8;
    }
    return NULL;
}

/* Does an instruction begin here? False also when it would take a closer look. */
static bool begins(HdAs *as, const char *at)
{
    Word word;

    if (as->end - at < AHEAD)
        return false;
    if (*at != '%')
        return hd_as_starts_op(as, at);
    if (!read_word(as, at + 1, &word) || memcmp(word.s + word.len, " = Op", 5) != 0)
        return false;
    as->begun = (HdAsToken){at, word.len + 1};
    return true;
}

/* Is the word, which ends at `end`, surely no result id of the next instruction? */
static bool is_operand(const HdAs *as, const char *end)
{
    if (*end == ' ')
        return end[1] == '%' || (end[1] > '=' && end[1] < 0x7f) ||
               (end[1] >= '0' && end[1] <= '9') || end[1] == '"';
    end = next_line(as, end);
    return end != NULL && (*end == '%' || *end == 'O');
}

/* ---- instructions -------------------------------------------------------------------------- */

bool hd_as_quick_head(HdAs *as, HdAsToken *result, HdAsToken *op)
{
    const char *at = as->at;
    Word word;

    result->s = NULL;
    result->len = 0;
    if (as->end - at < AHEAD)
        return false;
    if (at == as->begun.s) { /* already read */
        *result = as->begun;
        at += as->begun.len + 3;
    } else if (*at == '%') {
        if (!read_word(as, at + 1, &word))
            return false;
        result->s = at;
        result->len = word.len + 1;
        at += word.len + 1;
        if (memcmp(at, " = ", 3) != 0)
            return false;
        at += 3;
    }
    if (!hd_as_starts_op(as, at) || !read_word(as, at, &word))
        return false;
    *op = (HdAsToken){at, word.len};
    return true;
}

/* Words beyond the prefix: ids, or integers, to the end of the line. *at moves past those that are
 * certainly operands. */
static HdStatus read_tail(HdAs *as, bool ids, const char **at)
{
    while (**at == ' ') {
        bool match = !ids;
        uint32_t id = 0;
        Word word;

        if (as->end - *at < AHEAD || (ids && (*at)[1] != '%') ||
            !read_word(as, *at + 1 + ids, &word) || !is_operand(as, word.s + word.len) ||
            (!ids && word.number == NONE))
            return HD_OK;
        if (ids)
            HD_TRY(word_id(as, &word, &match, &id));
        if (!match)
            return HD_OK;
        HD_TRY(hd_as_push(as, ids ? id : word.number));
        *at = word.s + word.len;
    }
    return HD_OK;
}

static bool is_ext_inst(enum HdOpix opix)
{
    return opix == HD_OPIX_ExtInst || opix == HD_OPIX_ExtInstWithForwardRefsKHR;
}

static bool is_import(const HdAs *as, uint32_t id)
{
    unsigned set;
    bool semantic;

    return hd_operand_types_import(&as->types, id, &set, &semantic);
}

/* An id or an integer. *match is false when it takes a closer look. */
static HdStatus read_plain(HdAs *as, bool is_id, const char **at, bool *match)
{
    uint32_t value;
    Word word;

    *match = as->end - *at >= AHEAD && **at == ' ' && (!is_id || (*at)[1] == '%') &&
             read_word(as, *at + 1 + is_id, &word) && is_operand(as, word.s + word.len) &&
             (is_id || word.number != NONE);
    if (!*match)
        return HD_OK;
    value = word.number;
    if (is_id)
        HD_TRY(word_id(as, &word, match, &value));
    if (!*match)
        return HD_OK;
    *at = word.s + word.len;
    return hd_as_push(as, value);
}

/* The operand that every instruction of the opcode has at word i, at *at. *match is false when it
 * takes a closer look. */
static HdStatus read_fixed(HdAs *as, const HdForm *form, uint32_t i, const char **at, bool *match)
{
    const char *was = *at;

    HD_TRY(read_plain(as, (form->ids >> i & 1) != 0, at, match));
    if (*match && is_ext_inst(as->opix) && i == 3) { /* the import is checked */
        *match = is_import(as, as->words[as->count - 1]);
        if (!*match) {
            *at = was;
            as->count--;
        }
    }
    return HD_OK;
}

static HdStatus push_result(HdAs *as, HdAsToken *result, bool *match)
{
    Word word = {result->s + 1, 0, (uint32_t)result->len - 1, NONE};
    uint32_t id;

    if (word.len < 8 && word.len != 0 && as->end - word.s >= 8)
        word.number = number_of(load(word.s), word.len);
    HD_TRY(word_id(as, &word, match, &id));
    if (!*match)
        return HD_OK;
    result->s = NULL; /* it is in the words */
    return hd_as_push(as, id);
}

/* Does the line end at `at`, and is the next an instruction? */
static bool ends(HdAs *as, const char *at)
{
    const char *next = next_line(as, at);

    if (next == NULL || !begins(as, next))
        return false;
    as->next = next;
    return true;
}

/* The literal of OpConstant and OpSpecConstant that the line ends with. *done is false when it
 * takes a closer look; nothing was read then. */
static HdStatus read_literal(HdAs *as, const char **at, bool *done)
{
    HdNumberType type = hd_operand_types_number(&as->types, as->words[as->count - 2]);
    uint32_t words[2];
    unsigned count = type.bits > 32 ? 2 : 1;
    Word word;

    *done = type.number != HD_NUMBER_NONE && as->end - *at >= AHEAD && **at == ' ' &&
            read_word(as, *at + 1, &word) && ends(as, word.s + word.len);
    if (!*done)
        return HD_OK;
    words[0] = word.number;
    words[1] = 0;
    if (type.number == HD_NUMBER_FLOAT || word.number == NONE || type.bits < 32 || type.bits > 64)
        *done = hd_literal_parse(word.s, word.len, type, words, &count) == HD_LITERAL_OK;
    if (!*done)
        return HD_OK;
    *at = word.s + word.len;
    HD_TRY(hd_as_push(as, words[0]));
    return count > 1 ? hd_as_push(as, words[1]) : HD_OK;
}

/* A string without escapes, to its closing quote. */
static HdStatus read_string(HdAs *as, const char **at, bool *match)
{
    const char *s = *at + 2, *end;
    size_t left = (size_t)(as->end - s), len;
    uint32_t *words;

    end = (*at)[1] == '"' ? memchr(s, '"', left < MOST_STRING ? left : MOST_STRING) : NULL;
    *match = end != NULL && as->end - end >= AHEAD && (end[1] == ' ' || end[1] == '\n') &&
             memchr(s, '\\', (size_t)(end - s)) == NULL;
    len = *match ? (size_t)(end - s) : 0;
    *match &= as->count + len / 4 + 1 - as->open <= HD_AS_MAX_WORDS;
    if (!*match)
        return HD_OK;
    HD_TRY(hd_as_reserve(as, len / 4 + 1));
    words = as->words + as->count;
    as->count += len / 4 + 1;
    words[len / 4] = 0;
    memcpy(words, s, len);
    *at = end + 1;
    return HD_OK;
}

/* A word that a blank or a line break ends, and no other character. */
static bool read_name(const HdAs *as, const char *at, Word *word)
{
    return as->end - at >= AHEAD && read_word(as, at + 1, word) &&
           (word->s[word->len] == ' ' || word->s[word->len] == '\n');
}

/* What a word names; remembered, because few are used often. */
static const HdEnumerant *find_enumerant(HdAs *as, uint16_t kind, const Word *word)
{
    uint64_t key = hd_load_text(word->s, word->len) ^ (uint64_t)kind << 48;
    HdAsEnumerant *known = &as->enumerants[(key * 0x9e3779b97f4a7c15u >> 32) % HD_AS_ENUMERANTS];

    if (known->e != NULL && known->key == key && known->kind == kind && known->len == word->len &&
        hd_same_text(known->e->name, word->s, word->len))
        return known->e;
    if (word->len > UINT16_MAX)
        return NULL;
    *known = (HdAsEnumerant){hd_gram_enumerant_name(kind, word->s, word->len), key, kind,
                             (uint16_t)word->len};
    return known->e;
}

/* One name; the parameters of several bits are the general reader's. */
static HdStatus read_enumerant(HdAs *as, const HdOperand *row, const char **at, bool *match)
{
    const HdEnumerant *e = NULL;
    Word word;

    if (read_name(as, *at, &word))
        e = find_enumerant(as, row->kind, &word);
    *match = e != NULL && (row->klass == HD_OPERAND_ENUM || (e->value & (e->value - 1)) == 0);
    if (!*match)
        return HD_OK;
    *at = word.s + word.len;
    hd_pattern_take(&as->pattern);
    *match = hd_pattern_push(&as->pattern, e->parameters, e->parameter_count);
    return hd_as_push(as, e->value);
}

/* An instruction of an extended set. */
static HdStatus read_ext_inst(HdAs *as, const char **at, bool *match)
{
    const HdExtInst *e = NULL;
    unsigned set;
    bool semantic;
    Word word;

    if (as->count - as->open == 4 && read_name(as, *at, &word) &&
        hd_operand_types_import(&as->types, as->words[as->count - 1], &set, &semantic))
        e = hd_gram_extinst_name(set, word.s, word.len);
    *match = e != NULL;
    if (!*match)
        return HD_OK;
    *at = word.s + word.len;
    hd_pattern_take(&as->pattern);
    hd_pattern_ext_inst(&as->pattern, e, semantic);
    return hd_as_push(as, e->number);
}

static bool is_id(const HdOperand *row)
{
    return row->klass == HD_OPERAND_ID || row->klass == HD_OPERAND_TYPE_ID ||
           row->klass == HD_OPERAND_SCOPE_ID || row->klass == HD_OPERAND_SEMANTICS_ID;
}

/* One operand that the grammar's row describes. *match is false when it takes a closer look; it is
 * still to come then. */
static HdStatus read_row(HdAs *as, const HdOperand *row, const char **at, bool *match)
{
    *match = false;
    switch ((HdOperandClass)row->klass) {
    case HD_OPERAND_ID:
    case HD_OPERAND_TYPE_ID:
    case HD_OPERAND_SCOPE_ID:
    case HD_OPERAND_SEMANTICS_ID: HD_TRY(read_plain(as, true, at, match)); break;
    case HD_OPERAND_INTEGER: HD_TRY(read_plain(as, false, at, match)); break;
    case HD_OPERAND_STRING:
        if (as->opix != HD_OPIX_ExtInstImport)
            HD_TRY(read_string(as, at, match));
        break;
    case HD_OPERAND_ENUM:
    case HD_OPERAND_MASK: return read_enumerant(as, row, at, match);
    case HD_OPERAND_EXT_INST: return read_ext_inst(as, at, match);
    default: break;
    }
    if (*match)
        hd_pattern_take(&as->pattern);
    return HD_OK;
}

/* Does the line end at `at`, and is the next surely an instruction? Where an operand may follow, it
 * is none only if the word is the name of an id. */
static bool ends_surely(HdAs *as, const char *at, bool may_follow)
{
    if (!ends(as, at))
        return false;
    if (*as->next == '%' && (!hd_as_starts_op(as, as->next + as->begun.len + 3) ||
                             (may_follow && !hd_as_is_id_name(as->begun.s + 1, as->begun.len - 1))))
        as->next = NULL;
    return as->next != NULL;
}

/* The operands that the pattern expects, to the end of the line. *done is false when some take a
 * closer look: the pattern expects those. Errors point as far as the general reader looks, which is
 * beyond an id that is last. */
static HdStatus read_rows(HdAs *as, const char **at, bool *done)
{
    const HdOperand *row, *last = NULL;
    const char *was = *at;
    bool match = true;

    while ((row = hd_pattern_peek(&as->pattern)) != NULL && match && **at == ' ') {
        last = row;
        was = *at;
        HD_TRY(read_row(as, row, at, &match));
    }
    *done =
        match && (row == NULL || row->quantifier != HD_ONCE) && ends_surely(as, *at, row != NULL);
    if (*done && (row != NULL || (last != NULL && is_id(last)))) {
        *at = as->next;
    } else if (!*done && match && row == NULL && last != NULL && is_id(last)) {
        *at = was; /* once more */
        as->count--;
        (void)hd_pattern_push(&as->pattern, last, 1);
    }
    return HD_OK;
}

HdStatus hd_as_quick_operands(HdAs *as, HdAsToken *result, bool *done)
{
    const HdGramInst *g = &hd_gram_insts[as->opix];
    const HdForm *form = &hd_gram_forms[as->opix];
    const char *at = as->at;
    bool match = true;
    size_t fixed;
    uint32_t i;

    *done = false;
    for (i = 1; i <= form->prefix; i++) {
        if (i == form->result_at)
            HD_TRY(push_result(as, result, &match));
        else
            HD_TRY(read_fixed(as, form, i, &at, &match));
        if (!match)
            break;
    }
    fixed = as->count;
    if (match && (form->tail == HD_TAIL_IDS || form->tail == HD_TAIL_PAIRS ||
                  form->tail == HD_TAIL_INTEGERS))
        HD_TRY(read_tail(as, form->tail != HD_TAIL_INTEGERS, &at));
    if (match && (as->opix == HD_OPIX_Constant || as->opix == HD_OPIX_SpecConstant))
        HD_TRY(read_literal(as, &at, done));
    as->at = at;
    if (*done)
        return HD_OK;
    if (match && form->tail != HD_TAIL_WALK)
        *done = form->tail == HD_TAIL_NONE || ends(as, at);
    if (form->tail == HD_TAIL_PAIRS && (as->count - fixed) % 2 != 0)
        *done = false;
    if (*done)
        return HD_OK;
    hd_pattern_start(&as->pattern, g->operands + (i - 1), g->operand_count - (i - 1));
    if (form->tail == HD_TAIL_PAIRS && (as->count - fixed) % 2 != 0)
        (void)hd_pattern_push(&as->pattern, hd_pattern_pair(HD_OPERAND_PAIR_ID_ID, false) + 1, 1);
    if (match && (form->tail == HD_TAIL_WALK || form->tail == HD_TAIL_OPTIONAL)) {
        HD_TRY(read_rows(as, &at, done));
        as->at = at;
    }
    return HD_OK;
}
