/* interp/fail.c -- reporting what a program does wrong, and where.
 *
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>

#include "interp/report.h"
#include "interp/state.h"
#include "module/source.h"
#include "text/dis.h"

static void add_place(const HdEval *e, unsigned lane, HdStrbuf *text)
{
    const uint64_t *local = e->g->local_size;
    uint64_t item = (uint64_t)e->first + lane, id[3];

    if (lane >= HD_EVAL_LANES || local[0] == 0 || local[1] == 0)
        return;
    hd_kernel_local_id(e->g->kernel, item, local, id);
    hd_strbuf_add(text, e->g->kernel->is_shader ? ", in invocation (" : ", in work-item (");
    for (unsigned i = 0; i < 3; i++)
        hd_strbuf_printf(text, "%s%llu", i ? ", " : "",
                         (unsigned long long)(e->g->global_offset[i] +
                                              e->g->group_id[i] * e->g->enqueued_local_size[i] +
                                              id[i]));
    hd_strbuf_add(text, ")");
}

static HdStatus add(HdEval *e, unsigned lane, HdStatus status, const char *rule, const char *fmt,
                    va_list args)
{
    HdStrbuf message = {0}, inst = {0};
    HdSourcePlace source;
    HdDiag diag = {.severity = HD_ERROR, .status = status, .rule = rule, .word = HD_NO_PLACE};

    hd_strbuf_vprintf(&message, fmt, args);
    if (e->watch != NULL && status == HD_BAD_INPUT) {
        HdDefect d = {.other_place.word = HD_NO_PLACE};

        hd_report(e, HD_ERROR, lane < HD_EVAL_LANES ? UINT64_C(1) << lane : 0, rule, NULL,
                  hd_strbuf_text(&message), &d);
        hd_strbuf_free(&message);
        return status;
    }
    add_place(e, lane, &message);
    if (e->in) {
        hd_text_inst(e->m, e->in, NULL, SIZE_MAX, &inst);
        source = hd_module_source(e->m, e->in->word);
        diag.word = e->in->word;
        diag.inst = hd_strbuf_text(&inst);
        diag.source = source.file;
        diag.source_line = source.line;
        diag.source_column = source.column;
    }
    hd_diags_add(e->d, &diag, "%s", hd_strbuf_text(&message));
    hd_strbuf_free(&message);
    hd_strbuf_free(&inst);
    return status;
}

HdStatus hd_eval_bad(HdEval *e, unsigned lane, const char *rule, const char *fmt, ...)
{
    va_list args;
    HdStatus st;

    va_start(args, fmt);
    st = add(e, lane, HD_BAD_INPUT, rule, fmt, args);
    va_end(args);
    return st;
}

HdStatus hd_eval_unsupported(HdEval *e, const char *fmt, ...)
{
    va_list args;
    HdStatus st;

    va_start(args, fmt);
    st = add(e, HD_EVAL_LANES, HD_UNSUPPORTED, "interp.unsupported", fmt, args);
    va_end(args);
    return st;
}

static void say(HdEval *e, HdSeverity severity, uint64_t lanes, const char *rule, const char *hint,
                const char *fmt, va_list args)
{
    HdStrbuf message = {0};
    HdDefect d = {0};

    d.other_place.word = HD_NO_PLACE;
    hd_strbuf_vprintf(&message, fmt, args);
    hd_report(e, severity, lanes, rule, hint, hd_strbuf_text(&message), &d);
    hd_strbuf_free(&message);
}

HdStatus hd_eval_defect(HdEval *e, uint64_t lanes, const char *rule, const char *hint,
                        const char *fmt, ...)
{
    HdStrbuf message = {0};
    HdStatus st = HD_OK;
    va_list args;

    va_start(args, fmt);
    if (e->watch != NULL) {
        say(e, HD_ERROR, lanes, rule, hint, fmt, args);
    } else {
        hd_strbuf_vprintf(&message, fmt, args);
        st = hd_eval_bad(e, lanes != 0 ? hd_lane_first(lanes) : HD_EVAL_LANES, rule, "%s",
                         hd_strbuf_text(&message));
        hd_strbuf_free(&message);
    }
    va_end(args);
    return st;
}

void hd_eval_note(HdEval *e, uint64_t lanes, const char *rule, const char *hint, const char *fmt,
                  ...)
{
    va_list args;

    if (e->watch == NULL)
        return;
    va_start(args, fmt);
    say(e, HD_NOTE, lanes, rule, hint, fmt, args);
    va_end(args);
}
