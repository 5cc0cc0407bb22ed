/* check/coverage.c -- which lines, functions and branches checked launches covered, as lcov's
 * tracefile.
 *
 * Spec: geninfo(1) of lcov, "FILES".
 *
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "check/counts.h"

#define MOST_NAME 64u /* bytes of a source's name that its copy's has */

/* An instruction's count, with what it is added up by. */
typedef struct LineItem {
    uint32_t file, line;
    uint32_t code, function, copy;
    uint64_t count;
} LineItem;

typedef struct FunctionItem {
    uint32_t file;
    const char *name;
    uint32_t code, line;
    uint64_t count;
} FunctionItem;

/* An edge. `block`: which branch of its line, in the function or inlined call. */
typedef struct EdgeItem {
    uint32_t file, line, block, edge;
    uint32_t code, function, copy, inst; /* of the terminator */
    bool is_reached;
    uint64_t count;
} EdgeItem;

typedef struct Coverage {
    HD_ARRAY(const HdCountFile *) files;
    HD_ARRAY(LineItem) lines;
    HD_ARRAY(FunctionItem) functions;
    HD_ARRAY(EdgeItem) edges;
} Coverage;

static void close_coverage(Coverage *v)
{
    HD_ARRAY_FREE(&v->files);
    HD_ARRAY_FREE(&v->lines);
    HD_ARRAY_FREE(&v->functions);
    HD_ARRAY_FREE(&v->edges);
}

/* ---- what the kernels of a program did ------------------------------------------------------ */

/* A program's counts: those of its kernels together. */
typedef struct Sums {
    const HdCountCode *code;
    uint32_t number;
    uint64_t *insts, *edges;
    uint32_t *files; /* [file_count] numbers in the coverage */
} Sums;

/* Files are the same if their names and texts are: all texts are a check's. */
static HdStatus file_number(Coverage *v, const HdCountFile *f, uint32_t *out)
{
    for (*out = 0; *out < v->files.count; ++*out)
        if (strcmp(v->files.at[*out]->name, f->name) == 0 && v->files.at[*out]->text == f->text)
            return HD_OK;
    HD_TRY_PUSH(NULL, &v->files, f);
    return HD_OK;
}

static HdStatus add_lines(Coverage *v, const Sums *s)
{
    for (uint32_t i = 0; i < s->code->inst_count; i++) {
        const HdCountInst *in = &s->code->insts[i];

        if (in->file != HD_COUNT_NO_FILE)
            HD_TRY_PUSH(NULL, &v->lines,
                        ((LineItem){.file = s->files[in->file],
                                    .line = in->line,
                                    .code = s->number,
                                    .function = s->code->functions[in->function].first,
                                    .copy = in->copy,
                                    .count = s->insts[i]}));
    }
    return HD_OK;
}

static HdStatus add_functions(Coverage *v, const Sums *s)
{
    for (uint32_t i = 0; i < s->code->function_count; i++) {
        const HdCountFunction *f = &s->code->functions[i];

        if (f->entry != HD_NO_PLACE && f->file != HD_COUNT_NO_FILE)
            HD_TRY_PUSH(NULL, &v->functions,
                        ((FunctionItem){.file = s->files[f->file],
                                        .name = f->name,
                                        .code = s->number,
                                        .line = f->line,
                                        .count = s->insts[f->entry]}));
    }
    return HD_OK;
}

static HdStatus add_edges(Coverage *v, const Sums *s)
{
    const HdCountCode *code = s->code;

    for (uint32_t i = 0; i < code->branch_count; i++) {
        const HdCountBranch *b = &code->branches[i];
        const HdCountInst *in = &code->insts[b->inst];
        EdgeItem item = {.line = in->line,
                         .code = s->number,
                         .function = in->function,
                         .copy = in->copy,
                         .inst = b->inst,
                         .is_reached = s->insts[b->inst] > 0};

        if (in->file == HD_COUNT_NO_FILE)
            continue;
        item.file = s->files[in->file];
        for (item.edge = 0; item.edge < b->count; item.edge++) {
            item.count = s->edges[b->edge + item.edge];
            HD_TRY_PUSH(NULL, &v->edges, item);
        }
    }
    return HD_OK;
}

static void add_kernels(HdCountsList all, const Sums *s)
{
    for (size_t i = 0; i < all.count; i++) {
        const HdCounts *k = all.at[i];

        for (uint32_t n = 0; k->code == s->code && n < s->code->inst_count; n++)
            s->insts[n] += k->insts[n];
        for (uint32_t n = 0; k->code == s->code && n < s->code->edge_count; n++)
            s->edges[n] += k->edges[n];
    }
}

static HdStatus add_in(Coverage *v, HdCountsList all, Sums *s)
{
    const HdCountCode *code = s->code;

    HD_TAKE(s->insts, hd_alloc_zero(((size_t)code->inst_count + 1) * sizeof *s->insts));
    HD_TAKE(s->edges, hd_alloc_zero(((size_t)code->edge_count + 1) * sizeof *s->edges));
    HD_TAKE(s->files, hd_alloc_zero(((size_t)code->file_count + 1) * sizeof *s->files));
    for (uint32_t i = 0; i < code->file_count; i++)
        HD_TRY(file_number(v, &code->files[i], &s->files[i]));
    add_kernels(all, s);
    HD_TRY(add_lines(v, s));
    HD_TRY(add_functions(v, s));
    return add_edges(v, s);
}

/* The program of kernel `at`, unless one before it is of the same. */
static HdStatus add_program(Coverage *v, HdCountsList all, size_t at)
{
    Sums s = {.code = all.at[at]->code, .number = (uint32_t)at};
    HdStatus st;

    for (size_t i = 0; i < at; i++)
        if (all.at[i]->code == s.code)
            return HD_OK;
    st = add_in(v, all, &s);
    hd_free(s.insts);
    hd_free(s.edges);
    hd_free(s.files);
    return st;
}

/* ---- added up ------------------------------------------------------------------------------- */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_line(const void *a, const void *b)
{
    const LineItem *x = a, *y = b;

    return x->file != y->file           ? COMPARE(x->file, y->file)
           : x->line != y->line         ? COMPARE(x->line, y->line)
           : x->code != y->code         ? COMPARE(x->code, y->code)
           : x->function != y->function ? COMPARE(x->function, y->function)
                                        : COMPARE(x->copy, y->copy);
}

static int by_function(const void *a, const void *b)
{
    const FunctionItem *x = a, *y = b;
    const int named = strcmp(x->name, y->name);

    return x->file != y->file ? COMPARE(x->file, y->file)
           : named != 0       ? named
                              : COMPARE(x->code, y->code);
}

/* Branches of a line in one function or inlined call, and their edges, in order. */
static int by_branch(const void *a, const void *b)
{
    const EdgeItem *x = a, *y = b;

    return x->code != y->code           ? COMPARE(x->code, y->code)
           : x->function != y->function ? COMPARE(x->function, y->function)
           : x->copy != y->copy         ? COMPARE(x->copy, y->copy)
           : x->file != y->file         ? COMPARE(x->file, y->file)
           : x->line != y->line         ? COMPARE(x->line, y->line)
           : x->inst != y->inst         ? COMPARE(x->inst, y->inst)
                                        : COMPARE(x->edge, y->edge);
}

static int by_edge(const void *a, const void *b)
{
    const EdgeItem *x = a, *y = b;

    return x->file != y->file     ? COMPARE(x->file, y->file)
           : x->line != y->line   ? COMPARE(x->line, y->line)
           : x->block != y->block ? COMPARE(x->block, y->block)
                                  : COMPARE(x->edge, y->edge);
}

/* In a function the most frequent instruction stands for the line; functions and programs add up.
 */
static void add_up_lines(Coverage *v)
{
    LineItem *at = v->lines.at;
    size_t kept = 0;

    for (size_t i = 0, next; i < v->lines.count; i = next) {
        LineItem sum = {.file = at[i].file, .line = at[i].line};

        for (next = i;
             next < v->lines.count && at[next].file == sum.file && at[next].line == sum.line;) {
            const LineItem *first = &at[next];
            uint64_t most = 0;

            for (; next < v->lines.count && by_line(first, &at[next]) == 0; next++)
                most = at[next].count > most ? at[next].count : most;
            sum.count += most;
        }
        at[kept++] = sum;
    }
    v->lines.count = kept;
}

/* In a program the most frequent function of a name stands for them; programs add up. */
static void add_up_functions(Coverage *v)
{
    FunctionItem *at = v->functions.at;
    size_t kept = 0;

    for (size_t i = 0, next; i < v->functions.count; i = next) {
        FunctionItem sum = at[i];

        sum.count = 0;
        for (next = i; next < v->functions.count && at[next].file == sum.file &&
                       strcmp(at[next].name, sum.name) == 0;) {
            const FunctionItem *first = &at[next];
            uint64_t most = 0;

            for (; next < v->functions.count && by_function(first, &at[next]) == 0; next++) {
                most = at[next].count > most ? at[next].count : most;
                sum.line = at[next].line < sum.line ? at[next].line : sum.line;
            }
            sum.count += most;
        }
        at[kept++] = sum;
    }
    v->functions.count = kept;
}

/* Sorted by_branch. */
static void number_branches(Coverage *v)
{
    EdgeItem *at = v->edges.at;

    for (size_t i = 1; i < v->edges.count; i++) {
        EdgeItem same = at[i];

        same.inst = at[i - 1].inst;
        same.edge = at[i - 1].edge;
        if (by_branch(&same, &at[i - 1]) == 0)
            at[i].block = at[i - 1].block + (at[i].inst != at[i - 1].inst);
    }
}

static void add_up_edges(Coverage *v)
{
    EdgeItem *at = v->edges.at;
    size_t kept = 0;

    for (size_t i = 0; i < v->edges.count; i++)
        if (kept > 0 && by_edge(&at[kept - 1], &at[i]) == 0) {
            at[kept - 1].is_reached = at[kept - 1].is_reached || at[i].is_reached;
            at[kept - 1].count += at[i].count;
        } else {
            at[kept++] = at[i];
        }
    v->edges.count = kept;
}

static HdStatus collect(HdCountsList all, Coverage *v)
{
    for (size_t i = 0; i < all.count; i++)
        HD_TRY(add_program(v, all, i));
    if (v->lines.count > 0)
        qsort(v->lines.at, v->lines.count, sizeof *v->lines.at, by_line);
    if (v->functions.count > 0)
        qsort(v->functions.at, v->functions.count, sizeof *v->functions.at, by_function);
    if (v->edges.count > 0) {
        qsort(v->edges.at, v->edges.count, sizeof *v->edges.at, by_branch);
        number_branches(v);
        qsort(v->edges.at, v->edges.count, sizeof *v->edges.at, by_edge);
    }
    add_up_lines(v);
    add_up_functions(v);
    add_up_edges(v);
    return HD_OK;
}

HdStatus hd_coverage_lines(HdCountsList all, HdLineCounts *out)
{
    Coverage v = {0};
    HdStatus st = collect(all, &v);

    for (size_t i = 0; st == HD_OK && i < v.lines.count; i++)
        if (!HD_PUSH(NULL, out,
                     ((HdLineCount){.file = v.files.at[v.lines.at[i].file],
                                    .line = v.lines.at[i].line,
                                    .count = v.lines.at[i].count})))
            st = HD_NO_MEMORY;
    close_coverage(&v);
    return st;
}

HdStatus hd_coverage_branches(HdCountsList all, HdBranchCounts *out)
{
    Coverage v = {0};
    HdStatus st = collect(all, &v);

    for (size_t i = 0; st == HD_OK && i < v.edges.count; i++) {
        const EdgeItem *e = &v.edges.at[i];

        if (!HD_PUSH(NULL, out,
                     ((HdBranchCount){.file = v.files.at[e->file],
                                      .line = e->line,
                                      .block = e->block,
                                      .edge = e->edge,
                                      .is_reached = e->is_reached,
                                      .count = e->count})))
            st = HD_NO_MEMORY;
    }
    close_coverage(&v);
    return st;
}

/* Names are what debug information says they are; a line of the file is a line. */
static void add_name(const char *name, size_t most, HdStrbuf *out)
{
    for (size_t i = 0; name[i] != '\0' && i < most; i++)
        hd_strbuf_add_char(out, (unsigned char)name[i] < ' ' ? '?' : name[i]);
}

/* ---- sources -------------------------------------------------------------------------------- */

static size_t without_last_breaks(const char *text, size_t count)
{
    while (count > 0 && (text[count - 1] == '\n' || text[count - 1] == '\r'))
        count--;
    return count;
}

/* Is the text that of the file of its name? */
static bool is_in_file(const HdCountFile *f)
{
    size_t count, own = without_last_breaks(f->text, strlen(f->text));
    bool is_same = false;
    char *bytes;
    HdDiags d;

    hd_diags_init(&d);
    if (hd_file_read_regular(f->name, &d, &bytes, &count) == HD_OK) {
        is_same = without_last_breaks(bytes, count) == own && memcmp(bytes, f->text, own) == 0;
        hd_free(bytes);
    }
    hd_diags_drop(&d);
    return is_same;
}

/* As lcov wants paths. */
static void add_absolute(const char *path, HdStrbuf *out)
{
    char whole[PATH_MAX];

    if (realpath(path, whole) != NULL) {
        add_name(whole, SIZE_MAX, out);
        return;
    }
    if (*path != '/' && getcwd(whole, sizeof whole) != NULL)
        hd_strbuf_printf(out, "%s/", whole);
    add_name(path, SIZE_MAX, out);
}

/* A file of its own for a text: heddle-sources/HASH-NAME beside the tracefile. */
static HdStatus write_source(const HdCountFile *f, const char *tracefile, HdDiags *d,
                             HdStrbuf *path)
{
    const char *slash = strrchr(tracefile, '/'), *name = strrchr(f->name, '/');
    const size_t bytes = strlen(f->text);
    HdStrbuf folder = {0};

    if (slash != NULL)
        hd_strbuf_add_bytes(&folder, tracefile, (size_t)(slash - tracefile) + 1);
    hd_strbuf_add(&folder, "heddle-sources");
    if (folder.failed)
        return HD_NO_MEMORY;
    (void)mkdir(folder.at, 0777); /* if it cannot be made, the file cannot either */
    add_absolute(folder.at, path);
    hd_strbuf_free(&folder);
    hd_strbuf_printf(path, "/%016llx-", (unsigned long long)hd_hash_bytes(f->text, bytes, 0));
    add_name(name != NULL ? name + 1 : f->name, MOST_NAME, path);
    return path->failed ? HD_NO_MEMORY : hd_file_write(path->at, f->text, bytes, d);
}

static HdStatus add_source(const HdCountFile *f, const char *tracefile, HdDiags *d, HdStrbuf *out)
{
    HdStrbuf path = {0};
    HdStatus st = HD_OK;

    if (f->text == NULL || is_in_file(f))
        add_absolute(f->name, &path);
    else
        st = write_source(f, tracefile, d, &path);
    hd_strbuf_printf(out, "TN:\nSF:%s\n", hd_strbuf_text(&path));
    out->failed = out->failed || path.failed;
    hd_strbuf_free(&path);
    return st;
}

/* ---- the tracefile -------------------------------------------------------------------------- */

static void print_functions(const Coverage *v, uint32_t file, HdStrbuf *out)
{
    size_t count = 0, hit = 0;

    for (size_t i = 0; i < v->functions.count; i++)
        if (v->functions.at[i].file == file) {
            hd_strbuf_printf(out, "FN:%u,", (unsigned)v->functions.at[i].line);
            add_name(v->functions.at[i].name, SIZE_MAX, out);
            hd_strbuf_add_char(out, '\n');
        }
    for (size_t i = 0; i < v->functions.count; i++) {
        const FunctionItem *f = &v->functions.at[i];

        if (f->file != file)
            continue;
        hd_strbuf_printf(out, "FNDA:%llu,", (unsigned long long)f->count);
        add_name(f->name, SIZE_MAX, out);
        hd_strbuf_add_char(out, '\n');
        count++;
        hit += f->count > 0;
    }
    hd_strbuf_printf(out, "FNF:%zu\nFNH:%zu\n", count, hit);
}

static void print_edges(const Coverage *v, uint32_t file, HdStrbuf *out)
{
    size_t count = 0, hit = 0;

    for (size_t i = 0; i < v->edges.count; i++) {
        const EdgeItem *e = &v->edges.at[i];

        if (e->file != file)
            continue;
        hd_strbuf_printf(out, "BRDA:%u,%u,%u,", (unsigned)e->line, (unsigned)e->block,
                         (unsigned)e->edge);
        if (e->is_reached)
            hd_strbuf_printf(out, "%llu\n", (unsigned long long)e->count);
        else
            hd_strbuf_add(out, "-\n");
        count++;
        hit += e->count > 0;
    }
    hd_strbuf_printf(out, "BRF:%zu\nBRH:%zu\n", count, hit);
}

static void print_lines(const Coverage *v, uint32_t file, HdStrbuf *out)
{
    size_t count = 0, hit = 0;

    for (size_t i = 0; i < v->lines.count; i++) {
        const LineItem *l = &v->lines.at[i];

        if (l->file != file)
            continue;
        hd_strbuf_printf(out, "DA:%u,%llu\n", (unsigned)l->line, (unsigned long long)l->count);
        count++;
        hit += l->count > 0;
    }
    hd_strbuf_printf(out, "LF:%zu\nLH:%zu\nend_of_record\n", count, hit);
}

HdStatus hd_coverage_write(HdCheck *c, const char *path, HdDiags *d)
{
    Coverage v = {0};
    HdStrbuf out = {0};
    HdStatus st = collect(hd_check_counts(c), &v);

    for (uint32_t i = 0; st == HD_OK && i < v.files.count; i++) {
        st = add_source(v.files.at[i], path, d, &out);
        print_functions(&v, i, &out);
        print_edges(&v, i, &out);
        print_lines(&v, i, &out);
    }
    if (st == HD_OK)
        st = out.failed ? HD_NO_MEMORY : hd_file_write(path, hd_strbuf_text(&out), out.count, d);
    hd_strbuf_free(&out);
    close_coverage(&v);
    return st;
}
