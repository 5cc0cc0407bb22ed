/* clc/locals.c -- arrays in local memory get their size back.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/locals.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "base/diag.h"
#include "base/memory.h"
#include "clc/text.h"
#include "module/edit.h"
#include "module/module.h"
#include "module/operands.h"
#include "module/type.h"

typedef struct Locals {
    const HdModule *m;
    HdArena *a;
    uint64_t *odd;    /* set of ids */
    uint32_t *counts; /* [bound] elements that a variable should have; 0 = unchanged */
    bool any;
    HdId u32; /* type of array lengths; 0 = the module has none */
    HdWriter out;
    uint32_t bound;
} Locals;

/* ---- suspects -------------------------------------------------------------------------------- */

static bool is_odd_type(const HdType *t)
{
    const HdType *e = t != NULL && t->kind == HD_T_POINTER ? hd_type_element(t) : NULL;

    return e != NULL && hd_type_size(e) != 0 &&
           (e->kind == HD_T_INT || e->kind == HD_T_FLOAT || e->kind == HD_T_VECTOR);
}

/* Fill the set; true when it is not empty. */
static bool find_odd(Locals *l)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool any = false;

    for (HdInst in; hd_module_next(l->m, &word, &in);) {
        if (in.opix == HD_OPIX_TypeInt && in.w[2] == 32 && in.w[3] == 0)
            l->u32 = in.w[1];
        if (in.opix == HD_OPIX_Variable && in.w[3] == SpvStorageClassWorkgroup &&
            is_odd_type(hd_module_type(l->m, in.w[1])))
            hd_bit_add(l->odd, in.w[2]);
        if (in.opix == HD_OPIX_Load && in.w[3] < l->m->bound)
            hd_bit_remove(l->odd, in.w[3]);
        if (in.opix == HD_OPIX_Store && in.w[1] < l->m->bound)
            hd_bit_remove(l->odd, in.w[1]);
    }
    for (HdId id = 1; id < l->m->bound; id++)
        any = any || hd_bit_has(l->odd, id);
    return any;
}

/* A module that cannot be read is left to those who will say why. */
static HdStatus open(Locals *l, const uint32_t *words, size_t nwords)
{
    HdModule *m = NULL;
    HdDiags quiet;
    HdStatus st;

    hd_diags_init(&quiet);
    st = hd_module_read(words, nwords, false, &quiet, &m);
    hd_diags_drop(&quiet);
    l->m = m;
    if (st != HD_OK)
        return st;
    HD_TAKE(l->a, hd_arena_open());
    l->bound = m->bound;
    HD_TAKE(l->odd, HD_NEW(l->a, uint64_t, HD_BITSET_WORDS(m->bound)));
    HD_TAKE(l->counts, HD_NEW(l->a, uint32_t, m->bound));
    return HD_OK;
}

static void close_locals(Locals *l)
{
    if (l->m != NULL)
        hd_module_drop((HdModule *)(uintptr_t)l->m);
    if (l->a != NULL)
        hd_arena_drop(l->a);
}

bool hd_clc_has_odd_locals(const uint32_t *words, size_t nwords)
{
    Locals l = {0};
    bool any = open(&l, words, nwords) == HD_OK && find_odd(&l);

    close_locals(&l);
    return any;
}

/* ---- LLVM's text ----------------------------------------------------------------------------- */

/* Bytes of the type at *p, which is moved past it; 0: not a type that can occur here. Depth is
 * bounded by the line. */
static uint64_t size_at(const char **p)
{
    static const struct {
        const char *name;
        uint64_t bytes;
    } scalars[] = {{"i8", 1},   {"i16", 2},   {"i32", 4},    {"i64", 8},
                   {"half", 2}, {"float", 4}, {"double", 8}, {"ptr", 8}};
    char open = **p;
    uint64_t count, bytes;
    char *end;

    if (open != '[' && open != '<') {
        for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++) {
            size_t len = strlen(scalars[i].name);

            if (strncmp(*p, scalars[i].name, len) == 0) {
                *p += len;
                return scalars[i].bytes;
            }
        }
        return 0;
    }
    count = strtoull(*p + 1, &end, 10);
    if (strncmp(end, " x ", 3) != 0 || count == 0 || count > UINT32_MAX)
        return 0;
    *p = end + 3;
    bytes = size_at(p);
    *p += **p == (open == '[' ? ']' : '>');
    if (open == '<' && count == 3)
        count = 4;
    return bytes > UINT32_MAX ? 0 : count * bytes;
}

/* Bytes of the variable in local memory of this name. */
static uint64_t size_of(const char *info, const char *name)
{
    static const char kind[] = "addrspace(3) global ";
    size_t len = strlen(name);

    for (const char *p = strstr(info, "\n@"); p != NULL; p = strstr(p, "\n@")) {
        const char *end = hd_clc_line_end(p += 2), *type;

        if (strncmp(p, name, len) != 0 || strncmp(p + len, " = ", 3) != 0)
            continue;
        type = strstr(p, kind);
        if (type == NULL || type > end)
            return 0;
        type += strlen(kind);
        return size_at(&type);
    }
    return 0;
}

static void find_counts(Locals *l, const char *info)
{
    for (HdId id = 1; id < l->m->bound; id++) {
        uint64_t want, have;

        if (!hd_bit_has(l->odd, id) || hd_module_name(l->m, id) == NULL)
            continue;
        have = hd_type_size(hd_type_element(hd_module_type_of(l->m, id)));
        want = size_of(info, hd_module_name(l->m, id));
        if (want <= have || (want + have - 1) / have > UINT32_MAX)
            continue;
        l->counts[id] = (uint32_t)((want + have - 1) / have);
        l->any = true;
    }
}

/* ---- writing --------------------------------------------------------------------------------- */

/* OpVariable: 1 type, 2 result, 3 storage class. */
static void write_variable(Locals *l, const HdInst *in)
{
    const HdType *t = hd_module_type(l->m, in->w[1]);
    uint32_t length[3] = {l->u32, l->bound, l->counts[in->w[2]]};
    uint32_t array[3] = {l->bound + 1, hd_type_element(t)->id, length[1]};
    uint32_t pointer[3] = {l->bound + 2, in->w[3], array[0]};
    uint32_t variable[3] = {pointer[0], in->w[2], in->w[3]};

    l->bound += 3;
    hd_writer_inst(&l->out, SpvOpConstant, length, 3);
    hd_writer_inst(&l->out, SpvOpTypeArray, array, 3);
    hd_writer_inst(&l->out, SpvOpTypePointer, pointer, 3);
    hd_writer_inst(&l->out, SpvOpVariable, variable, 3);
}

/* Copy an instruction with ids from `map` where that has one; with out == NULL only note in `used`
 * which of them it uses. */
static void write_inst(Locals *l, const HdInst *in, const HdId *map, bool *used)
{
    HdOperandWalk walk;
    HdOperandPart part;
    uint32_t at = 1;

    if (used == NULL)
        hd_writer_begin(&l->out, in->opcode);
    hd_operands_start(&walk, &l->m->operand_types, in->w, in->nwords);
    while (hd_operands_next(&walk, &part)) {
        if (part.klass != HD_OPERAND_ID || l->counts[in->w[part.at]] == 0)
            continue;
        if (used != NULL) {
            used[in->w[part.at]] = true;
            continue;
        }
        for (; at < part.at; at++)
            hd_writer_word(&l->out, in->w[at]);
        hd_writer_word(&l->out, map[in->w[at++]]);
    }
    if (used != NULL)
        return;
    for (; at < in->nwords; at++)
        hd_writer_word(&l->out, in->w[at]);
    hd_writer_end(&l->out);
}

static bool may_lead(const HdInst *in)
{
    return in->opix == HD_OPIX_Function || in->opix == HD_OPIX_FunctionParameter ||
           in->opix == HD_OPIX_Label || in->opix == HD_OPIX_Variable || in->opix == HD_OPIX_Line ||
           in->opix == HD_OPIX_NoLine;
}

/* Pointers to the array's first element, after the function's variables, for all uses. */
static HdStatus write_function(Locals *l, const HdFunction *f)
{
    bool *used, is_cast = false;
    HdId *map;
    HdInst in;

    HD_TAKE(used, HD_NEW(l->a, bool, l->m->bound));
    HD_TAKE(map, HD_NEW(l->a, HdId, l->m->bound));
    for (uint32_t word = f->word; word < f->end && hd_module_next(l->m, &word, &in);)
        write_inst(l, &in, NULL, used);
    for (uint32_t word = f->word; word < f->end && hd_module_next(l->m, &word, &in);) {
        for (HdId id = 1; !is_cast && !may_lead(&in) && id < l->m->bound; id++) {
            uint32_t cast[3] = {hd_module_type_id(l->m, id), l->bound, id};

            if (!used[id])
                continue;
            map[id] = l->bound++;
            hd_writer_inst(&l->out, SpvOpBitcast, cast, 3);
        }
        is_cast = is_cast || !may_lead(&in);
        write_inst(l, &in, map, NULL);
    }
    return HD_OK;
}

static HdStatus write_module(Locals *l)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    HdInst in;

    hd_writer_start(&l->out, l->m->version, l->m->generator, l->bound);
    while (word < l->m->first_function && hd_module_next(l->m, &word, &in)) {
        if (in.opix == HD_OPIX_Variable && l->counts[in.w[2]] != 0)
            write_variable(l, &in);
        else
            hd_writer_copy(&l->out, &in);
    }
    for (uint32_t f = 0; f < l->m->function_count; f++)
        HD_TRY(write_function(l, &l->m->functions[f]));
    hd_writer_set_bound(&l->out, l->bound);
    return l->out.failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_clc_mend_locals(const char *info, uint32_t **words, size_t *nwords)
{
    Locals l = {0};
    HdStatus st = open(&l, *words, *nwords);

    if (st == HD_OK && find_odd(&l) && l.u32 != 0)
        find_counts(&l, info);
    if (st == HD_OK && l.any) {
        st = write_module(&l);
        if (st == HD_OK) {
            hd_free(*words);
            *words = l.out.words;
            *nwords = l.out.count;
        } else {
            hd_writer_free(&l.out);
        }
    }
    close_locals(&l);
    return st == HD_NO_MEMORY ? st : HD_OK;
}
