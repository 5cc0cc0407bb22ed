/* tool/run_args.c -- options of run, check and debug as rows: name, value, where it goes, help,
 * whose.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/run_args.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/pass.h"
#include "jit/variant.h"
#include "tool/options.h"
#include "tool/tool.h"
#include "val/val.h"

/* Whose an option is. */
enum { RUN = 1, CHECK = 2, DEBUG = 4, SHOWS = RUN | CHECK, WATCHES = CHECK | DEBUG, ALL = 7 };

#define MOST_REPEATS 100000000u /* a list of their times is kept */

/* Values of more than one kind, for set_other. */
typedef enum Other {
    SIZES, /* uint64_t[3]; sets work_dim when it is --global */
    REAL,  /* double */
    INDEX, /* one more HdRunNumbered without a text */
    BIND,
    OUT,
    EXPECT,
    IMAGE, /* one more HdRunNumbered */
    SPEC,
    ENGINE
} Other;

#define AT(member) offsetof(HdRunOptions, member)

static const struct {
    unsigned whose;
    HdToolOption row;
} options[] = {
    {ALL,
     {"--global", HD_TOOL_OTHER, SIZES, AT(global), "X[,Y,Z]",
      "number of work-items in each dimension"}},
    {ALL,
     {"--local", HD_TOOL_OTHER, SIZES, AT(local), "X[,Y,Z]",
      "work-group size; chosen automatically by default"}},
    {ALL,
     {"--offset", HD_TOOL_OTHER, SIZES, AT(offset), "X[,Y,Z]",
      "global offset: added to the global ids"}},
    {ALL,
     {"--groups", HD_TOOL_OTHER, SIZES, AT(groups), "X[,Y,Z]",
      "shaders: number of workgroups in each dimension"}},
    {ALL,
     {"--bind", HD_TOOL_OTHER, BIND, 0, "SET.BINDING[INDEX]=SPEC",
      "shaders: bind a buffer; see below"}},
    {ALL,
     {"--push", HD_TOOL_TEXTS, 0, AT(push), "SPEC,…",
      "shaders: the next push constants, each aligned to its size"}},
    {ALL, {"--arg", HD_TOOL_TEXTS, 0, AT(args), "SPEC", "the next kernel argument; see below"}},
    {ALL,
     {"--width", HD_TOOL_NUMBER, UINT_MAX, AT(width), "N",
      "sub-group size in lanes: 1, 4, 8, 16 or 32"}},
    {RUN,
     {"--engine", HD_TOOL_OTHER, ENGINE, AT(engine), "NAME",
      "compiled, the default where Heddle was built with LLVM, or interpreted"}},
    {RUN,
     {"--dispatch", HD_TOOL_FLAG, 1, AT(dispatch), NULL,
      "use the per-lane dispatcher for all control flow"}},
    {RUN,
     {"--fibers", HD_TOOL_FLAG, 1, AT(fibers), NULL,
      "give each sub-group its own stack where the kernel has barriers"}},
    {RUN,
     {"--calls", HD_TOOL_FLAG, 1, AT(calls), NULL,
      "call functions where possible instead of inlining them"}},
    {RUN,
     {"--lane-dim", HD_TOOL_NUMBER, 3, AT(lane_dim), "N",
      "number lanes along x, y or z (1, 2, 3) where possible; chosen automatically by default"}},
    {ALL, {"--spec", HD_TOOL_OTHER, SPEC, 0, "ID=VALUE", "set a specialisation constant"}},
    {SHOWS,
     {"--threads", HD_TOOL_NUMBER, UINT_MAX, AT(threads), "N",
      "number of threads; by default as many as the process may use"}},
    {SHOWS,
     {"--repeat", HD_TOOL_NUMBER, MOST_REPEATS, AT(repeat), "N",
      "run N times on fresh copies of the buffers"}},
    {SHOWS, {"--time", HD_TOOL_FLAG, 1, AT(time), NULL, "print how long each step took"}},
    {ALL,
     {"--print", HD_TOOL_OTHER, INDEX, AT(print), "N",
      "print argument N in full, and no other; by default all buffers are printed"}},
    {ALL, {"--no-print", HD_TOOL_FLAG, 1, AT(no_print), NULL, "do not print buffers"}},
    {ALL, {"-q", HD_TOOL_FLAG, 1, AT(quiet), NULL, NULL}},
    {RUN,
     {"--quiet", HD_TOOL_FLAG, 1, AT(quiet), NULL,
      "print errors and what the kernel prints, no warnings, buffers and progress"}},
    {CHECK,
     {"--quiet", HD_TOOL_FLAG, 1, AT(quiet), NULL,
      "print how many defects FILE has, not which; no warnings, buffers and progress"}},
    {DEBUG, {"--quiet", HD_TOOL_FLAG, 1, AT(quiet), NULL, "no greeting, warnings and buffers"}},
    {ALL, {"--out", HD_TOOL_OTHER, OUT, 0, "N=FILE", "write the bytes of argument N to a file"}},
    {ALL,
     {"--expect", HD_TOOL_OTHER, EXPECT, 0, "N=VALUES",
      "fail unless argument N holds these values after the run"}},
    {ALL,
     {"--tolerance", HD_TOOL_OTHER, REAL, AT(tolerance), "X",
      "for --expect: allow |difference| <= X * max(1, |v|)"}},
    {ALL,
     {"--image", HD_TOOL_OTHER, IMAGE, 0, "N=WxH:FORMAT:FILE",
      "write argument N as an image, FILE ending in .png or .ppm; FORMAT is gray8, rgb8, rgba8, "
      "grayf or rgbaf"}},
    {RUN,
     {"--dump", HD_TOOL_TEXT, 0, AT(dump), "STAGES",
      "print the code after each of the stages ir, lanes, llvm, asm, or after:PASS, or the "
      "forms that were compared; without --global compile only"}},
    {RUN,
     {"-o", HD_TOOL_TEXT, 0, AT(output), "FILE",
      "write what --dump prints to FILE instead of standard output"}},
    {SHOWS, {"--json", HD_TOOL_FLAG, 1, AT(json), NULL, "print the results as one JSON object"}},
    {CHECK,
     {"--sarif", HD_TOOL_FLAG, 1, AT(sarif), NULL, "print the findings as a SARIF 2.1.0 log"}},
    {WATCHES,
     {"--report", HD_TOOL_TEXT, 0, AT(report), "FILE",
      "write the findings to FILE; its suffix, .json, .sarif or .html, selects the format, "
      "otherwise text"}},
    {WATCHES,
     {"--html", HD_TOOL_TEXT, 0, AT(html), "FILE",
      "write an HTML page with the findings, annotated sources and diagrams"}},
    {CHECK,
     {"--counts", HD_TOOL_TEXT, 0, AT(counts), "FILE",
      "write how often each opcode ran, and the bytes loaded and stored, to FILE (\"-\": standard "
      "output), as JSON if its suffix is .json"}},
    {CHECK,
     {"--coverage", HD_TOOL_TEXT, 0, AT(coverage), "FILE",
      "write which lines and branches ran, and how often, to FILE, for lcov and genhtml"}},
    {CHECK,
     {"--observer", HD_TOOL_TEXT, 0, AT(observer), "FILE",
      "tell a shared object of each instruction and access (heddle/heddle.h, heddle_observer)"}},
    {WATCHES,
     {"--schedule", HD_TOOL_NUMBER, UINT_MAX, AT(schedule), "SEED",
      "run work-groups and sub-groups in an order derived from SEED"}},
    {CHECK,
     {"--quick", HD_TOOL_FLAG, 1, AT(quick), NULL,
      "run the first and the last work-group only: results are incomplete"}},
    {CHECK,
     {"--strict", HD_TOOL_FLAG, 1, AT(strict), NULL, "fail for notes as well, with exit code 1"}},
    {CHECK,
     {"--time-limit", HD_TOOL_NUMBER, UINT_MAX, AT(time_limit), "SECONDS",
      "time limit per work-group (60 by default; 0: none)"}},
    {ALL,
     {"--env", HD_TOOL_TEXT, 0, AT(env), "NAME",
      "the environment of OpenCL or Vulkan whose rules the module must obey"}},
    {ALL,
     {"--ext", HD_TOOL_TEXT, 0, AT(ext), "LIST",
      "what that environment also has, as for heddle val: extensions, or features such as "
      "scalarBlockLayout"}},
    {ALL,
     {"--no-validate", HD_TOOL_FLAG, 1, AT(no_validate), NULL,
      "do not validate: trust the module"}},
    {ALL,
     {"--fast-math", HD_TOOL_FLAG, 1, AT(fast_math), NULL,
      "compile as with -cl-fast-relaxed-math"}},
    {ALL,
     {"--cl", HD_TOOL_TEXTS, 0, AT(source_options), "OPTION",
      "pass OPTION to the OpenCL C compiler; -D, -U, -I and -cl-… need no --cl"}},
    {ALL, HD_TOOL_COLOUR_ROW("--color", HD_TOOL_COLOUR_HELP)},
    {ALL, HD_TOOL_COLOUR_ROW("--colour", NULL)},
    {ALL, HD_TOOL_NO_COLOUR_ROW("--no-color", HD_TOOL_NO_COLOUR_HELP)},
    {ALL, HD_TOOL_NO_COLOUR_ROW("--no-colour", NULL)},
    {RUN,
     {"--trace", HD_TOOL_TEXT, 0, AT(trace), "FILE",
      "write a trace that Perfetto and chrome://tracing show"}},
    {DEBUG,
     {"--command", HD_TOOL_TEXTS, 0, AT(commands), "COMMAND",
      "run this debugger command first; may be repeated"}},
    {DEBUG, {"-ex", HD_TOOL_TEXTS, 0, AT(commands), "COMMAND", NULL}}, /* as gdb has them */
    {DEBUG, {"-batch", HD_TOOL_FLAG, 1, AT(batch), NULL, NULL}},
    {DEBUG, {"-x", HD_TOOL_TEXTS, 0, AT(scripts), "FILE", "then run the commands in FILE"}},
    {DEBUG,
     {"--batch", HD_TOOL_FLAG, 1, AT(batch), NULL,
      "exit after these commands instead of reading standard input"}},
    {WATCHES,
     {"--optimised", HD_TOOL_FLAG, 1, AT(optimised), NULL,
      "compile OpenCL C with optimisation: faster, but code that the optimiser removes is not "
      "checked"}},
    {DEBUG,
     {"--dap", HD_TOOL_FLAG, 1, AT(dap), NULL,
      "speak the Debug Adapter Protocol on standard input and output"}},
};

#define OPTION_COUNT (sizeof options / sizeof *options)

#define ABOUT_FILES                                                                             \
    " FILE is a module (.spv), its text (.spvasm) or OpenCL C (.cl); \"-\" is standard input. " \
    "KERNEL may be omitted if the module has only one."

static int set_other(const HdToolCommand *c, const HdToolOption *op, const char *value, void *into);

/* What the three commands have in common. */
static const HdToolCommand template = {
    .usage = "FILE [KERNEL] --global X[,Y,Z] [--arg SPEC …] [OPTION…]\n"
             "FILE [SHADER] --groups X[,Y,Z] [--bind SET.BINDING=SPEC …] [--push SPEC …] "
             "[OPTION…]",
    .notes =
        "arguments:\n"
        "  TYPE[COUNT]=INIT      a buffer, or a struct or array by value\n"
        "  read_only:SPEC, write_only:SPEC\n"
        "                        a buffer that a checked kernel must not write, or must not read\n"
        "  TYPE=V, TYPExN=V,V,…  a scalar or vector\n"
        "  bytes[N]=HEX          raw bytes: a buffer, or a struct by value\n"
        "  local[BYTES]          local memory\n"
        "  queue, queue=BYTES    a queue on the device\n"
        "  null                  a null pointer\n"
        "  imageDIM:SIZES:ORDER:TYPE=INIT\n"
        "                        an image: DIM is 1d, 1d_buffer, 1d_array, 2d, 2d_array, 3d, and\n"
        "                        of shaders cube, cube_array; SIZES are WxHxD, layers or cubes\n"
        "                        last, then :levelsN or :samplesN; ORDER and TYPE as OpenCL names\n"
        "                        them (RGBA:UNORM_INT8), or as SPIR-V does (Rgba8)\n"
        "  pipe:PACKETS:TYPE[COUNT]=INIT\n"
        "                        a pipe for PACKETS packets that holds COUNT of them at first\n"
        "                        (TYPE alone: none); PACKETSxBYTES sets the packet size\n"
        "  sampler=WORD,…        normalised; none, edge, border, repeat or mirror; nearest\n"
        "                        or linear; mixed\n"
        "bindings of shaders: buffers and images as above; null binds nothing. A texel buffer\n"
        "is a buffer. An image and its sampler take a --bind each. An image needs no format if\n"
        "the shader declares one.\n"
        "  heap[INDEX]=SPEC, samplers[INDEX]=SPEC\n"
        "                        a descriptor of the heap of resources, or of samplers\n"
        "  sampler=WORD,…        nearest or linear, or mag=, min= and mip= with one of these;\n"
        "                        repeat, mirror, edge, border or mirror-edge, or u=, v=, w=;\n"
        "                        colour=clear, black, white, int-clear, int-black or int-white;\n"
        "                        compare=less, …; lod=MIN:MAX; bias=B; reduce=min or max;\n"
        "                        unnormalised. By default nearest, edge, of all levels\n"
        "push constants of shaders: scalars, vectors, bytes\n"
        "  &SET.BINDING, &SET.BINDING+BYTES\n"
        "                        as a value of u64 there and in buffers: the device address of\n"
        "                        the memory bound there, which the shader need not declare\n"
        "types and values:\n"
        "  TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64, or one of these and\n"
        "  x2, x3, x4, x8, x16, or OpenCL C's name, float, uint, float4;\n"
        "  INIT is V,V,… (the rest is 0), zeros, fill:V,\n"
        "  range, range:START, range:START:STEP, random:SEED, @FILE, or undefined\n"
        "  (zeros that a checked run treats as uninitialised).\n",
    .words_at = AT(words),
    .most_words = 2,
    .passes = hd_tool_build_options,
    .passes_at = AT(source_options),
    .set = set_other,
};

/* A command with the rows that are its own. */
static HdToolCommand command_of(const char *name, HdToolOption rows[OPTION_COUNT])
{
    HdToolCommand c = template;
    unsigned who;

    c.name = name;
    if (strcmp(name, "run") == 0) {
        who = RUN;
        c.about = "Compile a kernel, run it, and print its buffers." ABOUT_FILES;
        c.exits = "0 fine; 1 the module is invalid, or --expect failed; 2 wrong usage; 3 "
                  "something cannot be read, written or run";
    } else if (strcmp(name, "check") == 0) {
        who = CHECK;
        c.about =
            "Run a kernel in the reference interpreter and report every access out of bounds, data "
            "race, use of an uninitialised value and other undefined behaviour." ABOUT_FILES;
        c.exits = "0 fine; 1 a defect was found, the module is invalid, or --expect failed; 2 "
                  "wrong usage; 3 something cannot be read, written or run";
    } else {
        who = DEBUG;
        c.about = "Step through a kernel in the reference interpreter." ABOUT_FILES;
        c.exits = "0 fine; 1 a defect was found, the module is invalid, or --expect failed; 2 "
                  "wrong usage, or a script with an unknown command; 3 something cannot be read, "
                  "written or run";
    }
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if ((options[i].whose & who) != 0)
            rows[c.option_count++] = options[i].row;
    c.options = rows;
    return c;
}

/* ---- values -------------------------------------------------------------------------------- */

static int usage(const HdToolCommand *c, const HdToolOption *op, const char *value, const char *why)
{
    char what[160];

    snprintf(what, sizeof what, "%s takes %s, not ", op->name, why);
    return hd_tool_usage(c->name, what, value);
}

static bool parse_u64(const char *text, char **end, uint64_t *value)
{
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, end, 0);
    return errno == 0;
}

static bool parse_u32(const char *text, const char **end, uint32_t *value)
{
    uint64_t v;
    char *after;

    if (!parse_u64(text, &after, &v) || v > UINT32_MAX)
        return false;
    *end = after;
    *value = (uint32_t)v;
    return true;
}

static int set_sizes(const HdToolCommand *c, const HdToolOption *op, const char *value,
                     HdRunOptions *o)
{
    uint64_t *sizes = (uint64_t *)(void *)((char *)o + op->at);
    const char *p = value;
    uint32_t count = 0;

    for (;;) {
        char *end;

        if (count == 3 || !parse_u64(p, &end, &sizes[count]) || (*end != '\0' && *end != ','))
            return usage(c, op, value, "one to three numbers separated by commas");
        if (op->at == AT(local) && sizes[count] == 0)
            return usage(c, op, value, "sizes of at least 1");
        count++;
        if (*end == '\0')
            break;
        p = end + 1;
    }
    if (op->at == AT(groups))
        o->has_groups = true;
    if (op->at == AT(global)) {
        o->has_global = true;
        o->work_dim = count;
    }
    if (op->at != AT(offset)) {
        for (; count < 3; count++)
            sizes[count] = 1;
    }
    return -1;
}

/* Numbers of places are decimal: 010.1 is set 10. */
static bool parse_place_number(const char *text, const char **end, uint32_t *value)
{
    unsigned long long v;
    char *after;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    v = strtoull(text, &after, 10);
    *end = after;
    *value = (uint32_t)v;
    return errno == 0 && v <= UINT32_MAX;
}

/* "heap[3]", "samplers[0]": a descriptor of a heap. */
static bool parse_heap(const char *text, const char **end, HdRunNumbered *n)
{
    n->is_binding = true;
    n->set = HD_HEAP_SET;
    n->binding = *text == 'h' ? HD_HEAP_RESOURCES : HD_HEAP_SAMPLERS;
    if (!parse_place_number(strchr(text, '[') + 1, end, &n->element) || **end != ']')
        return false;
    ++*end;
    return true;
}

/* "3": an argument; "0.1", "0.1[2]": a binding; "push"; an element of a heap. *end is after it. */
static bool parse_place(const char *text, const char **end, HdRunNumbered *n)
{
    *n = (HdRunNumbered){.is_push = strncmp(text, "push", 4) == 0};
    if (n->is_push) {
        *end = text + 4;
        return true;
    }
    if (strncmp(text, "heap[", 5) == 0 || strncmp(text, "samplers[", 9) == 0)
        return parse_heap(text, end, n);
    if (!parse_place_number(text, end, &n->index))
        return false;
    if (**end != '.')
        return true;
    n->is_binding = true;
    n->set = n->index;
    if (!parse_place_number(*end + 1, end, &n->binding))
        return false;
    if (**end != '[')
        return true;
    if (!parse_place_number(*end + 1, end, &n->element) || **end != ']')
        return false;
    ++*end;
    return true;
}

static int set_numbered(const HdToolCommand *c, const HdToolOption *op, const char *value,
                        HdRunOptions *o)
{
    HdRunNumbered n;
    const char *end;
    bool fine;

    if (!parse_place(value, &end, &n) || *end != '=' || (op->value == BIND && !n.is_binding))
        return usage(c, op, value,
                     op->value == BIND ? "SET.BINDING=…, SET.BINDING[INDEX]=… or heap[INDEX]=…"
                                       : "N=…, where N is the number of an argument, or a "
                                         "shader's SET.BINDING");
    n.text = end + 1;
    fine = op->value == BIND     ? HD_PUSH(NULL, &o->bind, n)
           : op->value == OUT    ? HD_PUSH(NULL, &o->out, n)
           : op->value == EXPECT ? HD_PUSH(NULL, &o->expect, n)
                                 : HD_PUSH(NULL, &o->image, n);
    return fine ? -1 : HD_EXIT_FAILED;
}

static int set_spec(const HdToolCommand *c, const HdToolOption *op, const char *value,
                    HdRunOptions *o)
{
    HdRunSpec spec;
    const char *end;

    if (!parse_u32(value, &end, &spec.id) || *end != '=')
        return usage(c, op, value, "ID=VALUE");
    spec.value = end + 1;
    return HD_PUSH(NULL, &o->spec, spec) ? -1 : HD_EXIT_FAILED;
}

static int set_other(const HdToolCommand *c, const HdToolOption *op, const char *value, void *into)
{
    HdRunOptions *o = into;
    HdRunNumbered n;
    const char *end;
    char *after;

    switch ((Other)op->value) {
    case SIZES: return set_sizes(c, op, value, o);
    case REAL:
        o->tolerance = strtod(value, &after);
        if (after == value || *after != '\0' || !(o->tolerance >= 0)) /* not a NaN either */
            return usage(c, op, value, "a number of at least 0");
        return -1;
    case INDEX:
        if (!parse_place(value, &end, &n) || *end != '\0')
            return usage(c, op, value, "the number of an argument, or a shader's SET.BINDING");
        return HD_PUSH(NULL, &o->print, n) ? -1 : HD_EXIT_FAILED;
    case BIND:
    case OUT:
    case EXPECT:
    case IMAGE: return set_numbered(c, op, value, o);
    case SPEC: return set_spec(c, op, value, o);
    case ENGINE:
        if (strcmp(value, "compiled") != 0 && strcmp(value, "interpreted") != 0)
            return usage(c, op, value, "compiled or interpreted");
        o->engine = *value == 'c' ? HD_ENGINE_COMPILED : HD_ENGINE_INTERPRETED;
        return -1;
    }
    return HD_EXIT_FAILED;
}

/* ---- the line as a whole ------------------------------------------------------------------- */

static bool is_stage(const char *word, size_t bytes)
{
    static const char *const stages[] = {"forms", "ir", "lanes", "llvm", "asm"};

    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strlen(stages[i]) == bytes && memcmp(stages[i], word, bytes) == 0)
            return true;
    return hd_pass_is_stage(word, bytes);
}

/* Is every word of a list with commas a stage that --dump knows? */
static bool are_stages(const char *list)
{
    for (const char *p = list;; p++) {
        size_t len = strcspn(p, ",");

        if (!is_stage(p, len))
            return false;
        p += len;
        if (*p == '\0')
            return true;
    }
}

static int check(const HdRunOptions *o)
{
    HdValEnv env;

    if (o->file == NULL)
        return hd_tool_usage(o->command, "no FILE to run was given", "");
    if (o->has_global && o->has_groups)
        return hd_tool_usage(o->command,
                             "--global is for kernels, --groups for shaders: give one of them", "");
    if (!o->has_global && !o->has_groups && (o->dump == NULL || o->json))
        return hd_tool_usage(o->command,
                             "the number of work-items is missing, --global X[,Y,Z] for a kernel, "
                             "or of workgroups, --groups X[,Y,Z] for a shader",
                             "");
    if (o->dump != NULL && !are_stages(o->dump))
        return hd_tool_usage(o->command,
                             "--dump takes forms, ir, lanes, llvm, asm or after:PASS of "
                             "docs/passes.md, with commas between them, not ",
                             o->dump);
    if (o->env != NULL && !hd_val_env_find(o->env, &env))
        return hd_tool_usage(o->command, HD_TOOL_NO_ENV, o->env);
    if (o->json && o->sarif)
        return hd_tool_usage(o->command, "--json and --sarif exclude each other", "");
    if (o->output != NULL && o->dump == NULL)
        return hd_tool_usage(o->command, "-o is where --dump writes, which is missing", "");
    if (o->json && o->dump != NULL && (o->output == NULL || strcmp(o->output, "-") == 0))
        return hd_tool_usage(o->command, "--dump needs -o FILE beside --json", "");
    if (o->width != 0 && !hd_variant_is_width(o->width))
        return hd_tool_usage(o->command, "--width takes 1, 4, 8, 16 or 32", "");
    for (uint32_t i = 0; i < 3; i++) {
        if (i >= o->work_dim && (o->local[i] > 1 || o->offset[i] != 0))
            return hd_tool_usage(o->command,
                                 o->local[i] > 1 ? "--local has more dimensions than --global"
                                                 : "--offset has more dimensions than --global",
                                 "");
    }
    return -1;
}

int hd_run_options_parse(int argc, char **argv, HdEngine engine, HdRunOptions *out)
{
    HdToolOption rows[OPTION_COUNT];
    HdToolCommand c = command_of(argv[0], rows);
    int code;

    *out = (HdRunOptions){
        .command = argv[0], .engine = engine, .work_dim = 1, .repeat = 1, .time_limit = 60};
    out->checks = strcmp(argv[0], "run") != 0;
    code = hd_tool_options(&c, argc, argv, out);
    out->file = out->words.count > 0 ? out->words.at[0] : NULL;
    out->kernel = out->words.count > 1 ? out->words.at[1] : NULL;
    out->no_print = out->no_print || out->quiet;
    if (out->repeat == 0)
        out->repeat = 1;
    return code < 0 ? check(out) : code;
}

void hd_run_options_close(HdRunOptions *o)
{
    HD_ARRAY_FREE(&o->words);
    HD_ARRAY_FREE(&o->args);
    HD_ARRAY_FREE(&o->source_options);
    HD_ARRAY_FREE(&o->commands);
    HD_ARRAY_FREE(&o->scripts);
    HD_ARRAY_FREE(&o->push);
    HD_ARRAY_FREE(&o->bind);
    HD_ARRAY_FREE(&o->print);
    HD_ARRAY_FREE(&o->out);
    HD_ARRAY_FREE(&o->expect);
    HD_ARRAY_FREE(&o->image);
    HD_ARRAY_FREE(&o->spec);
}
