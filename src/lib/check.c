/* lib/check.c -- checked runs: the public API over check and launch.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/observer.h"

#include "base/float_env.h"
#include "base/memory.h"
#include "lib/check.h"
#include "lib/program.h"
#include "lib/report.h"

heddle_check *heddle_check_open(void)
{
    heddle_check *c = hd_alloc_zero(sizeof *c);

    if (c != NULL && hd_check_open(&c->check) != HD_OK) {
        hd_free(c);
        return NULL;
    }
    return c;
}

void heddle_check_close(heddle_check *c)
{
    if (c == NULL)
        return;
    hd_check_close(c->check);
    hd_free(c);
}

static uint64_t address(const void *at)
{
    return (uint64_t)(uintptr_t)at;
}

heddle_status heddle_check_memory(heddle_check *c, const void *at, size_t bytes, const char *name,
                                  unsigned flags)
{
    HdRegion r = {.at = address(at),
                  .bytes = bytes,
                  .kind = HD_REGION_BUFFER,
                  .is_undefined = (flags & HEDDLE_MEMORY_UNDEFINED) != 0,
                  .is_read_only = (flags & HEDDLE_MEMORY_READ_ONLY) != 0,
                  .is_write_only = (flags & HEDDLE_MEMORY_WRITE_ONLY) != 0,
                  .owner = c};

    return hd_report_status(hd_check_add(c->check, &r, name));
}

void heddle_check_forget(heddle_check *c, const void *at)
{
    hd_check_remove(c->check, address(at), c, NULL);
}

void heddle_check_wrote(heddle_check *c, const void *at, size_t bytes)
{
    hd_check_host_wrote(c->check, address(at), bytes);
}

void heddle_check_reads(heddle_check *c, const void *at, size_t bytes)
{
    hd_check_host_reads(c->check, address(at), bytes, "the host");
}

static HdLaunchCheck options_of(heddle_check *c, const heddle_check_options *o)
{
    HdLaunchCheck check = {.check = c->check, .knows_all_memory = true};

    if (o != NULL) {
        check.seconds = o->seconds;
        check.seed = o->seed;
    }
    return check;
}

heddle_status heddle_check_run(heddle_check *c, heddle_program *p, const heddle_launch *launch,
                               const heddle_check_options *o, heddle_report *r)
{
    HdLaunchCheck check = options_of(c, o);

    return hd_lib_run(p, launch, &check, r);
}

heddle_status heddle_check_dispatch(heddle_check *c, heddle_program *p,
                                    const heddle_dispatch *dispatch, const heddle_check_options *o,
                                    heddle_report *r)
{
    HdLaunchCheck check = options_of(c, o);

    return hd_lib_run_shader(p, dispatch, &check, r);
}

void heddle_check_observe(heddle_check *c, const heddle_observer *o)
{
    hd_check_observe(c->check, o);
}

heddle_status heddle_check_load_observer(heddle_check *c, const char *path, heddle_report *r)
{
    HdDiags own, *d = hd_report_diags(r, &own);
    HdStatus st = hd_check_load_observer(c->check, path, d);

    hd_report_done(r, &own);
    return hd_report_status(st);
}

/* ---- what was found ------------------------------------------------------------------------ */

size_t heddle_check_count(heddle_check *c)
{
    return hd_check_defects(c->check)->count;
}

size_t heddle_check_errors(heddle_check *c)
{
    return hd_check_errors(c->check);
}

static heddle_place place_of(const HdDefectPlace *p)
{
    return (heddle_place){
        .function = p->function,
        .instruction = p->inst,
        .source = p->source,
        .line = p->line,
        .column = p->column,
        .byte = p->word == HD_NO_PLACE ? UINT64_MAX : (uint64_t)p->word * 4,
    };
}

static heddle_work_item item_of(const HdDefectItem *i)
{
    heddle_work_item out = {.is_known = i->is_known, .subgroup = i->subgroup, .lane = i->lane};

    for (int k = 0; k < 3; k++) {
        out.global_id[k] = i->global[k];
        out.local_id[k] = i->local[k];
        out.group_id[k] = i->group[k];
    }
    return out;
}

heddle_defect heddle_check_get(heddle_check *c, size_t index)
{
    const HdDefect *d = &hd_check_defects(c->check)->at[index];

    return (heddle_defect){
        .severity = hd_report_severity(d->severity),
        .rule = d->rule,
        .message = d->message,
        .kernel = d->kernel,
        .variable = d->variable,
        .memory = d->memory,
        .hint = d->hint,
        .place = place_of(&d->place),
        .item = item_of(&d->item),
        .other = d->other,
        .other_place = place_of(&d->other_place),
        .other_item = item_of(&d->other_item),
        .address = d->address,
        .bytes = d->bytes,
        .count = d->count,
    };
}

char *heddle_check_text(heddle_check *c, const char *file, heddle_form form)
{
    HD_FLOAT_ENV;
    static const HdDefectForm forms[] = {
        [HEDDLE_FORM_TEXT] = HD_DEFECT_TEXT, [HEDDLE_FORM_COLOUR] = HD_DEFECT_COLOUR,
        [HEDDLE_FORM_JSON] = HD_DEFECT_JSON, [HEDDLE_FORM_SARIF] = HD_DEFECT_SARIF,
        [HEDDLE_FORM_HTML] = HD_DEFECT_HTML,
    };
    HdStrbuf out = {0};

    hd_defects_print(hd_check_defects(c->check), file, forms[form], &out);
    return hd_report_take(&out);
}
