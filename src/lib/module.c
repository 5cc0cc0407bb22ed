/* lib/module.c -- assemble, disassemble, validate, link: the public API over text, val and xform.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/array.h"
#include "base/memory.h"
#include "lib/report.h"
#include "text/as.h"
#include "text/dis.h"
#include "val/val.h"
#include "xform/link.h"

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
    HdDiags own, *d = hd_report_diags(r, &own);
    HdStatus st = hd_text_assemble(text, len, NULL, d, words, nwords);

    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_disassemble(const uint32_t *words, size_t nwords, unsigned flags,
                                 heddle_report *r, char **text)
{
    HdDisOptions options = {.raw_ids = (flags & HEDDLE_DIS_RAW_IDS) != 0,
                            .no_header = (flags & HEDDLE_DIS_NO_HEADER) != 0,
                            .indent = (flags & HEDDLE_DIS_INDENT) != 0,
                            .offsets = (flags & HEDDLE_DIS_OFFSETS) != 0,
                            .colour = (flags & HEDDLE_DIS_COLOUR) != 0,
                            .comments = (flags & HEDDLE_DIS_COMMENTS) != 0};
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

static void print_inst(void *user, const HdModule *m, const HdInst *in, HdStrbuf *out)
{
    (void)user;
    hd_text_inst(m, in, NULL, out);
}

static HdStatus validate(const HdModule *m, const char *name, const char *extensions, HdDiags *d)
{
    HdValOptions options = {.print_inst = print_inst};
    const char *bad = NULL;
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

heddle_status heddle_validate(const uint32_t *words, size_t nwords, const char *env,
                              const char *extensions, heddle_report *r)
{
    HdDiags own, *d = hd_report_diags(r, &own);
    HdModule *m = NULL;
    HdStatus st = hd_module_read(words, nwords, true, d, &m);

    if (st == HD_OK)
        st = validate(m, env, extensions, d);
    if (m != NULL)
        hd_module_drop(m);
    hd_report_done(r, &own);
    return hd_report_status(st);
}

heddle_status heddle_link(const heddle_module *modules, size_t count, int is_library,
                          heddle_report *r, uint32_t **words, size_t *nwords)
{
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
