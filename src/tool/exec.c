/* tool/exec.c -- heddle exec: a program of others on Heddle's driver.
 *
 * The options become variables of the environment, which the driver reads (base/option.h).
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/option.h"
#include "gen/config.h"
#include "tool/options.h"
#include "tool/tool.h"

typedef struct Options {
    HdToolTexts words; /* the program and its arguments */
} Options;

#define ROW(name, option, shows, help)                          \
    {                                                           \
        name, HD_TOOL_OTHER, HD_OPTION_##option, 0, shows, help \
    }

static const HdToolOption options[] = {
    ROW("--check", CHECK, NULL,
        "run kernels in the reference interpreter, report their defects and mistakes of the "
        "program; with an error the exit code is 1"),
    ROW("--report", CHECK_REPORT, "FILE",
        "--check, and write the findings to FILE; its suffix, .json, .sarif or .html, selects the "
        "format, otherwise text"),
    ROW("--counts", CHECK_COUNTS, "FILE",
        "--check, and write how often each kernel ran each opcode, and the bytes that it loaded "
        "and stored, to FILE when the program ends, as JSON if its suffix is .json"),
    ROW("--coverage", CHECK_COVERAGE, "FILE",
        "--check, and write which lines and branches of kernels ran to FILE when the program ends, "
        "for lcov and genhtml; %p in the name is the number of the process"),
    ROW("--observer", CHECK_OBSERVER, "FILE",
        "--check, with an observer: a shared object that is told of each instruction and access "
        "(heddle/heddle.h)"),
    ROW("--schedule", CHECK_SEED, "SEED",
        "--check, with work-groups in an order derived from SEED"),
    ROW("--time-limit", CHECK_SECONDS, "SECONDS", "--check, with a time limit per work-group"),
    ROW("--quick", CHECK_QUICK, NULL,
        "--check, only the first and the last work-group of each launch: results are incomplete"),
    ROW("--optimised", CHECK_OPTIMISED, NULL,
        "--check, with optimised OpenCL C: faster, but code that the optimiser removes is not "
        "checked"),
    ROW("--optimized", CHECK_OPTIMISED, NULL, NULL),
    ROW("--build-options", BUILD_OPTIONS, "OPTIONS",
        "add OPTIONS to those with which the program builds OpenCL C, as one word: '-DN=8 -g'"),
    ROW("--capture", CAPTURE, "FOLDER",
        "write a launch of each kernel to FOLDER, with its arguments' memory and run.sh, which "
        "runs, checks or debugs it alone"),
    ROW("--launch", CAPTURE_LAUNCH, "N", "--capture the Nth launch of each kernel, not the first"),
    ROW("--trace", TRACE, "FILE", "write a trace that Perfetto and chrome://tracing show"),
    ROW("--width", SUBGROUP, "N", "sub-group size in lanes: 1, 4, 8, 16 or 32"),
    ROW("--threads", THREADS, "N", "number of threads; by default as many as the process may use"),
    ROW("--max-group", MAX_GROUP, "N", "a smaller device: at most N work-items in a work-group"),
    ROW("--local-kb", LOCAL_KB, "N", "a smaller device: N KiB of local memory"),
    ROW("--global-mb", GLOBAL_MB, "N",
        "a smaller device: N MiB of global memory, of which a buffer may have half"),
    ROW("--constant-kb", CONSTANT_KB, "N",
        "a smaller device: N KiB at most in the buffer of a constant argument"),
    ROW("--gpu", GPU, NULL, "the device says that it is a GPU, for programs that use nothing else"),
};

/* Files are named from this folder: the program may go to another one. */
static bool set_variable(HdOption option, const char *value)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    bool is_file = option == HD_OPTION_CHECK_REPORT || option == HD_OPTION_CHECK_COUNTS ||
                   option == HD_OPTION_CHECK_COVERAGE || option == HD_OPTION_CHECK_OBSERVER ||
                   option == HD_OPTION_CAPTURE || option == HD_OPTION_TRACE;

    if (is_file && *value != '/' && strcmp(value, "-") != 0 &&
        getcwd(folder, sizeof folder) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, value);
        value = path;
    }
    return setenv(hd_option_name(option), value, 1) == 0;
}

static int set(const HdToolCommand *c, const HdToolOption *op, const char *value, void *into)
{
    HdOption option = (HdOption)op->value;
    char what[96];

    (void)into;
    if (value == NULL)
        value = "1";
    snprintf(what, sizeof what, "%s does not take ", op->name);
    if (!hd_option_takes(option, value))
        return hd_tool_usage(c->name, what, value);
    if (!set_variable(option, value))
        return HD_EXIT_FAILED;
    if (option >= HD_OPTION_CHECK && option <= HD_OPTION_CHECK_QUICK) {
        setenv(hd_option_name(HD_OPTION_CHECK), "1", 1);
        setenv(hd_option_name(HD_OPTION_CHECK_EXIT), "1", 1);
    }
    return -1;
}

static const HdToolCommand command = {
    .name = "exec",
    .usage = "[OPTION…] PROGRAM [ARGUMENT…]",
    .about = "Run an unchanged OpenCL program with Heddle as its only driver, whichever loader it "
             "uses (ocl-icd, Khronos's). What follows PROGRAM goes to it.",
    .exits = "the program's own; 1 also when --check finds an error; 2 wrong usage; 3 the program "
             "cannot be run",
    .notes = "example: heddle exec --check --report report.html python3 program.py\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .words_at = offsetof(Options, words),
    .most_words = UINT_MAX,
    .ends_at_word = true,
    .set = set,
};

/* ocl-icd reads OCL_ICD_VENDORS, a driver or a folder of files that name them; the Khronos loader
 * reads both, the former as a folder, which is none. */
static bool choose_driver(void)
{
    char path[PATH_MAX], whole[PATH_MAX];

    if (!hd_file_own("libheddle-cl.so", HD_FROM_COMMAND, path, sizeof path) ||
        realpath(path, whole) == NULL) /* the program may go to another folder */
        return false;
    return setenv("OCL_ICD_VENDORS", whole, 1) == 0 && setenv("OCL_ICD_FILENAMES", whole, 1) == 0;
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot != NULL &&
           (strcmp(dot, ".cl") == 0 || strcmp(dot, ".spv") == 0 || strcmp(dot, ".spvasm") == 0);
}

/* Returns when the program cannot be run. */
static int become(const HdToolTexts *words)
{
    char **argv = calloc(words->count + 1, sizeof *argv);
    const bool is_here = strchr(words->at[0], '/') == NULL && access(words->at[0], X_OK) == 0;
    int error;

    for (size_t i = 0; argv != NULL && i < words->count; i++)
        argv[i] = (char *)(uintptr_t)words->at[i];
    if (argv != NULL)
        execvp(argv[0], argv);
    error = errno;
    fprintf(stderr, "heddle exec: cannot run '%s': %s%s%s%s%s\n", words->at[0], strerror(error),
            is_source(words->at[0]) ? "; heddle run runs a kernel without a program" : "",
            is_here ? "; did you mean ./" : "", is_here ? words->at[0] : "", is_here ? "?" : "");
    free(argv);
    return HD_EXIT_FAILED;
}

int hd_tool_exec(int argc, char **argv)
{
    Options o = {0};
    int code = hd_tool_options(&command, argc, argv, &o);

    if (code < 0 && o.words.count == 0)
        code = hd_tool_usage("exec", "the program is missing", "");
    if (code < 0 && !choose_driver()) {
        fputs("heddle exec: the OpenCL driver, libheddle-cl.so, is not installed\n", stderr);
        code = HD_EXIT_FAILED;
    }
    if (code < 0) {
        setenv(hd_option_name(HD_OPTION_GPU), "2", 0); /* without --gpu, what it is for is told */
        code = become(&o.words);
    }
    HD_ARRAY_FREE(&o.words);
    return code;
}
