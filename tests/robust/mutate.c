/* tests/robust/mutate.c -- how a module is changed, and what it is then taken through.
 *
 * SPDX-License-Identifier: MIT
 */
#include "mutate.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "build/build.h"
#include "generator.h"
#include "interp/interp.h"
#include "jit/cpu.h"
#include "jit/program.h"
#include "lanes/lanes.h"
#include "module/operands.h"
#include "opt/pass.h"
#include "text/as.h"

const char *const stage_names[STAGE_COUNT] = {"mutate",   "open",  "interpreter", "build",
                                              "optimize", "widen", "codegen"};

/* ---- modules to start from ---------------------------------------------------------------------
 */

static bool has_suffix(const char *s, const char *suffix)
{
    size_t a = strlen(s), b = strlen(suffix);

    return a >= b && strcmp(s + a - b, suffix) == 0;
}

/* Is it valid, with a kernel? */
static bool is_sound(const uint32_t *words, size_t count)
{
    HdProgram *p = NULL;
    HdDiags d;
    bool good;

    hd_diags_init(&d);
    good = hd_program_open(words, count, NULL, &d, &p) == HD_OK &&
           hd_program_layout(p)->kernel_count != 0;
    hd_program_close(p);
    hd_diags_drop(&d);
    return good;
}

static void seed_add(Seeds *out, const char *path)
{
    uint32_t *words = NULL;
    size_t bytes = 0, count = 0;
    char *text = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_file_read(path, &d, &text, &bytes) == HD_OK) {
        if (has_suffix(path, ".spvasm")) {
            hd_text_assemble(text, bytes, NULL, &d, &words, &count);
        } else {
            count = bytes / 4;
            words = hd_alloc(bytes + 1);
            memcpy(words, text, bytes);
        }
    }
    if (words != NULL && count > 5 && count < 8192 && is_sound(words, count)) {
        out->at = realloc(out->at, (out->count + 1) * sizeof *out->at);
        out->at[out->count++] = (Seed){.path = strdup(path), .words = words, .count = count};
    } else {
        hd_free(words);
    }
    hd_free(text);
    hd_diags_drop(&d);
}

void seeds_load(Seeds *out, const char *folder)
{
    struct dirent **list;
    int n = scandir(folder, &list, NULL, alphasort);
    char path[4096];

    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name;

        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (has_suffix(name, ".spv") || has_suffix(name, ".spvasm"))
            seed_add(out, path);
        else if (name[0] != '.' && strchr(name, '.') == NULL)
            seeds_load(out, path);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

void seeds_free(Seeds *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->at[i].path);
        hd_free(s->at[i].words);
    }
    free(s->at);
    *s = (Seeds){0};
}

/* ---- changes -----------------------------------------------------------------------------------
 */

typedef struct Mutator {
    uint64_t random;
    uint32_t *w; /* the mutant */
    size_t count;
    uint32_t *at; /* word of each instruction */
    size_t insts;
    HdOperandTypes types;
    uint32_t *type_of;   /* [bound] result type */
    uint16_t *opcode_of; /* [bound] opcode that defines it */
    uint32_t bound;
} Mutator;

static uint64_t next(Mutator *m)
{
    uint64_t z = (m->random += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t below(Mutator *m, size_t n)
{
    return n == 0 ? 0 : (uint32_t)(next(m) % n);
}

static uint32_t length(const Mutator *m, size_t i)
{
    return m->w[m->at[i]] >> 16;
}

/* Index the mutant's instructions and what its ids are. */
static void look(Mutator *m)
{
    HdOperandWalk walk;
    HdOperandPart part;

    hd_operand_types_free(&m->types);
    m->types = (HdOperandTypes){0};
    m->insts = 0;
    m->bound = m->w[3] < 65536 ? m->w[3] : 65536;
    free(m->at), free(m->type_of), free(m->opcode_of);
    m->at = calloc(m->count, sizeof *m->at);
    m->type_of = calloc(m->bound + 1, sizeof *m->type_of);
    m->opcode_of = calloc(m->bound + 1, sizeof *m->opcode_of);
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
            }
        }
        if (walk.problem == HD_OPERANDS_FINE)
            hd_operand_types_note(&m->types, m->w + at, n);
        m->at[m->insts++] = (uint32_t)at;
        at += n;
    }
}

/* Another id: of the same type when there is one, of the same kind, or any. */
static uint32_t other_id(Mutator *m, uint32_t id)
{
    uint32_t kind = below(m, 8), start = below(m, m->bound);

    for (uint32_t k = 0; k < m->bound && id < m->bound && kind < 7; k++) {
        uint32_t x = (start + k) % m->bound;

        if (x == id || m->opcode_of[x] == 0)
            continue;
        if (kind < 4 ? m->type_of[x] == m->type_of[id] &&
                           (m->type_of[x] != 0 || m->opcode_of[x] == m->opcode_of[id])
            : kind < 6 ? m->opcode_of[x] == m->opcode_of[id]
                       : m->type_of[x] != 0)
            return x;
    }
    return start;
}

static uint32_t odd_number(Mutator *m, uint32_t old)
{
    static const uint32_t odd[] = {
        0,      1,     2,     3,          4,           7,           8,           16,         31,
        32,     33,    63,    64,         65,          127,         128,         255,        256,
        0x7fff, 65535, 65536, 0x7fffffff, 0x80000000u, 0xfffffffeu, 0xffffffffu, 0x10000000u};

    switch (below(m, 4)) {
    case 0: return old + 1;
    case 1: return old ^ (1u << below(m, 32));
    default: return odd[below(m, sizeof odd / sizeof *odd)];
    }
}

/* Change one operand of an instruction. */
static void change_operand(Mutator *m, size_t i)
{
    HdOperandPart parts[64];
    HdOperandWalk walk;
    uint32_t *w = m->w + m->at[i];
    unsigned n = 0;
    HdOperandPart *p;

    hd_operands_start(&walk, &m->types, w, length(m, i));
    while (n < 64 && hd_operands_next(&walk, &parts[n]))
        n++;
    if (n == 0)
        return;
    p = &parts[below(m, n)];
    switch (p->klass) {
    case HD_OPERAND_ENUM:
    case HD_OPERAND_MASK:
        w[p->at] = hd_gram_kinds[p->kind].enumerants[below(m, hd_gram_kinds[p->kind].count)].value;
        break;
    case HD_OPERAND_RESULT: break;
    case HD_OPERAND_EXT_INST: w[p->at] = below(m, 205); break;
    case HD_OPERAND_INTEGER:
    case HD_OPERAND_FLOAT:
    case HD_OPERAND_TYPED_LITERAL:
    case HD_OPERAND_STRING: w[p->at + below(m, p->nwords)] = odd_number(m, w[p->at]); break;
    case HD_OPERAND_SPEC_OP:
        w[p->at] = hd_gram_insts[1 + below(m, HD_OPIX_COUNT - 1)].opcode;
        break;
    default: w[p->at] = other_id(m, w[p->at]); break;
    }
}

/* Another opcode whose operands are alike. */
static void change_opcode(Mutator *m, size_t i)
{
    uint32_t *w = m->w + m->at[i];
    enum HdOpix old = hd_gram_find(w[0] & 0xffff);
    const HdGramInst *a = &hd_gram_insts[old];

    for (unsigned tries = 0; tries < 400; tries++) {
        uint32_t x = tries < 200 ? old + below(m, 60) - 30 : 1 + below(m, HD_OPIX_COUNT - 1);
        const HdGramInst *b = &hd_gram_insts[x < HD_OPIX_COUNT ? x : 1];
        bool alike = b->has_type == a->has_type && b->has_result == a->has_result &&
                     b->operand_count == a->operand_count;

        for (unsigned k = 0; alike && k < a->operand_count; k++)
            alike = a->operands[k].klass == b->operands[k].klass;
        if (alike && b->opcode != a->opcode) {
            w[0] = (w[0] & 0xffff0000u) | b->opcode;
            return;
        }
    }
}

/* Take an instruction out and/or put a copy of another there, with a new result. */
static void splice(Mutator *m, size_t at, size_t out, const uint32_t *in, size_t words)
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

static void copy_inst(Mutator *m, size_t from, size_t to)
{
    uint32_t copy[4096], n = length(m, from);
    enum HdOpix opix;

    if (n > 4096)
        return;
    memcpy(copy, m->w + m->at[from], n * sizeof *copy);
    opix = hd_gram_find(copy[0] & 0xffff);
    if (hd_gram_insts[opix].has_result && m->w[3] < 60000) {
        uint32_t at = hd_gram_insts[opix].has_type ? 2 : 1;

        if (at < n)
            copy[at] = m->w[3]++;
    }
    splice(m, m->at[to], 0, copy, n);
}

static void mutate_once(Mutator *m)
{
    uint32_t how = below(m, 20);
    size_t i;

    look(m);
    if (m->insts < 2)
        return;
    i = below(m, m->insts);
    if (how < 10) {
        change_operand(m, i);
    } else if (how < 13) {
        change_opcode(m, i);
    } else if (how < 14) {
        splice(m, m->at[i], length(m, i), NULL, 0);
    } else if (how < 16) {
        /* near by: it may well fit */
        size_t to = i + below(m, 8);

        copy_inst(m, i, to < m->insts ? to : m->insts - 1);
    } else if (how < 17) {
        size_t from = below(m, m->insts);

        copy_inst(m, from, i);
    } else if (how < 18) {
        size_t j = i + 1 < m->insts ? i + 1 : i - 1, lo = i < j ? i : j;
        uint32_t first[4096], n = length(m, lo), k = length(m, lo + 1), at = m->at[lo];

        if (n <= 4096) {
            memcpy(first, m->w + at, n * sizeof *first);
            memmove(m->w + at, m->w + at + n, k * sizeof *first);
            memcpy(m->w + at + k, first, n * sizeof *first);
        }
    } else if (how < 19) {
        uint32_t *w = &m->w[below(m, m->count)];

        *w ^= 1u << below(m, 32);
    } else {
        uint32_t *w = &m->w[below(m, m->count)];

        *w = odd_number(m, *w);
    }
}

uint32_t *mutant_make(const Seeds *s, uint64_t number, size_t *count, size_t *seed)
{
    Mutator m = {.random = number * 0x2545f4914f6cdd1du};
    uint32_t changes;

    *seed = below(&m, s->count);
    m.count = s->at[*seed].count;
    m.w = malloc(m.count * 4);
    memcpy(m.w, s->at[*seed].words, m.count * 4);
    changes = 1 + below(&m, 3) * below(&m, 2);
    for (uint32_t k = 0; k < changes && m.count > 5; k++)
        mutate_once(&m);
    hd_operand_types_free(&m.types);
    free(m.at), free(m.type_of), free(m.opcode_of);
    *count = m.count;
    return m.w;
}

/* ---- through the compiler ----------------------------------------------------------------------
 */

HdCodegenEntry *code_generator(void)
{
    char path[4096];
    HdCodegenEntry *entry = NULL;
    void *library = NULL, *found;

    if (generator_beside(path, sizeof path, "../../libheddle-llvm.so"))
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL)
        return NULL;
    found = dlsym(library, HD_CODEGEN_ENTRY);
    memcpy(&entry, &found, sizeof entry);
    return entry;
}

static void note(MutantState *st, HdStatus status, const HdDiags *d, const char *more)
{
    const char *message = more;

    if (status != HD_BUG)
        return;
    if (message == NULL)
        message = d->count != 0 ? d->at[d->count - 1].message : "(no diagnostic)";
    snprintf(st->text, sizeof st->text, "%s: %s", stage_names[st->stage], message);
    st->bugs++;
}

static void run_kernel(HdProgram *p, const HdKernelInfo *k, uint64_t number, HdArena *a, HdDiags *d,
                       MutantState *st)
{
    static const uint8_t widths[] = {8, 8, 8, 1, 4, 16, 32};
    uint8_t width = widths[number % 7];
    HdLaneTarget target = {.width = width, .dispatch = number % 5 == 0};
    HdCpu cpu = hd_jit_cpu();
    HdIrModule *ir = NULL;
    HdIrFunc *wide = NULL;
    HdCodegenEntry *codegen;
    HdStatus status;

    st->stage = STAGE_BUILD;
    status = hd_build_kernel(hd_program_module(p), hd_program_layout(p), k->entry, width, false, a,
                             d, &ir);
    note(st, status, d, NULL);
    if (status != HD_OK)
        return;
    st->stage = STAGE_OPTIMIZE;
    status = hd_opt_optimize(ir, ir->funcs.at[0], d);
    if (status == HD_OK)
        status = hd_ir_verify(ir->funcs.at[0], d);
    note(st, status, d, NULL);
    if (status != HD_OK)
        return;
    st->stage = STAGE_WIDEN;
    status = hd_lanes_widen(ir->funcs.at[0], target, a, d, &wide);
    note(st, status, d, NULL);
    if (status != HD_OK)
        return;
    st->stage = STAGE_CODEGEN;
    codegen = code_generator();
    if (codegen != NULL && wide->insts.count < 20000) {
        HdCodegenRequest q = {
            .wide = wide, .cpu = cpu.name, .features = cpu.features, .costs = cpu.costs};
        HdCodegenResult r = {0};

        status = codegen(&q, &r);
        note(st, status, d, r.error);
        if (status == HD_OK)
            st->compiled++;
        if (r.release != NULL)
            r.release(&r);
    }
}

void mutant_run(const uint32_t *words, size_t count, uint64_t number, MutantState *st)
{
    HdInterpProgram *interp = NULL;
    HdProgram *p = NULL;
    HdStatus status;
    HdDiags d;

    hd_diags_init(&d);
    st->stage = STAGE_OPEN;
    status = hd_program_open(words, count, NULL, &d, &p);
    note(st, status, &d, NULL);
    if (status != HD_OK && d.errors == 0 && status != HD_NO_MEMORY)
        note(st, HD_BUG, &d, "refused without saying why");
    if (status == HD_OK) {
        const HdBuildLayout *l = hd_program_layout(p);

        st->valid++;
        st->stage = STAGE_INTERPRETER;
        status = hd_interp_open(hd_program_module(p), l, false, &d, &interp);
        note(st, status, &d, NULL);
        if (status == HD_OK)
            hd_interp_close(interp);
        for (uint32_t k = 0; k < l->kernel_count && k < 4; k++) {
            HdArena *a = hd_arena_open();

            run_kernel(p, &l->kernels[k], number, a, &d, st);
            hd_arena_drop(a);
        }
        hd_program_close(p);
    }
    hd_diags_drop(&d);
}
