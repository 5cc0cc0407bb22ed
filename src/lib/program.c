/* lib/program.c -- programs and runs: the public API over launch.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"
#include "base/memory.h"
#include "launch/hooks.h"
#include "launch/launch.h"
#include "launch/memory.h"
#include "lib/args.h"
#include "lib/program.h"
#include "lib/report.h"
#include "lib/specialization.h"

static HdStatus open_program(const uint32_t *words, size_t nwords, const HdProgramOptions *o,
                             HdDiags *d, heddle_program *p)
{
    HD_TRY(hd_program_open(words, nwords, o, d, &p->program));
    return hd_program_memory_open(p->program, &p->memory);
}

heddle_status heddle_program_open_with(const uint32_t *words, size_t nwords,
                                       const heddle_program_options *o, heddle_report *r,
                                       heddle_program **out)
{
    static const heddle_program_options none;
    HdDiags own, *d = hd_report_diags(r, &own);
    HD_ARRAY(HdSpecialization) values = {0};
    HdProgramOptions options = {0};
    heddle_program *p = hd_alloc_zero(sizeof *p);
    HdStatus st = p != NULL ? HD_OK : HD_NO_MEMORY;

    o = o != NULL ? o : &none;
    for (size_t i = 0; i < o->spec_count && st == HD_OK; i++) {
        HdSpecialization s = hd_lib_specialization(&o->spec[i]);

        if (!HD_PUSH(NULL, &values, s))
            st = HD_NO_MEMORY;
    }
    options.spec = values.at;
    options.spec_count = o->spec_count;
    options.fast_math = o->fast_math != 0;
    options.shaders = true;
    if (st == HD_OK)
        st = open_program(words, nwords, &options, d, p);
    HD_ARRAY_FREE(&values);
    hd_report_done(r, &own);
    if (st != HD_OK) {
        heddle_program_close(p);
        p = NULL;
    }
    *out = p;
    return hd_report_status(st);
}

heddle_status heddle_program_open(const uint32_t *words, size_t nwords,
                                  const heddle_specialization *spec, size_t spec_count,
                                  heddle_report *r, heddle_program **out)
{
    heddle_program_options o = {.spec = spec, .spec_count = spec_count};

    return heddle_program_open_with(words, nwords, &o, r, out);
}

void heddle_program_close(heddle_program *p)
{
    if (p == NULL)
        return;
    hd_program_memory_finalize(&p->memory, hd_lib_drop_text, NULL);
    hd_program_memory_close(&p->memory);
    hd_program_close(p->program);
    hd_free(p);
}

size_t heddle_program_kernel_count(const heddle_program *p)
{
    return hd_program_layout(p->program)->kernel_count;
}

const char *heddle_program_kernel(const heddle_program *p, size_t index)
{
    return hd_program_layout(p->program)->kernels[index].name;
}

static HdStatus find_kernel(const heddle_program *p, const char *name, HdDiags *d,
                            const HdKernelInfo **out)
{
    const HdBuildLayout *l = hd_program_layout(p->program);

    *out = name != NULL           ? hd_build_kernel_info(l, name)
           : l->kernel_count == 1 ? &l->kernels[0]
                                  : NULL;
    if (*out != NULL)
        return HD_OK;
    if (name != NULL)
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.kernel", "there is no kernel '%s'",
                       name);
    return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "launch.kernel",
                   "the module has %u kernels: the launch must name one",
                   (unsigned)l->kernel_count);
}

heddle_status hd_lib_run(heddle_program *p, const heddle_launch *launch, const HdLaunchCheck *check,
                         heddle_report *r)
{
    HdDiags own, *d = hd_report_diags(r, &own);
    const HdKernelInfo *k = NULL;
    HdLibArgs args = {0};
    HdStatus st = find_kernel(p, launch->kernel, d, &k);

    if (st == HD_OK)
        st = hd_lib_args_open(launch, k, d, &args);
    if (st == HD_OK)
        st = hd_lib_launch(p, launch, k, &args.set, check, d);
    hd_lib_args_close(&args);
    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_run(heddle_program *p, const heddle_launch *launch, heddle_report *r)
{
    return hd_lib_run(p, launch, NULL, r);
}

heddle_status hd_lib_run_shader(heddle_program *p, const heddle_dispatch *from,
                                const HdLaunchCheck *check, heddle_report *r)
{
    HdDiags own, *d = hd_report_diags(r, &own);
    const HdKernelInfo *k = NULL;
    HdStatus st = find_kernel(p, from->shader, d, &k);

    if (st == HD_OK)
        st = hd_lib_dispatch(p, from, k, check, d);
    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_dispatch_run(heddle_program *p, const heddle_dispatch *dispatch,
                                  heddle_report *r)
{
    return hd_lib_run_shader(p, dispatch, NULL, r);
}
