/* check/found.c -- the list of defects: each once, with a count. Two are the same if they break the
 * same rule at the same place, with the same other place (of a race: the other access) and the same
 * part (which end of the memory is left, which conversion of a format is wrong).
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>
#include <string.h>

#include "check/private.h"

#define MAX_DEFECTS 1000u /* places; further ones are counted only */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* One that is not known may be the one that is. */
static bool same_other(const HdDefect *a, const HdDefect *b)
{
    return (a->has_one_place && b->has_one_place) || a->other_place.word == b->other_place.word ||
           a->other_place.word == HD_NO_PLACE || b->other_place.word == HD_NO_PLACE;
}

static bool is_same(const HdDefect *a, const HdDefect *b)
{
    if (!same_text(a->rule, b->rule) || a->place.word != b->place.word ||
        a->program != b->program || !same_text(a->kernel, b->kernel) ||
        a->severity != b->severity || a->part != b->part || !same_other(a, b))
        return false;
    return a->place.word != HD_NO_PLACE || (same_text(a->message, b->message) &&
                                            same_text(a->stack[0].function, b->stack[0].function));
}

static HdDefect *find(HdCheck *c, const HdDefect *d)
{
    for (size_t i = 0; i < c->defects.count; i++)
        if (is_same(&c->defects.at[i], d))
            return &c->defects.at[i];
    return NULL;
}

static const char *own(HdCheck *c, const char *s)
{
    return s != NULL ? hd_arena_string(c->arena, s, strlen(s)) : NULL;
}

static void own_place(HdCheck *c, HdDefectPlace *p)
{
    p->function = own(c, p->function);
    p->inst = own(c, p->inst);
    p->source = own(c, p->source);
}

const char *hd_check_text(HdCheck *c, const char *text)
{
    char *copy = NULL;

    pthread_mutex_lock(&c->texts_lock);
    for (size_t i = 0; i < c->texts.count && copy == NULL; i++)
        if (strcmp(c->texts.at[i], text) == 0)
            copy = c->texts.at[i];
    if (copy == NULL && (copy = hd_strdup(text)) != NULL && !HD_PUSH(NULL, &c->texts, copy)) {
        hd_free(copy);
        copy = NULL;
    }
    pthread_mutex_unlock(&c->texts_lock);
    return copy;
}

static const char *say(HdCheck *c, const HdDefect *d, const char *s)
{
    return d->is_shader ? hd_defect_shaders_words(c->arena, s) : own(c, s);
}

static void own_all(HdCheck *c, HdDefect *d)
{
    d->message = say(c, d, d->message);
    d->kernel = own(c, d->kernel);
    d->variable = own(c, d->variable);
    d->memory = say(c, d, d->memory);
    d->other = say(c, d, d->other);
    d->hint = say(c, d, d->hint);
    own_place(c, &d->place);
    own_place(c, &d->other_place);
    for (uint32_t i = 0; i < d->stack_count; i++)
        own_place(c, &d->stack[i]);
}

void hd_check_keep(HdCheck *c, const HdDefect *d)
{
    HdDefect *known = find(c, d);

    if (known != NULL) {
        known->count += d->count;
        return;
    }
    if (c->defects.count >= MAX_DEFECTS || !HD_PUSH(NULL, &c->defects, *d)) {
        c->more++;
        return;
    }
    c->errors += d->severity == HD_ERROR;
}

/* Mark an access in a picture that shows its place. Is there one? */
static bool mark(HdDefectMemory *m, const HdDefect *d)
{
    if (!m->is_known || d->address - m->at >= HD_DEFECT_AROUND)
        return false;
    for (uint64_t i = d->address - m->at; i < d->address - m->at + d->bytes; i++)
        if (i < HD_DEFECT_AROUND)
            m->is_also[i] = true;
    return true;
}

/* An occurrence of a known defect: shown by a picture that there is, or by one of its own. */
static void keep_again(HdCheck *c, HdDefect *known, const HdDefect *d, HdDefectMore *more,
                       void *user)
{
    HdDefectAgain **end = &known->again, *a;
    HdDefect whole = *d;

    if (d->bytes == 0 || more == NULL || mark(&known->around, d))
        return;
    for (; *end != NULL; end = &(*end)->next)
        if (mark(&(*end)->around, d))
            return;
    known->has_more = known->again_count == HD_DEFECT_AGAIN;
    if (known->has_more || known->again_asked == HD_DEFECT_ASKED ||
        (a = HD_NEW(c->arena, HdDefectAgain, 1)) == NULL)
        return;
    known->again_asked++;
    more(user, &whole);
    if (!whole.around.is_known)
        return;
    *a = (HdDefectAgain){.item = whole.item,
                         .other_item = whole.other_item,
                         .memory = say(c, &whole, whole.memory),
                         .address = whole.address,
                         .bytes = whole.bytes,
                         .memory_at = whole.memory_at,
                         .memory_bytes = whole.memory_bytes,
                         .lanes = whole.lanes,
                         .first_item = whole.first_item,
                         .around = whole.around};
    *end = a;
    known->again_count++;
}

bool hd_check_report(HdCheck *c, HdDefect *d, HdDefectMore *more, void *user)
{
    HdDefect *known;

    d->count = d->count ? d->count : 1;
    pthread_mutex_lock(&c->lock);
    if (d->place.word == HD_NO_PLACE) /* it is known by its message */
        d->message = say(c, d, d->message);
    known = find(c, d);
    if (known != NULL) {
        known->count += d->count;
        if (d->group_number == known->group_number && d->first_item == known->first_item)
            known->lanes |= d->lanes;
        keep_again(c, known, d, more, user);
    } else {
        if (more != NULL)
            more(user, d);
        own_all(c, d);
        hd_check_keep(c, d);
    }
    pthread_mutex_unlock(&c->lock);
    return known == NULL;
}

void hd_check_host(HdCheck *c, HdSeverity severity, const char *rule, const char *hint,
                   const char *caller, const char *fmt, ...)
{
    HdDefect d = {.severity = severity, .rule = rule, .hint = hint, .count = 1};
    HdStrbuf text = {0};
    va_list args;

    d.place.word = d.other_place.word = HD_NO_PLACE;
    va_start(args, fmt);
    hd_strbuf_vprintf(&text, fmt, args);
    va_end(args);
    d.message = hd_strbuf_text(&text);
    if (caller != NULL)
        d.stack[d.stack_count++] = (HdDefectPlace){.function = caller, .word = HD_NO_PLACE};
    hd_check_report(c, &d, NULL, NULL);
    hd_strbuf_free(&text);
}

void hd_check_spoiled(HdCheck *c, uint64_t at, uint64_t bytes, HdDefect *d, HdDefectMore *more,
                      void *user)
{
    HdSpoiled *s = NULL;

    d->count = 1;
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->spoiled.count && s == NULL; i++)
        if (is_same(&c->spoiled.at[i].defect, d))
            s = &c->spoiled.at[i];
    if (s != NULL) {
        uint64_t end = s->at + s->bytes > at + bytes ? s->at + s->bytes : at + bytes;

        s->at = s->at < at ? s->at : at;
        s->bytes = end - s->at;
        s->defect.count++;
    } else {
        HdSpoiled fresh = {.at = at, .bytes = bytes};

        if (more != NULL)
            more(user, d);
        own_all(c, d);
        fresh.defect = *d;
        if (!HD_PUSH(NULL, &c->spoiled, fresh))
            c->more++;
    }
    pthread_mutex_unlock(&c->lock);
}

size_t hd_check_errors(HdCheck *c)
{
    size_t errors;

    pthread_mutex_lock(&c->lock);
    errors = c->errors;
    pthread_mutex_unlock(&c->lock);
    return errors;
}

static HdDefects all_of(const HdCheck *c)
{
    return (HdDefects){.at = c->defects.at,
                       .count = c->defects.count,
                       .errors = c->errors,
                       .launches = c->launches,
                       .more = c->more,
                       .counted = c->counts.at,
                       .counted_count = c->counts.count};
}

const HdDefects *hd_check_defects(HdCheck *c)
{
    pthread_mutex_lock(&c->lock);
    c->told = all_of(c);
    pthread_mutex_unlock(&c->lock);
    return &c->told;
}

static void name_place(HdDefectPlace *p, const char *file, HdCheckPlace *place, void *user)
{
    if (p->source != NULL || p->word == HD_NO_PLACE || !place(user, p->word, &p->line, &p->column))
        return;
    p->source = file;
    p->inst = NULL; /* the line shows it */
}

void hd_check_place(HdCheck *c, const char *file, HdCheckPlace *place, void *user)
{
    pthread_mutex_lock(&c->lock);
    for (size_t i = 0; i < c->defects.count; i++) {
        HdDefect *d = &c->defects.at[i];

        name_place(&d->place, file, place, user);
        name_place(&d->other_place, file, place, user);
        for (uint32_t k = 0; k < d->stack_count; k++)
            name_place(&d->stack[k], file, place, user);
    }
    pthread_mutex_unlock(&c->lock);
}

void hd_check_look(HdCheck *c, void (*look)(const HdDefects *all))
{
    HdDefects all;

    pthread_mutex_lock(&c->lock);
    pthread_mutex_lock(&c->counts_lock);
    all = all_of(c);
    look(&all);
    pthread_mutex_unlock(&c->counts_lock);
    pthread_mutex_unlock(&c->lock);
}
