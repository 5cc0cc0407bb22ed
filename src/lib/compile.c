/* lib/compile.c -- OpenCL C: the public API over clc.
 *
 * SPDX-License-Identifier: MIT
 */
#include "lib/compile.h"

#include "base/float_env.h"
#include "clc/clc.h"
#include "lib/report.h"
#include "val/device.h"

/* The compiler's own words become one finding: they name lines of the source themselves. */
static void add_log(HdDiags *d, HdStatus st, const HdStrbuf *log)
{
    HdDiag diag = {.severity = st == HD_OK ? HD_WARNING : HD_ERROR,
                   .status = st,
                   .rule = "source.compile",
                   .word = HD_NO_PLACE};
    const char *what =
        st == HD_UNSUPPORTED ? "no compiler for OpenCL C was found" : "OpenCL C was not compiled";
    const char *text = hd_strbuf_text(log);
    size_t len = log->count;

    while (len > 0 && text[len - 1] == '\n')
        len--;
    if (st == HD_OK && len > 0)
        hd_diags_add(d, &diag, "%.*s", (int)len, text);
    if (st != HD_OK)
        hd_diags_add(d, &diag, "%s%s%.*s", what, len > 0 ? "\n" : "", (int)len, text);
}

/* What the device's compiler supports, as the driver reports it. */
static void write_language(HdStrbuf *out)
{
    static const struct {
        const char *name;
        unsigned on;
    } rows[] = {
#define EXTENSION(name, major, minor, patch, on) {#name, on},
#include "val/device.def"
#define FEATURE(name, on) {#name, on},
#include "val/features.def"
#undef FEATURE
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (hd_val_device_has(rows[i].on))
            hd_strbuf_printf(out, "%s%s", out->count > 0 ? " " : "", rows[i].name);
    if (hd_val_device_profile() != HD_DEVICE_FULL)
        hd_strbuf_add(out, " __EMBEDDED_PROFILE__");
}

HdStatus hd_lib_compile(const char *path, const char *text, size_t len, const char *options,
                        HdDiags *d, uint32_t **words, size_t *nwords, bool *fast_math)
{
    HdStrbuf log = {0}, language = {0};
    HdClcSource source = {.text = text, .bytes = len};
    HdClcOptions o;
    HdStatus st = hd_clc_options(options, HD_CLC_BUILD, &o, d);

    *words = NULL;
    *nwords = 0;
    *fast_math = false;
    if (st != HD_OK)
        return st;
    o.path = path;
    o.may_link = true; /* `heddle link` does */
    write_language(&language);
    o.extensions = hd_strbuf_text(&language);
    st = language.failed ? HD_NO_MEMORY : hd_clc_compile(&source, &o, &log, words, nwords);
    hd_strbuf_free(&language);
    *fast_math = o.fast_math;
    add_log(d, st, &log);
    hd_clc_options_free(&o);
    hd_strbuf_free(&log);
    return st;
}

heddle_status heddle_compile(const char *source, size_t len, const char *path, const char *options,
                             heddle_report *r, uint32_t **words, size_t *nwords)
{
    HD_FLOAT_ENV;
    HdDiags own, *d = hd_report_diags(r, &own);
    bool fast_math;
    HdStatus st = hd_lib_compile(path, source, len, options, d, words, nwords, &fast_math);

    hd_report_done(r, &own);
    return hd_report_status(st);
}
