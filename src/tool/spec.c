/* tool/spec.c -- heddle spec: specialisation constants listed and set.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "module/decoration.h"
#include "text/dis.h"
#include "tool/options.h"
#include "tool/rewrite.h"
#include "tool/spec_value.h"
#include "tool/tool.h"
#include "xform/specialize.h"

typedef struct Options {
    HdToolTexts words; /* the file, "N=VALUE", "name=VALUE" */
    HdToolTexts set;
    const char *in, *out; /* out: NULL: not given */
    bool freeze, quiet;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    HD_TOOL_OUT_ROW,
    {"--freeze", HD_TOOL_FLAG, 1, AT(freeze), NULL,
     "turn specialisation constants into ordinary constants"},
    HD_TOOL_QUIET_ROWS(HD_TOOL_QUIET_HELP),
};

static const HdToolCommand command = {
    .name = "spec",
    .usage = "[OPTION…] [FILE] [NAME=VALUE…]",
    .about =
        "List the specialisation constants of a module, or write it with other defaults. "
        "Without FILE, or if it is \"-\", standard input is read. NAME is a SpecId or the name "
        "of the constant; VALUE is true, false or a number as for heddle run.",
    .exits = "0 fine; 1 the module is malformed or has no such constant; 2 wrong usage; 3 a file "
             "cannot be read or written",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(words),
    .most_words = UINT_MAX,
};

/* Call for each constant with a SpecId: id, SpecId. */
static void list(const HdModule *m)
{
    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x)) {
        HdStrbuf text = {0};
        HdInst in;

        if (x.d->decoration != SpvDecorationSpecId || x.d->operand_count == 0 ||
            !hd_module_def(m, x.target, &in))
            continue;
        hd_text_inst(m, &in, NULL, SIZE_MAX, &text);
        printf("%u %s: %s\n", (unsigned)hd_decoration_value(m, x.d),
               hd_module_name(m, x.target) != NULL ? hd_module_name(m, x.target) : "(no name)",
               hd_strbuf_text(&text));
        hd_strbuf_free(&text);
    }
}

static bool find_id(const HdModule *m, const char *name, size_t len, uint32_t *spec_id)
{
    char *end;
    unsigned long number = strtoul(name, &end, 10);

    if (end == name + len && len != 0 && number <= UINT32_MAX) {
        *spec_id = (uint32_t)number;
        return true;
    }
    for (HdDecorations x = hd_module_applied_decorations(m); x.d != NULL; hd_decorations_step(&x)) {
        const char *own = hd_module_name(m, x.target);

        if (x.d->decoration == SpvDecorationSpecId && x.d->operand_count != 0 && own != NULL &&
            strlen(own) == len && memcmp(own, name, len) == 0) {
            *spec_id = hd_decoration_value(m, x.d);
            return true;
        }
    }
    return false;
}

typedef HD_ARRAY(HdSpecialization) Values;

/* Take "NAME=VALUE". */
static HdStatus take(const HdModule *m, const char *text, HdDiags *d, Values *values)
{
    const char *value = strchr(text, '=');
    HdSpecialization one;
    uint32_t id;
    HdStatus st;

    if (!find_id(m, text, (size_t)(value - text), &id))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "spec.name",
                       "the module has no specialisation constant called '%.*s'",
                       (int)(value - text), text);
    for (size_t i = 0; i < values->count; i++)
        if (values->at[i].spec_id == id)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "spec.twice",
                           "'%s' sets a constant for the second time", text);
    st = hd_tool_spec_value(m, id, value + 1, d, &one);
    if (st == HD_OK && !HD_PUSH(NULL, values, one))
        st = HD_NO_MEMORY;
    if (st != HD_OK)
        hd_tool_spec_drop(&one);
    return st;
}

static HdStatus set(void *user, const HdModule *m, HdDiags *d, uint32_t **words, size_t *nwords)
{
    const Options *o = user;
    Values values = {0};
    HdStatus st = HD_OK;

    if (o->set.count == 0 && !o->freeze) {
        list(m);
        return HD_OK;
    }
    for (size_t i = 0; i < o->set.count && st == HD_OK; i++)
        st = take(m, o->set.at[i], d, &values);
    if (st == HD_OK)
        st = hd_xform_specialize(m, values.at, values.count, o->freeze, words, nwords);
    for (size_t i = 0; i < values.count; i++)
        hd_tool_spec_drop(&values.at[i]);
    HD_ARRAY_FREE(&values);
    return st;
}

/* Which word is the file? Returns an exit code, or -1 to continue. */
static int sort_words(Options *o)
{
    for (size_t i = 0; i < o->words.count; i++) {
        const char *word = o->words.at[i];

        if (strchr(word, '=') == NULL && o->in != NULL)
            return hd_tool_usage("spec", "unexpected argument: ", word);
        if (strchr(word, '=') == NULL)
            o->in = word;
        else if (!HD_PUSH(NULL, &o->set, word))
            return HD_EXIT_FAILED;
    }
    return -1;
}

int hd_tool_spec(int argc, char **argv)
{
    Options o = {0};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0)
        code = sort_words(&o);
    if (code < 0 && o.out != NULL && o.set.count == 0 && !o.freeze)
        code = hd_tool_usage(
            "spec", "-o needs NAME=VALUE or --freeze, without which constants are listed", "");
    if (code < 0)
        code = hd_tool_rewrite("spec", o.in != NULL ? o.in : "-", o.out != NULL ? o.out : "out.spv",
                               o.quiet, set, &o);
    HD_ARRAY_FREE(&o.words);
    HD_ARRAY_FREE(&o.set);
    return code;
}
