/* tool/spec.c -- heddle spec: specialisation constants listed and set.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "text/dis.h"
#include "tool/rewrite.h"
#include "tool/spec_value.h"
#include "tool/tool.h"
#include "xform/specialize.h"

typedef struct Options {
    const char *in, *out;
    HD_ARRAY(const char *) set; /* "N=VALUE", "name=VALUE" */
    bool freeze;
} Options;

static void print_help(FILE *out)
{
    fputs(
        "usage: heddle spec [OPTION…] [FILE] [NAME=VALUE…]\n"
        "\n"
        "List a module's specialisation constants, or write the module with other defaults. FILE\n"
        "is standard input when it is missing or \"-\". NAME is a SpecId or the constant's name;\n"
        "VALUE is true, false, or a number as heddle run takes it.\n"
        "\n"
        "  -o FILE      write to FILE (\"-\": standard output); without it out.spv\n"
        "  --freeze     make plain constants of them: nothing can be set any more\n"
        "  -h, --help   show this\n"
        "\n"
        "exit codes: 0 fine; 1 the module is malformed or has no such constant; 2 wrong usage;\n"
        "            3 a file cannot be read or written\n",
        out);
}

/* Call for each constant with a SpecId: id, SpecId. */
static void list(const HdModule *m)
{
    for (uint32_t i = 0; i < m->decoration_count; i++) {
        const HdDecoration *d = &m->decorations[i];
        HdStrbuf text = {0};
        HdInst in;

        if (d->decoration != SpvDecorationSpecId || d->operand_count == 0 ||
            !hd_module_def(m, d->target, &in))
            continue;
        hd_text_inst(m, &in, NULL, &text);
        printf("%u %s: %s\n", (unsigned)d->operands[0],
               m->name[d->target] != NULL ? m->name[d->target] : "(no name)",
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
    for (uint32_t i = 0; i < m->decoration_count; i++) {
        const HdDecoration *d = &m->decorations[i];
        const char *own = d->target < m->bound ? m->name[d->target] : NULL;

        if (d->decoration == SpvDecorationSpecId && d->operand_count != 0 && own != NULL &&
            strlen(own) == len && memcmp(own, name, len) == 0) {
            *spec_id = d->operands[0];
            return true;
        }
    }
    return false;
}

static HdStatus set(void *user, const HdModule *m, HdDiags *d, uint32_t **words, size_t *nwords)
{
    const Options *o = user;
    HD_ARRAY(HdSpecialization) values = {0};
    HdStatus st = HD_OK;

    if (o->set.count == 0 && !o->freeze) {
        list(m);
        return HD_OK;
    }
    for (size_t i = 0; i < o->set.count && st == HD_OK; i++) {
        const char *text = o->set.at[i], *value = strchr(text, '=');
        HdSpecialization one;
        uint32_t id;

        if (!find_id(m, text, (size_t)(value - text), &id))
            st = hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "spec.name",
                         "the module has no specialisation constant called '%.*s'",
                         (int)(value - text), text);
        else
            st = hd_tool_spec_value(m, id, value + 1, d, &one);
        if (st == HD_OK && !HD_PUSH(NULL, &values, one))
            st = HD_NO_MEMORY;
    }
    if (st == HD_OK)
        st = hd_xform_specialize(m, values.at, values.count, o->freeze, words, nwords);
    HD_ARRAY_FREE(&values);
    return st;
}

/* Returns an exit code, or -1 to go on. */
static int parse(int argc, char **argv, Options *o)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];

        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            print_help(stdout);
            return HD_EXIT_FINE;
        } else if (strcmp(a, "-o") == 0) {
            if (++i == argc)
                return hd_tool_usage("spec", "a file name must follow ", a);
            o->out = argv[i];
        } else if (strcmp(a, "--freeze") == 0) {
            o->freeze = true;
        } else if (a[0] == '-' && a[1] != '\0') {
            return hd_tool_usage("spec", "there is no option ", a);
        } else if (strchr(a, '=') != NULL) {
            if (!HD_PUSH(NULL, &o->set, a))
                return HD_EXIT_FAILED;
        } else if (o->in != NULL) {
            return hd_tool_usage("spec", "one file at a time: ", a);
        } else {
            o->in = a;
        }
    }
    return -1;
}

int hd_tool_spec(int argc, char **argv)
{
    Options o = {.out = "out.spv"};
    int code = parse(argc, argv, &o);

    if (code < 0)
        code = hd_tool_rewrite("spec", o.in != NULL ? o.in : "-", o.out, set, &o);
    HD_ARRAY_FREE(&o.set);
    return code;
}
