/* check/counts.c -- counts of checked launches, added up by kernel.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/counts.h"

#include <stdlib.h>
#include <string.h>

#include "check/private.h"

const char *const hd_count_memory_names[HD_COUNT_MEMORIES] = {
    [HD_COUNT_FUNCTION] = "Function",
    [HD_COUNT_PRIVATE] = "Private",
    [HD_COUNT_WORKGROUP] = "Workgroup",
    [HD_COUNT_CROSS_WORKGROUP] = "CrossWorkgroup",
    [HD_COUNT_CONSTANT] = "UniformConstant",
    [HD_COUNT_INPUT] = "Input",
    [HD_COUNT_STORAGE_BUFFER] = "StorageBuffer",
    [HD_COUNT_UNIFORM] = "Uniform",
    [HD_COUNT_PUSH_CONSTANT] = "PushConstant",
    [HD_COUNT_PHYSICAL] = "PhysicalStorageBuffer",
    [HD_COUNT_IMAGE] = "Image",
};

void hd_check_count(HdCheck *c)
{
    atomic_store(&c->is_counting, true);
}

bool hd_check_is_counting(const HdCheck *c)
{
    return atomic_load_explicit(&c->is_counting, memory_order_relaxed);
}

static HdCountCode *code_of(const HdCheck *c, uint64_t program)
{
    for (size_t i = 0; i < c->codes.count; i++)
        if (c->codes.at[i]->program == program)
            return c->codes.at[i];
    return NULL;
}

HdCountCode *hd_check_code(HdCheck *c, uint64_t program)
{
    HdCountCode *code;

    pthread_mutex_lock(&c->counts_lock);
    code = code_of(c, program);
    pthread_mutex_unlock(&c->counts_lock);
    return code;
}

static HdCounts *make(HdCheck *c, HdCountCode *code, const char *kernel, bool is_shader)
{
    HdCounts *k = HD_NEW(code->arena, HdCounts, 1);

    if (k == NULL)
        return NULL;
    k->code = code;
    k->kernel = hd_arena_string(code->arena, kernel, strlen(kernel));
    k->is_shader = is_shader;
    k->insts = HD_NEW(code->arena, uint64_t, (size_t)code->inst_count + 1);
    k->edges = HD_NEW(code->arena, uint64_t, (size_t)code->edge_count + 1);
    if (k->kernel == NULL || k->insts == NULL || k->edges == NULL || !HD_PUSH(NULL, &c->counts, k))
        return NULL;
    return k;
}

static HdCounts *find(const HdCheck *c, const HdCountCode *code, const char *kernel)
{
    for (size_t i = 0; i < c->counts.count; i++)
        if (c->counts.at[i]->code == code && strcmp(c->counts.at[i]->kernel, kernel) == 0)
            return c->counts.at[i];
    return NULL;
}

HdCountCode *hd_check_add_code(HdCheck *c, HdCountCode *code)
{
    HdCountCode *own;

    pthread_mutex_lock(&c->counts_lock);
    own = code_of(c, code->program);
    if (own == NULL && HD_PUSH(NULL, &c->codes, code))
        own = code;
    pthread_mutex_unlock(&c->counts_lock);
    if (own != code)
        hd_arena_drop(code->arena);
    return own;
}

HdCounts *hd_check_counts_of(HdCheck *c, HdCountCode *code, const char *kernel, bool is_shader)
{
    HdCounts *k;

    pthread_mutex_lock(&c->counts_lock);
    k = find(c, code, kernel);
    if (k == NULL)
        k = make(c, code, kernel, is_shader);
    pthread_mutex_unlock(&c->counts_lock);
    return k;
}

void hd_check_counted(HdCheck *c, HdCounts *to, const HdCounts *launch)
{
    pthread_mutex_lock(&c->counts_lock);
    to->launches++;
    to->work_items += launch->work_items;
    for (uint32_t i = 0; i < to->code->inst_count; i++)
        to->insts[i] += launch->insts[i];
    for (uint32_t i = 0; i < to->code->edge_count; i++)
        to->edges[i] += launch->edges[i];
    hd_count_bytes_add(to->memory, launch->memory);
    pthread_mutex_unlock(&c->counts_lock);
}

static void place_code(HdCountCode *code, HdCheckPlace *place, void *user)
{
    for (uint32_t i = 0; i < code->inst_count; i++) {
        HdCountInst *in = &code->insts[i];

        if (!place(user, in->word, &in->line, &in->column))
            in->file = HD_COUNT_NO_FILE;
    }
    for (uint32_t i = 0; i < code->function_count; i++) {
        HdCountFunction *f = &code->functions[i];

        if (f->entry != HD_NO_PLACE)
            f->line = code->insts[f->entry].line;
    }
}

void hd_counts_place(HdCheck *c, const char *file, const char *text, HdCheckPlace *place,
                     void *user)
{
    pthread_mutex_lock(&c->counts_lock);
    for (size_t i = 0; i < c->codes.count; i++) {
        HdCountCode *code = c->codes.at[i];
        HdCountFile own = {hd_arena_string(code->arena, file, strlen(file)),
                           hd_check_text(c, text)};

        if (!code->is_text || own.name == NULL || own.text == NULL)
            continue;
        code->files[0] = own;
        place_code(code, place, user);
    }
    pthread_mutex_unlock(&c->counts_lock);
}

HdCountsList hd_check_counts(HdCheck *c)
{
    HdCountsList all;

    pthread_mutex_lock(&c->counts_lock);
    all = (HdCountsList){c->counts.at, c->counts.count};
    pthread_mutex_unlock(&c->counts_lock);
    return all;
}

uint64_t hd_counts_total(const HdCounts *k)
{
    uint64_t total = 0;

    for (uint32_t i = 0; i < k->code->inst_count; i++)
        total += k->insts[i];
    return total;
}

/* ---- by opcode ------------------------------------------------------------------------------ */

static int by_opcode(const void *a, const void *b)
{
    const HdOpcodeCount *x = a, *y = b;

    return strcmp(x->opcode, y->opcode);
}

static int by_count(const void *a, const void *b)
{
    const HdOpcodeCount *x = a, *y = b;

    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : by_opcode(a, b);
}

HdStatus hd_counts_by_opcode(const HdCounts *k, HdOpcodeCounts *out)
{
    size_t kept = 0;

    for (uint32_t i = 0; i < k->code->inst_count; i++)
        if (k->insts[i] > 0)
            HD_TRY_PUSH(NULL, out, ((HdOpcodeCount){k->code->insts[i].opcode, k->insts[i]}));
    if (out->count == 0)
        return HD_OK;
    qsort(out->at, out->count, sizeof *out->at, by_opcode);
    for (size_t i = 1; i < out->count; i++)
        if (strcmp(out->at[i].opcode, out->at[kept].opcode) == 0)
            out->at[kept].count += out->at[i].count;
        else
            out->at[++kept] = out->at[i];
    out->count = kept + 1;
    qsort(out->at, out->count, sizeof *out->at, by_count);
    return HD_OK;
}
