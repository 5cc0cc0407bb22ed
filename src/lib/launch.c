/* lib/launch.c -- one run of a kernel or shader whose arguments are set.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/option.h"
#include "launch/pool.h"
#include "launch/run.h"
#include "lib/program.h"

void hd_lib_drop_text(void *user, const char *text, size_t len)
{
    (void)user, (void)text, (void)len;
}

HdStatus hd_lib_launch(heddle_program *p, const heddle_launch *from, const HdKernelInfo *k,
                       HdArgs *args, const HdLaunchCheck *check, HdDiags *d)
{
    bool is_interpreted = check != NULL || from->engine == HEDDLE_INTERPRETED;
    HdLaunch l = {.program = p->program,
                  .kernel = k,
                  .memory = &p->memory,
                  .args = args,
                  .check = check,
                  .engine = is_interpreted ? HD_ENGINE_INTERPRETED : HD_ENGINE_COMPILED,
                  .work_dim = from->work_dim,
                  .width = from->subgroup_size,
                  .of_args.apart = hd_option_number(HD_OPTION_APART) == 2,
                  .sink = from->print != NULL ? from->print : hd_lib_drop_text,
                  .sink_user = from->user};
    HdPool *pool = NULL;
    HdStatus st;

    for (int i = 0; i < 3; i++) {
        l.global_offset[i] = from->global_offset[i];
        l.global_size[i] = from->global_size[i];
        l.local_size[i] = from->local_size[i];
    }
    if (from->threads != 1)
        HD_TRY(hd_pool_open(from->threads, &pool));
    st = hd_launch_run(pool, &l, d);
    if (pool != NULL)
        hd_pool_close(pool);
    return st;
}
