/* tests/robust/mutants.c -- modules that mutants are made from, and what mutants are taken through.
 *
 * SPDX-License-Identifier: MIT
 */
#include "mutate.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "interp/interp.h"
#include "jit/program.h"
#include "text/as.h"

const char *const stage_names[STAGE_COUNT] = {"mutate",      "open",  "rewrite",
                                              "interpreter", "draft", "code"};

/* ---- modules to start from ---------------------------------------------------------------------
 */

static bool has_suffix(const char *s, const char *suffix)
{
    size_t a = strlen(s), b = strlen(suffix);

    return a >= b && strcmp(s + a - b, suffix) == 0;
}

/* Kernels' modules are judged by the device's rules, shaders' by SPIR-V's own. */
static const HdProgramOptions any = {.shaders = true};

bool mutant_is_sound(const uint32_t *words, size_t count)
{
    HdProgram *p = NULL;
    HdDiags d;
    bool good;

    hd_diags_init(&d);
    good = hd_program_open(words, count, &any, &d, &p) == HD_OK &&
           hd_program_layout(p)->kernel_count != 0;
    hd_program_close(p);
    hd_diags_drop(&d);
    return good;
}

static void seed_add(Seeds *out, const char *path)
{
    uint32_t *words = NULL;
    size_t bytes = 0, count = 0;
    char *text = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_file_read(path, &d, &text, &bytes) == HD_OK) {
        if (has_suffix(path, ".spvasm")) {
            hd_text_assemble(text, bytes, NULL, &d, &words, &count);
        } else {
            count = bytes / 4;
            words = hd_alloc(bytes + 1);
            memcpy(words, text, bytes);
        }
    }
    if (words != NULL && count > 5 && count < 8192 && mutant_is_sound(words, count)) {
        out->at = realloc(out->at, (out->count + 1) * sizeof *out->at);
        out->at[out->count++] = (Seed){.path = strdup(path), .words = words, .count = count};
    } else {
        hd_free(words);
    }
    hd_free(text);
    hd_diags_drop(&d);
}

void seeds_load(Seeds *out, const char *folder)
{
    struct dirent **list;
    int n = scandir(folder, &list, NULL, alphasort);
    char path[4096];

    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name;

        snprintf(path, sizeof path, "%s/%s", folder, name);
        if (has_suffix(name, ".spv") || has_suffix(name, ".spvasm"))
            seed_add(out, path);
        else if (name[0] != '.' && strchr(name, '.') == NULL)
            seeds_load(out, path);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

void seeds_free(Seeds *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->at[i].path);
        hd_free(s->at[i].words);
    }
    free(s->at);
    *s = (Seeds){0};
}

/* ---- through the compiler ----------------------------------------------------------------------
 */

static void note(MutantState *st, HdStatus status, const HdDiags *d, const char *more)
{
    const char *message = more;

    if (status == HD_OK || (status != HD_BUG && d->errors != 0))
        return;
    if (message == NULL)
        message = d->count != 0 ? d->at[d->count - 1].message : "refused without saying why";
    snprintf(st->text, sizeof st->text, "%s: %s", stage_names[st->stage], message);
    st->bugs++;
}

/* What launches ask for: any width, any size of groups, any way to compile. */
static HdVariant variant_of(const HdKernelInfo *k, uint64_t number)
{
    static const uint8_t widths[] = {8, 16, 32, 1, 4, 16, 8};
    static const uint64_t sizes[][3] = {{64, 1, 1}, {5, 1, 1}, {16, 4, 1}, {5, 3, 2}, {12, 8, 1}};
    static const uint8_t counts[] = {0, HD_COARSEN_BY_COST, 2, 3};
    uint8_t width = widths[number % 7];
    const uint64_t *size = sizes[number / 7 % 5];
    HdVariant v = hd_variant_of_size(width, size, true, hd_variant_goes_by_rows(k, width, size));

    number /= 35;
    v.tests.dispatch = number % 5 == 0;
    v.tests.fibers = number % 3 == 0;
    v.tests.calls = number % 4 == 0;
    v.launch.apart = number % 8 < 6;
    v.form.against = number % 7 == 0;
    v.form.coarsen = v.launch.apart ? counts[number / 8 % 4] : 0;
    v.form.dims = HD_ALL_DIMS;
    v.form.rows = HD_ALL_DIMS;
    return v;
}

static void run_kernel(HdProgram *p, const HdKernelInfo *k, uint64_t number, MutantState *st)
{
    HdVariant v = variant_of(k, number);
    const HdKernelCode *code;
    HdCodeFacts facts;
    HdStatus status;
    HdDiags d;

    hd_diags_init(&d);
    st->stage = STAGE_DRAFT;
    status = hd_program_facts(p, k, v, &d, &facts);
    if (status == HD_OK) {
        st->stage = STAGE_CODE;
        status = hd_program_code(p, k, v, &d, &code);
        st->compiled += status == HD_OK;
    }
    note(st, status, &d, NULL);
    hd_diags_drop(&d);
}

void mutant_run(const uint32_t *words, size_t count, uint64_t number, const Seed *seed,
                MutantState *st)
{
    HdInterpProgram *interp = NULL;
    HdProgram *p = NULL;
    HdStatus status;
    HdDiags d;

    hd_diags_init(&d);
    st->stage = STAGE_OPEN;
    status = hd_program_open(words, count, &any, &d, &p);
    note(st, status, &d, NULL);
    if (status == HD_OK) {
        const HdBuildLayout *l = hd_program_layout(p);
        char problem[300];

        st->valid++;
        st->stage = STAGE_REWRITE;
        mutant_rewrite(words, count, seed, problem, sizeof problem);
        if (problem[0] != '\0')
            note(st, HD_BUG, &d, problem);
        st->stage = STAGE_INTERPRETER;
        status = hd_interp_open(hd_program_module(p), l, false, &d, &interp);
        note(st, status, &d, NULL);
        if (status == HD_OK)
            hd_interp_close(interp);
        for (uint32_t k = 0; k < l->kernel_count && k < 4; k++)
            run_kernel(p, &l->kernels[k], number, st);
        hd_program_close(p);
    }
    hd_diags_drop(&d);
}
