/* xform/indirect.c -- calls through function pointers made direct ones.
 *
 * One new function for each signature serves all its calls. As a program must not recurse, a call
 * never leads to a function that the calling one is called by, directly or through others: where
 * such functions are among those that would fit, the calling function gets a choice of its own
 * without them. (What pointers lead back to through other pointers stays, and is a cycle of calls
 * that validation reports.)
 *
 * Spec: SPV_INTEL_function_pointers.
 *
 * SPDX-License-Identifier: MIT
 */
#include "xform/indirect.h"

#include "base/array.h"
#include "module/calls.h"
#include "module/type.h"
#include "xform/declared.h"

/* What the new functions may be together, and steps of the search for callers, so that a module of
 * many functions that all call all others does not take forever. */
#define MOST_WORDS (UINT64_C(1) << 22)
#define MOST_STEPS (UINT64_C(1) << 24)
#define MOST_CASES 16384u /* an instruction has less than 65,536 words */

typedef struct Indirect {
    const HdModule *m;
    HdArena *a;
    HdDiags *d;
    HdWriter *out;
    HdWriter globals, bodies, body; /* types; new functions; calls of the one being made */
    HdDeclared declared;
    HD_ARRAY(uint32_t) taken; /* functions whose address is taken, by index, ascending */
    HdCalls calls;
    uint32_t *first_caller, *caller; /* the same calls, from the called function */
    uint32_t *reaches;               /* [functions] index of the function that it reaches, plus 1 */
    uint32_t *todo;                  /* [functions] */
    uint64_t steps;
    HdStrMap made;           /* what a choice depends on, to its id */
    HD_ARRAY(HdId) choices;  /* for their names */
    HD_ARRAY(uint32_t) fits; /* functions that the choice being made is between */
    HD_ARRAY(uint32_t) key;
    uint32_t bound;
} Indirect;

/* ---- finding ------------------------------------------------------------------------------------
 */

/* Entry points cannot be called. */
static HdStatus find_taken(Indirect *x)
{
    uint32_t word = HD_MODULE_FIRST_WORD;
    bool *taken;

    HD_TAKE(taken, HD_NEW(x->a, bool, x->m->function_count + 1u));
    for (HdInst in; word < x->m->first_function && hd_module_next(x->m, &word, &in);) {
        uint32_t f = in.opix == HD_OPIX_ConstantFunctionPointerINTEL
                         ? hd_module_function_index(x->m, in.w[3])
                         : UINT32_MAX;

        if (f != UINT32_MAX && !taken[f])
            taken[f] = hd_module_entry_of(x->m, in.w[3]) == NULL;
    }
    for (uint32_t f = 0; f < x->m->function_count; f++)
        if (taken[f])
            HD_TRY_PUSH(x->a, &x->taken, f);
    return HD_OK;
}

static HdStatus find_callers(Indirect *x)
{
    uint32_t n = x->m->function_count, count, *at;

    HD_TRY(hd_module_calls(x->m, x->a, &x->calls));
    count = x->calls.first[n];
    HD_TAKE(x->first_caller, HD_NEW(x->a, uint32_t, n + 2u));
    HD_TAKE(x->caller, HD_NEW(x->a, uint32_t, count + 1u));
    HD_TAKE(x->reaches, HD_NEW(x->a, uint32_t, n + 1u));
    HD_TAKE(x->todo, HD_NEW(x->a, uint32_t, n + 1u));
    at = x->first_caller + 1;
    for (uint32_t i = 0; i < count; i++)
        at[x->calls.to[i]]++;
    for (uint32_t f = 0, sum = 0; f <= n; f++) {
        uint32_t calls = at[f];

        at[f] = sum;
        sum += calls;
    }
    for (uint32_t f = 0; f < n; f++)
        for (uint32_t i = x->calls.first[f]; i < x->calls.first[f + 1]; i++)
            x->caller[at[x->calls.to[i]]++] = f;
    return HD_OK;
}

/* Mark a function and all that reach it by direct calls. */
static void find_reaching(Indirect *x, uint32_t f)
{
    uint32_t count = 0;

    if (x->steps > MOST_STEPS)
        return;
    x->reaches[f] = f + 1;
    x->todo[count++] = f;
    while (count > 0) {
        uint32_t of = x->todo[--count];

        x->steps += 1 + x->first_caller[of + 1] - x->first_caller[of];
        for (uint32_t i = x->first_caller[of]; i < x->first_caller[of + 1]; i++) {
            uint32_t c = x->caller[i];

            if (x->reaches[c] != f + 1) {
                x->reaches[c] = f + 1;
                x->todo[count++] = c;
            }
        }
    }
}

/* ---- what fits ----------------------------------------------------------------------------------
 */

/* Producers that know no pointee types guess them: a value of the one type is passed as the other.
 */
static bool passes(const HdModule *m, HdId from, HdId to)
{
    const HdType *a = hd_module_type(m, from), *b = hd_module_type(m, to);

    return from == to || (a != NULL && b != NULL && a->kind == HD_T_POINTER &&
                          b->kind == HD_T_POINTER && a->storage == b->storage);
}

/* Does a function of this type take the call's arguments? */
static bool takes(const HdModule *m, const HdType *t, const HdInst *call)
{
    if (t == NULL || t->kind != HD_T_FUNCTION || t->count != call->nwords - 4u)
        return false;
    for (uint32_t i = 0; i < t->count; i++)
        if (!passes(m, hd_module_type_id(m, call->w[4 + i]), hd_type_member(m, t, i)->id))
            return false;
    return true;
}

static bool fits(const Indirect *x, const HdInst *call, uint32_t function)
{
    const HdFunction *f = &x->m->functions[function];

    return call->nwords - 4u == f->param_count && passes(x->m, f->result_type, call->w[1]) &&
           takes(x->m, hd_module_type(x->m, f->type), call);
}

/* Does the call follow the rules, but for pointees? */
static bool is_sound(const HdModule *m, const HdInst *call)
{
    const HdType *p = hd_module_type_of(m, call->w[3]), *f = p != NULL ? hd_type_element(p) : NULL;

    if (p == NULL || p->kind != HD_T_POINTER || hd_module_type(m, call->w[1]) == NULL)
        return false;
    for (uint32_t i = 4; i < call->nwords; i++)
        if (hd_module_type_of(m, call->w[i]) == NULL)
            return false;
    return p->is_untyped || (takes(m, f, call) && passes(m, hd_type_element(f)->id, call->w[1]));
}

/* The functions that a call in that one may lead to. Says whether some were left out because the
 * function itself is reached from them. */
static HdStatus find_fits(Indirect *x, const HdInst *call, uint32_t caller, bool *is_own)
{
    *is_own = false;
    x->fits.count = 0;
    for (size_t i = 0; i < x->taken.count; i++) {
        uint32_t f = x->taken.at[i];

        if (!fits(x, call, f))
            continue;
        if (x->reaches[f] == caller + 1)
            *is_own = true;
        else
            HD_TRY_PUSH(x->a, &x->fits, f);
    }
    x->steps += x->taken.count;
    return HD_OK;
}

/* ---- writing ------------------------------------------------------------------------------------
 */

static HdId cast(Indirect *x, HdId value, HdId from, HdId to)
{
    const uint32_t words[3] = {to, x->bound, value};

    if (from == to)
        return value;
    hd_writer_inst(&x->body, SpvOpBitcast, words, 3);
    return x->bound++;
}

static void put_return(Indirect *x, HdId type, HdId value)
{
    if (hd_module_type(x->m, type)->kind == HD_T_VOID)
        hd_writer_inst(&x->body, SpvOpReturn, NULL, 0);
    else
        hd_writer_inst(&x->body, SpvOpReturnValue, &value, 1);
}

/* The block that calls one of the functions with the parameters of the choice. */
static void put_case(Indirect *x, const HdInst *call, uint32_t function, HdId label, HdId first)
{
    const HdFunction *f = &x->m->functions[function];
    const HdType *t = hd_module_type(x->m, f->type);
    HdId result;
    size_t at;

    hd_writer_inst(&x->body, SpvOpLabel, &label, 1);
    at = x->key.count;
    for (uint32_t i = 0; i < t->count; i++) {
        HdId from = hd_module_type_id(x->m, call->w[4 + i]);

        if (!HD_PUSH(x->a, &x->key, cast(x, first + i, from, hd_type_member(x->m, t, i)->id)))
            x->body.failed = true;
    }
    result = x->bound++;
    hd_writer_begin(&x->body, SpvOpFunctionCall);
    hd_writer_word(&x->body, f->result_type);
    hd_writer_word(&x->body, result);
    hd_writer_word(&x->body, f->id);
    hd_writer_words(&x->body, x->key.at + at, x->key.count - at);
    hd_writer_end(&x->body);
    x->key.count = at;
    put_return(x, call->w[1], cast(x, result, f->result_type, call->w[1]));
}

static HdId signature(Indirect *x, const HdInst *call)
{
    size_t at = x->key.count;
    HdId id;

    for (uint32_t i = 3; i < call->nwords; i++)
        if (!HD_PUSH(x->a, &x->key, hd_module_type_id(x->m, call->w[i])))
            x->body.failed = true;
    /* The key of the choice ends with the types of pointer and arguments; the result goes first. */
    x->key.at[at - 1] = call->w[1];
    id = hd_declared_type(&x->declared, SpvOpTypeFunction, x->key.at + at - 1,
                          x->key.count - at + 1);
    x->key.count = at;
    return id;
}

/* What the call said before: it is here that an address of no function gets to. */
static void put_default(Indirect *x, const HdInst *call, HdId label, HdId pointer)
{
    hd_writer_inst(&x->body, SpvOpLabel, &label, 1);
    hd_writer_begin(&x->body, SpvOpFunctionPointerCallINTEL);
    hd_writer_word(&x->body, call->w[1]);
    hd_writer_word(&x->body, x->bound++);
    for (uint32_t i = 3; i < call->nwords; i++)
        hd_writer_word(&x->body, pointer + i - 3);
    hd_writer_end(&x->body);
    hd_writer_inst(&x->body, SpvOpUnreachable, NULL, 0);
}

static void put_switch(Indirect *x, HdId pointer, HdId labels)
{
    const HdId number[3] = {hd_declared_int(&x->declared, 64), x->bound++, pointer};

    hd_writer_inst(&x->body, SpvOpConvertPtrToU, number, 3);
    hd_writer_begin(&x->body, SpvOpSwitch);
    hd_writer_word(&x->body, number[1]);
    hd_writer_word(&x->body, labels);
    for (uint32_t i = 0; i < x->fits.count; i++) {
        uint64_t address = hd_module_function_address(x->fits.at[i]);

        hd_writer_word(&x->body, (uint32_t)address);
        hd_writer_word(&x->body, (uint32_t)(address >> 32));
        hd_writer_word(&x->body, labels + 1 + i);
    }
    hd_writer_end(&x->body);
}

/* The function that chooses. */
static HdStatus put_choice(Indirect *x, const HdInst *call, HdId *out)
{
    uint32_t params = call->nwords - 3u, cases = (uint32_t)x->fits.count;
    const HdId id = x->bound, pointer = id + 1, entry = pointer + params, labels = entry + 1;
    uint32_t function[4] = {call->w[1], id, SpvFunctionControlMaskNone};

    x->bound = labels + cases + 1;
    function[3] = signature(x, call);
    hd_writer_inst(&x->body, SpvOpFunction, function, 4);
    for (uint32_t i = 0; i < params; i++) {
        const uint32_t parameter[2] = {hd_module_type_id(x->m, call->w[3 + i]), pointer + i};

        hd_writer_inst(&x->body, SpvOpFunctionParameter, parameter, 2);
    }
    hd_writer_inst(&x->body, SpvOpLabel, &entry, 1);
    put_switch(x, pointer, labels);
    for (uint32_t i = 0; i < cases; i++)
        put_case(x, call, x->fits.at[i], labels + 1 + i, pointer + 1);
    put_default(x, call, labels, pointer);
    hd_writer_inst(&x->body, SpvOpFunctionEnd, NULL, 0);
    hd_writer_append(&x->bodies, &x->body);
    if (x->body.failed || x->bodies.failed)
        return HD_NO_MEMORY;
    x->body.count = 0;
    *out = id;
    HD_TRY_PUSH(x->a, &x->choices, id);
    return HD_OK;
}

/* The function that chooses for a call, made when it is the first one; 0: there is nothing to
 * choose from. */
static HdStatus find_choice(Indirect *x, const HdInst *call, uint32_t caller, HdId *out)
{
    bool is_own;
    uint64_t found;
    void *key;
    size_t bytes;

    *out = 0;
    HD_TRY(find_fits(x, call, caller, &is_own));
    if (x->fits.count == 0)
        return HD_OK;
    if (x->fits.count > MOST_CASES || x->bodies.count > MOST_WORDS || x->steps > 4 * MOST_STEPS)
        return hd_fail(x->d, HD_UNSUPPORTED, call->word, "call.candidates",
                       "too many functions that pointers may lead to");
    x->key.count = 0;
    HD_TRY_PUSH(x->a, &x->key, is_own ? caller : UINT32_MAX);
    HD_TRY_PUSH(x->a, &x->key, call->w[1]);
    for (uint32_t i = 3; i < call->nwords; i++)
        HD_TRY_PUSH(x->a, &x->key, hd_module_type_id(x->m, call->w[i]));
    bytes = x->key.count * sizeof *x->key.at;
    if (hd_strmap_get(&x->made, (const char *)x->key.at, bytes, &found)) {
        *out = (HdId)found;
        return HD_OK;
    }
    HD_TAKE(key, hd_arena_copy(x->a, x->key.at, bytes));
    HD_TRY(put_choice(x, call, out));
    return hd_strmap_put(x->a, &x->made, key, bytes, *out) ? HD_OK : HD_NO_MEMORY;
}

static HdStatus write_call(Indirect *x, const HdInst *call, uint32_t caller)
{
    HdId choice = 0;

    if (is_sound(x->m, call))
        HD_TRY(find_choice(x, call, caller, &choice));
    if (choice == 0) {
        hd_writer_copy(x->out, call);
        return HD_OK;
    }
    hd_writer_begin(x->out, SpvOpFunctionCall);
    hd_writer_word(x->out, call->w[1]);
    hd_writer_word(x->out, call->w[2]);
    hd_writer_word(x->out, choice);
    hd_writer_words(x->out, call->w + 3, call->nwords - 3u);
    hd_writer_end(x->out);
    return HD_OK;
}

static HdStatus write_functions(Indirect *x)
{
    const HdModule *m = x->m;
    uint32_t word = m->first_function, f = 0, looked = UINT32_MAX;

    for (HdInst in; hd_module_next(m, &word, &in);) {
        while (f + 1 < m->function_count && in.word >= m->functions[f].end)
            f++;
        if (in.opix != HD_OPIX_FunctionPointerCallINTEL) {
            hd_writer_copy(x->out, &in);
            continue;
        }
        if (looked != f)
            find_reaching(x, f);
        looked = f;
        HD_TRY(write_call(x, &in, f));
    }
    return HD_OK;
}

/* What is before the functions: with a capability for the numbers that addresses are compared as,
 * and names. */
static void write_head(Indirect *x, HdWriter *out)
{
    const HdModule *m = x->m;
    uint32_t word = HD_MODULE_FIRST_WORD, wide = SpvCapabilityInt64;
    bool lacks = !hd_module_has_capability(m, wide), named = false;

    hd_writer_start(out, m->version, m->generator, m->bound);
    for (HdInst in; word < m->first_function && hd_module_next(m, &word, &in);) {
        if (lacks && in.opix != HD_OPIX_Capability) {
            hd_writer_inst(out, SpvOpCapability, &wide, 1);
            lacks = false;
        }
        for (size_t i = 0; in.opix == HD_OPIX_Name && !named && i < x->choices.count; i++)
            hd_writer_text(out, SpvOpName, x->choices.at[i], "function pointer");
        named = named || in.opix == HD_OPIX_Name;
        /* The functions that are called say themselves how they take their arguments. */
        if (in.opix != HD_OPIX_Decorate || in.w[2] != SpvDecorationArgumentAttributeINTEL)
            hd_writer_copy(out, &in);
    }
}

static HdStatus rewrite(Indirect *x, HdDiags *d, HdWriter *out)
{
    HdWriter functions = {0};
    HdStatus st;

    x->d = d;
    HD_TRY(find_callers(x));
    hd_declared_know(&x->declared, x->m);
    x->out = &functions;
    st = write_functions(x);
    if (st == HD_OK) {
        write_head(x, out);
        hd_writer_append(out, &x->globals);
        hd_writer_append(out, &functions);
        hd_writer_append(out, &x->bodies);
        hd_writer_set_bound(out, x->bound);
        st = functions.failed || x->declared.failed ? HD_NO_MEMORY : hd_writer_finish(out, d);
    }
    hd_writer_free(&functions);
    return st;
}

HdStatus hd_xform_indirect(const HdModule *m, HdDiags *d, HdWriter *out, bool *done)
{
    Indirect x = {.m = m, .a = NULL, .bound = m->bound};
    HdStatus st;

    *done = false;
    *out = (HdWriter){0};
    if (!hd_module_has_capability(m, SpvCapabilityFunctionPointersINTEL))
        return HD_OK;
    HD_TAKE(x.a, hd_arena_open());
    x.declared = (HdDeclared){.arena = x.a, .out = &x.globals, .next = &x.bound};
    st = find_taken(&x);
    if (st == HD_OK && x.taken.count != 0) {
        st = rewrite(&x, d, out);
        *done = st == HD_OK;
    }
    hd_writer_free(&x.globals);
    hd_writer_free(&x.bodies);
    hd_writer_free(&x.body);
    hd_arena_drop(x.a);
    if (st != HD_OK)
        hd_writer_free(out);
    return st;
}
