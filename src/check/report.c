/* check/report.c -- defects in the requested format.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check/report.h"

#include <string.h>

void hd_defects_print(const HdDefects *all, const char *file, HdDefectForm form, HdStrbuf *out)
{
    HdSources sources = {0};

    switch (form) {
    case HD_DEFECT_TEXT:
    case HD_DEFECT_COLOUR:
        hd_defects_text(all, file, form == HD_DEFECT_COLOUR, &sources, out);
        break;
    case HD_DEFECT_JSON: hd_defects_json(all, out); break;
    case HD_DEFECT_SARIF: hd_defects_sarif(all, file, out); break;
    case HD_DEFECT_HTML: hd_defects_html(all, file, &sources, out); break;
    }
    hd_sources_close(&sources);
}

HdDefectForm hd_defects_form(const char *path)
{
    const char *dot = path != NULL ? strrchr(path, '.') : NULL;

    if (dot == NULL)
        return HD_DEFECT_TEXT;
    if (strcmp(dot, ".json") == 0)
        return HD_DEFECT_JSON;
    if (strcmp(dot, ".sarif") == 0)
        return HD_DEFECT_SARIF;
    return strcmp(dot, ".html") == 0 ? HD_DEFECT_HTML : HD_DEFECT_TEXT;
}
