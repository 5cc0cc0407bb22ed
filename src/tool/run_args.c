/* tool/run_args.c -- options as rows: name, what its value is, where it goes, help.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/run_args.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum OptionKind {
    OPTION_FLAG,     /* bool */
    OPTION_TEXT,     /* const char * */
    OPTION_NUMBER,   /* uint32_t */
    OPTION_REAL,     /* double */
    OPTION_SIZES,    /* uint64_t[3]; sets work_dim when it is --global */
    OPTION_TEXTS,    /* HD_ARRAY(const char *) */
    OPTION_INDICES,  /* HD_ARRAY(uint32_t) */
    OPTION_NUMBERED, /* HD_ARRAY(HdRunNumbered) */
    OPTION_SPEC,
    OPTION_ENGINE
} OptionKind;

typedef struct Option {
    const char *name;
    OptionKind kind;
    size_t at;
    const char *value; /* in the help; NULL: takes none */
    const char *help;
} Option;

#define AT(member) offsetof(HdRunOptions, member)

static const Option options[] = {
    {"--global", OPTION_SIZES, AT(global), "X[,Y,Z]", "work-items in each dimension"},
    {"--local", OPTION_SIZES, AT(local), "X[,Y,Z]", "size of a work-group; default: chosen"},
    {"--offset", OPTION_SIZES, AT(offset), "X[,Y,Z]", "added to global ids"},
    {"--arg", OPTION_TEXTS, AT(args), "SPEC", "the next kernel argument, see below"},
    {"--width", OPTION_NUMBER, AT(width), "N", "lanes of a sub-group: 1, 4, 8, 16, 32"},
    {"--engine", OPTION_ENGINE, AT(engine), "NAME", "compiled or interpreted"},
    {"--dispatch", OPTION_FLAG, AT(dispatch), NULL, "per-lane dispatcher for all control flow"},
    {"--fibers", OPTION_FLAG, AT(fibers), NULL,
     "a stack for each sub-group, where there are barriers"},
    {"--spec", OPTION_SPEC, AT(spec), "ID=VALUE", "set a specialisation constant"},
    {"--threads", OPTION_NUMBER, AT(threads), "N", "threads to run on; default: what is allowed"},
    {"--repeat", OPTION_NUMBER, AT(repeat), "N", "run N times on fresh copies of the buffers"},
    {"--time", OPTION_FLAG, AT(time), NULL, "print what each step took"},
    {"--print", OPTION_INDICES, AT(print), "N", "print argument N whole; default: all buffers"},
    {"--no-print", OPTION_FLAG, AT(no_print), NULL, "print no buffers"},
    {"--out", OPTION_NUMBERED, AT(out), "N=FILE", "write argument N's bytes to a file"},
    {"--expect", OPTION_NUMBERED, AT(expect), "N=VALUES", "fail unless argument N ends so"},
    {"--tolerance", OPTION_REAL, AT(tolerance), "X", "for --expect: |difference| <= X max(1, |v|)"},
    {"--image", OPTION_NUMBERED, AT(image), "N=WxH:FORMAT:FILE",
     "write argument N as FILE.png or .ppm; gray8, rgb8, rgba8, grayf, rgbaf"},
    {"--dump", OPTION_TEXT, AT(dump), "STAGES",
     "print ir,lanes,llvm,asm; without --global only that"},
    {"-o", OPTION_TEXT, AT(output), "FILE", "where --dump prints; default: standard output"},
    {"--json", OPTION_FLAG, AT(json), NULL, "print one JSON object"},
    {"--env", OPTION_TEXT, AT(env), "NAME", "environment to validate for"},
    {"--no-validate", OPTION_FLAG, AT(no_validate), NULL, "trust the module"},
    {"--fast-math", OPTION_FLAG, AT(fast_math), NULL, "as -cl-fast-relaxed-math"},
    {"--cl", OPTION_TEXTS, AT(source_options), "OPTION", "an option for the OpenCL C compiler"},
    {"--sarif", OPTION_FLAG, AT(sarif), NULL, "check: print what was found as SARIF"},
    {"--report", OPTION_TEXT, AT(report), "FILE",
     "check: write what was found; .json, .sarif, .html, else text"},
    {"--schedule", OPTION_NUMBER, AT(schedule), "SEED",
     "check: run groups and sub-groups in a seed's order"},
    {"--time-limit", OPTION_NUMBER, AT(time_limit), "SECONDS",
     "check: for a work-group; default: 60, 0 = none"},
    {"--command", OPTION_TEXTS, AT(commands), "COMMAND", "debug: do this first"},
    {"-x", OPTION_TEXTS, AT(scripts), "FILE", "debug: then the commands in a file"},
    {"--batch", OPTION_FLAG, AT(batch), NULL,
     "debug: and then end, without reading standard input"},
    {"--optimised", OPTION_FLAG, AT(optimised), NULL,
     "debug: compile OpenCL C with optimisation; default: without"},
    {"--dap", OPTION_FLAG, AT(dap), NULL,
     "debug: speak the Debug Adapter Protocol on standard input and output"},
    {"--help", OPTION_FLAG, AT(help), NULL, "show this"},
};

#define OPTION_COUNT (sizeof options / sizeof *options)

/* Is it an option of this command? Those of the debugger are its alone. */
static bool applies(const Option *op, const char *command)
{
    return strncmp(op->help, "debug: ", 7) != 0 || strcmp(command, "debug") == 0;
}

void hd_run_options_help(const char *command, HdStrbuf *out)
{
    hd_strbuf_printf(
        out,
        "usage: heddle %s FILE [KERNEL] --global X[,Y,Z] [--arg SPEC …] [OPTION…]\n\n"
        "FILE is a module (.spv), its text (.spvasm) or OpenCL C (.cl); - is standard\n"
        "input. KERNEL may be left out when there is one only.\n\noptions:\n",
        command);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        HdStrbuf left = {0};

        if (!applies(&options[i], command))
            continue;
        hd_strbuf_printf(&left, "%s %s", options[i].name,
                         options[i].value != NULL ? options[i].value : "");
        hd_strbuf_printf(out, "  %-28s %s\n", hd_strbuf_text(&left), options[i].help);
        hd_strbuf_free(&left);
    }
    hd_strbuf_add(out, "\narguments:\n"
                       "  TYPE[COUNT]=INIT             a buffer, or a struct or array by value\n"
                       "  TYPE=V, TYPExN=V,V,…         a scalar or vector\n"
                       "  bytes[N]=HEX                 bytes: a buffer, or a struct by value\n"
                       "  local[BYTES]                 local memory\n"
                       "  null                         a null pointer\n"
                       "  TYPE is i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64, or one of these and\n"
                       "  x2, x3, x4, x8, x16; INIT is V,V,… (the rest is 0), zeros, fill:V,\n"
                       "  range, range:START, range:START:STEP, random:SEED or @FILE.\n");
}

static HdStatus usage(HdDiags *d, const char *option, const char *value, const char *why)
{
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage", "%s %s: %s", option, value, why);
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

static HdStatus parse_sizes(const Option *op, const char *value, HdDiags *d, HdRunOptions *o)
{
    uint64_t *sizes = (uint64_t *)(void *)((char *)o + op->at);
    const char *p = value;
    uint32_t count = 0;

    for (;;) {
        char *end;

        if (count == 3 || !parse_u64(p, &end, &sizes[count]))
            return usage(d, op->name, value, "one to three numbers, separated by commas");
        count++;
        if (*end == '\0')
            break;
        if (*end != ',')
            return usage(d, op->name, value, "one to three numbers, separated by commas");
        p = end + 1;
    }
    if (op->at == AT(global)) {
        o->has_global = true;
        o->work_dim = count;
    }
    if (op->at != AT(offset)) {
        for (; count < 3; count++)
            sizes[count] = 1;
    }
    return HD_OK;
}

static HdStatus parse_numbered(const Option *op, const char *value, HdDiags *d, HdRunOptions *o)
{
    HdRunNumbered n;
    const char *end;

    if (!parse_u32(value, &end, &n.index) || *end != '=')
        return usage(d, op->name, value, "written as N=…, N an argument's number");
    n.text = end + 1;
    if (op->at == AT(out))
        HD_TRY_PUSH(NULL, &o->out, n);
    else if (op->at == AT(expect))
        HD_TRY_PUSH(NULL, &o->expect, n);
    else
        HD_TRY_PUSH(NULL, &o->image, n);
    return HD_OK;
}

static HdStatus parse_value(const Option *op, const char *value, HdDiags *d, HdRunOptions *o)
{
    char *place = (char *)o + op->at;
    HdRunSpec spec;
    uint32_t index;
    const char *end;
    char *after;

    switch (op->kind) {
    case OPTION_FLAG: *(bool *)(void *)place = true; return HD_OK;
    case OPTION_TEXT: *(const char **)(void *)place = value; return HD_OK;
    case OPTION_NUMBER:
        if (!parse_u32(value, &end, (uint32_t *)(void *)place) || *end != '\0')
            return usage(d, op->name, value, "not a number");
        return HD_OK;
    case OPTION_REAL:
        *(double *)(void *)place = strtod(value, &after);
        return after == value || *after != '\0' ? usage(d, op->name, value, "not a number") : HD_OK;
    case OPTION_SIZES: return parse_sizes(op, value, d, o);
    case OPTION_TEXTS:
        if (op->at == AT(args))
            HD_TRY_PUSH(NULL, &o->args, value);
        else if (op->at == AT(commands))
            HD_TRY_PUSH(NULL, &o->commands, value);
        else if (op->at == AT(scripts))
            HD_TRY_PUSH(NULL, &o->scripts, value);
        else
            HD_TRY_PUSH(NULL, &o->source_options, value);
        return HD_OK;
    case OPTION_INDICES:
        if (!parse_u32(value, &end, &index) || *end != '\0')
            return usage(d, op->name, value, "not an argument's number");
        HD_TRY_PUSH(NULL, &o->print, index);
        return HD_OK;
    case OPTION_NUMBERED: return parse_numbered(op, value, d, o);
    case OPTION_SPEC:
        if (!parse_u32(value, &end, &spec.id) || *end != '=')
            return usage(d, op->name, value, "written as ID=VALUE");
        spec.value = end + 1;
        HD_TRY_PUSH(NULL, &o->spec, spec);
        return HD_OK;
    case OPTION_ENGINE:
        if (strcmp(value, "compiled") == 0)
            o->engine = HD_ENGINE_COMPILED;
        else if (strcmp(value, "interpreted") == 0)
            o->engine = HD_ENGINE_INTERPRETED;
        else
            return usage(d, op->name, value, "an engine is compiled or interpreted");
        return HD_OK;
    }
    return HD_BUG;
}

/* Handle the option at argv[*i], with its value in the same word or the next. */
static HdStatus parse_option(int argc, char **argv, int *i, HdDiags *d, HdRunOptions *o)
{
    const char *word = argv[*i], *value = "";
    size_t len = strcspn(word, "=");

    if (strcmp(word, "-h") == 0)
        word = "--help";
    for (size_t k = 0; k < OPTION_COUNT; k++) {
        const Option *op = &options[k];

        if (strlen(op->name) != len || strncmp(op->name, word, len) != 0 ||
            !applies(op, o->command))
            continue;
        if (op->kind == OPTION_FLAG && word[len] == '=')
            return usage(d, op->name, "", "takes no value");
        if (op->kind != OPTION_FLAG) {
            if (word[len] == '=')
                value = word + len + 1;
            else if (*i + 1 < argc)
                value = argv[++*i];
            else
                return usage(d, op->name, "", "needs a value");
        }
        return parse_value(op, value, d, o);
    }
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage", "there is no option '%s'", word);
}

static HdStatus check(HdDiags *d, const HdRunOptions *o)
{
    if (o->file == NULL)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage", "name a module to run");
    if (!o->has_global && o->dump == NULL)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
                       "say how many work-items: --global X[,Y,Z]");
    if (o->width > HD_MAX_WIDTH || (o->width & (o->width - 1)) != 0)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
                       "--width %u: a power of two, at most %u", (unsigned)o->width, HD_MAX_WIDTH);
    for (uint32_t i = 0; i < 3; i++) {
        if (o->local[0] != 0 && o->local[i] == 0)
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
                           "--local: a size is at least 1");
        if (i >= o->work_dim && (o->local[i] > 1 || o->offset[i] != 0))
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage",
                           "--%s has more dimensions than --global",
                           o->local[i] > 1 ? "local" : "offset");
    }
    return HD_OK;
}

HdStatus hd_run_options_parse(int argc, char **argv, HdEngine engine, HdDiags *d, HdRunOptions *out)
{
    bool is_end = false; /* behind "--" */

    *out = (HdRunOptions){
        .command = argv[0], .engine = engine, .work_dim = 1, .repeat = 1, .time_limit = 60};
    out->checks = strcmp(argv[0], "run") != 0;
    for (int i = 1; i < argc; i++) {
        if (!is_end && strcmp(argv[i], "--") == 0)
            is_end = true;
        else if (!is_end && argv[i][0] == '-' && argv[i][1] != '\0')
            HD_TRY(parse_option(argc, argv, &i, d, out));
        else if (out->file == NULL)
            out->file = argv[i];
        else if (out->kernel == NULL)
            out->kernel = argv[i];
        else
            return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "run.usage", "what is '%s'?", argv[i]);
    }
    if (out->repeat == 0)
        out->repeat = 1;
    return out->help ? HD_OK : check(d, out);
}

void hd_run_options_close(HdRunOptions *o)
{
    HD_ARRAY_FREE(&o->args);
    HD_ARRAY_FREE(&o->source_options);
    HD_ARRAY_FREE(&o->commands);
    HD_ARRAY_FREE(&o->scripts);
    HD_ARRAY_FREE(&o->print);
    HD_ARRAY_FREE(&o->out);
    HD_ARRAY_FREE(&o->expect);
    HD_ARRAY_FREE(&o->image);
    HD_ARRAY_FREE(&o->spec);
}
