/* val/rule.c -- reporting, and queries about types for rules.
 *
 * SPDX-License-Identifier: MIT
 */
#include "val/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bitset.h"
#include "base/memory.h"
#include "module/source.h"
#include "text/dis.h"

/* Bytes of an instruction that are shown. */
#define MAX_TEXT 500

/* ---- reporting ----------------------------------------------------------------------------- */

/* Words before those from which operands are counted, except the result id's. */
static uint32_t words_in_front(const HdInst *in)
{
    uint32_t front = 1u + (hd_gram_forms[in->opix].type_at != 0);

    return front + (in->opix == HD_OPIX_ExtInst ? 2 : in->opix == HD_OPIX_SpecConstantOp ? 1 : 0);
}

unsigned hd_val_number(const HdInst *in, uint32_t at)
{
    return at - words_in_front(in) - (hd_gram_forms[in->opix].result_at != 0) + 1;
}

/* Which operand a message is about, counted after the opcode as in text: one that it counts, or the
 * id that it names. 0: none. */
static uint32_t operand_named(const HdInst *in, const char *sentence)
{
    const char *at = strstr(sentence, "operand ");
    uint32_t result = hd_gram_forms[in->opix].result_at, id;

    if (at != NULL && at[8] >= '0' && at[8] <= '9')
        return (uint32_t)strtoul(at + 8, NULL, 10) + words_in_front(in) - 1;
    at = strstr(sentence, "id ");
    if (at == NULL || at[3] < '0' || at[3] > '9')
        return 0;
    id = (uint32_t)strtoul(at + 3, NULL, 10);
    for (uint32_t i = 1; i < in->nwords; i++)
        if (i != result && in->w[i] == id)
            return i - (result != 0 && i > result);
    return 0;
}

/* OpSpecConstantOp is judged as the instruction that it computes, and shown as itself. */
static HdInst as_it_stands(const HdModule *m, const HdInst *in)
{
    bool is_inside = in->word >= HD_MODULE_FIRST_WORD && hd_module_more(m, in->word) &&
                     (m->words[in->word] & 0xffff) == SpvOpSpecConstantOp;

    return is_inside ? hd_module_inst(m, in->word) : *in;
}

/* Mark an operand of the instruction's text, 0: its opcode. Operands are separated by spaces, which
 * works if each is one word. */
static void mark(const HdInst *in, uint32_t wanted, HdDiag *diag)
{
    const char *text = diag->inst, *at = text[0] == '%' ? strstr(text, " = ") : text, *token;
    uint32_t count = 0;

    if (at == NULL)
        return;
    at += text[0] == '%' ? 3 : 0;
    for (token = at; (token = strchr(token, ' ')) != NULL; token++)
        count++;
    if (count != in->nwords - 1u - (hd_gram_forms[in->opix].result_at != 0))
        wanted = 0;
    diag->operand = wanted;
    for (token = at; wanted != 0 && (token = strchr(token, ' ')) != NULL; wanted--)
        at = ++token;
    diag->mark = (uint32_t)(at - text);
    diag->mark_bytes = (uint32_t)strcspn(at, " ");
}

void hd_val_begin_list(HdVal *v, HdDiags *d)
{
    v->d = d;
    v->begun = d->count;
    v->kept = 0;
    v->room = v->most < SIZE_MAX / 4 ? 2 * v->most + 64 : SIZE_MAX;
    v->last = v->most != 0 ? UINT32_MAX : 0;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

/* Passes find errors in different orders, and the first by location are shown: the location after
 * which no error can be among them. */
static void find_last(HdVal *v)
{
    uint32_t *words = hd_alloc(v->d->count * sizeof *words);
    size_t count = 0;

    v->room = 2 * v->kept;
    if (words == NULL)
        return; /* more are kept, that is all */
    for (size_t i = v->begun; i < v->d->count; i++)
        if (v->d->at[i].severity == HD_ERROR)
            words[count++] = v->d->at[i].word;
    if (count >= v->most) {
        qsort(words, count, sizeof *words, by_number);
        v->last = words[v->most - 1];
    }
    hd_free(words);
}

static HdStatus report(HdVal *v, const HdInst *in, HdSeverity severity, const char *rule,
                       const char *spec, const char *fmt, va_list args)
{
    HdStatus st = severity == HD_ERROR ? HD_BAD_INPUT : HD_OK;
    HdDiag diag = {.severity = severity, .status = st, .rule = rule, .spec = spec};
    HdSourcePlace place;
    HdStrbuf inst = {0};
    HdInst whole;
    uint32_t wanted;
    char text[512];
    const char *sentence = fmt;

    if (severity == HD_WARNING && v->d->is_unread)
        return st;
    if (severity == HD_ERROR && v->most != SIZE_MAX) {
        if (in->word > v->last) {
            v->d->errors++; /* counted, not kept: no need to find its place and text */
            return st;
        }
        if (++v->kept > v->room)
            find_last(v);
    }
    place = hd_source_at(v->m, in->word, &v->told);
    whole = as_it_stands(v->m, in);
    diag.word = in->word;
    diag.source = place.file;
    diag.source_line = place.line;
    diag.source_column = place.column;
    /* Instructions of many words are cut: a module of one byte error each must stay readable. */
    if (v->guesses == NULL)
        v->guesses = HD_NEW(v->a, HdGuesses, 1); /* without memory it is slower, that is all */
    hd_text_inst_guessed(v->m, &whole, v->guesses, MAX_TEXT + 1, &inst);
    if (inst.count > MAX_TEXT)
        memcpy(inst.at + MAX_TEXT - 4, "\xe2\x80\xa6", 4);
    diag.inst = hd_strbuf_text(&inst);
    if (strchr(fmt, '%') != NULL) {
        vsnprintf(text, sizeof text, fmt, args);
        sentence = text;
    }
    if (hd_val_vulkan(v))
        diag.spec = hd_val_vulkan_section(rule, sentence, spec);
    wanted = operand_named(in, sentence);
    mark(&whole, wanted + (wanted > 1 && whole.opix != in->opix), &diag);
    (void)hd_diags_add_text(v->d, &diag, sentence);
    hd_strbuf_free(&inst);
    return st;
}

HdStatus hd_val_fail(HdVal *v, const HdInst *in, const char *rule, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)report(v, in, HD_ERROR, rule, hd_val_specs[in->opix], fmt, args);
    va_end(args);
    return HD_BAD_INPUT;
}

HdStatus hd_val_fail_spec(HdVal *v, const HdInst *in, const char *rule, const char *spec,
                          const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)report(v, in, HD_ERROR, rule, spec, fmt, args);
    va_end(args);
    return HD_BAD_INPUT;
}

HdStatus hd_val_warn(HdVal *v, const HdInst *in, const char *rule, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)report(v, in, HD_WARNING, rule, hd_val_specs[in->opix], fmt, args);
    va_end(args);
    return HD_OK;
}

/* ---- the graph of the current function ------------------------------------------------------- */

/* Functions of fewer blocks do not need the memory. */
#define MANY_BLOCKS 256u

void hd_val_empty_brief(HdVal *v)
{
    if (v->cfg->count < MANY_BLOCKS)
        return;
    v->cfg->preds.of = NULL;
    hd_arena_empty(v->brief);
}

HdStatus hd_val_predecessors(HdVal *v, uint32_t block, const uint32_t **preds, uint32_t *count)
{
    if (v->cfg->preds.of == NULL)
        HD_TRY(hd_cfg_find_predecessors(v->m, v->f, v->brief, v->cfg));
    *preds = hd_predecessors(&v->cfg->preds, block, count);
    return HD_OK;
}

/* ---- operands ------------------------------------------------------------------------------ */

const HdType *hd_val_result(const HdVal *v, const HdInst *in)
{
    return hd_module_type(v->m, in->w[1]);
}

const HdType *hd_val_operand(const HdVal *v, const HdInst *in, uint32_t i)
{
    return i < in->nwords ? hd_module_type_of(v->m, in->w[i]) : NULL;
}

const HdType *hd_val_held(const HdVal *v, HdId variable)
{
    const HdType *t = hd_module_type_of(v->m, variable);
    HdInst in;

    if (!hd_is_pointer(t) || !hd_module_def(v->m, variable, &in) || !hd_inst_is_variable(&in))
        return NULL;
    return !t->is_untyped  ? hd_type_element(t)
           : in.nwords > 4 ? hd_module_type(v->m, in.w[4])
                           : NULL;
}

bool hd_val_is_constant(const HdVal *v, HdId id)
{
    return hd_opix_is_constant(hd_module_opix(v->m, id));
}

bool hd_val_is_open(const HdVal *v, const HdConstant *c)
{
    return c->is_spec && !v->options->to_build;
}

bool hd_val_is_open_length(const HdVal *v, const HdType *t)
{
    const HdConstant *length =
        t->kind == HD_T_ARRAY ? hd_module_constant(v->m, hd_type_length_id(v->m, t)) : NULL;

    return length != NULL && hd_val_is_open(v, length);
}

bool hd_val_known_part(const HdVal *v, HdId id, uint32_t i, uint64_t *bits)
{
    const HdConstant *c = hd_module_constant(v->m, id);
    HdConstant room;

    if (c == NULL || hd_val_is_open(v, c) || c->kind == HD_C_UNDEF)
        return false;
    if (c->kind == HD_C_COMPOSITE) {
        if (i >= c->count)
            return false;
        c = hd_constant_at(c, i, &room);
    }
    if (hd_val_is_open(v, c) || (c->kind != HD_C_SCALAR && c->kind != HD_C_NULL))
        return false;
    *bits = c->kind == HD_C_NULL ? 0 : c->bits;
    return true;
}

static bool names_functions(enum HdOpix user)
{
    switch (user) {
    case HD_OPIX_ConstantFunctionPointerINTEL:
    case HD_OPIX_TaskSequenceCreateALTERA:
    case HD_OPIX_EnqueueKernel:
    case HD_OPIX_GetKernelNDrangeSubGroupCount:
    case HD_OPIX_GetKernelNDrangeMaxSubGroupSize:
    case HD_OPIX_GetKernelWorkGroupSize:
    case HD_OPIX_GetKernelPreferredWorkGroupSizeMultiple:
    case HD_OPIX_GetKernelLocalSizeForSubgroupCount:
    case HD_OPIX_GetKernelMaxNumSubgroups:
    case HD_OPIX_CooperativeMatrixLoadTensorNV:
    case HD_OPIX_CooperativeMatrixPerElementOpNV:
    case HD_OPIX_CooperativeMatrixReduceNV: return true;
    default: return false;
    }
}

bool hd_val_names_things(enum HdOpix user, enum HdOpix thing)
{
    switch (thing) {
    case HD_OPIX_ExtInstImport:
    case HD_OPIX_String:
    case HD_OPIX_Label:
    case HD_OPIX_DecorationGroup: return false;
    case HD_OPIX_Function: return names_functions(user);
    default: return true;
    }
}

/* ---- types --------------------------------------------------------------------------------- */

/* A scalar, or the components of a vector; NULL: it is neither. */
static const HdType *component(const HdType *t)
{
    return t == NULL || hd_is_cooperative(t) ? NULL : hd_type_scalar(t);
}

bool hd_is_int(const HdType *t)
{
    return hd_is_int_scalar(component(t));
}

bool hd_is_float(const HdType *t)
{
    t = component(t);
    return t != NULL && t->kind == HD_T_FLOAT;
}

bool hd_is_bool(const HdType *t)
{
    t = component(t);
    return t != NULL && t->kind == HD_T_BOOL;
}

bool hd_is_int_scalar(const HdType *t)
{
    return t != NULL && (t->kind == HD_T_INT || t->kind == HD_T_WIDE_INT);
}

bool hd_is_float_scalar(const HdType *t)
{
    return t != NULL && t->kind == HD_T_FLOAT;
}

bool hd_is_bool_scalar(const HdType *t)
{
    return t != NULL && t->kind == HD_T_BOOL;
}

bool hd_is_scalar(const HdType *t)
{
    return hd_is_int_scalar(t) || hd_is_float_scalar(t) || hd_is_bool_scalar(t);
}

bool hd_is_numeric(const HdType *t)
{
    return hd_is_int(t) || hd_is_float(t);
}

bool hd_is_pointer(const HdType *t)
{
    return t != NULL && t->kind == HD_T_POINTER;
}

bool hd_is_composite(const HdType *t)
{
    return t != NULL && (t->kind == HD_T_VECTOR || t->kind == HD_T_MATRIX ||
                         t->kind == HD_T_ARRAY || t->kind == HD_T_STRUCT);
}

uint32_t hd_type_bits(const HdType *t)
{
    t = hd_type_scalar(t);
    if (t == NULL)
        return 0;
    return t->kind == HD_T_WIDE_INT ? hd_type_words(t)[2] : t->bits;
}

static bool not_concrete(const HdType *t)
{
    switch (t->kind) {
    case HD_T_INT:
    case HD_T_WIDE_INT:
    case HD_T_FLOAT:
    case HD_T_VECTOR:
    case HD_T_MATRIX:
    case HD_T_ARRAY:
    case HD_T_STRUCT:
    case HD_T_POINTER: return false;
    default: return true;
    }
}

bool hd_is_concrete(const HdVal *v, const HdType *t)
{
    return !hd_type_holds(v, t, not_concrete);
}

/* Spec: OpCopyLogical, "logically match". Work is bounded: a pair beyond the bound is taken as
 * different. */
bool hd_type_logically_equal(HdVal *v, const HdType *a, const HdType *b)
{
    HD_ARRAY(const HdType *) todo = {0};
    bool same = true, kept = HD_PUSH(NULL, &todo, a) && HD_PUSH(NULL, &todo, b);
    uint32_t budget = 65536;

    while (same && kept && todo.count != 0) {
        const HdType *y = todo.at[--todo.count], *x = todo.at[--todo.count];

        if (x == y)
            continue;
        if (x == NULL || y == NULL || x->kind != y->kind || x->count != y->count || budget-- == 0) {
            same = false;
        } else if (x->kind == HD_T_STRUCT) {
            for (uint32_t i = 0; kept && i < x->count; i++)
                kept = HD_PUSH(NULL, &todo, hd_type_member(v->m, x, i)) &&
                       HD_PUSH(NULL, &todo, hd_type_member(v->m, y, i));
        } else if (x->kind == HD_T_ARRAY &&
                   hd_type_length_id(v->m, x) == hd_type_length_id(v->m, y)) {
            kept = HD_PUSH(NULL, &todo, hd_type_element(x)) &&
                   HD_PUSH(NULL, &todo, hd_type_element(y));
        } else {
            same = false;
        }
    }
    HD_ARRAY_FREE(&todo);
    v->stop = v->stop || !kept;
    return same;
}

/* ---- environments -------------------------------------------------------------------------- */

bool hd_val_cap(const HdVal *v, uint32_t capability)
{
    return hd_module_has_capability(v->m, capability);
}

bool hd_val_ext(const HdVal *v, int extension)
{
    return extension >= 0 && hd_bit_has(v->extensions, (size_t)extension);
}

bool hd_val_opencl(const HdVal *v)
{
    return v->env->opencl != 0;
}

bool hd_val_has(const HdVal *v, const char *cl_extension)
{
    return hd_val_env_has(v->env, cl_extension);
}
