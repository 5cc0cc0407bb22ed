/* tests/robust/rewrite.c -- a module through what rewrites, prints and compares modules. What comes
 * out of a valid module is valid; text assembles to the same words.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/heddle.h"
#include "mutate.h"

typedef struct Rewrite {
    const uint32_t *words;
    size_t count;
    heddle_report *report;
    bool is_valid; /* also by the rules of SPIR-V alone, and with what is a warning in a program */
    char *problem;
    size_t room;
} Rewrite;

static heddle_finding first_error(const Rewrite *r)
{
    size_t count = heddle_report_count(r->report);

    for (size_t i = 0; i < count; i++) {
        heddle_finding f = heddle_report_get(r->report, i);

        if (f.severity == HEDDLE_ERROR)
            return f;
    }
    return (heddle_finding){.rule = "", .message = "no reason"};
}

/* The value of what was a specialisation constant, an array's length or a scope, may be wrong. */
static bool is_of_value(const Rewrite *r)
{
    static const char *const rules[] = {"scope.", "semantics.", "type.array", "chain.",
                                        "modes.", "composite.", "subgroup.",  "constant."};
    const char *rule = first_error(r).rule;
    bool is = false;

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        is |= strncmp(rule, rules[i], strlen(rules[i])) == 0;
    return is;
}

/* What a rewriter returned; the words are freed.
 *   may_refuse  valid modules need not be rewritten, if it says why */
static void judge(Rewrite *r, const char *what, heddle_status status, bool may_refuse,
                  uint32_t *words, size_t count)
{
    if (r->problem[0] != '\0') {
        /* the first is enough */
    } else if (status != HEDDLE_OK &&
               (!may_refuse || status == HEDDLE_BUG || heddle_report_count(r->report) == 0)) {
        snprintf(r->problem, r->room, "%s: %s", what, first_error(r).message);
    } else if (status == HEDDLE_OK && words != NULL && r->is_valid &&
               heddle_validate(words, count, NULL, NULL, r->report) != HEDDLE_OK &&
               (strcmp(what, "spec") != 0 || !is_of_value(r))) {
        snprintf(r->problem, r->room, "%s: the result is not valid: %s", what,
                 first_error(r).message);
    }
    heddle_free(words);
    heddle_report_close(r->report);
    r->report = heddle_report_open();
}

/* Printed and assembled again it is the same; what pads its strings is not printed. */
static void through_text(Rewrite *r)
{
    uint32_t *words = NULL;
    char *text = NULL, *again = NULL;
    size_t count = 0;
    heddle_status st = heddle_disassemble(r->words, r->count, HEDDLE_DIS_RAW_IDS, r->report, &text);

    if (st == HEDDLE_OK)
        st = heddle_assemble_as(text, strlen(text), r->words[1], HEDDLE_AS_PRESERVE_IDS, r->report,
                                &words, &count);
    if (st == HEDDLE_OK &&
        (count != r->count || memcmp(words + 5, r->words + 5, (count - 5) * sizeof *words) != 0)) {
        r->is_valid = false;
        st = heddle_disassemble(words, count, HEDDLE_DIS_RAW_IDS | HEDDLE_DIS_NO_HEADER, r->report,
                                &again);
    }
    if (again != NULL && strstr(text, again) == NULL && r->problem[0] == '\0')
        snprintf(r->problem, r->room, "dis, as: another module");
    heddle_free(again);
    heddle_free(text);
    judge(r, "dis, as", st, false, words, count);
}

static void differ(Rewrite *r, const heddle_module *one, const heddle_module *two)
{
    char *text = NULL;
    heddle_status st = heddle_diff(one, two, 2, r->report, &text);

    if (st == HEDDLE_OK && one == two && r->is_valid && text[0] != '\0' && r->problem[0] == '\0')
        snprintf(r->problem, r->room, "diff: differs from itself: %.200s", text);
    heddle_free(text);
    judge(r, "diff", st, false, NULL, 0);
}

static void lower(Rewrite *r, const char *env)
{
    uint32_t *words = NULL;
    size_t count = 0;
    heddle_status st = heddle_lower(r->words, r->count, env, NULL, r->report, &words, &count);

    judge(r, "lower", st, true, words, count);
}

void mutant_rewrite(const uint32_t *words, size_t count, const Seed *seed, char *problem,
                    size_t room)
{
    Rewrite r = {.words = words,
                 .count = count,
                 .report = heddle_report_open(),
                 .is_valid = heddle_validate(words, count, NULL, NULL, NULL) == HEDDLE_OK,
                 .problem = problem,
                 .room = room};
    heddle_module mutant = {words, count}, old = {seed->words, seed->count}, both[] = {old, mutant};
    heddle_specialization spec[4];
    uint32_t *out = NULL;
    size_t n = 0;
    heddle_status st;
    bool is_valid;

    problem[0] = '\0';
    through_text(&r);
    st = heddle_strip(words, count, 0, r.report, &out, &n);
    judge(&r, "strip", st, false, out, n);
    out = NULL;
    st = heddle_specialize(words, count, NULL, 0, 1, r.report, &out, &n);
    judge(&r, "spec", st, false, out, n);
    out = NULL;
    for (uint32_t i = 0; i < 4; i++)
        spec[i] =
            (heddle_specialization){.spec_id = i, .size_bytes = 1u << i, .bits = words[3] + i};
    st = heddle_specialize(words, count, spec, 4, 0, r.report, &out, &n);
    judge(&r, "spec", st, true, out, n);
    out = NULL;
    st = heddle_link(&mutant, 1, 1, r.report, &out, &n);
    judge(&r, "link", st, true, out, n);
    out = NULL;
    st = heddle_link(both, 2, 1, r.report, &out, &n);
    is_valid = r.is_valid;
    r.is_valid = is_valid && heddle_validate(old.words, old.nwords, NULL, NULL, NULL) == HEDDLE_OK;
    judge(&r, "link with another", st, true, out, n);
    r.is_valid = is_valid;
    lower(&r, "opencl1.2");
    lower(&r, "opencl3.0");
    differ(&r, &mutant, &mutant);
    differ(&r, &old, &mutant);
    heddle_report_close(r.report);
}
