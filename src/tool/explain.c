/* tool/explain.c -- heddle explain: what a rule says, where it stands, what breaks it.
 *
 * The table is made by tools/rules.py from the sources that check the rules and the tests that
 * break them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <string.h>

#include "tool/tool.h"

typedef struct Rule {
    const char *id;
    const char *sentences, *sections, *files; /* a line each; NULL when there is none */
    const char *test;                         /* one that breaks it; NULL when there is none */
    const char *wrong, *right; /* what breaks it and what is like it and does not; or NULL */
} Rule;

static const Rule rules[] = {
#define RULE(id, sentences, sections, files, test, wrong, right) \
    {id, sentences, sections, files, test, wrong, right},
#include "gen/rules.h"
#undef RULE
};

#define RULE_COUNT (sizeof rules / sizeof *rules)

static void print_help(FILE *out)
{
    fputs("usage: heddle explain RULE…\n"
          "       heddle explain --list [TEXT]\n"
          "\n"
          "Show rules by the ids that findings name in brackets: the sentences that report them,\n"
          "the section that they come from, an instruction that breaks them, and where in\n"
          "Heddle's source they are checked and tested.\n"
          "\n"
          "  --list [TEXT]     the ids of all rules, or of those that hold TEXT\n"
          "  -h, --help        show this\n"
          "\n"
          "exit codes: 0 fine; 2 wrong usage, or there is no such rule\n",
          out);
}

static void print_lines(const char *title, const char *lines)
{
    for (const char *at = lines; at != NULL;) {
        size_t len = strcspn(at, "\n");

        printf("  %-11s%.*s\n", at == lines ? title : "", (int)len, at);
        at = at[len] == '\n' ? at + len + 1 : NULL;
    }
}

static int list(const char *text)
{
    size_t found = 0;

    for (size_t i = 0; i < RULE_COUNT; i++) {
        if (strstr(rules[i].id, text) == NULL)
            continue;
        puts(rules[i].id);
        found++;
    }
    if (found == 0)
        fprintf(stderr, "heddle explain: no rule's id holds '%s'\n", text);
    return found != 0 ? HD_EXIT_FINE : HD_EXIT_USAGE;
}

static int explain(const char *id)
{
    for (size_t i = 0; i < RULE_COUNT; i++) {
        const Rule *r = &rules[i];

        if (strcmp(r->id, id) != 0)
            continue;
        puts(r->id);
        print_lines("says", r->sentences);
        print_lines("section", r->sections);
        print_lines("wrong", r->wrong);
        print_lines("right", r->right);
        print_lines("checked in", r->files);
        print_lines("tested in", r->test != NULL ? r->test : "(no test names it)");
        return HD_EXIT_FINE;
    }
    fprintf(stderr, "heddle explain: there is no rule '%s'; heddle explain --list shows all\n", id);
    return HD_EXIT_USAGE;
}

int hd_tool_explain(int argc, char **argv)
{
    int code = HD_EXIT_FINE;

    if (argc < 2) {
        print_help(stderr);
        return HD_EXIT_USAGE;
    }
    if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return HD_EXIT_FINE;
    }
    if (strcmp(argv[1], "--list") == 0) {
        if (argc <= 3)
            return list(argc == 3 ? argv[2] : "");
        fputs("heddle explain: --list takes one text\n", stderr);
        return HD_EXIT_USAGE;
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') {
            fprintf(stderr, "heddle explain: unknown option %s\n", argv[i]);
            return HD_EXIT_USAGE;
        }
        if (explain(argv[i]) != HD_EXIT_FINE)
            code = HD_EXIT_USAGE;
    }
    return code;
}
