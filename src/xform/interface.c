/* xform/interface.c -- which variables of module scope each entry point reaches.
 *
 * Functions are walked once: what each mentions of module scope, and whom it calls, becomes a list
 * of ids. Constants are among them, since one may hold the address of a variable, and so may a
 * variable's initializer. From each entry point the lists are then followed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/interface.h"

#include "base/array.h"
#include "base/memory.h"
#include "module/edit.h"
#include "module/operands.h"

typedef struct Reach {
    const HdModule *m;
    HdArena *arena;
    HD_ARRAY(HdId) uses;   /* of one definition behind the other */
    uint32_t *first, *end; /* [bound] in uses: of functions, variables and constants */
    uint32_t *seen;        /* [bound] number + 1 of the last entry point that reached the id */
    HD_ARRAY(HdId) stack;
    HdWriter out;
    bool changed;
} Reach;

/* Note what an instruction mentions of module scope but types. */
static HdStatus note_uses(Reach *r, const HdInst *in)
{
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operands_start(&walk, &r->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        HdId id = in->w[part.at];
        HdInst def;

        if (part.klass != HD_OPERAND_ID || !hd_module_def(r->m, id, &def))
            continue;
        if (def.opix == HD_OPIX_Function ||
            (def.word < r->m->first_function && hd_module_type_id(r->m, id) != 0))
            HD_TRY_PUSH(r->arena, &r->uses, id);
    }
    return HD_OK;
}

static HdStatus note_globals(Reach *r)
{
    uint32_t word = HD_MODULE_FIRST_WORD;

    for (HdInst in; word < r->m->first_function && hd_module_next(r->m, &word, &in);) {
        HdId id = hd_inst_result(&in);

        if (id == 0 || hd_module_type_id(r->m, id) == 0)
            continue;
        r->first[id] = (uint32_t)r->uses.count;
        HD_TRY(note_uses(r, &in));
        r->end[id] = (uint32_t)r->uses.count;
    }
    return HD_OK;
}

static HdStatus note_functions(Reach *r)
{
    for (uint32_t i = 0; i < r->m->function_count; i++) {
        const HdFunction *f = &r->m->functions[i];

        r->first[f->id] = (uint32_t)r->uses.count;
        for (uint32_t word = f->word; word < f->end;) {
            HdInst in = hd_module_inst(r->m, word);

            word = hd_inst_next(&in);
            HD_TRY(note_uses(r, &in));
        }
        r->end[f->id] = (uint32_t)r->uses.count;
    }
    return HD_OK;
}

static bool belongs(const Reach *r, HdId id)
{
    HdInst def;

    return hd_module_def(r->m, id, &def) && hd_inst_is_variable(&def) &&
           (r->m->version >= 0x10400 || def.w[3] == SpvStorageClassInput ||
            def.w[3] == SpvStorageClassOutput);
}

static HdStatus visit(Reach *r, HdId id, uint32_t stamp)
{
    if (r->seen[id] == stamp)
        return HD_OK;
    r->seen[id] = stamp;
    if (!HD_PUSH(r->arena, &r->stack, id))
        return HD_NO_MEMORY;
    return HD_OK;
}

/* The entry point with its own list, each id once, and behind it what is missing. */
static HdStatus write_entry(Reach *r, const HdInst *in, uint32_t number)
{
    uint32_t behind = 3 + hd_inst_string_words(in, 3), kept = 2 * number + 1, reached = kept + 1;

    hd_writer_begin(&r->out, in->opcode);
    for (uint32_t i = 1; i < in->nwords; i++) {
        HdId id = in->w[i];

        if (i >= behind && id < r->m->bound && r->seen[id] == kept) {
            r->changed = true;
            continue;
        }
        if (i >= behind && id < r->m->bound)
            r->seen[id] = kept;
        hd_writer_word(&r->out, id);
    }
    r->stack.count = 0;
    HD_TRY(visit(r, in->w[2], reached));
    while (r->stack.count != 0) {
        HdId id = r->stack.at[--r->stack.count];

        for (uint32_t i = r->first[id]; i < r->end[id]; i++) {
            HdId to = r->uses.at[i];

            if (r->seen[to] != kept && r->seen[to] != reached && belongs(r, to)) {
                hd_writer_word(&r->out, to);
                r->changed = true;
            }
            HD_TRY(visit(r, to, reached));
        }
    }
    hd_writer_end(&r->out);
    return HD_OK;
}

static HdStatus rewrite(Reach *r)
{
    uint32_t word = HD_MODULE_FIRST_WORD, number = 0;

    HD_TAKE(r->first, HD_NEW(r->arena, uint32_t, r->m->bound));
    HD_TAKE(r->end, HD_NEW(r->arena, uint32_t, r->m->bound));
    HD_TAKE(r->seen, HD_NEW(r->arena, uint32_t, r->m->bound));
    HD_TRY(note_globals(r));
    HD_TRY(note_functions(r));
    hd_writer_start(&r->out, r->m->version, r->m->generator, r->m->bound);
    for (HdInst in; hd_module_next(r->m, &word, &in);) {
        if (in.opix == HD_OPIX_EntryPoint)
            HD_TRY(write_entry(r, &in, number++));
        else
            hd_writer_copy(&r->out, &in);
    }
    return r->out.failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_xform_interfaces(uint32_t **words, size_t *nwords, HdDiags *d)
{
    Reach r = {0};
    HdModule *m = NULL;
    HdStatus st;

    HD_TRY(hd_module_read(*words, *nwords, true, d, &m));
    r.m = m;
    r.arena = hd_arena_open();
    st = m->entry_count == 0 ? HD_OK : r.arena == NULL ? HD_NO_MEMORY : rewrite(&r);
    if (st == HD_OK && r.changed) {
        hd_free(*words);
        *words = r.out.words;
        *nwords = r.out.count;
        r.out = (HdWriter){0};
    }
    hd_writer_free(&r.out);
    hd_arena_drop(r.arena);
    hd_module_drop(m);
    return st;
}
