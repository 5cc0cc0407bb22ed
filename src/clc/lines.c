/* clc/lines.c -- lines of the source for modules compiled with -g.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/lines.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "clc/repair.h"
#include "clc/text.h"
#include "gen/spirv.h"
#include "module/module.h"

#define MARK      "__heddle_line"
#define MAX_NODES (1u << 24)

/* ---- what LLVM's text knows ------------------------------------------------------------------ */

/* A node of metadata: a place (line, column, scope), a scope (file), or a file. 0 where it has no
 * such field: node 0 is never one of these. */
typedef struct Node {
    uint32_t line, column, scope, file;
    uint32_t number; /* of a file, from 1; 0: not seen yet */
    const char *name;
    size_t name_len;
} Node;

typedef struct Marker {
    HD_ARRAY(Node) nodes;
    HdStrbuf *out, *files;
    uint32_t file_count;
} Marker;

static const char *find_in(const char *p, const char *end, const char *what)
{
    return memmem(p, (size_t)(end - p), what, strlen(what));
}

/* The number after a key; 0 if the line has no such key. */
static uint32_t number_after(const char *p, const char *end, const char *key)
{
    const char *at = find_in(p, end, key);

    return at != NULL ? (uint32_t)strtoul(at + strlen(key), NULL, 10) : 0;
}

/* "!12 = !DILocation(line: 3, column: 5, scope: !9)" and its like. */
static HdStatus read_node(Marker *m, const char *p, const char *end)
{
    char *after;
    unsigned long number = strtoul(p + 1, &after, 10);
    const char *name = find_in(p, end, "!DIFile(filename: \"");
    Node *n;

    if (after == p + 1 || strncmp(after, " = ", 3) != 0 || number >= MAX_NODES)
        return HD_OK;
    while (m->nodes.count <= number)
        if (!HD_PUSH(NULL, &m->nodes, (Node){0}))
            return HD_NO_MEMORY;
    n = &m->nodes.at[number];
    n->line = number_after(p, end, "(line: ");
    n->column = number_after(p, end, "column: ");
    n->scope = number_after(p, end, "scope: !");
    n->file = number_after(p, end, "file: !");
    if (name != NULL) {
        n->name = name + strlen("!DIFile(filename: \"");
        n->name_len = strcspn(n->name, "\"");
    }
    return HD_OK;
}

static HdStatus read_nodes(Marker *m, const char *text)
{
    for (const char *p = text; *p != '\0';) {
        const char *end = hd_clc_line_end(p);

        if (*p == '!')
            HD_TRY(read_node(m, p, end));
        p = end + (*end != '\0');
    }
    return HD_OK;
}

static Node *node(Marker *m, uint32_t number)
{
    return number != 0 && number < m->nodes.count ? &m->nodes.at[number] : NULL;
}

static unsigned hex_digit(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
}

/* LLVM's text has two digits for what is no plain character, and two backslashes for one. */
static void add_name(HdStrbuf *out, const char *name, size_t len)
{
    for (const char *end = name + len; name < end; name++) {
        char c = *name;

        if (c == '\\' && name[1] == '\\') {
            name++;
        } else if (c == '\\' && isxdigit((unsigned char)name[1]) &&
                   isxdigit((unsigned char)name[2])) {
            c = (char)(hex_digit(name[1]) * 16 + hex_digit(name[2]));
            name += 2;
        }
        if (c != '\0')
            hd_strbuf_add_char(out, c);
    }
    hd_strbuf_add_char(out, '\0');
}

/* Number of the file that a place is in, from 1; 0: unknown. */
static uint32_t file_of(Marker *m, const Node *place)
{
    Node *scope = node(m, place->scope);
    Node *file = scope != NULL ? node(m, scope->file) : NULL;

    if (file == NULL || file->name == NULL)
        return 0;
    if (file->number == 0) {
        file->number = ++m->file_count;
        add_name(m->files, file->name, file->name_len);
    }
    return file->number;
}

/* ---- calls into LLVM's text ------------------------------------------------------------------ */

/* The place of the instruction that begins here; a switch ends some lines later. */
static uint32_t place_of(const char *p, const char *end)
{
    const char *close = end > p && end[-1] == '[' ? strstr(end, "\n  ]") : NULL;

    if (close != NULL) {
        p = close + 1;
        end = hd_clc_line_end(p);
    }
    return number_after(p, end, "!dbg !");
}

static void add_call(Marker *m, uint32_t number)
{
    const Node *place = node(m, number);
    uint32_t file = place != NULL && place->line != 0 ? file_of(m, place) : 0;

    if (file != 0)
        hd_strbuf_printf(m->out, "  call void @" MARK "(i32 %u, i32 %u, i32 %u)\n", file,
                         place->line, place->column);
}

static void mark(Marker *m, const char *text)
{
    uint32_t last = 0;
    bool inside = false; /* of a function */

    for (const char *p = text; *p != '\0';) {
        const char *end = hd_clc_line_end(p);
        bool is_inst = inside && strncmp(p, "  ", 2) == 0 && p[2] != ' ' && p[2] != ']';
        uint32_t place = is_inst ? place_of(p, end) : 0;

        if (strncmp(p, "define ", 7) == 0 || *p == '}')
            inside = *p == 'd';
        if (!is_inst && *p != ' ' && *p != '\n')
            last = 0; /* a block begins */
        if (place != 0 && place != last && find_in(p, end, " = phi ") == NULL) {
            add_call(m, place);
            last = place;
        }
        end += *end != '\0';
        hd_strbuf_add_bytes(m->out, p, (size_t)(end - p));
        p = end;
    }
    hd_strbuf_add(m->out, "\ndeclare void @" MARK "(i32, i32, i32) nounwind\n");
}

HdStatus hd_clc_mark_lines(const char *text, HdStrbuf *out, HdStrbuf *files)
{
    Marker m = {.out = out, .files = files};
    HdStatus st = read_nodes(&m, text);

    if (st == HD_OK)
        mark(&m, text);
    HD_ARRAY_FREE(&m.nodes);
    return st == HD_OK && (out->failed || files->failed) ? HD_NO_MEMORY : st;
}

/* ---- lines into the module ------------------------------------------------------------------- */

typedef struct Placer {
    const uint32_t *words;
    size_t nwords;
    HdClcWords out;
    uint32_t mark;       /* id of the imported function; 0: none */
    uint32_t first_file; /* id of the first file's string */
    uint32_t *constants; /* by id: value of a 32-bit constant */
    const char *source;
    size_t source_len;
} Placer;

/* The imported function, and what constants are. */
static void survey(Placer *p)
{
    uint32_t bound = p->words[3];
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(p->words, p->nwords, &at, &in);) {
        if (in.op == SpvOpDecorate && in.count > 3 && in.w[2] == SpvDecorationLinkageAttributes &&
            strncmp((const char *)(in.w + 3), MARK, (in.count - 3) * 4) == 0)
            p->mark = in.w[1];
        if (in.op == SpvOpConstant && in.count == 4 && in.w[2] < bound)
            p->constants[in.w[2]] = in.w[3];
        if (in.op == SpvOpConstantNull && in.count == 3 && in.w[2] < bound)
            p->constants[in.w[2]] = 0;
    }
}

static uint32_t constant(const Placer *p, uint32_t id)
{
    return id < p->words[3] ? p->constants[id] : 0;
}

static HdStatus add(Placer *p, const uint32_t *words, size_t count)
{
    if (!HD_ARRAY_RESERVE(NULL, &p->out, count))
        return HD_NO_MEMORY;
    memcpy(p->out.at + p->out.count, words, count * sizeof *words);
    p->out.count += count;
    return HD_OK;
}

/* OpSource with the file and its text. */
static HdStatus add_source(Placer *p, const uint32_t *in)
{
    const size_t room = 60000 * sizeof(uint32_t); /* of an instruction */
    uint32_t head[4] = {SpvOpSource, in[1], in[2], p->first_file};
    size_t head_words = 4, done = 0;

    do {
        size_t part = p->source_len - done < room ? p->source_len - done : room;
        size_t count = head_words + part / 4 + 1;
        uint32_t *to;

        if (!HD_ARRAY_RESERVE(NULL, &p->out, count))
            return HD_NO_MEMORY;
        to = p->out.at + p->out.count;
        memset(to, 0, count * sizeof *to);
        memcpy(to, head, head_words * sizeof *to);
        to[0] |= (uint32_t)count << 16;
        memcpy(to + head_words, p->source + done, part);
        p->out.count += count;
        done += part;
        head[0] = SpvOpSourceContinued;
        head_words = 1;
    } while (done < p->source_len);
    return HD_OK;
}

/* One rewritten instruction; *skip: inside the imported function. */
static HdStatus place(Placer *p, const HdRawInst *in, bool *skip)
{
    const uint32_t *w = in->w;

    if (in->op == SpvOpFunction && p->mark != 0 && w[2] == p->mark)
        *skip = true;
    if (*skip) {
        *skip = in->op != SpvOpFunctionEnd;
        return HD_OK;
    }
    if ((in->op == SpvOpDecorate || in->op == SpvOpName) && p->mark != 0 && w[1] == p->mark)
        return HD_OK;
    if (in->op == SpvOpSource && in->count >= 3)
        return add_source(p, w);
    if (in->op == SpvOpFunctionCall && in->count == 7 && p->mark != 0 && w[3] == p->mark) {
        const uint32_t line[4] = {4u << 16 | SpvOpLine, p->first_file + constant(p, w[4]) - 1,
                                  constant(p, w[5]), constant(p, w[6])};

        return add(p, line, 4);
    }
    return add(p, w, in->count);
}

static HdStatus place_all(Placer *p)
{
    size_t at = HD_MODULE_FIRST_WORD;
    bool skip = false;

    HD_TRY(add(p, p->words, HD_MODULE_FIRST_WORD));
    for (HdRawInst in; hd_words_next(p->words, p->nwords, &at, &in);)
        HD_TRY(place(p, &in, &skip));
    return HD_OK;
}

/* Strings with the files' names in front; the module's own file when no line is known. */
static HdStatus add_files(const HdStrbuf *files, const char *path, uint32_t **words, size_t *nwords)
{
    HdClcWords strings = {0};
    uint32_t id = (*words)[3];
    HdStatus st = HD_OK;

    for (size_t at = 0; at < files->count && st == HD_OK; at += strlen(files->at + at) + 1)
        st = hd_clc_add_string(&strings, id++, files->at + at, strlen(files->at + at));
    if (files->count == 0)
        st = hd_clc_add_string(&strings, id++, path, strlen(path));
    if (st == HD_OK)
        st = hd_clc_insert_strings(&strings, id, words, nwords);
    HD_ARRAY_FREE(&strings);
    return st;
}

HdStatus hd_clc_place_lines(const HdStrbuf *files, const char *path, const char *source, size_t len,
                            uint32_t **words, size_t *nwords)
{
    Placer p = {.source = source, .source_len = len};
    HdStatus st;

    if (*nwords < HD_MODULE_FIRST_WORD)
        return HD_OK;
    p.first_file = (*words)[3];
    HD_TRY(add_files(files, path, words, nwords));
    p.words = *words;
    p.nwords = *nwords;
    HD_TAKE(p.constants, hd_alloc_zero(p.words[3] * sizeof *p.constants));
    survey(&p);
    st = place_all(&p);
    hd_free(p.constants);
    if (st != HD_OK) {
        HD_ARRAY_FREE(&p.out);
        return st;
    }
    hd_free(*words);
    *words = p.out.at;
    *nwords = p.out.count;
    return HD_OK;
}
