/* tool/main.c -- the heddle command: finds the subcommand and hands over.
 *
 * Each subcommand is a file of its own with a function hd_tool_<name>(argc, argv), where argv[0] is
 * its name. Exit codes are the same everywhere: tool/tool.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"
#include "base/option.h"
#include "jit/cpu.h"
#include "tool/version.h"

static const struct {
    const char *name;
    HdToolFn *run;
    const char *summary;
} commands[] = {
#define COMMAND(name, summary) {#name, hd_tool_##name, summary},
#include "tool/commands.def"
#undef COMMAND
};

#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_help(FILE *out)
{
    fputs("usage: heddle COMMAND [OPTION…] FILE…\n\ncommands:\n", out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\nheddle COMMAND --help shows the options of a command; heddle --version the version.\n"
          "exit codes: 0 fine; 1 the module is invalid or a check failed; 2 wrong usage;\n"
          "            3 something could not be read, written or run\n",
          out);
}

/* Words of other tools for the same. */
static const struct {
    const char *word, *name;
} known_as[] = {
    {"assemble", "as"}, {"disassemble", "dis"}, {"disasm", "dis"},   {"objdump", "dis"},
    {"lint", "val"},    {"build", "compile"},   {"cc", "compile"},   {"translate", "compile"},
    {"launch", "run"},  {"oclgrind", "exec"},   {"test", "check"},   {"memcheck", "check"},
    {"gdb", "debug"},   {"dbg", "debug"},       {"watch", "debug"},  {"step", "debug"},
    {"opt", "lower"},   {"cross", "lower"},     {"merge", "link"},   {"devices", "info"},
    {"list", "info"},   {"clinfo", "info"},     {"reflect", "info"}, {"-v", "--version"},
    {"-?", "--help"}};

/* The name that was probably meant; NULL when none is near. */
static const char *near_command(const char *name)
{
    HdNear near = hd_near_begin(name, strlen(name));

    for (size_t i = 0; i < sizeof known_as / sizeof *known_as; i++)
        if (strcmp(name, known_as[i].word) == 0)
            return known_as[i].name;
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        hd_near_try(&near, commands[i].name);
    hd_near_try(&near, "--help");
    hd_near_try(&near, "--version");
    return near.name;
}

static int run_named(const char *name, int argc, char **argv)
{
    const char *near;

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc, argv);
    near = near_command(name);
    if (name[0] == '\0')
        print_help(stderr);
    else if (near == NULL && access(name, R_OK) == 0)
        fprintf(stderr,
                "heddle: %s is a file, not a command; did you mean heddle run, check or val?\n",
                name);
    else
        fprintf(stderr, "heddle: unknown %s '%s'; %s%s%s\n", name[0] == '-' ? "option" : "command",
                name, near != NULL ? "did you mean " : "",
                near != NULL ? near : "heddle --help lists them", near != NULL ? "?" : "");
    return HD_EXIT_USAGE;
}

static bool asks_version(const char *word)
{
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}

/* heddle --version, heddle version -q, heddle val --version */
static bool print_version(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "", *next = argc > 2 ? argv[2] : "";
    bool is_asked = asks_version(name) || strcmp(name, "version") == 0;

    if (!is_asked && !(argc == 3 && asks_version(next)))
        return false;
    hd_tool_print_version(is_asked && (strcmp(next, "-q") == 0 || strcmp(next, "--quiet") == 0));
    return true;
}

static bool asks_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static int run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";

    if (argc > 2 && asks_help(name) && argv[2][0] != '-') { /* help COMMAND */
        char *words[] = {argv[2], "--help", NULL};

        return run_named(argv[2], 2, words);
    }
    if (asks_help(name)) {
        print_help(stdout);
        return HD_EXIT_FINE;
    }
    if (print_version(argc, argv))
        return HD_EXIT_FINE;
    return run_named(name, argc - 1, argv + 1);
}

/* Commands print without looking back: here is seen whether all of it arrived. */
int main(int argc, char **argv)
{
    int code;

    hd_option_complain(stderr);
    hd_jit_cpu_complain(stderr);
    code = run(argc, argv);
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return code;
    if (code != HD_EXIT_FAILED)
        fputs("heddle: cannot write to standard output\n", stderr);
    return HD_EXIT_FAILED;
}
