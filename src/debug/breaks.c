/* debug/breaks.c -- breakpoints: where they are, whether they stop a work-item.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debug/private.h"
#include "module/source.h"

typedef struct Words {
    HD_ARRAY(uint32_t) list;
    HdDebugPlace at;
} Words;

static bool add_word(HdDebug *d, Words *w, uint32_t word)
{
    if (w->list.count == 0)
        w->at = hd_debug_lines_at(&d->lines, word);
    w->at.word = w->list.count == 0 ? word : w->at.word;
    return HD_PUSH(NULL, &w->list, word);
}

/* ---- places -------------------------------------------------------------------------------- */

/* Instructions that the interpreter passes over: nothing stops there. */
static bool is_executed(const HdDebug *d, const HdInst *in)
{
    switch (in->opix) {
    case HD_OPIX_Label:
    case HD_OPIX_Function:
    case HD_OPIX_FunctionParameter:
    case HD_OPIX_FunctionEnd:
    case HD_OPIX_Line:
    case HD_OPIX_NoLine:
    case HD_OPIX_Variable:
    case HD_OPIX_UntypedVariableKHR:
    case HD_OPIX_LoopMerge:
    case HD_OPIX_SelectionMerge: return false;
    default: return hd_source_inst(d->m, in) == UINT32_MAX;
    }
}

static const HdFunction *function_at(const HdDebug *d, uint32_t word)
{
    for (uint32_t i = 0; i < d->m->function_count; i++)
        if (word >= d->m->functions[i].word && word < d->m->functions[i].end)
            return &d->m->functions[i];
    return NULL;
}

/* The first instruction of a line in each function that has it; of phis only the first runs. */
static HdStatus words_of_line(HdDebug *d, uint32_t file, uint32_t line, Words *w)
{
    const HdFunction *last = NULL;

    for (size_t i = 0; i < d->lines.places.count; i++) {
        const HdDebugPlace *p = &d->lines.places.at[i];
        HdInst in = hd_module_inst(d->m, p->word);
        const HdFunction *f;

        if (p->file != file || p->line != line || !is_executed(d, &in))
            continue;
        f = function_at(d, p->word);
        if (f == last && !d->lines.is_assembly)
            continue;
        last = f;
        if (!add_word(d, w, p->word))
            return HD_NO_MEMORY;
    }
    return HD_OK;
}

/* The first line at or after a given one that has instructions. */
static uint32_t next_line(const HdDebug *d, uint32_t file, uint32_t line)
{
    uint32_t best = 0;

    for (size_t i = 0; i < d->lines.places.count; i++) {
        const HdDebugPlace *p = &d->lines.places.at[i];
        HdInst in = hd_module_inst(d->m, p->word);

        if (p->file == file && p->line >= line && (best == 0 || p->line < best) &&
            is_executed(d, &in))
            best = p->line;
    }
    return best;
}

/* The start of a function's body: after its variables and the copies of its parameters. */
static uint32_t entry_of(HdDebug *d, const HdFunction *f)
{
    uint32_t word, first = 0, end;

    if (f->block_count == 0)
        return 0;
    word = d->m->blocks[f->first_block].word;
    end = hd_block_end(d->m, &d->m->blocks[f->first_block]);
    for (HdInst in; word < end && hd_module_next(d->m, &word, &in);) {
        if (!is_executed(d, &in))
            continue;
        if (first == 0)
            first = in.word;
        if (hd_debug_lines_at(&d->lines, in.word).file != HD_NO_FILE &&
            (in.opix != HD_OPIX_Store ||
             hd_module_opix(d->m, in.w[2]) != HD_OPIX_FunctionParameter))
            return in.word;
    }
    return first;
}

/* Does a function call another one of that name? Compilers make two of a kernel; the one that is
 * called is meant. */
static bool is_wrapper(HdDebug *d, const HdFunction *f, const char *name)
{
    uint32_t word = f->word;

    for (HdInst in; word < f->end && hd_module_next(d->m, &word, &in);) {
        const char *callee =
            in.opix == HD_OPIX_FunctionCall ? hd_debug_function_name(d, in.w[3]) : NULL;

        if (callee != NULL && strcmp(callee, name) == 0)
            return true;
    }
    return false;
}

static HdStatus words_of_function(HdDebug *d, const char *name, Words *w)
{
    for (uint32_t i = 0; i < d->m->function_count; i++) {
        const HdFunction *f = &d->m->functions[i];
        const char *is = hd_debug_function_name(d, f->id);
        uint32_t word;

        if (!hd_debug_is_function(is, name) || f->block_count == 0 || is_wrapper(d, f, name))
            continue;
        word = entry_of(d, f);
        if (word != 0 && !add_word(d, w, word))
            return HD_NO_MEMORY;
    }
    return HD_OK;
}

/* "*%ID", "*BYTE". */
static HdStatus words_of_inst(HdDebug *d, const char *text, Words *w)
{
    const bool by_id = text[0] == '%';
    const uint64_t byte = by_id ? 0 : strtoull(text, NULL, 0);
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdId id = 0;

    if (by_id && !hd_debug_find_id(d, text + 1, strlen(text + 1), &id))
        return HD_OK;
    for (HdInst in; hd_module_next(d->m, &word, &in);) {
        const bool is = by_id ? hd_inst_result(&in) == id : (uint64_t)in.word * 4 == byte;

        if (is && in.word >= d->m->first_function && is_executed(d, &in))
            return add_word(d, w, in.word) ? HD_OK : HD_NO_MEMORY;
    }
    return HD_OK;
}

/* ---- making them --------------------------------------------------------------------------- */

void hd_debug_break_changed(HdDebug *d)
{
    memset(d->break_at, 0, HD_BITSET_WORDS(d->m->nwords) * sizeof *d->break_at);
    for (size_t i = 0; i < d->breaks.count; i++)
        for (uint32_t k = 0; d->breaks.at[i].is_enabled && k < d->breaks.at[i].word_count; k++)
            hd_bit_add(d->break_at, d->breaks.at[i].words[k]);
}

char *hd_debug_condition(const char *text)
{
    return text != NULL && *text != '\0' ? hd_strdup(text) : NULL;
}

static void tell_no_code(const char *where, HdStrbuf *why)
{
    hd_strbuf_printf(why, "there is no code at '%s'", where);
}

/* Takes the words. */
static uint32_t add(HdDebug *d, Words *w, const char *where, const char *condition, HdStrbuf *why)
{
    HdDebugBreak b = {.number = d->last_break + 1,
                      .where = hd_strdup(where),
                      .condition = hd_debug_condition(condition),
                      .at = w->at,
                      .words = w->list.at,
                      .word_count = (uint32_t)w->list.count,
                      .is_enabled = true};

    if (w->list.count == 0 || !HD_PUSH(NULL, &d->breaks, b)) {
        if (w->list.count == 0)
            tell_no_code(where, why);
        else
            hd_strbuf_add(why, "no memory");
        HD_ARRAY_FREE(&w->list);
        hd_free(b.where);
        hd_free(b.condition);
        return 0;
    }
    d->last_break++;
    hd_debug_break_changed(d);
    return b.number;
}

/* The code of a line, or of the next one that has some, and what it is called. */
static void words_at_line(HdDebug *d, uint32_t file, uint32_t line, Words *w, HdStrbuf *name)
{
    uint32_t real = file != HD_NO_FILE ? next_line(d, file, line) : 0;

    if (file == HD_NO_FILE)
        hd_strbuf_printf(name, "line %u", line);
    else
        hd_strbuf_printf(name, "%s:%u", d->lines.files.at[file].name, line);
    if (real != 0 && words_of_line(d, file, real, w) != HD_OK)
        w->list.count = 0;
}

uint32_t hd_debug_break_line(HdDebug *d, uint32_t file, uint32_t line, const char *condition,
                             HdStrbuf *why)
{
    Words w = {.at = {.file = HD_NO_FILE}};
    HdStrbuf name = {0};
    uint32_t number;

    words_at_line(d, file, line, &w, &name);
    number = add(d, &w, hd_strbuf_text(&name), condition, why);
    hd_strbuf_free(&name);
    return number;
}

/* The file of what is in focus, else the first. */
static uint32_t file_here(const HdDebug *d)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];
    uint32_t count = d->is_stopped ? hd_debug_frames(d, d->focus, frames) : 0;

    for (uint32_t i = 0; i < count; i++)
        if (frames[i].place.file != HD_NO_FILE)
            return frames[i].place.file;
    return d->lines.places.count > 0 ? d->lines.places.at[0].file : HD_NO_FILE;
}

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* The code at a place, none where there is none, and what the place is called. False: its file is
 * not known; says so. */
static bool words_at(HdDebug *d, const char *where, Words *w, HdStrbuf *name, HdStrbuf *why)
{
    const char *colon = strrchr(where, ':');
    HdStatus st;

    if (is_number(where)) {
        words_at_line(d, file_here(d), (uint32_t)strtoul(where, NULL, 10), w, name);
        return true;
    }
    if (colon != NULL && is_number(colon + 1)) {
        HdStrbuf named = {0};
        uint32_t file;

        hd_strbuf_add_bytes(&named, where, (size_t)(colon - where));
        file = hd_debug_lines_file(&d->lines, hd_strbuf_text(&named));
        if (file == HD_NO_FILE)
            hd_strbuf_printf(why, "no code comes from a file '%s'", hd_strbuf_text(&named));
        else
            words_at_line(d, file, (uint32_t)strtoul(colon + 1, NULL, 10), w, name);
        hd_strbuf_free(&named);
        return file != HD_NO_FILE;
    }
    hd_strbuf_add(name, where);
    st = where[0] == '*' ? words_of_inst(d, where + 1, w) : words_of_function(d, where, w);
    if (st != HD_OK)
        w->list.count = 0;
    return true;
}

uint32_t hd_debug_break(HdDebug *d, const char *where, const char *condition, HdStrbuf *why)
{
    Words w = {.at = {.file = HD_NO_FILE}};
    HdStrbuf name = {0};
    uint32_t number = 0;

    if (words_at(d, where, &w, &name, why))
        number = add(d, &w, hd_strbuf_text(&name), condition, why);
    hd_strbuf_free(&name);
    return number;
}

bool hd_debug_find_place(HdDebug *d, const char *where, HdDebugPlace *at, HdStrbuf *why)
{
    Words w = {.at = {.file = HD_NO_FILE}};
    HdStrbuf name = {0};
    bool is_known = words_at(d, where, &w, &name, why), is_there = w.list.count > 0;

    if (is_there)
        *at = w.at;
    else if (is_known)
        tell_no_code(hd_strbuf_text(&name), why);
    HD_ARRAY_FREE(&w.list);
    hd_strbuf_free(&name);
    return is_there;
}

HdDebugBreak *hd_debug_break_find(HdDebug *d, uint32_t number)
{
    for (size_t i = 0; i < d->breaks.count; i++)
        if (d->breaks.at[i].number == number)
            return &d->breaks.at[i];
    return NULL;
}

void hd_debug_breaks_free(HdDebug *d)
{
    for (size_t i = 0; i < d->breaks.count; i++) {
        hd_free(d->breaks.at[i].where);
        hd_free(d->breaks.at[i].condition);
        hd_free(d->breaks.at[i].words);
    }
    HD_ARRAY_FREE(&d->breaks);
}

bool hd_debug_break_remove(HdDebug *d, uint32_t number)
{
    HdDebugBreak *b = hd_debug_break_find(d, number);

    if (b == NULL)
        return false;
    hd_free(b->where);
    hd_free(b->condition);
    hd_free(b->words);
    d->watch_count -= b->watched.bytes != 0;
    memmove(b, b + 1, (size_t)(d->breaks.at + d->breaks.count - (b + 1)) * sizeof *b);
    d->breaks.count--;
    hd_debug_break_changed(d);
    return true;
}

const HdDebugBreak *hd_debug_break_at(const HdDebug *d, size_t index)
{
    return index < d->breaks.count ? &d->breaks.at[index] : NULL;
}

/* ---- stopping ------------------------------------------------------------------------------ */

static bool has_word(const HdDebugBreak *b, uint32_t word)
{
    for (uint32_t i = 0; i < b->word_count; i++)
        if (b->words[i] == word)
            return true;
    return false;
}

uint64_t hd_debug_break_lanes(HdDebug *d, const HdDebugBreak *b, uint64_t mask)
{
    uint64_t lanes = mask;
    uint32_t item;

    if (b->is_item) {
        if (!hd_debug_find_item(d, b->item, &item) || hd_debug_sub(d, item) != d->s)
            return 0;
        lanes &= UINT64_C(1) << hd_debug_lane(d, item);
    }
    for (HD_EACH_LANE(lane, b->condition != NULL ? mask : 0)) {
        HdStrbuf why = {0};
        bool is_true = true;

        /* A condition that makes no sense stops, so that somebody mends it. */
        if (hd_debug_true(d, d->s->e.first + lane, b->condition, &is_true, &why) == HD_OK &&
            !is_true)
            lanes &= ~(UINT64_C(1) << lane);
        hd_strbuf_free(&why);
    }
    return lanes;
}

bool hd_debug_break_hit(HdDebug *d, uint32_t word, uint64_t mask, HdDebugStop *stop)
{
    for (size_t i = 0; i < d->breaks.count; i++) {
        HdDebugBreak *b = &d->breaks.at[i];
        uint64_t lanes;

        if (!b->is_enabled || !has_word(b, word))
            continue;
        lanes = hd_debug_break_lanes(d, b, mask);
        if (lanes == 0)
            continue;
        b->hits++;
        if (b->ignore > 0) {
            b->ignore--;
            continue;
        }
        stop->breakpoint = b->number;
        stop->lanes = lanes;
        if (b->is_temporary)
            hd_debug_break_remove(d, b->number);
        return true;
    }
    return false;
}
