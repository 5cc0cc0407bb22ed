/* tool/execute.c -- from a command line to a finished run.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/execute.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/trace.h"
#include "check/observer.h"
#include "launch/choose.h"
#include "launch/hooks.h"
#include "launch/memory.h"
#include "launch/pool.h"
#include "launch/prepare.h"
#include "launch/run.h"
#include "tool/address.h"
#include "tool/arguments.h"
#include "tool/binding.h"
#include "tool/fault.h"
#include "tool/lines.h"
#include "tool/progress.h"
#include "tool/report.h"
#include "tool/sarif.h"
#include "tool/source.h"
#include "tool/spec_value.h"
#include "tool/tool.h"
#include "val/val.h"

/* Launches up to this many work-items run on one thread unless more are requested: they are fast
 * enough, and their output has one order. */
#define ONE_THREAD_ITEMS 4096u

/* Set by Ctrl-C, which knows no other way to reach us. */
static volatile bool is_cancelled;

typedef struct Execution {
    HdRunOptions options;
    HdDiags diags;
    uint32_t *words;
    size_t nwords;
    HdProgram *program;
    const HdKernelInfo *kernel;
    HdKernelInfo given; /* kernel, with what addresses alone lead to */
    HdProgramMemory memory;
    HdKernelArgs args;
    HdPool *pool;
    HdLaunch launch;
    HdStrbuf printed, dumped;
    HdRunReport report;
    HdCheck *check;
    HdLaunchCheck launch_check;
    HdFault fault;
    const HdExecuteHost *host; /* NULL */
    int exit;                  /* for a failure that the status does not express */
    bool is_reported;          /* arguments, or the defects of --sarif, are printed */
} Execution;

/* ---- the module ---------------------------------------------------------------------------- */

static HdStatus read_specs(const Execution *e, HdDiags *d, HdSpecialization **out)
{
    size_t count = e->options.spec.count;
    HdModule *m;
    HdStatus st;

    *out = NULL;
    if (count == 0)
        return HD_OK;
    HD_TAKE(*out, hd_alloc_zero(count * sizeof **out));
    st = hd_module_read(e->words, e->nwords, true, d, &m);
    if (st != HD_OK)
        return st;
    for (size_t i = 0; i < count && st == HD_OK; i++)
        st = hd_tool_spec_value(m, e->options.spec.at[i].id, e->options.spec.at[i].value, d,
                                &(*out)[i]);
    hd_module_drop(m);
    return st;
}

static HdStatus open_program(Execution *e)
{
    HdRunOptions *o = &e->options;
    HdSpecialization *specs;
    HdProgramOptions po = {.env = o->env,
                           .ext = o->ext,
                           .shaders = true,
                           .spec_count = o->spec.count,
                           .fast_math = o->fast_math,
                           .no_validate = o->no_validate,
                           .is_compiled = hd_tool_is_source(o->file),
                           .dump = o->dump,
                           .dump_to = &e->dumped};
    double start = hd_clock_ms();
    uint32_t version = 0;
    bool fast_math;
    HdValEnv env;
    HdStatus st;

    if (o->engine == HD_ENGINE_INTERPRETED) /* its findings name lines */
        HD_TRY_PUSH(NULL, &o->source_options, "-g");
    if (e->host != NULL) /* it names types */
        HD_TRY_PUSH(NULL, &o->source_options, "-cl-kernel-arg-info");
    if (o->checks && !o->optimised) /* what it takes out may be what is wrong */
        HD_TRY_PUSH(NULL, &o->source_options, "-cl-opt-disable");
    if (o->env != NULL && hd_val_env_find(o->env, &env))
        version = env.max_version;
    HD_TRY(hd_tool_read_module_for(o->file, version, o->source_options.at, o->source_options.count,
                                   &e->diags, &e->words, &e->nwords, &fast_math));
    po.fast_math = po.fast_math || fast_math;
    e->report.read_ms = hd_clock_ms() - start;
    start = hd_clock_ms();
    st = read_specs(e, &e->diags, &specs);
    po.spec = specs;
    e->exit = st != HD_OK ? HD_EXIT_USAGE : 0;
    if (st == HD_OK)
        st = hd_program_open(e->words, e->nwords, &po, &e->diags, &e->program);
    for (size_t i = 0; specs != NULL && i < o->spec.count; i++)
        hd_tool_spec_drop(&specs[i]);
    hd_free(specs);
    e->report.check_ms = hd_clock_ms() - start;
    return st;
}

/* The requested kernel, or the only one; NULL: there is none, or it is ambiguous. */
static const HdKernelInfo *find_kernel(const HdBuildLayout *l, const char *name)
{
    if (name != NULL)
        return hd_build_kernel_info(l, name);
    return l->kernel_count == 1 ? &l->kernels[0] : NULL;
}

/* What the command line says of a kernel's work-items, or of a shader's workgroups. */
static HdStatus set_sizes(Execution *e)
{
    HdRunOptions *o = &e->options;
    uint64_t items = 1;

    HD_TRY(hd_addresses_extend(o, e->kernel, &e->given));
    HD_TRY(hd_bindings_resolve(o, &e->given, &e->diags));
    if (!e->kernel->is_shader) {
        e->exit = 0;
        return HD_OK;
    }
    o->work_dim = 3;
    for (uint32_t i = 0; i < 3; i++) {
        o->local[i] = e->kernel->required_local[i];
        if (o->local[i] == 0 || o->groups[i] > UINT32_MAX / o->local[i])
            return hd_fail(&e->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.groups",
                           o->local[i] == 0
                               ? "shader '%s' has no local size in dimension %u: LocalSize, "
                                 "LocalSizeId and WorkgroupSize must not be 0"
                               : "shader '%s': more than 2^32 work-items in dimension %u",
                           e->kernel->name, (unsigned)i);
        o->global[i] = o->groups[i] * o->local[i];
        items = o->local[i] > hd_limits_group_items() ? UINT64_MAX >> 32 : items * o->local[i];
    }
    if (items > hd_limits_group_items())
        return hd_fail(&e->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.groups",
                       "shader '%s' has a local size of %llu x %llu x %llu; a workgroup may have "
                       "at most %u invocations",
                       e->kernel->name, (unsigned long long)o->local[0],
                       (unsigned long long)o->local[1], (unsigned long long)o->local[2],
                       hd_limits_group_items());
    o->has_global = o->has_groups;
    e->exit = 0;
    return HD_OK;
}

/* A module whose entry points are of other pipelines, or that has none. */
static HdStatus no_entry(Execution *e)
{
    const HdModule *m = hd_program_module(e->program);
    HdStrbuf others = {0};
    HdStatus st;

    for (uint32_t i = 0; i < m->entry_count && i < 8; i++) {
        const HdEnumerant *model = hd_gram_enumerant(HD_KIND_ExecutionModel, m->entries[i].model);

        hd_strbuf_printf(&others, "%s'%s' (%s)", i > 0 ? ", " : "", m->entries[i].name,
                         model != NULL ? model->name : "?");
    }
    if (m->entry_count == 0)
        st = hd_fail(&e->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.kernel",
                     "the module has no kernel and no compute shader: it has no entry point, or "
                     "is a library that must be linked first");
    else
        st = hd_fail(&e->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.kernel",
                     "the module has no kernel and no compute shader that can be launched: it has "
                     "%s, and only entry points of the models Kernel and GLCompute run",
                     hd_strbuf_text(&others));
    hd_strbuf_free(&others);
    return st;
}

static HdStatus choose_kernel(Execution *e)
{
    const HdBuildLayout *l = hd_program_layout(e->program);
    const char *name = e->options.kernel;
    const char *kind = l->kernel_count > 0 ? hd_kernel_kind(&l->kernels[0]) : "kernel";
    HdStrbuf names = {0};
    HdStatus st;

    e->kernel = find_kernel(l, name);
    e->exit = HD_EXIT_USAGE;
    if (e->kernel != NULL)
        return set_sizes(e);
    for (uint32_t i = 0; i < l->kernel_count; i++)
        hd_strbuf_printf(&names, "%s%s", i > 0 ? ", " : "", l->kernels[i].name);
    if (l->kernel_count == 0)
        st = no_entry(e);
    else if (name != NULL)
        st = hd_fail(&e->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.kernel",
                     "the module has no %s '%s'; it has %s", kind, name, hd_strbuf_text(&names));
    else
        st = hd_fail(&e->diags, HD_BAD_INPUT, HD_NO_PLACE, "run.kernel",
                     "the module has %u %ss: name one of %s", (unsigned)l->kernel_count, kind,
                     hd_strbuf_text(&names));
    hd_strbuf_free(&names);
    return st;
}

static HdStatus set_args(Execution *e)
{
    e->args = (HdKernelArgs){.options = &e->options,
                             .kernel = &e->given,
                             .check = e->check,
                             .diags = &e->diags,
                             .has_device_side = hd_program_layout(e->program)->has_device_side};
    e->exit = HD_EXIT_USAGE;
    HD_TRY(hd_kernel_args_open(&e->args));
    e->args.set.kernel = e->kernel; /* the block begins as that of e->given */
    e->report.options = &e->options;
    e->report.kernel = &e->given;
    e->report.args = e->args.data;
    HD_TRY(hd_run_report_check(&e->report, &e->diags));
    e->exit = 0;
    return HD_OK;
}

/* ---- what stops a run ---------------------------------------------------------------------- */

/* As the document that --json or --sarif asks for; nothing without them. */
static void write_failure(const Execution *e, const HdDiags *d, HdStrbuf *out)
{
    HdValFile file = {.d = *d};

    if (e->options.sarif) {
        if (file.d.file == NULL)
            file.d.file = e->options.file;
        hd_tool_sarif(&file, 1, out);
    } else if (e->options.json) {
        hd_strbuf_add(out, "{\"errors\": ");
        hd_diags_json(d, out);
        if (e->check != NULL) {
            hd_strbuf_add(out, ", \"defects\": ");
            hd_defects_print(hd_check_defects(e->check), e->options.file, HD_DEFECT_JSON, out);
        }
        hd_strbuf_add(out, "}\n");
    }
}

static HdStatus tell_faults(Execution *e)
{
    bool colour = hd_tool_colours_when(e->options.colour, STDERR_FILENO);
    HdFaultText text[HD_FAULT_KINDS] = {0};
    HdStatus st;

    for (unsigned i = 0; i < HD_FAULT_KINDS; i++) {
        HdDiags d;

        hd_diags_init(&d);
        d.file = e->options.file;
        hd_fault_describe((HdFaultKind)i, hd_kernel_kind(e->kernel), &d);
        hd_diags_print(&d, &text[i].error, colour);
        write_failure(e, &d, &text[i].document);
        hd_diags_drop(&d);
    }
    st = hd_fault_tell(&e->fault, text);
    for (unsigned i = 0; i < HD_FAULT_KINDS; i++) {
        hd_strbuf_free(&text[i].error);
        hd_strbuf_free(&text[i].document);
    }
    return st;
}

/* ---- running ------------------------------------------------------------------------------- */

static void on_interrupt(int sig)
{
    static const char text[] =
        "\nheddle: ends after the work-groups that run; Ctrl-C again ends it at once\n";

    struct termios terminal;

    (void)sig;
    is_cancelled = true; /* the handler is gone after the first time: a second Ctrl-C kills */
    if (tcgetattr(STDERR_FILENO, &terminal) == 0) /* isatty, for signal handlers */
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
}

static void print_text(void *user, const char *text, size_t len)
{
    Execution *e = user;

    if (e->options.json)
        hd_strbuf_add_bytes(&e->printed, text, len);
    else
        fwrite(text, 1, len, stdout);
}

static uint32_t choose_threads(const HdRunOptions *o)
{
    uint64_t items = 1;

    if (o->threads != 0)
        return o->threads;
    for (uint32_t i = 0; i < o->work_dim; i++) {
        if (o->global[i] > ONE_THREAD_ITEMS)
            return 0;
        items *= o->global[i];
    }
    return items <= ONE_THREAD_ITEMS ? 1 : 0;
}

static HdTestSwitches tests_of(const HdRunOptions *o)
{
    return (HdTestSwitches){.dispatch = o->dispatch, .fibers = o->fibers, .calls = o->calls};
}

static void fill_launch(Execution *e)
{
    const HdRunOptions *o = &e->options;
    HdLaunch *l = &e->launch;

    *l = (HdLaunch){.program = e->program,
                    .kernel = e->kernel,
                    .memory = &e->memory,
                    .args = &e->args.set,
                    .engine = o->engine,
                    .work_dim = o->work_dim,
                    .width = o->width,
                    .tests = tests_of(o),
                    .of_args.apart = true, /* each has a buffer of its own */
                    .lane_dim = (uint8_t)o->lane_dim,
                    .sink = print_text,
                    .sink_user = e,
                    .cancel = &is_cancelled,
                    .side = e->args.side,
                    .default_queue = e->args.default_queue};
    memcpy(l->global_size, o->global, sizeof l->global_size);
    memcpy(l->local_size, o->local, sizeof l->local_size);
    memcpy(l->global_offset, o->offset, sizeof l->global_offset);
    e->report.width =
        o->width != 0 ? o->width : hd_variant_width(hd_program_cpu(e->program), e->kernel);
    if (e->check != NULL) {
        e->launch_check = (HdLaunchCheck){.check = e->check,
                                          .knows_all_memory = true,
                                          .seconds = o->time_limit,
                                          .seed = o->schedule,
                                          .quick = o->quick};
        l->check = &e->launch_check;
    }
}

/* Every run of --repeat begins with the buffers as they were given. */
static HdStatus restore(Execution *e)
{
    HD_TRY(hd_kernel_args_restore(&e->args));
    if (e->check != NULL)
        hd_check_remove_all(e->check, e->memory.at);
    hd_program_memory_close(&e->memory);
    hd_strbuf_free(&e->printed);
    return hd_program_memory_open(e->program, &e->memory);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Of each run: its time on the wall, and that of processors. */
static HdStatus run_times(Execution *e, double *times)
{
    uint32_t repeat = e->options.repeat;
    double *used = times + repeat;

    for (uint32_t i = 0; i < repeat; i++) {
        double start, start_used;

        if (i > 0)
            HD_TRY(restore(e));
        start_used = hd_clock_all_used_ms();
        start = hd_clock_ms();
        HD_TRY(hd_launch_run(e->pool, &e->launch, &e->diags));
        times[i] = hd_clock_ms() - start;
        used[i] = hd_clock_all_used_ms() - start_used;
        hd_program_memory_finalize(&e->memory, print_text, e);
        if (is_cancelled) {
            e->exit = HD_EXIT_FAILED;
            return hd_fail(&e->diags, HD_IO, HD_NO_PLACE, "run.cancelled", "interrupted");
        }
    }
    qsort(times, repeat, sizeof *times, by_value);
    qsort(used, repeat, sizeof *used, by_value);
    e->report.run_ms = times[repeat / 2];
    e->report.used_ms = used[repeat / 2];
    return HD_OK;
}

static HdStatus report(Execution *e);
static HdStatus tell_found(Execution *e);

/* Do the words run that were read, without repairs? */
static bool is_as_read(const Execution *e)
{
    const HdModule *m = hd_program_module(e->program);

    return m->nwords == e->nwords && memcmp(m->words, e->words, e->nwords * sizeof *m->words) == 0;
}

/* Runs as often as requested. */
static HdStatus run_watched(Execution *e)
{
    const HdExecuteTarget target = {.m = hd_program_module(e->program),
                                    .layout = hd_program_layout(e->program),
                                    .kernel = e->kernel,
                                    .options = &e->options,
                                    .text = is_as_read(e) ? e->diags.text.bytes : NULL,
                                    .text_bytes = e->diags.text.count,
                                    .check = e->check,
                                    .cancel = &is_cancelled};
    bool is_first = true;

    e->launch_check.seconds = 0; /* people take their time */
    while ((e->launch_check.hook = e->host->ready(e->host->user, &target)) != NULL) {
        if (!is_first)
            HD_TRY(restore(e));
        is_first = false;
        is_cancelled = false;
        HD_TRY(hd_launch_run(e->pool, &e->launch, &e->diags));
        if (!is_cancelled) {
            hd_kernel_args_host_reads(&e->args);
            HD_TRY(tell_found(e));
            HD_TRY(report(e));
        }
        fflush(stdout);
        e->host->ended(e->host->user);
    }
    return HD_OK;
}

static HdStatus run(Execution *e)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    HdProgress progress = {0};
    double start, *times;
    HdStatus st;

    HD_TRY(hd_program_memory_open(e->program, &e->memory));
    HD_TRY(hd_pool_open(e->host != NULL ? 1 : choose_threads(&e->options), &e->pool));
    fill_launch(e);
    start = hd_clock_ms();
    e->exit = HD_EXIT_USAGE; /* sizes that do not fit the kernel */
    HD_TRY(hd_launch_prepare(&e->launch, hd_pool_threads(e->pool), &e->diags));
    e->exit = 0;
    e->report.compile_ms = hd_clock_ms() - start;
    if (e->host != NULL)
        return run_watched(e);
    if (e->options.engine == HD_ENGINE_COMPILED)
        HD_TRY(tell_faults(e));
    HD_TAKE(times, hd_alloc((size_t)e->options.repeat * 2 * sizeof *times));
    sigaction(SIGINT, &action, NULL);
    e->launch.progress = &progress.of;
    if (!e->options.quiet)
        hd_progress_start(&progress);
    st = run_times(e, times);
    hd_fault_kernel_ended(&e->fault);
    if (!e->options.quiet)
        hd_progress_stop(&progress);
    hd_free(times);
    return st;
}

/* --dump without --global: the code of the usual case, without a run. */
static HdStatus compile_only(Execution *e)
{
    HdVariant v = {.launch = {.x_divisible = true,
                              .full = true,
                              .twice = true,
                              .apart = true,
                              .bound = true,
                              .filled = true},
                   .form = {.coarsen = hd_launch_coarsen(),
                            .rows = hd_launch_coarsen() != 0 ? HD_ALL_DIMS : 0},
                   .tests = tests_of(&e->options)};
    const HdKernelCode *code;
    uint32_t width = e->options.width;

    v.form.dims =
        (uint8_t)(e->options.lane_dim != 0 ? 1u << (e->options.lane_dim - 1) : HD_ALL_DIMS);
    v.width =
        (uint8_t)(width != 0 ? width : hd_variant_width(hd_program_cpu(e->program), e->kernel));
    return hd_program_code(e->program, e->kernel, v, &e->diags, &code);
}

static HdStatus report(Execution *e)
{
    bool is_different;

    hd_kernel_args_look(&e->args);
    e->report.check = e->check;
    e->report.printed = hd_strbuf_text(&e->printed);
    e->exit = HD_EXIT_USAGE;
    e->is_reported = true;
    HD_TRY(hd_run_report(&e->report, &e->diags, &is_different));
    e->exit = is_different ? HD_EXIT_INVALID : 0;
    return is_different ? HD_BAD_INPUT : HD_OK;
}

static HdStatus write_dump(Execution *e)
{
    const char *to = e->options.output != NULL ? e->options.output : "-";

    if (e->options.dump == NULL || e->dumped.count == 0)
        return HD_OK;
    fflush(stdout);
    return hd_file_write(to, e->dumped.at, e->dumped.count, &e->diags);
}

/* path: NULL = do nothing. */
static HdStatus write_found(Execution *e, const char *path, HdDefectForm form)
{
    HdStrbuf text = {0};
    HdStatus st;

    if (path == NULL)
        return HD_OK;
    hd_defects_print(hd_check_defects(e->check), e->options.file, form, &text);
    st = hd_file_write(path, hd_strbuf_text(&text), text.count, &e->diags);
    hd_strbuf_free(&text);
    return st;
}

/* The lines of the count: the last ones. */
static const char *summary_of(const char *text)
{
    const char *found = text;

    for (const char *p = text; (p = strstr(p, "\ncheck: ")) != NULL; p++)
        if (strstr(p, " launch") != NULL)
            found = p + 1;
    return found;
}

/* What a checked run has found: to standard error, as SARIF to standard output, to files. */
static HdStatus tell_found(Execution *e)
{
    const HdRunOptions *o = &e->options;
    bool colour = hd_tool_colours_when(o->colour, STDERR_FILENO);
    HdStrbuf text = {0};

    if (e->check == NULL)
        return HD_OK;
    hd_tool_place_found(e->check, &e->diags, hd_program_module(e->program), e->words, e->nwords);
    if (o->sarif) {
        hd_defects_print(hd_check_defects(e->check), o->file, HD_DEFECT_SARIF, &text);
        fputs(hd_strbuf_text(&text), stdout);
        e->is_reported = true;
    } else if (!o->json && o->report == NULL) {
        hd_defects_print(hd_check_defects(e->check), o->file,
                         colour ? HD_DEFECT_COLOUR : HD_DEFECT_TEXT, &text);
        if (o->quiet && text.count > 0)
            fprintf(stderr, "%s: ", o->file);
        fputs(o->quiet ? summary_of(hd_strbuf_text(&text)) : hd_strbuf_text(&text), stderr);
    }
    hd_strbuf_free(&text);
    HD_TRY(write_found(e, o->report, hd_defects_form(o->report)));
    return write_found(e, o->html, HD_DEFECT_HTML);
}

/* What a checked run has counted. */
static HdStatus write_counts(Execution *e)
{
    const HdRunOptions *o = &e->options;

    if (o->counts != NULL && !(o->json && strcmp(o->counts, "-") == 0))
        HD_TRY(hd_counts_write(e->check, o->counts, &e->diags));
    return o->coverage != NULL ? hd_coverage_write(e->check, o->coverage, &e->diags) : HD_OK;
}

/* Did a checked run find what it fails for? */
static bool found_faults(const Execution *e)
{
    return e->check != NULL &&
           (e->options.strict ? hd_check_defects(e->check)->count : hd_check_errors(e->check)) > 0;
}

/* From a program to the end. */
static HdStatus execute_program(Execution *e)
{
    HdStatus st;

    HD_TRY(choose_kernel(e));
    if (!e->options.has_global) {
        st = compile_only(e);
        HD_TRY(write_dump(e));
        return st;
    }
    HD_TRY(set_args(e));
    st = run(e);
    if (e->host == NULL) {
        hd_kernel_args_host_reads(&e->args);
        if (e->check != NULL && e->args.side != NULL)
            hd_device_side_report(e->args.side, e->check);
        HD_TRY(write_dump(e));
        HD_TRY(tell_found(e));
        if (st == HD_OK)
            st = report(e);
        HD_TRY(write_counts(e));
    }
    if (st == HD_OK && found_faults(e)) {
        e->exit = HD_EXIT_INVALID;
        st = HD_BAD_INPUT;
    }
    return st;
}

static HdStatus execute(Execution *e)
{
    size_t before;
    HdStatus st;

    if (e->options.checks && e->options.engine == HD_ENGINE_INTERPRETED)
        HD_TRY(hd_check_open(&e->check));
    if (e->options.counts != NULL || e->options.coverage != NULL)
        hd_check_count(e->check);
    if (e->options.observer != NULL)
        HD_TRY(hd_check_load_observer(e->check, e->options.observer, &e->diags));
    HD_TRY(open_program(e));
    before = e->diags.count;
    st = execute_program(e);
    hd_module_place_findings(hd_program_module(e->program), e->words, e->nwords, &e->diags, before);
    return st;
}

static void close_all(Execution *e)
{
    hd_pool_close(e->pool);
    hd_check_close(e->check);
    hd_kernel_args_close(&e->args);
    hd_addresses_drop(&e->given);
    hd_program_memory_close(&e->memory);
    if (e->program != NULL)
        hd_program_close(e->program);
    hd_free(e->words);
    hd_strbuf_free(&e->printed);
    hd_strbuf_free(&e->dumped);
    hd_fault_leave(&e->fault); /* names the file */
    hd_run_options_close(&e->options);
    hd_diags_drop(&e->diags);
}

static int exit_code(const Execution *e, HdStatus st)
{
    if (st == HD_OK)
        return HD_EXIT_FINE;
    if (e->exit != 0 && st == HD_BAD_INPUT)
        return e->exit;
    return st == HD_BAD_INPUT ? HD_EXIT_INVALID : HD_EXIT_FAILED;
}

static void print_diags(const Execution *e, HdStatus st)
{
    HdStrbuf text = {0};

    hd_diags_print(&e->diags, &text, hd_tool_colours_when(e->options.colour, STDERR_FILENO));
    if (st != HD_OK && e->diags.errors == 0 && !found_faults(e))
        hd_strbuf_printf(&text, "heddle %s: %s\n", e->options.command, hd_status_name(st));
    fputs(hd_strbuf_text(&text), stderr);
    hd_strbuf_free(&text);
}

static void print_failure(const Execution *e)
{
    HdStrbuf text = {0};

    write_failure(e, &e->diags, &text);
    fputs(hd_strbuf_text(&text), stdout);
    hd_strbuf_free(&text);
}

static int run_command(int argc, char **argv, HdEngine engine, const HdExecuteHost *host)
{
    Execution e = {.host = host};
    HdStatus st;
    int code;

    hd_diags_init(&e.diags);
    code = hd_run_options_parse(argc, argv, engine, &e.options);
    if (code >= 0) {
        close_all(&e);
        return code;
    }
    e.diags.errors_only = e.options.quiet;
    if (e.options.trace != NULL && !hd_trace_open(e.options.trace)) {
        fprintf(stderr, "heddle run: cannot write '%s': %s\n", e.options.trace, strerror(errno));
        close_all(&e);
        return HD_EXIT_FAILED;
    }
    st = execute(&e);
    hd_tool_place_lines(&e.diags, e.words, e.nwords);
    if (st != HD_OK && !e.is_reported)
        print_failure(&e);
    fflush(stdout);
    print_diags(&e, st);
    code = exit_code(&e, st);
    close_all(&e);
    return code;
}

int hd_tool_execute(int argc, char **argv, HdEngine engine)
{
    return run_command(argc, argv, engine, NULL);
}

int hd_tool_execute_watched(int argc, char **argv, const HdExecuteHost *host)
{
    return run_command(argc, argv, HD_ENGINE_INTERPRETED, host);
}
