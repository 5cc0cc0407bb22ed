/* interp/count_code.c -- what a checked launch counts: names and places of instructions, functions
 * and branches.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/map.h"
#include "base/memory.h"
#include "interp/counters.h"
#include "interp/registers.h"
#include "interp/report.h"
#include "interp/state.h"
#include "module/source.h"
#include "text/dis.h"
#include "text/places.h"

typedef struct Coder {
    const HdInterpProgram *p;
    HdCheck *check;
    HdCountCode *out;
    HD_ARRAY(HdCountFile) files; /* arena */
    HD_ARRAY(HdCountInst) insts;
    HD_ARRAY(HdCountBranch) branches;
    HdStrMap names;        /* of functions */
    const char *last_name; /* of a file, and its number */
    uint32_t last_file;
    HdSourceCursor lines;
    HdScopeCursor scopes;
} Coder;

/* ---- names ---------------------------------------------------------------------------------- */

static const char *function_name(const Coder *x, HdId id)
{
    const HdModule *m = x->p->m;
    const char *name = hd_report_function(m, id);

    for (uint32_t i = 0; name == NULL && i < m->entry_count; i++)
        if (m->entries[i].function == id)
            name = m->entries[i].name;
    /* glslang calls functions "name(types". */
    return name != NULL ? hd_arena_string(x->out->arena, name, strcspn(name, "("))
                        : hd_arena_printf(x->out->arena, "%%%u", (unsigned)id);
}

static const char *opcode_name(const Coder *x, const HdInst *in)
{
    const char *name = hd_gram_insts[in->opix].name, *callee;
    const HdExtInst *ext;

    if (in->opix == HD_OPIX_ExtInst &&
        (ext = hd_gram_extinst(hd_module_extset(x->p->m, in->w[3]), in->w[4])) != NULL)
        return hd_arena_printf(x->out->arena, "%s %s", name, ext->name);
    if (in->opix != HD_OPIX_FunctionCall)
        return name;
    callee = function_name(x, in->w[3]);
    return callee != NULL ? hd_arena_printf(x->out->arena, "%s %s", name, callee) : NULL;
}

/* ---- places --------------------------------------------------------------------------------- */

static HdStatus file_number(Coder *x, const char *name, uint32_t *out)
{
    HdStrbuf text = {0};
    HdCountFile f;

    *out = x->last_file;
    if (name == x->last_name)
        return HD_OK;
    for (*out = 0; *out < x->files.count; ++*out)
        if (strcmp(x->files.at[*out].name, name) == 0)
            break;
    x->last_name = name;
    x->last_file = *out;
    if (*out < x->files.count)
        return HD_OK;
    f = (HdCountFile){.name = hd_arena_string(x->out->arena, name, strlen(name))};
    if (hd_source_text(x->p->m, name, &text))
        f.text = hd_check_text(x->check, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
    if (f.name == NULL)
        return HD_NO_MEMORY;
    HD_TRY_PUSH(x->out->arena, &x->files, f);
    return HD_OK;
}

static HdStatus place(Coder *x, HdCountInst *to)
{
    const HdSourcePlace at = hd_source_at(x->p->m, to->word, &x->lines);

    to->file = HD_COUNT_NO_FILE;
    to->copy = hd_source_scope_at(x->p->m, to->word, &x->scopes).inlined;
    if (at.file == NULL || at.line == 0)
        return HD_OK;
    to->line = at.line;
    to->column = at.column;
    return file_number(x, at.file, &to->file);
}

/* The number of each instruction of the module, by its word; heap. */
static uint32_t *count_instructions(const HdModule *m)
{
    uint32_t *nth = hd_alloc((m->nwords + 1) * sizeof *nth), word = HD_MODULE_FIRST_WORD, n = 0;

    if (nth != NULL)
        for (HdInst in; word < m->nwords && hd_module_next(m, &word, &in);)
            nth[in.word] = n++;
    return nth;
}

static void place_in_text(Coder *x, const HdTextPlaces *places, const uint32_t *nth)
{
    for (uint32_t i = 0; i < x->out->inst_count; i++) {
        HdCountInst *in = &x->out->insts[i];

        if (nth[in->word] >= places->count)
            continue;
        in->file = 0;
        in->line = places->at[nth[in->word]].line;
        in->column = places->at[nth[in->word]].column;
    }
}

static HdStatus write_text(Coder *x, HdStrbuf *text, HdTextPlaces *places)
{
    const HdDisOptions options = {.indent = true, .unknown_ops = true};
    const HdModule *m = x->p->m;
    HdCountFile f = {.name = "module.spvasm"};
    HdDiags d;
    HdStatus st;

    hd_diags_init(&d);
    st = hd_text_disassemble(m->words, m->nwords, &options, &d, text);
    hd_diags_drop(&d);
    if (st != HD_OK)
        return st == HD_NO_MEMORY ? st : HD_OK; /* without a text nothing has a place */
    HD_TAKE(f.text, hd_check_text(x->check, hd_strbuf_text(text)));
    if (!hd_text_places(text->at, text->count, places))
        return HD_NO_MEMORY;
    HD_TRY_PUSH(x->out->arena, &x->files, f);
    x->out->is_text = true;
    return HD_OK;
}

/* A module without lines: those of its text. */
static HdStatus place_all_in_text(Coder *x)
{
    uint32_t *nth = count_instructions(x->p->m);
    HdTextPlaces places = {0};
    HdStrbuf text = {0};
    HdStatus st = nth != NULL ? write_text(x, &text, &places) : HD_NO_MEMORY;

    if (st == HD_OK)
        place_in_text(x, &places, nth);
    HD_ARRAY_FREE(&places);
    hd_strbuf_free(&text);
    hd_free(nth);
    return st;
}

/* ---- functions ------------------------------------------------------------------------------ */

/* Labels and merges only declare, what is silent only names. */
static bool is_executed(const HdModule *m, const HdInst *in)
{
    return in->opix != HD_OPIX_Label && in->opix != HD_OPIX_SelectionMerge &&
           in->opix != HD_OPIX_LoopMerge && !hd_source_is_silent(m, in);
}

/* As the module has them: the interpreter says loads and stores of some variables otherwise. */
static HdStatus add_block(Coder *x, uint32_t function, uint32_t number)
{
    const HdModule *m = x->p->m;
    const HdBlock *block = &m->blocks[number];
    const uint32_t end = hd_block_end(m, block);
    uint32_t word = block->word;

    x->out->first[number] = (uint32_t)x->insts.count;
    for (HdInst in; word < end && hd_module_next(m, &word, &in);) {
        HdCountInst to = {.word = in.word, .function = function, .block = number};

        if (!is_executed(m, &in))
            continue;
        HD_TAKE(to.opcode, opcode_name(x, &in));
        HD_TRY(place(x, &to));
        hd_registers_bytes(x->p, &in, &to.loaded, &to.stored);
        HD_TRY_PUSH(x->out->arena, &x->insts, to);
    }
    return HD_OK;
}

/* The terminator of a block, which was added last, if it branches. */
static HdStatus add_branch(Coder *x, const HdInterpCode *c, uint32_t block)
{
    const uint32_t first = c->cfg->succ_first[block], count = c->cfg->succ_first[block + 1] - first;

    if (count > 1)
        HD_TRY_PUSH(x->out->arena, &x->branches,
                    ((HdCountBranch){.inst = (uint32_t)x->insts.count - 1,
                                     .edge = c->first_edge + first,
                                     .count = count}));
    return HD_OK;
}

static HdStatus add_function(Coder *x, uint32_t number)
{
    const HdInterpCode *c = &x->p->codes[number];
    HdCountFunction *f = &x->out->functions[number];
    uint64_t first = number;

    *f = (HdCountFunction){.file = HD_COUNT_NO_FILE, .entry = HD_NO_PLACE};
    HD_TAKE(f->name, function_name(x, c->function->id));
    if (!hd_strmap_get(&x->names, f->name, strlen(f->name), &first) &&
        !hd_strmap_put(x->out->arena, &x->names, f->name, strlen(f->name), number))
        return HD_NO_MEMORY;
    f->first = (uint32_t)first;
    if (c->function->block_count > 0)
        f->entry = (uint32_t)x->insts.count;
    for (uint32_t b = 0; b < c->function->block_count; b++) {
        HD_TRY(add_block(x, number, c->function->first_block + b));
        HD_TRY(add_branch(x, c, b));
    }
    return HD_OK;
}

/* Where a function begins: at its first instruction that has a line. */
static void place_functions(HdCountCode *code)
{
    for (uint32_t i = 0; i < code->inst_count; i++) {
        const HdCountInst *in = &code->insts[i];
        HdCountFunction *f = &code->functions[in->function];

        if (in->file == HD_COUNT_NO_FILE || in->copy != 0 || f->file != HD_COUNT_NO_FILE)
            continue;
        f->file = in->file;
        f->line = in->line;
    }
}

static HdStatus write_code(Coder *x)
{
    const HdInterpProgram *p = x->p;
    HdCountCode *out = x->out;

    out->program = hd_interp_identity(p);
    out->function_count = p->m->function_count;
    out->edge_count = p->edge_count;
    HD_TAKE(out->first, HD_NEW(out->arena, uint32_t, (size_t)p->m->block_count + 1));
    HD_TAKE(out->functions, HD_NEW(out->arena, HdCountFunction, (size_t)out->function_count + 1));
    for (uint32_t i = 0; i < out->function_count; i++)
        HD_TRY(add_function(x, i));
    out->first[p->m->block_count] = (uint32_t)x->insts.count;
    out->insts = x->insts.at;
    out->inst_count = (uint32_t)x->insts.count;
    if (x->files.count == 0)
        HD_TRY(place_all_in_text(x));
    place_functions(out);
    out->files = x->files.at;
    out->file_count = (uint32_t)x->files.count;
    out->branches = x->branches.at;
    out->branch_count = (uint32_t)x->branches.count;
    return HD_OK;
}

HdStatus hd_count_code(const HdInterpProgram *p, HdCheck *check, HdCountCode **out)
{
    Coder x = {.p = p, .check = check};
    HdArena *a;
    HdStatus st;

    *out = hd_check_code(check, hd_interp_identity(p));
    if (*out != NULL)
        return HD_OK;
    HD_TAKE(a, hd_arena_open());
    x.out = HD_NEW(a, HdCountCode, 1);
    if (x.out != NULL)
        x.out->arena = a;
    st = x.out != NULL ? write_code(&x) : HD_NO_MEMORY;
    if (st != HD_OK) {
        hd_arena_drop(a);
        return st;
    }
    HD_TAKE(*out, hd_check_add_code(check, x.out));
    return HD_OK;
}
