/* lib/module.c -- assemble, disassemble, validate, link, strip, specialise: the public API over
 * text, val and xform.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"
#include "base/float_env.h"
#include "base/memory.h"
#include "lib/report.h"
#include "lib/specialization.h"
#include "text/as.h"
#include "text/dis.h"
#include "val/val.h"
#include "xform/link.h"
#include "xform/specialize.h"
#include "xform/strip.h"

const char *heddle_version(void)
{
    return HD_VERSION;
}

void heddle_free(void *block)
{
    hd_free(block);
}

heddle_status heddle_assemble(const char *text, size_t len, heddle_report *r, uint32_t **words,
                              size_t *nwords)
{
    return heddle_assemble_as(text, len, 0, 0, r, words, nwords);
}

heddle_status heddle_assemble_as(const char *text, size_t len, uint32_t version, unsigned flags,
                                 heddle_report *r, uint32_t **words, size_t *nwords)
{
    HD_FLOAT_ENV;
    HdAsOptions options = {.version = version,
                           .preserve_numeric_ids = (flags & HEDDLE_AS_PRESERVE_IDS) != 0};
    HdDiags own, *d = hd_report_diags(r, &own);
    HdStatus st = hd_text_assemble(text, len, &options, d, words, nwords);

    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_disassemble(const uint32_t *words, size_t nwords, unsigned flags,
                                 heddle_report *r, char **text)
{
    HD_FLOAT_ENV;
    HdDisOptions options = {.raw_ids = (flags & HEDDLE_DIS_RAW_IDS) != 0,
                            .no_header = (flags & HEDDLE_DIS_NO_HEADER) != 0,
                            .indent = (flags & HEDDLE_DIS_INDENT) != 0,
                            .offsets = (flags & HEDDLE_DIS_OFFSETS) != 0,
                            .colour = (flags & HEDDLE_DIS_COLOUR) != 0,
                            .comments = (flags & HEDDLE_DIS_COMMENTS) != 0,
                            .nested_indent = (flags & HEDDLE_DIS_NESTED) != 0,
                            .reorder_blocks = (flags & HEDDLE_DIS_REORDER) != 0,
                            .unknown_ops = (flags & HEDDLE_DIS_UNKNOWN) != 0};
    HdDiags own, *d = hd_report_diags(r, &own);
    HdStrbuf out = {0};
    HdStatus st;

    hd_strbuf_add(&out, "");
    st = hd_text_disassemble(words, nwords, &options, d, &out);
    if (st == HD_OK && out.failed)
        st = HD_NO_MEMORY;
    if (st != HD_OK)
        hd_strbuf_free(&out);
    *text = out.at;
    hd_report_done(r, &own);
    return hd_report_status(st);
}

static HdStatus validate(const HdModule *m, const heddle_validate_options *o, HdDiags *d)
{
    HdValOptions options = {.threads = o->threads};
    const char *bad = NULL, *name = o->env, *extensions = o->extensions;
    HdValEnv env;

    if (name == NULL)
        return hd_val_module(m, &options, d);
    if (!hd_val_env_find(name, &env))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "env.name", "unknown environment '%s'", name);
    if (extensions != NULL && !hd_val_env_extend(&env, extensions, &bad))
        return hd_fail(d, HD_BAD_INPUT, HD_NO_PLACE, "env.extension", "unknown extension '%s'",
                       bad);
    options.env = &env;
    return hd_val_module(m, &options, d);
}

heddle_status heddle_validate_with(const uint32_t *words, size_t nwords,
                                   const heddle_validate_options *o, heddle_report *r)
{
    HD_FLOAT_ENV;
    static const heddle_validate_options none;
    HdDiags own, *d = hd_report_diags(r, &own);
    size_t before = d->count, limit;
    HdModule *m = NULL;
    HdStatus st;

    o = o != NULL ? o : &none;
    if (o->finding != NULL && r == NULL)
        own = (HdDiags){0}; /* all findings are passed on */
    limit = d->limit;
    d->limit = o->limit != 0 ? d->errors + o->limit : limit;
    st = hd_module_read_by(o->threads, words, nwords, true, d, &m);
    if (st == HD_OK)
        st = validate(m, o, d);
    hd_module_drop(m);
    d->limit = limit;
    for (size_t i = before; o->finding != NULL && i < d->count; i++) {
        heddle_finding finding = hd_report_finding(&d->at[i]);

        o->finding(o->user, &finding);
    }
    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_validate(const uint32_t *words, size_t nwords, const char *env,
                              const char *extensions, heddle_report *r)
{
    heddle_validate_options o = {.env = env, .extensions = extensions};

    return heddle_validate_with(words, nwords, &o, r);
}

heddle_status heddle_strip(const uint32_t *words, size_t nwords, unsigned what, heddle_report *r,
                           uint32_t **words_out, size_t *nwords_out)
{
    HdDiags own, *d = hd_report_diags(r, &own);
    HdModule *m = NULL;
    HdStatus st = hd_module_read(words, nwords, true, d, &m);

    *words_out = NULL;
    *nwords_out = 0;
    if (st == HD_OK)
        st = hd_xform_strip(m, what != 0 ? what : HD_STRIP_ALL, words_out, nwords_out);
    hd_module_drop(m);
    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_specialize(const uint32_t *words, size_t nwords,
                                const heddle_specialization *spec, size_t spec_count, int freeze,
                                heddle_report *r, uint32_t **words_out, size_t *nwords_out)
{
    HD_FLOAT_ENV;
    HdDiags own, *d = hd_report_diags(r, &own);
    HdSpecialization *values = hd_alloc_zero((spec_count + 1) * sizeof *values);
    HdModule *m = NULL;
    HdStatus st = values != NULL ? hd_module_read(words, nwords, true, d, &m) : HD_NO_MEMORY;

    *words_out = NULL;
    *nwords_out = 0;
    for (size_t i = 0; values != NULL && i < spec_count; i++)
        values[i] = hd_lib_specialization(&spec[i]);
    if (st == HD_OK)
        st = hd_xform_specialize(m, values, spec_count, freeze != 0, words_out, nwords_out);
    hd_module_drop(m);
    hd_free(values);
    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_link(const heddle_module *modules, size_t count, int is_library,
                          heddle_report *r, uint32_t **words, size_t *nwords)
{
    HD_FLOAT_ENV;
    HdLinkOptions options = {.is_library = is_library != 0, .allow_unresolved = is_library != 0};
    HdDiags own, *d = hd_report_diags(r, &own);
    HD_ARRAY(HdModule *) read = {0};
    HdStatus st = HD_OK;

    *words = NULL;
    for (size_t i = 0; i < count && st == HD_OK; i++) {
        HdModule *m = NULL;

        st = hd_module_read(modules[i].words, modules[i].nwords, true, d, &m);
        if (st == HD_OK && !HD_PUSH(NULL, &read, m)) {
            hd_module_drop(m);
            st = HD_NO_MEMORY;
        }
    }
    if (st == HD_OK)
        st = hd_xform_link((const HdModule *const *)read.at, count, &options, d, words, nwords);
    for (size_t i = 0; i < read.count; i++)
        hd_module_drop(read.at[i]);
    HD_ARRAY_FREE(&read);
    hd_report_done(r, &own);
    return hd_report_status(st);
}
