/* tool/explain.c -- heddle explain: what a rule says, where it stands, what breaks it.
 *
 * The table is made by tools/rules.py from the sources that check the rules and the tests that
 * break them.
 *
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/near.h"
#include "tool/options.h"
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

typedef struct Options {
    HdToolTexts words;
    bool list;
} Options;

#define AT(member) offsetof(Options, member)

static const HdToolOption options[] = {
    {"--list", HD_TOOL_FLAG, 1, AT(list), NULL,
     "list the ids of all rules, or of those that contain TEXT"},
};

static const HdToolCommand command = {
    .name = "explain",
    .usage = "RULE…\n--list [TEXT]",
    .about =
        "Explain rules by the ids that findings give in brackets: the messages that report them, "
        "the section of the specification they come from, an example that breaks the rule and "
        "one that does not, and where Heddle's source checks and tests them.",
    .exits = "0 fine; 2 wrong usage or no such rule",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = AT(words),
    .most_words = UINT_MAX,
};

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
        fprintf(stderr, "heddle explain: no rule id contains '%s'\n", text);
    return found != 0 ? HD_EXIT_FINE : HD_EXIT_USAGE;
}

/* The id that was probably meant; NULL when none is near. */
static const char *near_rule(const char *id)
{
    HdNear near = hd_near_begin(id, strlen(id));

    for (size_t i = 0; i < RULE_COUNT; i++)
        hd_near_try(&near, rules[i].id);
    return near.name;
}

static int explain(const char *id)
{
    const char *near;

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
    near = near_rule(id);
    fprintf(stderr,
            "heddle explain: no rule is called '%s'; %s%s%sheddle explain --list shows all\n", id,
            near != NULL ? "did you mean " : "", near != NULL ? near : "",
            near != NULL ? "? " : "");
    return HD_EXIT_USAGE;
}

static int explain_all(const Options *o)
{
    int code = HD_EXIT_FINE;

    if (o->list && o->words.count > 1)
        return hd_tool_usage("explain", "--list takes one TEXT", "");
    if (o->list)
        return list(o->words.count != 0 ? o->words.at[0] : "");
    if (o->words.count == 0)
        return hd_tool_usage("explain", "no RULE was given", "");
    for (size_t i = 0; i < o->words.count; i++)
        if (explain(o->words.at[i]) != HD_EXIT_FINE)
            code = HD_EXIT_USAGE;
    return code;
}

int hd_tool_explain(int argc, char **argv)
{
    Options o = {0};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0)
        code = explain_all(&o);
    HD_ARRAY_FREE(&o.words);
    return code;
}
