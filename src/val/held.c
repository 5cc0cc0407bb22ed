/* val/held.c -- whether a type contains another one, at any depth.
 *
 * Each type is walked once for each query; the result is kept for the types that contain it. Types
 * form a graph without cycles except through pointers, which are not followed.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"
#include "base/bitset.h"
#include "val/rule.h"

/* More questions than there are. */
#define QUESTIONS 64u

/* Sets by the number of a type. */
typedef struct Question {
    HdTypeTest *test; /* NULL: not computed yet */
    uint64_t *known;  /* has an answer */
    uint64_t *holds;  /* which is yes */
} Question;

struct HdValHeld {
    Question questions[QUESTIONS];
};

/* A type that is walked. */
typedef struct Frame {
    const HdType *type;
    uint32_t next; /* next part to visit */
} Frame;

typedef struct Walk {
    const HdModule *m;
    const Question *q;
    HD_ARRAY(Frame) frames; /* each holds the next one */
} Walk;

HdStatus hd_val_held_open(HdVal *v)
{
    HD_TAKE(v->held, HD_NEW(v->a, struct HdValHeld, 1));
    return HD_OK;
}

/* NULL: no memory. */
static const Question *question(const HdVal *v, HdTypeTest *test)
{
    size_t words = HD_BITSET_WORDS(hd_type_number_bound(v->m));
    uint32_t at = (uint32_t)((uintptr_t)test >> 4) % QUESTIONS;
    Question *q;

    while (v->held->questions[at].test != NULL && v->held->questions[at].test != test)
        at = (at + 1) % QUESTIONS;
    q = &v->held->questions[at];
    if (q->test == test)
        return q;
    q->known = HD_NEW(v->a, uint64_t, words);
    q->holds = HD_NEW(v->a, uint64_t, words);
    if (q->known == NULL || q->holds == NULL)
        return NULL;
    q->test = test;
    return q;
}

/* Does it have parts of types that it names? */
static bool has_parts(const HdType *t)
{
    return t->kind == HD_T_STRUCT || t->kind == HD_T_ARRAY || t->kind == HD_T_RUNTIME_ARRAY ||
           t->kind == HD_T_VECTOR || t->kind == HD_T_MATRIX;
}

static const HdType *next_part(const HdModule *m, Frame *f)
{
    uint32_t i = f->next++;

    if (f->type->kind == HD_T_STRUCT)
        return i < f->type->count ? hd_type_member(m, f->type, i) : NULL;
    return i == 0 ? hd_type_element(f->type) : NULL;
}

/* Until something is found in it the answer is no. False without memory. */
static bool enter(Walk *w, const HdType *t)
{
    if (!HD_PUSH(NULL, &w->frames, ((Frame){.type = t})))
        return false;
    hd_bit_add(w->q->known, hd_type_number(w->m, t));
    return true;
}

typedef enum Found { NO, YES, NO_MEMORY } Found;

/* Go on until something is found, or nothing is left. */
static Found walk(Walk *w)
{
    while (w->frames.count != 0) {
        Frame *top = &w->frames.at[w->frames.count - 1];
        const HdType *part = next_part(w->m, top);
        uint32_t number;

        if (part == NULL) {
            w->frames.count--;
            continue;
        }
        if (w->q->test(part))
            return YES;
        if (!has_parts(part))
            continue;
        number = hd_type_number(w->m, part);
        if (hd_bit_has(w->q->holds, number))
            return YES;
        if (!hd_bit_has(w->q->known, number) && !enter(w, part))
            return NO_MEMORY;
    }
    return NO;
}

/* Walk a type and keep the answer for it and what it is found in. */
static bool look(Walk *w, const HdType *t)
{
    Found found = enter(w, t) ? walk(w) : NO_MEMORY;

    for (size_t i = 0; i < w->frames.count; i++) {
        uint32_t number = hd_type_number(w->m, w->frames.at[i].type);

        if (found == YES)
            hd_bit_add(w->q->holds, number);
        else
            hd_bit_remove(w->q->known, number);
    }
    HD_ARRAY_FREE(&w->frames);
    return found == YES;
}

bool hd_type_holds(const HdVal *v, const HdType *t, HdTypeTest *test)
{
    Walk w = {.m = v->m};
    uint32_t number;

    if (t == NULL)
        return false;
    if (test(t))
        return true;
    if (t->kind == HD_T_VECTOR)
        return test(hd_type_element(t));
    if (!has_parts(t))
        return false;
    w.q = question(v, test);
    if (w.q == NULL)
        return false;
    number = hd_type_number(v->m, t);
    if (hd_bit_has(w.q->known, number))
        return hd_bit_has(w.q->holds, number);
    return look(&w, t);
}
