/* clc/options.c -- parsing build options.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/clc.h"

#include <string.h>

typedef enum How { WHOLE, PREFIX, VALUE } How;
typedef enum Effect {
    PASS,
    IGNORE,
    PLAIN,
    FAST,
    STANDARD,
    ARG_INFO,
    LINES,
    FULL_GROUPS,
    NO_PROGRESS,
    CHECK,
    LIBRARY,
    LINK_OPTIONS
} Effect;

typedef struct Row {
    const char *text;
    How how;
    HdClcStage stage;
    Effect effect;
} Row;

static const Row rows[] = {
#define OPTION(text, how, stage, effect) {text, how, stage, effect},
#include "clc/options.def"
#undef OPTION
};

/* The next word; quotes group, a backslash before a quote or backslash takes it literally. False at
 * the end. */
static bool next_word(const char **at, HdStrbuf *word)
{
    const char *p = *at;
    char quote = 0;

    word->count = 0;
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    if (*p == '\0')
        return false;
    for (; *p != '\0'; p++) {
        if (quote == 0 && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
            break;
        if (*p == '\\' && (p[1] == '"' || p[1] == '\'' || p[1] == '\\')) {
            hd_strbuf_add_char(word, *++p);
        } else if ((*p == '"' || *p == '\'') && (quote == 0 || quote == *p)) {
            quote = quote == 0 ? *p : 0;
        } else {
            hd_strbuf_add_char(word, *p);
        }
    }
    hd_strbuf_add(word, "");
    *at = p;
    return true;
}

static const Row *find_row(const char *word)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = strlen(rows[i].text);

        if (rows[i].how == WHOLE ? strcmp(word, rows[i].text) == 0
                                 : strncmp(word, rows[i].text, len) == 0)
            return &rows[i];
    }
    return NULL;
}

static void pass(HdClcOptions *o, const char *word)
{
    hd_strbuf_add_bytes(&o->args, word, strlen(word) + 1);
    o->arg_count++;
}

static bool standard_is_fine(const char *value)
{
    static const char *const known[] = {"CL1.0", "CL1.1", "CL1.2",    "CL2.0",    "CL3.0",
                                        "CL3.1", "CLC++", "CLC++1.0", "CLC++2021"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(value, known[i]) == 0)
            return true;
    }
    return false;
}

/* Apply a row. `value` is NULL unless the row takes one. */
static bool apply(HdClcOptions *o, const Row *row, const char *word, const char *value)
{
    switch (row->effect) {
    case IGNORE: return true;
    case LINK_OPTIONS: o->may_modify = true; return true;
    case PLAIN: o->is_optimised = false; return true;
    case FAST:
        o->fast_math = true;
        pass(o, word);
        return true;
    case ARG_INFO:
        o->has_arg_info = true;
        pass(o, word);
        return true;
    case LINES: o->has_lines = true; return true;
    case FULL_GROUPS:
        o->has_full_groups = true;
        pass(o, word);
        return true;
    case NO_PROGRESS: o->no_progress = true; return true;
    case CHECK: o->is_checked = true; return true;
    case LIBRARY: o->create_library = true; return true;
    case STANDARD:
        if (!standard_is_fine(value))
            return false;
        o->has_std = true;
        o->is_3_1 = strcmp(value, "CL3.1") == 0;
        o->is_2_0 = strncmp(value, "CL1.", 4) != 0;
        pass(o, o->is_3_1 ? "-cl-std=CL3.0" : word); /* clang's newest; the prelude does the rest */
        return true;
    case PASS: break;
    }
    pass(o, word);
    return true;
}

static HdStatus take_all(const char *text, HdClcStage stage, HdClcOptions *out, HdStrbuf *word,
                         HdStrbuf *value)
{
    while (next_word(&text, word)) {
        const char *w = hd_strbuf_text(word);
        const Row *row = find_row(w);
        size_t len = row != NULL ? strlen(row->text) : 0;

        if (word->failed)
            return HD_NO_MEMORY;
        if (row == NULL || (row->stage & stage) == 0)
            return HD_BAD_INPUT;
        if (row->stage == HD_CLC_LINK && stage != HD_CLC_LINK)
            return HD_BAD_INPUT; /* a build makes no libraries */
        if (row->how == VALUE && w[len] == '\0') {
            if (!next_word(&text, value))
                return HD_BAD_INPUT;
            hd_strbuf_add(word, hd_strbuf_text(value));
            w = hd_strbuf_text(word);
        }
        if (!apply(out, row, w, row->how != WHOLE ? w + len : NULL))
            return HD_BAD_INPUT;
    }
    if (out->may_modify && !out->create_library)
        return HD_BAD_INPUT;
    return out->args.failed || word->failed || value->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_clc_options(const char *text, HdClcStage stage, HdClcOptions *out, HdStrbuf *bad)
{
    HdStrbuf word = {0}, value = {0};
    HdStatus st;

    *out = (HdClcOptions){.is_optimised = true};
    st = take_all(text != NULL ? text : "", stage, out, &word, &value);
    if (st != HD_OK) {
        if (bad != NULL)
            hd_strbuf_add(bad, hd_strbuf_text(&word));
        hd_clc_options_free(out);
    }
    hd_strbuf_free(&word);
    hd_strbuf_free(&value);
    return st;
}

void hd_clc_options_free(HdClcOptions *o)
{
    hd_strbuf_free(&o->args);
    o->arg_count = 0;
}
