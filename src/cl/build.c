/* cl/build.c -- compiling, linking and opening programs.
 *
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "base/memory.h"
#include "base/option.h"
#include "cl/checked.h"
#include "cl/limits.h"
#include "cl/precompile.h"
#include "cl/program.h"
#include "clc/clc.h"
#include "launch/memory.h"
#include "xform/link.h"
#include "xform/repair.h"
#include "xform/repair_words.h"
#include "xform/specialize.h"
#include "xform/zero.h"

/* One build at work. */
typedef struct Build {
    HdStrbuf log;
    HdDiags diags;
    HdClcOptions options;
    HdWords words;
    HdPrefetchLoad load;
} Build;

static void load_ahead(void *user)
{
    hd_precompile_load(user);
}

static void close_build(Build *b)
{
    hd_strbuf_free(&b->log);
    hd_diags_drop(&b->diags);
    hd_clc_options_free(&b->options);
    hd_free(b->words.at);
}

/* What the context adds to the host's options. */
static void name_context(HdClcOptions *o, const struct _cl_context *c)
{
    o->extensions = c->devices[0]->language;
    o->zeroes_private = (c->zeroes & HD_CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE) != 0;
}

/* Options that are wrong are named in checked runs as well: clLinkProgram makes no program then,
 * whose log would say so. */
static cl_int refused(const HdDiags *d, cl_int code)
{
    if (d->count > 0)
        hd_checked_note(d->at[0].hint, d->at[0].message);
    return code;
}

/* With those that the environment adds to the compiler's; heap, NULL without memory. */
static char *with_added(const char *options, HdClcStage stage)
{
    const char *added = stage != HD_CLC_LINK ? hd_option_text(HD_OPTION_BUILD_OPTIONS) : "";
    HdStrbuf all = {0};

    hd_strbuf_printf(&all, "%s%s%s", options, *added != '\0' ? " " : "", added);
    return hd_strbuf_take(&all);
}

/* Options into b and into the program's record. `invalid` is what bad ones are answered with; b's
 * diagnostics say what is wrong with them. */
static cl_int open_build(Build *b, cl_program p, const char *options, HdClcStage stage,
                         cl_int invalid)
{
    char *kept = hd_strdup(options != NULL ? options : "");
    char *all = with_added(options != NULL ? options : "", stage);
    HdStatus st;

    *b = (Build){0};
    hd_diags_init(&b->diags);
    b->diags.limit = 100;
    if (kept == NULL || all == NULL) {
        hd_free(kept);
        hd_free(all);
        return CL_OUT_OF_HOST_MEMORY;
    }
    st = hd_clc_options(all, stage, &b->options, &b->diags);
    hd_free(all);
    hd_program_set_options(p, kept);
    if (st != HD_OK)
        return st == HD_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY : refused(&b->diags, invalid);
    name_context(&b->options, p->context);
    b->options.begins = load_ahead;
    b->options.begins_user = &b->load;
    if (b->options.is_checked)
        hd_checked_begin();
    if (hd_limits_engine() == HD_ENGINE_INTERPRETED) {
        b->options.has_lines = true; /* a report says where */
        if (hd_option_number(HD_OPTION_CHECK_OPTIMISED) == 0)
            b->options.is_optimised = false; /* what it takes out may be what is wrong */
    }
    pthread_mutex_lock(&p->lock);
    p->status = CL_BUILD_IN_PROGRESS;
    p->has_full_groups =
        b->options.has_full_groups || (p->kind == HD_PROGRAM_SOURCE && !b->options.is_2_0);
    pthread_mutex_unlock(&p->lock);
    return CL_SUCCESS;
}

static cl_int clc_error(HdStatus st, cl_int failure)
{
    switch (st) {
    case HD_OK: return CL_SUCCESS;
    case HD_BAD_INPUT:
    case HD_IO: return failure;
    case HD_UNSUPPORTED: return CL_COMPILER_NOT_AVAILABLE;
    case HD_NO_MEMORY:
    case HD_ABORTED:
    case HD_BUG: break;
    }
    return CL_OUT_OF_HOST_MEMORY;
}

/* The IL with the values set by the host as defaults, so that what is created from it (a binary, a
 * linked program) has them too. */
static cl_int specialized(cl_program p, Build *b, cl_int failure)
{
    HdModule *m;
    HdStatus st =
        hd_module_read(hd_program_il(p)->at, hd_program_il(p)->count, true, &b->diags, &m);

    if (st == HD_OK) {
        pthread_mutex_lock(&p->lock);
        st = hd_xform_specialize(m, p->specs.at, p->specs.count, false, &b->words.at,
                                 &b->words.count);
        pthread_mutex_unlock(&p->lock);
        hd_module_drop(m);
    }
    return clc_error(st, failure);
}

/* Source or IL to the module that is worked on. */
static cl_int first_words(cl_program p, Build *b, const HdClcHeader *headers, size_t header_count,
                          cl_int failure)
{
    if (p->kind == HD_PROGRAM_SOURCE) {
        HdClcSource source = {p->source, strlen(p->source), headers, header_count};
        HdStatus st = hd_clc_compile(&source, &b->options, &b->log, &b->words.at, &b->words.count);

        b->words.is_compiled = true;
        hd_precompile_wait(&b->load);
        return clc_error(st, failure);
    }
    if (p->kind == HD_PROGRAM_IL && p->readable.at != NULL)
        hd_xform_warn_long_nulls(&b->diags);
    if (p->kind == HD_PROGRAM_IL && p->specs.count > 0)
        return specialized(p, b, failure);
    {
        const HdWords *from = p->kind == HD_PROGRAM_IL ? hd_program_il(p) : &p->words;

        b->words.at = hd_alloc(from->count * 4);
        b->words.count = from->count;
        b->words.is_compiled = from->is_compiled;
        if (b->words.at == NULL)
            return CL_OUT_OF_HOST_MEMORY;
        memcpy(b->words.at, from->at, from->count * 4);
    }
    return CL_SUCCESS;
}

/* Each device has its own program-scope variables. */
static HdStatus open_memories(cl_program p, HdExecutable *x)
{
    HD_TAKE(x->memories, hd_alloc_zero(p->device_count * sizeof *x->memories));
    for (; x->memory_count < p->device_count; x->memory_count++) {
        HdStatus st = hd_program_memory_open(x->program, &x->memories[x->memory_count]);

        if (st != HD_OK) {
            hd_executable_close_memories(x);
            return st;
        }
    }
    return HD_OK;
}

/* The words that run, when private memory begins with zeros and no compiler of ours saw to that. */
static HdStatus zeroed(Build *b, HdWords *out)
{
    HdModule *m;
    HdStatus st = hd_module_read(b->words.at, b->words.count, true, &b->diags, &m);

    if (st == HD_OK) {
        st = hd_xform_zero(m, &out->at, &out->count);
        hd_module_drop(m);
    }
    return st;
}

/* What it has besides its program. */
static HdStatus open_rest(cl_program p, HdExecutable *x)
{
    uint32_t kernels = hd_program_layout(x->program)->kernel_count;
    HdStatus st;

    HD_TAKE(x->plans, hd_alloc_zero((kernels + 1) * sizeof *x->plans));
    st = open_memories(p, x);
    if (st != HD_OK)
        hd_free(x->plans);
    return st;
}

/* What was written in OpenCL C or linked has all that it will ever have; a module may come with
 * kernels that nobody uses. */
static HdStatus check_bodies(cl_program p, const HdProgram *program, HdDiags *d)
{
    return p->kind == HD_PROGRAM_SOURCE || p->kind == HD_PROGRAM_LINKED
               ? hd_layout_check_bodies(hd_program_layout(program), d)
               : HD_OK;
}

/* Check b's module and make it ready to run. */
static HdStatus open_executable(cl_program p, Build *b, HdExecutable **out)
{
    HdProgramOptions o = {.fast_math = b->options.fast_math,
                          .no_progress = b->options.no_progress,
                          .is_compiled = b->words.is_compiled};
    HdWords words = b->words, own = {0};
    HdExecutable *x;
    HdStatus st = HD_OK;

    if (b->options.zeroes_private && p->kind != HD_PROGRAM_SOURCE) {
        HD_TRY(zeroed(b, &own));
        words = own;
    }
    x = hd_alloc_zero(sizeof *x);
    if (x != NULL) {
        atomic_init(&x->refs, 1);
        st = hd_program_open(words.at, words.count, &o, &b->diags, &x->program);
    }
    hd_free(own.at);
    if (x == NULL)
        return HD_NO_MEMORY;
    if (st == HD_OK) {
        st = check_bodies(p, x->program, &b->diags);
        if (st == HD_OK)
            st = open_rest(p, x);
        if (st != HD_OK)
            hd_program_close(x->program);
    }
    if (st != HD_OK) {
        hd_free(x);
        return st;
    }
    *out = x;
    return HD_OK;
}

/* Leave the result of a build in the program. */
static cl_int finish(cl_program p, Build *b, cl_int code, HdExecutable *x)
{
    hd_diags_print(&b->diags, &b->log, false);
    hd_program_set_result(p, code == CL_SUCCESS ? CL_BUILD_SUCCESS : CL_BUILD_ERROR, &b->log, x);
    if (code != CL_SUCCESS)
        hd_context_notify(p->context, hd_strbuf_text(&b->log));
    close_build(b);
    return code;
}

/* ---- types of arguments -------------------------------------------------------------------------
 */

/* The program with the types of its kernels' arguments. */
static HdStatus compile_described(cl_program p, Build *b, HdProgram **out)
{
    const HdProgramOptions o = {.no_validate = true, .is_compiled = true};
    const HdClcSource source = {.text = p->source, .bytes = strlen(p->source)};
    char *all = with_added(p->options, HD_CLC_BUILD);
    HdStatus st = all != NULL ? hd_clc_options(all, HD_CLC_BUILD, &b->options, NULL) : HD_NO_MEMORY;

    hd_free(all);
    HD_TRY(st);
    name_context(&b->options, p->context);
    b->options.has_arg_info = true;
    HD_TRY(hd_clc_compile(&source, &b->options, &b->log, &b->words.at, &b->words.count));
    return hd_program_open(b->words.at, b->words.count, &o, &b->diags, out);
}

const HdKernelInfo *hd_program_describe(cl_program p, HdExecutable *x, const char *kernel)
{
    const HdKernelInfo *info = NULL;

    pthread_mutex_lock(&p->lock);
    if (!x->is_described && x == p->executable && p->kind == HD_PROGRAM_SOURCE) {
        Build b = {0};

        hd_diags_init(&b.diags);
        if (compile_described(p, &b, &x->described) != HD_OK)
            x->described = NULL;
        close_build(&b);
        x->is_described = true;
    }
    if (x->described != NULL)
        info = hd_build_kernel_info(hd_program_layout(x->described), kernel);
    pthread_mutex_unlock(&p->lock);
    return info;
}

/* ---- the calls ----------------------------------------------------------------------------------
 */

static HdWords take_words(Build *b)
{
    HdWords w = b->words;

    b->words = (HdWords){0};
    return w;
}

cl_int hd_program_build(cl_program p, const char *options)
{
    HdExecutable *x = NULL;
    Build b;
    cl_int code = open_build(&b, p, options, HD_CLC_BUILD, CL_INVALID_BUILD_OPTIONS);

    if (code != CL_SUCCESS)
        return finish(p, &b, code, NULL);
    code = first_words(p, &b, NULL, 0, CL_BUILD_PROGRAM_FAILURE);
    if (code == CL_SUCCESS) {
        HdStatus st = open_executable(p, &b, &x);

        code = st == HD_OK          ? CL_SUCCESS
               : st == HD_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY
                                    : CL_BUILD_PROGRAM_FAILURE;
    }
    if (code == CL_SUCCESS)
        hd_program_set_words(p, take_words(&b), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    return finish(p, &b, code, x);
}

cl_int hd_program_compile(cl_program p, const char *options, cl_uint header_count,
                          const cl_program *headers, const char **names)
{
    HdClcHeader *list = NULL;
    Build b;
    cl_int code = open_build(&b, p, options, HD_CLC_COMPILE, CL_INVALID_COMPILER_OPTIONS);

    if (code != CL_SUCCESS)
        return finish(p, &b, code, NULL);
    if (header_count > 0) {
        list = hd_alloc(header_count * sizeof *list);
        if (list == NULL)
            return finish(p, &b, CL_OUT_OF_HOST_MEMORY, NULL);
        for (cl_uint i = 0; i < header_count; i++)
            list[i] = (HdClcHeader){.name = names[i], .text = headers[i]->source};
    }
    code = first_words(p, &b, list, header_count, CL_COMPILE_PROGRAM_FAILURE);
    hd_free(list);
    if (code == CL_SUCCESS)
        hd_program_set_words(p, take_words(&b), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    return finish(p, &b, code, NULL);
}

/* The module of an input, with what its producer got wrong mended: the linked module does not say
 * who made its parts. */
static HdStatus read_input(Build *b, const HdWords *words, HdModule **out)
{
    HdModule *m = NULL;
    HdWriter mended;
    HdDiags quiet;
    bool done;
    HdStatus st = hd_module_read(words->at, words->count, true, &b->diags, &m);

    if (st != HD_OK)
        return st;
    hd_diags_init(&quiet);
    st = hd_xform_repair(m, words->is_compiled, words->is_compiled ? &quiet : &b->diags, &mended,
                         &done);
    hd_diags_drop(&quiet);
    if (st == HD_OK && !done) {
        *out = m;
        return HD_OK;
    }
    hd_module_drop(m);
    if (st == HD_OK)
        st = hd_module_read(mended.words, mended.count, false, &b->diags, out);
    hd_writer_free(&mended);
    return st;
}

/* The inputs' modules as one, in b. */
static HdStatus link_inputs(Build *b, cl_uint count, const cl_program *inputs)
{
    HdLinkOptions o = {.is_library = b->options.create_library};
    const HdModule **modules;
    HdModule *m;
    cl_uint read = 0;
    HdStatus st = HD_OK;

    HD_TAKE(modules, hd_alloc_zero(count * sizeof *modules));
    b->words.is_compiled = true;
    for (; read < count && st == HD_OK; read++) {
        b->words.is_compiled = b->words.is_compiled && inputs[read]->words.is_compiled;
        st = read_input(b, &inputs[read]->words, &m);
        modules[read] = st == HD_OK ? m : NULL;
    }
    if (st == HD_OK)
        st = hd_xform_link(modules, count, &o, &b->diags, &b->words.at, &b->words.count);
    for (cl_uint i = 0; i < read; i++) {
        if (modules[i] != NULL)
            hd_module_drop((HdModule *)(uintptr_t)modules[i]);
    }
    hd_free(modules);
    return st;
}

cl_int hd_program_link(cl_context c, HdDeviceList devices, const char *options, cl_uint count,
                       const cl_program *inputs, cl_program *out)
{
    cl_program p = hd_program_make(c, HD_PROGRAM_LINKED, devices);
    HdExecutable *x = NULL;
    HdStatus st;
    Build b;
    cl_int code;

    *out = NULL;
    if (p == NULL)
        return CL_OUT_OF_HOST_MEMORY;
    *out = p; /* with a failed link, too: its log says why */
    code = open_build(&b, p, options, HD_CLC_LINK, CL_INVALID_LINKER_OPTIONS);
    if (code != CL_SUCCESS)
        return finish(p, &b, code, NULL);
    for (cl_uint i = 0; i < count; i++)
        p->has_full_groups |= inputs[i]->has_full_groups;
    st = link_inputs(&b, count, inputs);
    if (st == HD_OK && !b.options.create_library)
        st = open_executable(p, &b, &x);
    code = st == HD_OK          ? CL_SUCCESS
           : st == HD_NO_MEMORY ? CL_OUT_OF_HOST_MEMORY
                                : CL_LINK_PROGRAM_FAILURE;
    if (code == CL_SUCCESS)
        hd_program_set_words(p, take_words(&b),
                             b.options.create_library ? CL_PROGRAM_BINARY_TYPE_LIBRARY
                                                      : CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    return finish(p, &b, code, x);
}
