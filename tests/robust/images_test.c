/* tests/robust/images_test.c -- every kernel of a folder of modules is compiled: none may fail.
 *
 *   images_test [OPTION …] [FOLDER | FILE …]
 *     --width W[,W…]   sub-group sizes for kernels that require none (default 8,16)
 *     --step N[:AT]    every Nth module only, from number AT on
 *     --slow MS        print kernels that took longer (default 2000)
 *     --each           print a line for each module
 *
 * Modules that occur several times are looked at once. They are opened as a program opens them:
 * checked against the device, repaired, laid out. Each kernel is compiled at the sub-group size
 * that it requires, else at all that were asked for, in the variant that most launches need, and
 * its code is loaded; nothing comes from the disk cache. Prints processor time and peak memory of
 * all, and of the slowest and largest. Without a folder (or the environment's HEDDLE_IMAGES) it is
 * skipped: tests/text/images_test.py says how to get one.
 *
 * SPDX-License-Identifier: MIT
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "generator.h"
#include "jit/program.h"
#include "mutate.h"
#include "text/as.h"

#define WIDTHS 5

typedef struct Totals {
    unsigned modules, refused, kernels, codes, failed;
    double open_ms, compile_ms, slowest_ms;
    uint64_t peak_kib;
    char slowest[600], largest[600];
} Totals;

typedef struct Options {
    uint8_t widths[WIDTHS];
    unsigned width_count, step, at;
    double slow_ms;
    bool each;
} Options;

typedef struct Paths {
    char **at;
    size_t count;
} Paths;

/* ---- files -------------------------------------------------------------------------------------
 */

static bool ends(const char *s, const char *suffix)
{
    size_t a = strlen(s), b = strlen(suffix);

    return a >= b && strcmp(s + a - b, suffix) == 0;
}

static void paths_add(Paths *out, const char *path)
{
    out->at = realloc(out->at, (out->count + 1) * sizeof *out->at);
    out->at[out->count++] = strdup(path);
}

static void paths_find(Paths *out, const char *path)
{
    struct stat st;
    struct dirent **list;
    char inner[4096];
    int n;

    if (stat(path, &st) != 0)
        return;
    if (!S_ISDIR(st.st_mode)) {
        paths_add(out, path);
        return;
    }
    n = scandir(path, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(inner, sizeof inner, "%s/%s", path, list[i]->d_name);
        if (ends(inner, ".spv") || ends(inner, ".spvasm"))
            paths_add(out, inner);
        free(list[i]);
    }
    if (n >= 0)
        free(list);
}

/* A module's words; NULL when it cannot be read. */
static uint32_t *words_of(const char *path, size_t *count)
{
    uint32_t *words = NULL;
    size_t bytes = 0;
    char *text = NULL;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_file_read(path, &d, &text, &bytes) == HD_OK) {
        if (ends(path, ".spvasm")) {
            (void)hd_text_assemble(text, bytes, NULL, &d, &words, count);
        } else {
            *count = bytes / 4;
            words = hd_alloc(bytes + 1);
            if (words != NULL)
                memcpy(words, text, bytes);
        }
    }
    hd_free(text);
    hd_diags_drop(&d);
    return words;
}

/* Has a module with these words been seen? */
static bool is_known(HdArena *a, HdMap *seen, const uint32_t *words, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325u, old;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * 0x100000001b3u;
    hash ^= hash >> 29;
    return hd_map_get(seen, hash, &old) || !hd_map_put(a, seen, hash, 1);
}

/* ---- what it costs -----------------------------------------------------------------------------
 */

static double cpu_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Forget the greatest memory that the process has had; where the system cannot, peaks only grow. */
static void peak_reset(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");

    if (f != NULL) {
        fputs("5", f);
        fclose(f);
    }
}

static uint64_t peak_kib(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    unsigned long long kib = 0;
    char line[256];

    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "VmHWM: %llu", &kib) == 1)
            break;
    }
    if (f != NULL)
        fclose(f);
    return kib;
}

/* ---- modules -----------------------------------------------------------------------------------
 */

static void complain(const char *path, const char *what, unsigned width, const HdDiags *d)
{
    const HdDiag *g = NULL;

    for (size_t i = 0; i < d->count; i++)
        g = d->at[i].severity == HD_ERROR ? &d->at[i] : g;
    printf("FAILED %s%s%s", path, what[0] != '\0' ? ": " : "", what);
    if (width != 0)
        printf(" at width %u", width);
    printf(": %s [%s]\n", g != NULL ? g->message : "no reason given", g != NULL ? g->rule : "?");
}

static void compile(HdProgram *p, const HdKernelInfo *k, unsigned width, const char *path,
                    const Options *o, Totals *t)
{
    const HdKernelCode *code;
    HdVariant v = hd_variant_usual(hd_program_cpu(p), k);
    double start = cpu_ms(), ms;
    HdDiags d;

    v.width = (uint8_t)width;
    hd_diags_init(&d);
    t->codes++;
    if (hd_program_code(p, k, v, &d, &code) != HD_OK) {
        t->failed++;
        complain(path, k->name, width, &d);
    }
    hd_diags_drop(&d);
    ms = cpu_ms() - start;
    t->compile_ms += ms;
    if (ms > o->slow_ms)
        printf("slow   %s: %s at width %u: %.0f ms\n", path, k->name, width, ms);
    if (ms > t->slowest_ms) {
        t->slowest_ms = ms;
        snprintf(t->slowest, sizeof t->slowest, "%s: %.300s at width %u", path, k->name, width);
    }
}

static void module(const char *path, const uint32_t *words, size_t count, const Options *o,
                   Totals *t)
{
    double start = cpu_ms(), before = t->compile_ms;
    HdProgram *p = NULL;
    uint64_t kib;
    HdDiags d;

    hd_diags_init(&d);
    peak_reset();
    t->modules++;
    if (words == NULL || hd_program_open(words, count, NULL, &d, &p) != HD_OK) {
        t->refused++;
        complain(path, "", 0, &d);
    }
    t->open_ms += cpu_ms() - start;
    for (uint32_t i = 0; p != NULL && i < hd_program_layout(p)->kernel_count; i++) {
        const HdKernelInfo *k = &hd_program_layout(p)->kernels[i];

        t->kernels++;
        if (k->subgroup_size != 0)
            compile(p, k, k->subgroup_size, path, o, t);
        for (unsigned n = 0; k->subgroup_size == 0 && n < o->width_count; n++)
            compile(p, k, o->widths[n], path, o, t);
    }
    kib = peak_kib();
    if (kib > t->peak_kib) {
        t->peak_kib = kib;
        snprintf(t->largest, sizeof t->largest, "%s", path);
    }
    if (o->each)
        printf("%s: %u kernels, %.1f ms, %llu MiB\n", path,
               p != NULL ? (unsigned)hd_program_layout(p)->kernel_count : 0, t->compile_ms - before,
               (unsigned long long)kib / 1024);
    hd_program_close(p);
    hd_diags_drop(&d);
}

/* ---- all of them -------------------------------------------------------------------------------
 */

static bool set_widths(Options *o, const char *text)
{
    o->width_count = 0;
    for (const char *s = text; s != NULL && o->width_count < WIDTHS; s = strchr(s, ',')) {
        s += *s == ',';
        o->widths[o->width_count++] = (uint8_t)strtoul(s, NULL, 10);
    }
    return o->width_count != 0 && o->widths[0] != 0;
}

static bool set_options(Options *o, Paths *paths, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(argv[i], "--each") == 0)
            o->each = true;
        else if (strncmp(argv[i], "--", 2) != 0)
            paths_find(paths, argv[i]);
        else if (i++, strcmp(argv[i - 1], "--width") == 0 && set_widths(o, value))
            continue;
        else if (strcmp(argv[i - 1], "--slow") == 0)
            o->slow_ms = strtod(value, NULL);
        else if (strcmp(argv[i - 1], "--step") != 0 ||
                 sscanf(value, "%u:%u", &o->step, &o->at) < 1 || o->step == 0)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    Options o = {.widths = {8, 16}, .width_count = 2, .step = 1, .slow_ms = 2000};
    Paths paths = {0};
    Totals t = {0};
    const char *folder = getenv("HEDDLE_IMAGES");
    HdArena *a;
    HdMap seen = {0};

    setvbuf(stdout, NULL, _IOLBF, 4096);
    if (!set_options(&o, &paths, argc, argv)) {
        fprintf(stderr, "images_test: see the head of tests/robust/images_test.c\n");
        return 2;
    }
    if (paths.count == 0 && folder != NULL)
        paths_find(&paths, folder);
    if (paths.count == 0) {
        printf("no modules here\n0 passed, 0 failed, 1 skipped\n");
        return 0;
    }
    a = hd_arena_open();
    setenv("HEDDLE_CACHE", "0", 1);
    generator_link();
    for (size_t i = o.at; i < paths.count; i += o.step) {
        size_t count = 0;
        uint32_t *words = words_of(paths.at[i], &count);

        if (words == NULL || !is_known(a, &seen, words, count))
            module(paths.at[i], words, count, &o, &t);
        hd_free(words);
    }
    hd_arena_drop(a);
    printf(
        "%u modules (%u refused), %u kernels, compiled %u times: opening %.1f s, compiling %.1f s "
        "of processor time\n",
        t.modules, t.refused, t.kernels, t.codes, t.open_ms / 1e3, t.compile_ms / 1e3);
    printf("slowest: %.0f ms, %s\n", t.slowest_ms, t.slowest);
    printf("most memory: %llu MiB, %s\n", (unsigned long long)t.peak_kib / 1024, t.largest);
    for (size_t i = 0; i < paths.count; i++)
        free(paths.at[i]);
    free(paths.at);
    printf("%u passed, %u failed, 0 skipped\n", t.codes - t.failed, t.failed + t.refused);
    return t.failed + t.refused != 0;
}
