/* tool/options.h -- the options of a command as rows, for parsing and for its help.
 *
 * Shells complete from the help, so a new option needs only a row.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_TOOL_OPTIONS_H
#define HD_TOOL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"

typedef HD_ARRAY(const char *) HdToolTexts; /* borrowed from argv; HD_ARRAY_FREE'd by the owner */

typedef enum HdToolKind {
    HD_TOOL_FLAG,   /* bool: `value` is not 0 */
    HD_TOOL_SET,    /* unsigned: becomes `value` */
    HD_TOOL_BITS,   /* unsigned: |= `value` */
    HD_TOOL_TEXT,   /* const char *: what follows */
    HD_TOOL_TEXTS,  /* HdToolTexts: one more */
    HD_TOOL_NUMBER, /* unsigned: what follows, at most `value` */
    HD_TOOL_COUNT,  /* the same, but 0 where no number follows */
    HD_TOOL_WHEN,   /* unsigned: an HdToolWhen; no value, or one behind "=" */
    HD_TOOL_OTHER,  /* what follows goes to the command's own function; `value` is its own */
} HdToolKind;

typedef enum HdToolWhen { HD_TOOL_AUTO, HD_TOOL_ALWAYS, HD_TOOL_NEVER } HdToolWhen;

typedef struct HdToolOption {
    const char *name; /* "--env", "-o" */
    HdToolKind kind;
    unsigned value;
    size_t at;         /* offsetof in what the command parses into */
    const char *shows; /* the value in the help: "FILE"; NULL: takes none */
    const char *help;  /* a sentence; NULL: another spelling, not shown */
} HdToolOption;

/* Rows of a command that shows colours, into its AT(colour): an unsigned, an HdToolWhen. */
#define HD_TOOL_COLOUR_ROW(name, help)                             \
    {                                                              \
        name, HD_TOOL_WHEN, HD_TOOL_ALWAYS, AT(colour), NULL, help \
    }
#define HD_TOOL_NO_COLOUR_ROW(name, help)                        \
    {                                                            \
        name, HD_TOOL_SET, HD_TOOL_NEVER, AT(colour), NULL, help \
    }
#define HD_TOOL_COLOUR_HELP \
    "use colours even if the output is not a terminal; --color=auto, always or never says when"
#define HD_TOOL_COLOUR_ROWS                                                                   \
    HD_TOOL_COLOUR_ROW("--color", HD_TOOL_COLOUR_HELP), HD_TOOL_COLOUR_ROW("--colour", NULL), \
        HD_TOOL_NO_COLOUR_ROW("--no-color", HD_TOOL_NO_COLOUR_HELP),                          \
        HD_TOOL_NO_COLOUR_ROW("--no-colour", NULL)
#define HD_TOOL_NO_COLOUR_HELP "do not use colours"

/* Rows of a command that writes a module, into its AT(out), and that may be quiet, into its
 * AT(quiet), a bool. */
#define HD_TOOL_OUT_ROW                                                  \
    {                                                                    \
        "-o", HD_TOOL_TEXT, 0, AT(out), "FILE",                          \
            "write to FILE (\"-\": standard output); by default out.spv" \
    }
#define HD_TOOL_QUIET_ROWS(help)                          \
    {"-q", HD_TOOL_FLAG, 1, AT(quiet), NULL, NULL},       \
    {                                                     \
        "--quiet", HD_TOOL_FLAG, 1, AT(quiet), NULL, help \
    }
#define HD_TOOL_QUIET_HELP "print errors only, no warnings"

typedef struct HdToolCommand {
    const char *name;  /* "as" */
    const char *usage; /* lines after "heddle as ": "[OPTION…] [FILE]" */
    const char *about; /* a paragraph */
    const char *exits; /* after "exit codes: " */
    const char *notes; /* additional help, verbatim lines; NULL: none */
    const HdToolOption *options;
    size_t option_count;
    size_t words_at;     /* offsetof an HdToolTexts: words that are no options */
    unsigned most_words; /* so many of them */
    bool ends_at_word;   /* all behind the first of them is words, too */
    /* Options of another program, by their beginnings up to NULL, go whole to an HdToolTexts at
     * `passes_at`. "-D", "-U", "-I" and "-x" alone take the next word along. NULL: none. */
    const char *const *passes;
    size_t passes_at;
    /* For HD_TOOL_OTHER: put the value into `into`.
     * Returns -1 to continue, or an exit code. */
    int (*set)(const struct HdToolCommand *c, const HdToolOption *op, const char *value,
               void *into);
} HdToolCommand;

/* Parse argv[1 …] into `into`. An option's value is the next word or follows "=", that of a letter
 * may also follow it directly. A count is the next word only if that is a number.
 * Returns -1 to continue, or an exit code: the help was shown, or the error in the command line. */
int hd_tool_options(const HdToolCommand *command, int argc, char **argv, void *into);

/* `passes` of commands that compile OpenCL C besides: its options that are mistaken for no other.
 */
extern const char *const hd_tool_build_options[];

/* The file of a command that takes one at most: standard input when it is missing. */
static inline const char *hd_tool_file(const HdToolTexts *words)
{
    return words->count != 0 ? words->at[0] : "-";
}
/* Files of a command that takes several: standard input can be read only once. Returns -1 to
 * continue, or an exit code. */
int hd_tool_files_check(const char *command, const HdToolTexts *words);

#endif
