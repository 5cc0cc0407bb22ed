/* clc/options.c -- parsing build options.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/clc.h"

#include <string.h>

#include "base/near.h"

typedef enum How { WHOLE, PREFIX, VALUE } How;
typedef enum Effect {
    PASS,
    MACRO,
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

/* ---- what is wrong with an option --------------------------------------------------------------
 */

static const char *const standards[] = {"-cl-std=CL1.0",    "-cl-std=CL1.1", "-cl-std=CL1.2",
                                        "-cl-std=CL2.0",    "-cl-std=CL3.0", "-cl-std=CL3.1",
                                        "-cl-std=CLC++1.0", "-cl-std=CLC++", "-cl-std=CLC++2021"};

/* An error with the rule that all of them have, and what to do about it. */
static HdStatus wrong(HdDiags *d, const char *word, const char *what, const char *hint)
{
    const HdDiag diag = {.severity = HD_ERROR,
                         .status = HD_BAD_INPUT,
                         .rule = "source.options",
                         .word = HD_NO_PLACE,
                         .hint = hint};

    return d != NULL ? hd_diags_add(d, &diag, "'%s' %s", word, what) : HD_BAD_INPUT;
}

static bool is_at(const Row *row, HdClcStage stage)
{
    return (row->stage & stage) != 0 && (row->stage != HD_CLC_LINK || stage == HD_CLC_LINK);
}

/* The option of this stage that was probably meant; NULL: there is none. A value is no part of its
 * name. */
static const char *near_option(const char *word, HdClcStage stage)
{
    size_t len = strcspn(word, "=");
    HdNear near = hd_near_begin(word, len + (word[len] == '='));

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (is_at(&rows[i], stage) && strlen(rows[i].text) > 2)
            hd_near_try(&near, rows[i].text);
    return near.name;
}

/* The option of this stage with the longest beginning in common: of -cl-fast-math,
 * -cl-fast-relaxed-math. NULL: none has more than "-cl-" and two letters. */
static const char *longest_in_common(const char *word, HdClcStage stage)
{
    const char *found = NULL;
    size_t longest = strlen("-cl-xx");

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = 0;

        while (rows[i].text[len] != '\0' && rows[i].text[len] == word[len])
            len++;
        if (is_at(&rows[i], stage) && len > longest) {
            found = rows[i].text;
            longest = len;
        }
    }
    return found;
}

/* Options of other compilers and drivers, by how they begin; the first that fits counts. None is
 * near to another option by its letters alone. */
static const struct {
    const char *begin, *hint;
} elsewhere[] = {
    {"-Ofast", "write -O3 -cl-fast-relaxed-math"},
    {"-O", "did you mean -O3? The levels are -O0 to -O3"},
    {"-g", "did you mean -g?"},
    {"-o", "leave it out; the program object holds what is built"},
    {"-x", "leave it out; sources are OpenCL C, or C++ for OpenCL with -cl-std=CLC++2021"},
    {"-include", "write #include in the source, or give the header to clCompileProgram"},
    {"-ffast-math", "did you mean -cl-fast-relaxed-math?"},
    {"-march", "leave it out; code is made for the processor that it runs on"},
    {"-mcpu", "leave it out; code is made for the processor that it runs on"},
    {"-mtune", "leave it out; code is made for the processor that it runs on"},
    {"-cl-nv-", "leave it out; NVIDIA's driver takes it"},
    {"-cl-intel-", "leave it out; Intel's drivers take it"},
    {"-cl-amd-", "leave it out; AMD's drivers take it"},
    {"-cl-ext-", "leave it out; it belongs to an extension that is not supported"},
};

static const char *hint_elsewhere(const char *word)
{
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        if (strncmp(word, elsewhere[i].begin, strlen(elsewhere[i].begin)) == 0)
            return elsewhere[i].hint;
    return NULL;
}

/* What to write instead of a word that is no option of the stage; in `hint`. */
static void propose(const char *word, HdClcStage stage, HdStrbuf *hint)
{
    const char *foreign = stage == HD_CLC_LINK ? NULL : hint_elsewhere(word);
    const char *meant = foreign == NULL ? near_option(word, stage) : NULL;
    HdStrbuf longer = {0};

    if (foreign != NULL) {
        hd_strbuf_add(hint, foreign);
        return;
    }
    hd_strbuf_printf(&longer, "-cl%s", word);
    if (meant == NULL)
        meant = longest_in_common(word, stage);
    if (meant == NULL && word[0] == '-') /* -mad-enable, -std=CL3.0 */
        meant = near_option(hd_strbuf_text(&longer), stage);
    hd_strbuf_free(&longer);
    if (meant != NULL)
        hd_strbuf_printf(hint, "did you mean %s?", meant);
    else if (word[0] != '-')
        hd_strbuf_add(hint, "options begin with '-'; put a value that has spaces in quotes");
    else
        hd_strbuf_printf(hint, "leave it out; %s",
                         stage == HD_CLC_LINK ? "clLinkProgram takes -create-library, "
                                                "-enable-link-options and options of mathematics"
                                              : "options are -D, -U, -I, -w, -W..., -g, -O0 to "
                                                "-O3 and those of OpenCL that begin with -cl-");
}

static HdStatus wrong_unknown(HdDiags *d, const char *word, HdClcStage stage)
{
    HdStrbuf hint = {0};
    HdStatus st;

    propose(word, stage, &hint);
    st = wrong(d, word, "is not a build option", hd_strbuf_text(&hint));
    hd_strbuf_free(&hint);
    return st;
}

/* The version that a value of -cl-std probably means, or an empty string: of a version that there
 * is not, the newest before it. */
static const char *meant_standard(const char *value)
{
    const char *digit = value + strcspn(value, "0123456789");

    if (strstr(value, "++") != NULL)
        return *digit == '1' ? "CLC++1.0" : "CLC++2021";
    switch (*digit) {
    case '\0':
    case '0': return "";
    case '1':
        return strcmp(digit, "1.0") == 0 ? "CL1.0" : strcmp(digit, "1.1") == 0 ? "CL1.1" : "CL1.2";
    case '2': return strncmp(digit, "2021", 4) == 0 ? "CLC++2021" : "CL2.0";
    case '3': return digit[1] == '\0' || strcmp(digit + 1, ".0") == 0 ? "CL3.0" : "CL3.1";
    default: return "CL3.1";
    }
}

static HdStatus wrong_standard(HdDiags *d, const char *word, const char *value)
{
    const char *meant = meant_standard(value);
    HdStrbuf hint = {0};
    HdStatus st;

    if (*meant != '\0')
        hd_strbuf_printf(&hint, "did you mean -cl-std=%s? ", meant);
    hd_strbuf_add(&hint, "The versions are CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, CL3.1, CLC++1.0 "
                         "(CLC++) and CLC++2021");
    st = wrong(d, word, "names no version of OpenCL C", hd_strbuf_text(&hint));
    hd_strbuf_free(&hint);
    return st;
}

/* Does a macro's name begin here, or behind blanks? Clang looks at the rest of it. */
static bool begins_name(const char *value)
{
    unsigned char c = (unsigned char)value[strspn(value, " \t")];

    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '\\' ||
           c >= 0x80;
}

static HdStatus wrong_name(HdDiags *d, const char *option, const char *value)
{
    HdStrbuf what = {0};
    HdStatus st;

    hd_strbuf_printf(&what, "needs the name of a macro, and is followed by '%s'", value);
    st = wrong(d, option, hd_strbuf_text(&what),
               option[1] == 'U' ? "write -UNAME" : "write -DNAME or -DNAME=VALUE");
    hd_strbuf_free(&what);
    return st;
}

/* It exists, but not for this call. */
static HdStatus wrong_stage(HdDiags *d, const char *word, HdClcStage stage)
{
    if (stage == HD_CLC_LINK)
        return wrong(d, word, "is not an option of clLinkProgram", "give it to clCompileProgram");
    return wrong(d, word, "is an option of clLinkProgram only",
                 "compile with clCompileProgram, and give it to clLinkProgram");
}

/* ---- taking them -------------------------------------------------------------------------------
 */

static bool is_standard(const char *word)
{
    for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++) {
        if (strcmp(word, standards[i]) == 0)
            return true;
    }
    return false;
}

/* Apply a row. `value` is NULL unless the row takes one. */
static void apply(HdClcOptions *o, const Row *row, const char *word, const char *value)
{
    switch (row->effect) {
    case IGNORE: return;
    case LINK_OPTIONS: o->may_modify = true; return;
    case PLAIN: o->is_optimised = false; return;
    case LINES: o->has_lines = true; return;
    case NO_PROGRESS: o->no_progress = true; return;
    case CHECK: o->is_checked = true; return;
    case LIBRARY: o->create_library = true; return;
    case FAST: o->fast_math = true; break;
    case ARG_INFO: o->has_arg_info = true; break;
    case FULL_GROUPS: o->has_full_groups = true; break;
    case STANDARD:
        o->has_std = true;
        o->is_3_1 = strcmp(value, "CL3.1") == 0;
        o->is_2_0 = strncmp(value, "CL1.", 4) != 0;
        pass(o, o->is_3_1 ? "-cl-std=CL3.0" : word); /* clang's newest; the prelude does the rest */
        return;
    case MACRO:
    case PASS: break;
    }
    pass(o, word);
}

static HdStatus take_all(const char *text, HdClcStage stage, HdClcOptions *out, HdDiags *d,
                         HdStrbuf *word, HdStrbuf *value)
{
    while (next_word(&text, word)) {
        const char *w = hd_strbuf_text(word);
        const Row *row = find_row(w);
        size_t len = row != NULL ? strlen(row->text) : 0;

        if (word->failed)
            return HD_NO_MEMORY;
        if (row == NULL)
            return wrong_unknown(d, w, stage);
        if (!is_at(row, stage))
            return wrong_stage(d, w, stage);
        if (row->how == VALUE && w[len] == '\0') {
            if (!next_word(&text, value))
                return wrong(d, w, "has no value", "write one behind it, as in -DNAME=1 or -I.");
            hd_strbuf_add(word, hd_strbuf_text(value));
            w = hd_strbuf_text(word);
        }
        if (row->effect == STANDARD && !is_standard(w))
            return wrong_standard(d, w, w + len);
        if (row->effect == MACRO && !begins_name(w + len))
            return wrong_name(d, row->text, w + len);
        apply(out, row, w, row->how != WHOLE ? w + len : NULL);
    }
    if (out->may_modify && !out->create_library)
        return wrong(d, "-enable-link-options", "is for libraries", "add -create-library");
    return out->args.failed || word->failed || value->failed ? HD_NO_MEMORY : HD_OK;
}

HdStatus hd_clc_options(const char *text, HdClcStage stage, HdClcOptions *out, HdDiags *d)
{
    HdStrbuf word = {0}, value = {0};
    HdStatus st;

    *out = (HdClcOptions){.is_optimised = true, .may_link = stage == HD_CLC_COMPILE};
    st = take_all(text != NULL ? text : "", stage, out, d, &word, &value);
    if (st != HD_OK)
        hd_clc_options_free(out);
    hd_strbuf_free(&word);
    hd_strbuf_free(&value);
    return st;
}

void hd_clc_options_free(HdClcOptions *o)
{
    hd_strbuf_free(&o->args);
    o->arg_count = 0;
}

bool hd_clc_next_arg(const HdClcOptions *options, const char **arg)
{
    const char *end = options->args.at + options->args.count;

    if (options->arg_count == 0)
        return false;
    *arg = *arg == NULL ? options->args.at : *arg + strlen(*arg) + 1;
    return *arg < end;
}
