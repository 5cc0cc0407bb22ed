/* text/dis_inst.c -- one instruction to assembly text, in a module that is disassembled or alone.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/bitset.h"
#include "base/pages.h"
#include "text/dis_put.h"
#include "text/literal.h"

#define RESET  "\x1b[0m"
#define RED    "\x1b[31m"
#define GREEN  "\x1b[32m"
#define YELLOW "\x1b[33m"
#define BLUE   "\x1b[34m"

/* ---- output -------------------------------------------------------------------------------- */

/* What most instructions need less than. */
#define NEARLY_FULL 512u

/* Enough to extrapolate from, and more than any text is likely to need: it is three to five times
 * as long as the words. */
#define FIRST_ROOM        16384u
#define MOST_BYTES_A_WORD 32u

/* Room for the rest of the text, before `word`: more than it will need, so that it does not move;
 * what is not written takes no memory. As far as the text will go if it continues as it began, the
 * block gets large pages: a page costs more than what is written into it. */
static void expect_text(HdDis *dis, size_t word)
{
    size_t count = dis->out->count, most = dis->nwords * MOST_BYTES_A_WORD;
    double expected = (double)count * (double)dis->nwords / (double)(word + 1) + 4096;
    char *at;

    if (count < FIRST_ROOM / 2 || count >= most) {
        (void)hd_dis_more_room(dis->out, FIRST_ROOM);
        return;
    }
    at = hd_dis_more_room(dis->out, most - count);
    if (at != NULL && expected < (double)most)
        hd_pages_use_all(at, (size_t)expected - count);
}

static void put_char(HdDis *dis, char c)
{
    char *to = hd_dis_room(dis->out, 1);

    if (to != NULL) {
        *to = c;
        dis->out->count++;
    }
}

static void colour(HdDis *dis, const char *escape)
{
    if (dis->o.colour)
        hd_dis_put_string(dis, escape);
}

static void put_id(HdDis *dis, uint32_t id)
{
    char guessed[HD_DIS_GUESS], *to;
    uint32_t len;
    const char *s = hd_dis_name(dis, id, guessed, &len);

    to = hd_dis_room(dis->out, (size_t)len + 12);
    if (to == NULL)
        return;
    *to++ = '%';
    if (len == 0)
        len = (uint32_t)hd_decimal_print_u32(to, id);
    else
        hd_copy_text(to, s, len);
    dis->out->count += len + 1;
}

/* ---- operands ------------------------------------------------------------------------------ */

/* The bytes of the string in these words, with \ before quotes and backslashes. */
static void put_text(HdDis *dis, const uint32_t *w, uint32_t nwords)
{
    char *to = hd_dis_room(dis->out, (size_t)nwords * 8);
    size_t n = 0;

    if (to == NULL)
        return;
    for (uint32_t i = 0; i < nwords; i++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            char c = (char)(w[i] >> shift);

            if (c == '\0') {
                dis->out->count += n;
                return;
            }
            if (c == '"' || c == '\\')
                to[n++] = '\\';
            to[n++] = c;
        }
    }
    dis->out->count += n;
}

static void put_mask(HdDis *dis, uint16_t kind, uint32_t value)
{
    const HdEnumerant *e;

    if (value == 0) {
        e = hd_gram_enumerant(kind, 0);
        hd_dis_put_string(dis, e != NULL ? e->name : "None");
        return;
    }
    for (uint32_t left = value; left != 0; left &= left - 1) {
        e = hd_gram_enumerant(kind, left & (0 - left));
        if (left != value)
            put_char(dis, '|');
        if (e != NULL)
            hd_dis_put_string(dis, e->name);
    }
}

static void put_number(HdDis *dis, const HdOperandPart *part, const uint32_t *w)
{
    char *to;

    if (part->nwords > 2 || !hd_literal_has_text(part->number)) { /* the unchanged words */
        for (uint32_t i = 0; i < part->nwords; i++) {
            hd_dis_put_string(dis, i == 0 ? "!" : " !");
            hd_dis_put_u32(dis, w[part->at + i]);
        }
        return;
    }
    to = hd_dis_room(dis->out, HD_LITERAL_MAX);
    if (to != NULL)
        dis->out->count += hd_literal_print(to, w + part->at, part->nwords, part->number);
}

static void put_operand(HdDis *dis, const HdOperandPart *part, const uint32_t *w)
{
    uint32_t value = w[part->at];
    const HdEnumerant *e;
    const HdExtInst *ext;

    switch ((HdOperandClass)part->klass) {
    case HD_OPERAND_RESULT:
        colour(dis, BLUE);
        put_id(dis, value);
        break;
    case HD_OPERAND_ID:
    case HD_OPERAND_TYPE_ID:
    case HD_OPERAND_SCOPE_ID:
    case HD_OPERAND_SEMANTICS_ID:
        colour(dis, YELLOW);
        put_id(dis, value);
        break;
    case HD_OPERAND_INTEGER:
    case HD_OPERAND_FLOAT:
    case HD_OPERAND_TYPED_LITERAL:
        colour(dis, RED);
        put_number(dis, part, w);
        colour(dis, RESET);
        break;
    case HD_OPERAND_STRING:
        put_char(dis, '"');
        colour(dis, GREEN);
        put_text(dis, w + part->at, part->nwords);
        colour(dis, RESET);
        put_char(dis, '"');
        break;
    case HD_OPERAND_EXT_INST:
        colour(dis, RED);
        ext = hd_gram_extinst(part->set, value);
        if (ext != NULL)
            hd_dis_put_string(dis, ext->name);
        else
            hd_dis_put_u32(dis, value);
        break;
    case HD_OPERAND_SPEC_OP:
        colour(dis, RED);
        hd_dis_put_string(dis, hd_gram_insts[hd_gram_find(value)].name + 2);
        break;
    case HD_OPERAND_MASK: put_mask(dis, part->kind, value); break;
    default:
        e = hd_gram_enumerant(part->kind, value);
        if (e != NULL)
            hd_dis_put_string(dis, e->name);
        else
            hd_dis_put_u32(dis, value);
        break;
    }
    colour(dis, RESET);
}

/* ---- instructions -------------------------------------------------------------------------- */

static HdStatus malformed(HdDis *dis, const HdOperandWalk *walk, size_t word)
{
    char text[200];

    return hd_fail(dis->d, HD_BAD_INPUT, (uint32_t)word, "dis.malformed", "%s",
                   hd_operands_problem(walk, text, sizeof text));
}

static void put_unknown(HdDis *dis, const uint32_t *w, uint32_t nwords)
{
    hd_dis_put_string(dis, "OpUnknown(");
    hd_dis_put_u32(dis, w[0] & 0xffff);
    hd_dis_put_string(dis, ", ");
    hd_dis_put_u32(dis, nwords);
    put_char(dis, ')');
    for (uint32_t i = 1; i < nwords; i++) {
        put_char(dis, ' ');
        colour(dis, RED);
        hd_dis_put_u32(dis, w[i]);
        colour(dis, RESET);
    }
    hd_dis_put_string(dis, "  ; note: ID bound may be incorrect after reassembly");
}

/* Words up to `end` that are ids and integers without looking at the grammar. */
static void put_words(HdDis *dis, const HdForm *form, const uint32_t *w, uint32_t end)
{
    for (uint32_t i = 1; i < end && dis->out->count < dis->most; i++) {
        if (i == form->result_at)
            continue;
        put_char(dis, ' ');
        if (i == 2)
            dis->second = dis->out->count;
        if (hd_form_is_id(form, i))
            put_id(dis, w[i]);
        else
            hd_dis_put_u32(dis, w[i]);
    }
}

/* The only literal after a constant's type and result. False: it is not the only one, or needs the
 * general path. */
static bool put_constant(HdDis *dis, const uint32_t *w, uint32_t nwords)
{
    HdNumberType number = hd_operand_types_number(&dis->types, w[1]);
    const char *known;
    uint32_t len;
    char *to;

    if (number.number == HD_NUMBER_NONE || number.bits == 0 || number.bits > 64 ||
        nwords - 3 != (number.bits + 31u) / 32 || !hd_literal_has_text(number))
        return false;
    to = hd_dis_room(dis->out, 1 + HD_LITERAL_MAX);
    if (to == NULL)
        return true;
    *to++ = ' ';
    known = dis->names != NULL ? hd_names_literal(dis->names, w[2], &len) : NULL;
    if (known != NULL)
        hd_copy_text(to, known, len);
    else
        len = (uint32_t)hd_literal_print(to, w + 3, nwords - 3, number);
    dis->out->count += 1 + len;
    return true;
}

#define MOST_ROWS 4u

/* Further words: ids and enumerants without parameters, each of which the grammar's next row wants,
 * to the instruction's end. False prints nothing: they are to be walked. */
static bool put_rows(HdDis *dis, const HdOperand *row, uint32_t rows, const uint32_t *w,
                     uint32_t nwords, uint32_t from)
{
    const HdEnumerant *e[MOST_ROWS];

    if (nwords - from > MOST_ROWS || nwords - from != rows)
        return false;
    for (uint32_t i = 0; i < rows; i++) {
        e[i] = NULL;
        if (row[i].quantifier == HD_ANY_NUMBER)
            return false;
        if (row[i].klass == HD_OPERAND_ENUM ||
            (row[i].klass == HD_OPERAND_MASK && w[from + i] == 0))
            e[i] = hd_gram_enumerant(row[i].kind, w[from + i]);
        if (e[i] != NULL ? e[i]->parameter_count != 0
                         : w[from + i] == 0 || row[i].klass != HD_OPERAND_ID)
            return false;
    }
    for (uint32_t i = 0; i < rows; i++) {
        put_char(dis, ' ');
        if (from + i == 2)
            dis->second = dis->out->count;
        if (e[i] != NULL)
            hd_dis_put_string(dis, e[i]->name);
        else
            put_id(dis, w[from + i]);
    }
    return true;
}

/* How many words of an instruction put_words can print: all, those that its form knows, or only
 * the first one. */
static uint32_t plain_words(const HdDis *dis, const HdForm *form, const uint32_t *w,
                            uint32_t nwords)
{
    uint32_t end = hd_form_is_plain(form, nwords) ? nwords : form->prefix + 1u;

    if (dis->o.colour || end > nwords)
        return 1;
    for (uint32_t i = 1; i < end && i <= dis->most; i++) /* further ones are not printed */
        if (w[i] == 0 && hd_form_is_id(form, i))
            return 1;
    return end;
}

/* Append one instruction from its opcode on. */
static HdStatus put_body(HdDis *dis, const uint32_t *w, uint32_t nwords, size_t word)
{
    enum HdOpix opix = hd_gram_find(w[0] & 0xffff);
    const HdForm *form = &hd_gram_forms[opix];
    uint32_t plain = opix != HD_OPIX_NONE ? plain_words(dis, form, w, nwords) : 1;
    size_t start = dis->out->count;
    HdOperandWalk walk;
    HdOperandPart part;

    if (opix != HD_OPIX_NONE)
        hd_dis_put(dis, hd_gram_insts[opix].name, form->name_len);
    put_words(dis, form, w, plain);
    if (plain == nwords && hd_form_is_plain(form, nwords))
        return HD_OK;
    if ((opix == HD_OPIX_Constant || opix == HD_OPIX_SpecConstant) && plain == 3 &&
        put_constant(dis, w, nwords))
        return HD_OK;
    if (plain > 1 && plain == form->prefix + 1u && dis->most == SIZE_MAX &&
        put_rows(dis, hd_gram_insts[opix].operands + form->prefix,
                 hd_gram_insts[opix].operand_count - form->prefix, w, nwords, plain))
        return HD_OK;
    if (plain == 1)
        hd_operands_start(&walk, &dis->types, w, nwords);
    else
        hd_operands_start_rest(&walk, &dis->types, w, nwords);
    while (dis->out->count < dis->most && hd_operands_next(&walk, &part)) {
        if (part.klass == HD_OPERAND_RESULT)
            continue;
        put_char(dis, ' ');
        if (part.at == 2)
            dis->second = dis->out->count;
        put_operand(dis, &part, w);
    }
    if (walk.problem != HD_OPERANDS_FINE) {
        dis->out->count = start;
        return malformed(dis, &walk, word);
    }
    return HD_OK;
}

/* " %id = ", or as many spaces. */
static void put_result(HdDis *dis, uint32_t id)
{
    size_t width = dis->o.indent ? HD_DIS_COLUMN : 0, before;
    char made[HD_DIS_GUESS], *to;
    const char *s;
    uint32_t len;

    if (id == 0) {
        hd_dis_put_spaces(dis, width + dis->nesting);
        return;
    }
    s = hd_dis_name(dis, id, made, &len);
    if (len == 0) {
        s = made;
        len = (uint32_t)hd_decimal_print_u32(made, id);
    }
    before = len + 4 < width ? width - (len + 4) : 0; /* % and " = " */
    colour(dis, BLUE);
    hd_dis_put_spaces(dis, before);
    to = hd_dis_room(dis->out, (size_t)len + 1);
    if (to != NULL) {
        to[0] = '%';
        hd_copy_text(to + 1, s, len);
        dis->out->count += len + 1;
    }
    colour(dis, RESET);
    hd_dis_put(dis, " = ", 3);
    hd_dis_put_spaces(dis, dis->nesting);
}

/* Remember that an id was defined; an error when it was before. */
static HdStatus define(HdDis *dis, uint32_t id, size_t word)
{
    if (id >= dis->types.limit)
        return HD_OK;
    if (!hd_bits_reach(&dis->defined, &dis->defined_room, id))
        return HD_NO_MEMORY;
    if (hd_bit_has(dis->defined, id))
        return hd_fail(dis->d, HD_BAD_INPUT, (uint32_t)word, "dis.redefined",
                       "id %u is defined a second time", (unsigned)id);
    hd_bit_add(dis->defined, id);
    return HD_OK;
}

HdStatus hd_dis_inst(HdDis *dis, size_t word)
{
    const uint32_t *w = dis->words + word;
    uint32_t nwords = w[0] >> 16;
    enum HdOpix opix = hd_gram_find(w[0] & 0xffff);
    const HdGramInst *g = &hd_gram_insts[opix];
    size_t start = dis->out->count, line;
    HdStatus st;

    if (nwords == 0 || nwords > dis->nwords - word)
        return hd_fail(dis->d, HD_BAD_INPUT, (uint32_t)word, "dis.length",
                       nwords == 0 ? "an instruction has a word count of 0"
                                   : "an instruction of %u words reaches past the end",
                       (unsigned)nwords);
    if (nwords < 1u + g->has_type + g->has_result) /* let the walk say what is missing */
        return put_body(dis, w, nwords, word);
    if (dis->out->room - dis->out->count < NEARLY_FULL && dis->o.flush == NULL)
        expect_text(dis, word);
    if (dis->o.comments)
        hd_dis_heading(dis, g, opix, w);
    line = dis->out->count;
    put_result(dis, g->has_result ? w[1 + g->has_type] : 0);
    if (dis->o.unknown_ops) {
        size_t errors = dis->d->errors, count = dis->d->count;
        HdStatus first = dis->d->first;

        st = put_body(dis, w, nwords, word);
        if (st == HD_BAD_INPUT) {
            dis->d->errors = errors;
            dis->d->count = count;
            dis->d->first = first;
            dis->out->count = start;
            put_result(dis, 0);
            put_unknown(dis, w, nwords);
            st = HD_OK;
        }
    } else {
        st = put_body(dis, w, nwords, word);
    }
    if (st == HD_OK && g->has_result)
        st = define(dis, w[1 + g->has_type], word);
    if (st != HD_OK) {
        dis->out->count = start;
        return st;
    }
    if (g->has_result)
        hd_operand_types_note(&dis->types, w, nwords);
    if (dis->o.comments || dis->o.offsets)
        HD_TRY(hd_dis_comment(dis, opix, w, word, line));
    put_char(dis, '\n');
    if (dis->out->failed || dis->types.failed)
        return HD_NO_MEMORY;
    if (dis->o.flush != NULL && dis->out->count >= 1u << 18)
        return dis->o.flush(dis->o.user, dis->out);
    return HD_OK;
}

/* ---- one alone ----------------------------------------------------------------------------- */

/* What the walk needs to know of earlier instructions, for this one alone. */
static void note_needed(HdDis *dis, const HdInst *in)
{
    const HdModule *m = dis->m;
    uint32_t id = in->nwords > 1 ? in->w[1] : 0;
    HdInst def;

    if (in->opix == HD_OPIX_Switch && hd_module_def(m, id, &def)) {
        hd_operand_types_note(&dis->types, def.w, def.nwords);
        id = hd_inst_type(&def);
    }
    if ((in->opix == HD_OPIX_ExtInst || in->opix == HD_OPIX_ExtInstWithForwardRefsKHR) &&
        in->nwords > 3)
        id = in->w[3];
    if (hd_module_def(m, id, &def))
        hd_operand_types_note(&dis->types, def.w, def.nwords);
}

#define INST_BYTES 250u /* more than most take */

static void put_inst(const HdModule *m, const HdInst *in, const HdNames *names, HdGuesses *guesses,
                     size_t most, HdStrbuf *out)
{
    HdDiags ignored;
    HdDis dis = {.words = m->words,
                 .nwords = m->nwords,
                 .d = &ignored,
                 .out = out,
                 .names = names,
                 .m = m,
                 .guesses = guesses,
                 .most = most < SIZE_MAX - out->count ? out->count + most : SIZE_MAX};
    HdId result = hd_inst_result(in);
    char *end = hd_dis_room(out, INST_BYTES);

    hd_diags_init(&ignored);
    dis.types.is_small = true;
    note_needed(&dis, in);
    if (result != 0)
        put_result(&dis, result);
    if (put_body(&dis, in->w, in->nwords, in->word) != HD_OK) {
        put_unknown(&dis, in->w, in->nwords);
    }
    end = hd_dis_room(out, 1);
    if (end != NULL)
        *end = '\0';
    hd_diags_drop(&ignored);
}

void hd_text_inst(const HdModule *m, const HdInst *in, const HdNames *names, size_t most,
                  HdStrbuf *out)
{
    put_inst(m, in, names, NULL, most, out);
}

void hd_text_inst_guessed(const HdModule *m, const HdInst *in, HdGuesses *guesses, size_t most,
                          HdStrbuf *out)
{
    put_inst(m, in, NULL, guesses, most, out);
}
