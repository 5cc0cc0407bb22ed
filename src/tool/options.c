/* tool/options.c -- command lines parsed by rows, and help from the same rows.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/options.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "tool/tool.h"

#define MOST_COLUMNS 88

/* ---- help ---------------------------------------------------------------------------------- */

/* Columns of the word at s, which ends with a blank or the text. */
static size_t columns(const char *s, size_t bytes)
{
    size_t n = 0;

    for (size_t i = 0; i < bytes; i++)
        n += ((unsigned char)s[i] & 0xc0) != 0x80; /* not of UTF-8's later bytes */
    return n;
}

/* A paragraph that begins in column `at` and continues in column `indent`. */
static void print_wrapped(FILE *out, const char *text, size_t at, size_t indent)
{
    bool first = true;

    while (*text != '\0') {
        size_t bytes = strcspn(text, " \n"), wide = columns(text, bytes);

        if (!first && at + 1 + wide > MOST_COLUMNS) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', out);
            at++;
        }
        fwrite(text, 1, bytes, out);
        at += wide;
        text += bytes;
        first = *text == '\n';
        if (first) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}

static size_t left_columns(const HdToolOption *op)
{
    return strlen(op->name) + (op->shows != NULL ? 1 + columns(op->shows, strlen(op->shows)) : 0);
}

static void print_option(FILE *out, const HdToolOption *op, size_t indent)
{
    fprintf(out, "  %s%s%s%*s", op->name, op->shows != NULL ? " " : "",
            op->shows != NULL ? op->shows : "", (int)(indent - 2 - left_columns(op)), "");
    print_wrapped(out, op->help, indent, indent);
}

static void print_help(const HdToolCommand *c, FILE *out)
{
    static const HdToolOption help = {"-h, --help", HD_TOOL_FLAG, 0, 0, NULL, "show this help"};
    size_t indent = left_columns(&help);

    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].help != NULL && left_columns(&c->options[i]) > indent)
            indent = left_columns(&c->options[i]);
    indent += 4;
    for (const char *line = c->usage; *line != '\0';) {
        size_t bytes = strcspn(line, "\n");

        fprintf(out, "%s heddle %s %.*s\n", line == c->usage ? "usage:" : "      ", c->name,
                (int)bytes, line);
        line += bytes + (line[bytes] == '\n');
    }
    fputc('\n', out);
    print_wrapped(out, c->about, 0, 0);
    fputc('\n', out);
    for (size_t i = 0; i < c->option_count; i++)
        if (c->options[i].help != NULL)
            print_option(out, &c->options[i], indent);
    print_option(out, &help, indent);
    if (c->notes != NULL)
        fprintf(out, "\n%s", c->notes);
    fputs("\nexit codes: ", out);
    print_wrapped(out, c->exits, 12, 12);
}

const char *const hd_tool_build_options[] = {"-cl-", "-D", "-U", "-I", NULL};

/* ---- parsing ------------------------------------------------------------------------------- */

static int fail_number(const HdToolCommand *c, const HdToolOption *op, const char *value)
{
    char what[96];

    snprintf(what, sizeof what, "%s takes a number from 0 to %u, not ", op->name, op->value);
    return hd_tool_usage(c->name, what, value);
}

static int set_number(const HdToolCommand *c, const HdToolOption *op, const char *value,
                      unsigned *into)
{
    char *end;
    unsigned long number = strtoul(value, &end, value[0] == '0' && value[1] == 'x' ? 16 : 10);

    if (*value < '0' || *value > '9' || *end != '\0' || number > op->value)
        return fail_number(c, op, value);
    *into = (unsigned)number;
    return -1;
}

/* --color=WHEN, as other tools have it. */
static int set_when(const HdToolCommand *c, const HdToolOption *op, const char *value,
                    unsigned *into)
{
    static const char *const words[] = {
        [HD_TOOL_AUTO] = "auto", [HD_TOOL_ALWAYS] = "always", [HD_TOOL_NEVER] = "never"};
    char what[96];

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (value == NULL ? i == op->value : strcmp(value, words[i]) == 0) {
            *into = i;
            return -1;
        }
    snprintf(what, sizeof what, "%s takes auto, always or never, not ", op->name);
    return hd_tool_usage(c->name, what, value);
}

static int set(const HdToolCommand *c, const HdToolOption *op, const char *value, void *into)
{
    void *place = (char *)into + op->at;

    switch (op->kind) {
    case HD_TOOL_FLAG: *(bool *)place = op->value != 0; return -1;
    case HD_TOOL_SET: *(unsigned *)place = op->value; return -1;
    case HD_TOOL_BITS: *(unsigned *)place |= op->value; return -1;
    case HD_TOOL_TEXT: *(const char **)place = value; return -1;
    case HD_TOOL_TEXTS: return HD_PUSH(NULL, (HdToolTexts *)place, value) ? -1 : HD_EXIT_FAILED;
    case HD_TOOL_COUNT:
    case HD_TOOL_NUMBER: return set_number(c, op, value, place);
    case HD_TOOL_WHEN: return set_when(c, op, value, place);
    case HD_TOOL_OTHER: return c->set(c, op, value, into);
    }
    return HD_EXIT_FAILED;
}

/* With the option that was probably meant, except for one letter, which is near to all others. */
static int fail_unknown(const HdToolCommand *c, const char *word, size_t len)
{
    HdNear near = hd_near_begin(word, len);
    char what[128];

    for (size_t k = 0; k < c->option_count; k++)
        hd_near_try(&near, c->options[k].name);
    hd_near_try(&near, "--help");
    if (near.name == NULL || len <= 2)
        return hd_tool_usage(c->name, "unknown option ", word);
    snprintf(what, sizeof what, "unknown option %s (did you mean %s?)", word, near.name);
    return hd_tool_usage(c->name, what, "");
}

/* The one-letter option whose value is in the same word, as in "-j2"; NULL. */
static const HdToolOption *find_letter(const HdToolCommand *c, const char *word)
{
    for (size_t k = 0; k < c->option_count; k++) {
        const char *name = c->options[k].name;

        if (c->options[k].shows != NULL && strlen(name) == 2 && strncmp(word, name, 2) == 0)
            return &c->options[k];
    }
    return NULL;
}

static bool is_number(const char *word)
{
    return word != NULL && *word != '\0' && word[strspn(word, "0123456789")] == '\0';
}

static int parse_option(const HdToolCommand *c, int argc, char **argv, int *i, void *into)
{
    const char *word = argv[*i], *value = NULL;
    size_t len = strcspn(word, "=");
    const HdToolOption *letter = find_letter(c, word);

    for (size_t k = 0; k < c->option_count; k++) {
        const HdToolOption *op = &c->options[k];

        if (strlen(op->name) != len || strncmp(op->name, word, len) != 0)
            continue;
        if (op->shows == NULL && op->kind != HD_TOOL_WHEN && word[len] == '=')
            return hd_tool_usage(c->name, "no value can be given to ", op->name);
        if (word[len] == '=')
            value = word + len + 1;
        else if (op->kind == HD_TOOL_COUNT && !is_number(argv[*i + 1]))
            value = "0";
        else if (op->shows != NULL && *i + 1 == argc)
            return hd_tool_usage(c->name, "a value is missing after ", word);
        else if (op->shows != NULL)
            value = argv[++*i];
        return set(c, op, value, into);
    }
    if (letter != NULL)
        return set(c, letter, word + 2, into);
    return fail_unknown(c, word, len);
}

/* Does this word go to another program? */
static bool is_passed(const HdToolCommand *c, const char *word)
{
    for (const char *const *p = c->passes; p != NULL && *p != NULL; p++)
        if (strncmp(word, *p, strlen(*p)) == 0)
            return true;
    return false;
}

static int pass(const HdToolCommand *c, int argc, char **argv, int *i, void *into)
{
    HdToolTexts *passed = (HdToolTexts *)(void *)((char *)into + c->passes_at);
    const char *word = argv[*i];
    bool is_parted = word[1] != '\0' && strchr("DUIx", word[1]) != NULL && word[2] == '\0';

    if (is_parted && *i + 1 == argc)
        return hd_tool_usage(c->name, "a value is missing after ", word);
    if (!HD_PUSH(NULL, passed, word))
        return HD_EXIT_FAILED;
    if (is_parted && !HD_PUSH(NULL, passed, argv[++*i]))
        return HD_EXIT_FAILED;
    return -1;
}

int hd_tool_options(const HdToolCommand *c, int argc, char **argv, void *into)
{
    HdToolTexts *words = (HdToolTexts *)(void *)((char *)into + c->words_at);
    bool is_end = false; /* after "--" */

    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        int code = -1;

        if (!is_end && (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0)) {
            print_help(c, stdout);
            return HD_EXIT_FINE;
        }
        if (!is_end && strcmp(a, "--") == 0)
            is_end = true;
        else if (!is_end && is_passed(c, a))
            code = pass(c, argc, argv, &i, into);
        else if (!is_end && a[0] == '-' && a[1] != '\0')
            code = parse_option(c, argc, argv, &i, into);
        else if (words->count == c->most_words)
            return hd_tool_usage(c->name, "unexpected argument: ", a);
        else if (!HD_PUSH(NULL, words, a))
            return HD_EXIT_FAILED;
        else if (c->ends_at_word)
            is_end = true;
        if (code >= 0)
            return code;
    }
    return -1;
}

int hd_tool_files_check(const char *command, const HdToolTexts *words)
{
    unsigned inputs = 0;

    for (size_t i = 0; i < words->count; i++)
        inputs += strcmp(words->at[i], "-") == 0;
    return inputs < 2 ? -1 : hd_tool_usage(command, "only one file can be standard input", "");
}
