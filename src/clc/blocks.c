/* clc/blocks.c -- enqueued blocks, in textual LLVM IR.
 *
 * A call has, in clang's order: queue, flags, ND-range, for some the events, the block's kernel,
 * the block, for some the number of local sizes and where they are. Its replacement has all
 * operands of OpEnqueueKernel: size and alignment are the block's first two words.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/blocks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "clc/paste.h"
#include "clc/text.h"

#define MAX_ARGS 10u

/* ---- pieces of text ---------------------------------------------------------------------------
 */

/* Split the text between parentheses at commas that are not inside nested ones. Returns the number
 * of parts; *after: after the closing one. */
static unsigned split(HdClcText line, HdClcText *args, const char **after)
{
    const char *p = line.at, *from = line.at;
    unsigned count = 0;
    int depth = 0;

    for (; p < line.end && depth >= 0; p++) {
        depth += *p == '(' || *p == '[' || *p == '{';
        depth -= *p == ')' || *p == ']' || *p == '}';
        if ((*p != ',' || depth > 0) && depth >= 0)
            continue;
        if (count < MAX_ARGS)
            args[count] = (HdClcText){from, p};
        count++;
        from = p + 1 + (p + 1 < line.end && p[1] == ' ');
    }
    *after = p;
    return depth < 0 ? count : 0;
}

/* An argument's value, after its type and attributes. */
static HdClcText value_of(HdClcText arg)
{
    static const char *const words[] = {"ptr",     "addrspace(4)",   "nonnull",
                                        "noundef", "captures(none)", "i32"};
    HdClcText v = arg;
    bool moved = true;

    while (moved) {
        moved = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t len = strlen(words[i]);

            if ((size_t)(v.end - v.at) > len && strncmp(v.at, words[i], len) == 0 &&
                v.at[len] == ' ') {
                v.at += len + 1;
                moved = true;
            }
        }
    }
    return v;
}

/* The function after "addrspacecast (ptr @"; false if there is none. */
static bool function_of(HdClcText arg, HdClcText *name)
{
    const char *at = hd_clc_find(arg, "addrspacecast (ptr @");

    if (at == NULL)
        return false;
    name->at = at + strlen("addrspacecast (ptr @");
    name->end = hd_clc_find((HdClcText){name->at, arg.end}, " to ");
    return name->end != NULL;
}

/* ---- calls -------------------------------------------------------------------------------------
 */

/* How the arguments of a function of clang's lie; `what`: the name of what replaces it. */
typedef struct Form {
    const char *name, *what;
    unsigned count, events, invoke, sizes; /* how many; where these are, 0 for none but the block */
} Form;

static const Form forms[] = {
    {"@__enqueue_kernel_basic(", "enqueue", 5, 0, 3, 0},
    {"@__enqueue_kernel_basic_events(", "enqueue", 8, 3, 6, 0},
    {"@__enqueue_kernel_varargs(", "enqueue", 7, 0, 3, 5},
    {"@__enqueue_kernel_events_varargs(", "enqueue", 10, 3, 6, 8},
    {"@__get_kernel_work_group_size_impl(", "group_size", 2, 0, 0, 0},
    {"@__get_kernel_preferred_work_group_size_multiple_impl(", "multiple", 2, 0, 0, 0},
    {"@__get_kernel_max_sub_group_size_for_ndrange_impl(", "sub_group_size", 3, 0, 1, 0},
    {"@__get_kernel_sub_group_count_for_ndrange_impl(", "sub_group_count", 3, 0, 1, 0},
};

typedef struct Marker {
    HdStrbuf *out;
    HdStrbuf declared; /* declarations of the functions called up to now */
    unsigned number;   /* of the next call */
} Marker;

static bool is_enqueue(const Form *f)
{
    return strcmp(f->what, "enqueue") == 0;
}

static const Form *form_of(HdClcText line, const char **args)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *at = hd_clc_find(line, forms[i].name);

        if (at != NULL && hd_clc_find((HdClcText){line.at, at}, "call ") != NULL) {
            *args = at + strlen(forms[i].name);
            return &forms[i];
        }
    }
    return NULL;
}

/* Blocks that capture nothing are constants. The back end gets the type of their address wrong
 * unless they are bytes; one byte is left, which is never read. */
#define LITERAL "@__block_literal_global"

static bool replace_literal(Marker *m, HdClcText line)
{
    const char *equals = hd_clc_find(line, " = ");

    if (strncmp(line.at, LITERAL, strlen(LITERAL)) != 0 || equals == NULL)
        return false;
    hd_clc_add(m->out, (HdClcText){line.at, equals});
    hd_strbuf_add(m->out, " = internal addrspace(1) constant i8 0, align 8");
    return true;
}

/* Loads of a block's size and alignment. */
static void add_block_loads(Marker *m, HdClcText block)
{
    unsigned n = m->number;

    hd_strbuf_printf(m->out, "  %%heddle.%u.size = load i32, ptr addrspace(4) ", n);
    hd_clc_add(m->out, block);
    hd_strbuf_printf(m->out, ", align 4\n  %%heddle.%u.at = getelementptr i8, ptr addrspace(4) ",
                     n);
    hd_clc_add(m->out, block);
    hd_strbuf_printf(m->out,
                     ", i64 4\n  %%heddle.%u.align = load i32, ptr addrspace(4) "
                     "%%heddle.%u.at, align 4\n",
                     n, n);
}

/* Loads of local sizes. */
static void add_size_loads(Marker *m, unsigned sizes, HdClcText from)
{
    unsigned n = m->number;

    for (unsigned i = 0; i < sizes; i++) {
        hd_strbuf_printf(m->out, "  %%heddle.%u.p%u = getelementptr i8, ptr ", n, i);
        hd_clc_add(m->out, from);
        hd_strbuf_printf(m->out,
                         ", i64 %u\n  %%heddle.%u.w%u = load i64, ptr %%heddle.%u.p%u, align 8\n"
                         "  %%heddle.%u.l%u = trunc i64 %%heddle.%u.w%u to i32\n",
                         i * 8, n, i, n, i, n, i, n, i);
    }
}

/* "declare …" of a function that is called for the first time. */
static void declare(Marker *m, const Form *f, HdClcText kernel, unsigned sizes)
{
    HdStrbuf line = {0};

    hd_strbuf_printf(&line, "declare spir_func i32 @\"__heddle_%s.%.*s\"(", f->what,
                     (int)(kernel.end - kernel.at), kernel.at);
    if (is_enqueue(f))
        hd_strbuf_add(&line, "target(\"spirv.Queue\"), i32, ptr, i32, ptr addrspace(4), "
                             "ptr addrspace(4), ");
    else if (f->count == 3)
        hd_strbuf_add(&line, "ptr, ");
    hd_strbuf_add(&line, "ptr addrspace(4), i32, i32");
    for (unsigned i = 0; i < sizes; i++)
        hd_strbuf_add(&line, ", i32");
    hd_strbuf_add(&line, ")\n");
    if (strstr(hd_strbuf_text(&m->declared), hd_strbuf_text(&line)) == NULL)
        hd_strbuf_add(&m->declared, hd_strbuf_text(&line));
    m->declared.failed = m->declared.failed || line.failed;
    hd_strbuf_free(&line);
}

static void add_call(Marker *m, const Form *f, const HdClcText *args, HdClcText kernel,
                     unsigned sizes)
{
    unsigned n = m->number;

    hd_strbuf_printf(m->out, "@\"__heddle_%s.%.*s\"(", f->what, (int)(kernel.end - kernel.at),
                     kernel.at);
    for (unsigned i = 0; is_enqueue(f) && i < 3; i++) {
        hd_clc_add(m->out, args[i]);
        hd_strbuf_add(m->out, ", ");
    }
    for (unsigned i = 0; f->events != 0 && i < 3; i++) {
        hd_clc_add(m->out, args[f->events + i]);
        hd_strbuf_add(m->out, ", ");
    }
    if (is_enqueue(f) && f->events == 0)
        hd_strbuf_add(m->out, "i32 0, ptr addrspace(4) null, ptr addrspace(4) null, ");
    if (!is_enqueue(f) && f->count == 3) {
        hd_clc_add(m->out, args[0]);
        hd_strbuf_add(m->out, ", ");
    }
    hd_strbuf_add(m->out, "ptr addrspace(4) ");
    hd_clc_add(m->out, value_of(args[f->invoke + 1]));
    if (hd_clc_find(args[f->invoke + 1], LITERAL) != NULL)
        hd_strbuf_add(m->out, ", i32 1, i32 1");
    else
        hd_strbuf_printf(m->out, ", i32 %%heddle.%u.size, i32 %%heddle.%u.align", n, n);
    for (unsigned i = 0; i < sizes; i++)
        hd_strbuf_printf(m->out, ", i32 %%heddle.%u.l%u", n, i);
    hd_strbuf_add_char(m->out, ')');
}

#define MARKER "@_Z14enqueue_marker9ocl_queue"

/* enqueue_marker by a name without types, which the back end does not know; its declaration goes.
 */
static bool replace_marker(Marker *m, HdClcText line)
{
    static const char declaration[] =
        "declare spir_func i32 @__heddle_marker(target(\"spirv.Queue\")"
        ", i32, ptr addrspace(4), ptr addrspace(4))\n";
    const char *at = hd_clc_find(line, MARKER), *args;

    if (at == NULL)
        return false;
    if (strncmp(line.at, "declare ", 8) == 0)
        return true;
    args = memchr(at, '(', (size_t)(line.end - at));
    if (args == NULL)
        return false;
    hd_clc_add(m->out, (HdClcText){line.at, at});
    hd_strbuf_add(m->out, "@__heddle_marker");
    hd_clc_add(m->out, (HdClcText){args, line.end});
    if (strstr(hd_strbuf_text(&m->declared), declaration) == NULL)
        hd_strbuf_add(&m->declared, declaration);
    return true;
}

/* Replace the call on a line; false when there is none that we know. */
static bool replace_call(Marker *m, HdClcText line)
{
    const char *at, *after;
    const Form *f = form_of(line, &at);
    unsigned sizes = 0;
    HdClcText args[MAX_ARGS], kernel, from = {line.at, line.at};

    if (f == NULL || split((HdClcText){at, line.end}, args, &after) != f->count ||
        !function_of(args[f->invoke], &kernel))
        return false;
    if (f->sizes != 0) {
        sizes = (unsigned)strtoul(value_of(args[f->sizes]).at, NULL, 10);
        from = value_of(args[f->sizes + 1]);
    }
    if (hd_clc_find(args[f->invoke + 1], LITERAL) == NULL)
        add_block_loads(m, value_of(args[f->invoke + 1]));
    add_size_loads(m, sizes, from);
    hd_clc_add(m->out, (HdClcText){line.at, at - strlen(f->name)});
    add_call(m, f, args, kernel, sizes);
    /* Not the attributes: their group may speak of memory. */
    at = hd_clc_find((HdClcText){after, line.end}, ", !dbg ");
    hd_clc_add(m->out, (HdClcText){at != NULL ? at : line.end, line.end});
    declare(m, f, kernel, sizes);
    m->number++;
    return true;
}

/* The address of a function is nothing that SPIR-V has; blocks are not called through it. */
static void add_without_functions(Marker *m, HdClcText line)
{
    HdClcText name;

    while (function_of(line, &name)) {
        const char *at = hd_clc_find(line, "addrspacecast (ptr @");
        const char *close = hd_clc_find((HdClcText){name.end, line.end}, "))");

        if (close == NULL)
            break;
        hd_clc_add(m->out, (HdClcText){line.at, at});
        hd_strbuf_add(m->out, "null");
        line.at = close + 2;
    }
    hd_clc_add(m->out, line);
}

HdStatus hd_clc_mark_blocks(const char *text, HdStrbuf *out)
{
    Marker m = {.out = out};
    bool failed;

    for (const char *p = text; *p != '\0';) {
        HdClcText line = {p, hd_clc_line_end(p)};

        if ((*p != ' ' || !replace_call(&m, line)) && !replace_marker(&m, line) &&
            !replace_literal(&m, line))
            add_without_functions(&m, line);
        hd_strbuf_add_char(out, '\n');
        p = line.end + (*line.end != '\0');
    }
    hd_strbuf_add(out, hd_strbuf_text(&m.declared));
    failed = out->failed || m.declared.failed;
    hd_strbuf_free(&m.declared);
    return failed ? HD_NO_MEMORY : HD_OK;
}

/* A ^ with nothing on its left that it could be applied to, or with a body on its right. */
static bool is_block(const char *source, const char *at)
{
    const char *left = at, *right = at + 1;

    while (left > source && isspace((unsigned char)left[-1]))
        left--;
    while (isspace((unsigned char)*right))
        right++;
    return left == source || strchr("(=,{;?:&|", left[-1]) != NULL || *right == '{';
}

/* Included files are not examined: they may enqueue. */
static bool may_enqueue(const char *text)
{
    if (strstr(text, "enqueue_") != NULL || strstr(text, "get_kernel_") != NULL ||
        hd_clc_includes(text))
        return true;
    for (const char *p = text; (p = strchr(p, '^')) != NULL; p++)
        if (is_block(text, p))
            return true;
    return false;
}

bool hd_clc_has_blocks(const HdClcSource *source, const HdClcOptions *o)
{
    const char *arg = NULL, *text;
    bool any = false;

    for (size_t i = 0; !any && (text = hd_clc_text(source, o, i, &arg)) != NULL; i++)
        any = may_enqueue(text);
    return any;
}
