/* clc/hooks.c -- constructors and destructors at program scope, in LLVM's text.
 *
 * SPDX-License-Identifier: MIT
 */
#include "clc/hooks.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "clc/text.h"
#include "module/module.h"

static const char constructors[] = "@llvm.global_ctors = ";
static const char destructors[] = "@llvm.global_dtors = ";
static const char registers[] = "@atexit(";
static const char stub[] = "@__dtor_"; /* before the name of the object that it destroys */

bool hd_clc_has_hooks(const uint32_t *words, size_t nwords)
{
    static const char *const names[] = {"llvm.global_ctors", "llvm.global_dtors"};
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in) && in.op != SpvOpFunction;) {
        const uint32_t *w = words + at - in.count;

        if (in.op != SpvOpDecorate || in.count < 8 || w[2] != SpvDecorationLinkageAttributes)
            continue;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (memcmp(w + 3, names[i], strlen(names[i])) == 0)
                return true;
    }
    return false;
}

static bool begins(const char *p, const char *with)
{
    return strncmp(p, with, strlen(with)) == 0;
}

/* A function's name as the text has it, with '@' and any quotes. */
typedef struct Name {
    const char *at;
    size_t len;
    unsigned long priority; /* of an object: the position of what constructs it in the list */
    bool is_guarded;        /* the object is in a function: it exists once that has been called */
} Name;

typedef HD_ARRAY(Name) Names;

typedef struct Hooks {
    Names constructors, destructors; /* in the order of the lists */
    Names objects;                   /* what destroys them, as they were constructed */
    const char *function;            /* that of the line, NULL: none */
    size_t function_len;
    bool failed;
} Hooks;

/* The name that begins here. */
static size_t name_len(const char *at, const char *end)
{
    const char *p = at + 1;

    if (p < end && *p == '"') {
        for (p++; p < end && *p != '"';)
            p++;
        return (size_t)(p - at) + (p < end);
    }
    while (p < end && memchr(",() \n", *p, 5) == NULL)
        p++;
    return (size_t)(p - at);
}

static bool is_name(const Name *n, const char *at, size_t len)
{
    return n->len == len && memcmp(n->at, at, len) == 0;
}

/* Before those of higher priorities. */
static bool insert(Names *names, Name n)
{
    size_t i = names->count;

    if (!HD_PUSH(NULL, names, n))
        return false;
    for (; i > 0 && names->at[i - 1].priority > n.priority; i--)
        names->at[i] = names->at[i - 1];
    names->at[i] = n;
    return true;
}

/* Those of a list, `{ i32 65535, ptr @f, ptr null }`. */
static void read_list(Hooks *h, Names *names, const char *line, const char *end)
{
    static const char begin[] = "{ i32 ";

    for (const char *p = line; (p = memmem(p, (size_t)(end - p), begin, sizeof begin - 1));) {
        Name n = {0};
        char *after;

        p += sizeof begin - 1;
        n.priority = strtoul(p, &after, 10);
        if (!begins(after, ", ptr @"))
            continue;
        n.at = after + 6;
        n.len = name_len(n.at, end);
        h->failed = h->failed || !insert(names, n);
    }
}

static void read_lists(Hooks *h, const char *text)
{
    for (const char *p = text; *p != '\0';) {
        const char *end = hd_clc_line_end(p);

        if (begins(p, constructors))
            read_list(h, &h->constructors, p, end);
        else if (begins(p, destructors))
            read_list(h, &h->destructors, p, end);
        p = end + (*end != '\0');
    }
}

/* The position in the list, its length for what a function of the list calls. False: it is called
 * by kernels. */
static bool is_constructor(const Hooks *h, const char *at, size_t len, unsigned long *position)
{
    static const char part[] = "@__cxx_global_var_init";

    for (*position = 0; *position < h->constructors.count; ++*position)
        if (is_name(&h->constructors.at[*position], at, len))
            return true;
    return len >= sizeof part - 1 && begins(at, part);
}

static bool is_known(const Hooks *h, const Name *object)
{
    for (size_t i = 0; i < h->objects.count; i++)
        if (is_name(&h->objects.at[i], object->at, object->len))
            return true;
    return false;
}

/* In the order of construction; those in functions after all others. Inlined functions name theirs
 * again. */
static void add_object(Hooks *h, const char *at, const char *end)
{
    Name n = {.at = at, .len = name_len(at, end)};

    n.is_guarded =
        h->function == NULL || !is_constructor(h, h->function, h->function_len, &n.priority);
    if (n.is_guarded)
        n.priority = h->constructors.count + 1;
    if (!is_known(h, &n))
        h->failed = h->failed || !insert(&h->objects, n);
}

/* An object is constructed: `  %1 = call spir_func i32 @atexit(ptr @__dtor_d)`. */
static void add_registration(Hooks *h, const char *call, const char *line, const char *end,
                             HdStrbuf *out)
{
    const char *equals = memmem(line, (size_t)(call - line), " = ", 3);
    const char *object = memchr(call + 1, '@', (size_t)(end - call - 1));

    if (object != NULL)
        add_object(h, object, end);
    if (equals != NULL) /* its number must not be missing */
        hd_strbuf_printf(out, "%.*s = add i32 0, 0\n", (int)(equals - line), line);
}

/* `define internal spir_kernel void @_GLOBAL__sub_I_a.cl()` is to be called. */
static void add_definition(Hooks *h, const char *line, const char *end, HdStrbuf *out)
{
    static const char kernel[] = " spir_kernel ";
    const char *is_kernel = memmem(line, (size_t)(end - line), kernel, sizeof kernel - 1);
    unsigned long position;

    h->function = memchr(line, '@', (size_t)(end - line));
    h->function_len = h->function != NULL ? name_len(h->function, end) : 0;
    if (is_kernel != NULL && h->function != NULL &&
        is_constructor(h, h->function, h->function_len, &position)) {
        hd_strbuf_add_bytes(out, line, (size_t)(is_kernel - line));
        hd_strbuf_add(out, " spir_func ");
        line = is_kernel + sizeof kernel - 1;
    }
    hd_strbuf_add_bytes(out, line, (size_t)(end - line));
    hd_strbuf_add_char(out, '\n');
}

static void add_line(Hooks *h, const char *line, const char *end, HdStrbuf *out)
{
    const char *call;

    if (begins(line, constructors) || begins(line, destructors) ||
        begins(line, "declare spir_func i32 @atexit("))
        return;
    if (begins(line, "define ")) {
        add_definition(h, line, end, out);
        return;
    }
    call =
        *line == ' ' ? memmem(line, (size_t)(end - line), registers, sizeof registers - 1) : NULL;
    if (call != NULL) {
        add_registration(h, call, line, end, out);
        return;
    }
    hd_strbuf_add_bytes(out, line, (size_t)(end - line));
    hd_strbuf_add_char(out, '\n');
}

static void add_call(HdStrbuf *out, const Name *n)
{
    hd_strbuf_printf(out, "  call spir_func void %.*s()\n", (int)n->len, n->at);
}

/* The object that a stub destroys, and the variable that says whether it was constructed: their
 * mangled names without "_Z". False: the name is another. */
static bool object_of(const Name *n, const char **at, size_t *len)
{
    *at = n->at + strlen(stub) + 2;
    if (!begins(n->at, stub) || n->len < strlen(stub) + 3)
        return false;
    *len = n->len - strlen(stub) - 2;
    return memcmp(*at - 2, "_Z", 2) == 0;
}

/* Of an object in a function: only if it was constructed. */
static bool add_guarded(HdStrbuf *out, const char *text, const Name *n, size_t number,
                        HdStrbuf *log)
{
    HdStrbuf guard = {0};
    const char *at;
    size_t len;
    bool found = object_of(n, &at, &len);

    if (found) {
        hd_strbuf_printf(&guard, "\n@_ZGV%.*s = ", (int)len, at);
        found = !guard.failed && strstr(text, hd_strbuf_text(&guard)) != NULL;
    }
    hd_strbuf_free(&guard);
    if (!found) {
        hd_strbuf_printf(log,
                         "heddle: nothing says when the object of %.*s is constructed: it "
                         "cannot have a destructor there\n",
                         (int)n->len, n->at);
        return false;
    }
    hd_strbuf_printf(out,
                     "  %%guard.%zu = load i8, ptr addrspace(1) @_ZGV%.*s\n"
                     "  %%is.%zu = icmp ne i8 %%guard.%zu, 0\n"
                     "  br i1 %%is.%zu, label %%there.%zu, label %%gone.%zu\nthere.%zu:\n",
                     number, (int)len, at, number, number, number, number, number, number);
    add_call(out, n);
    hd_strbuf_printf(out, "  br label %%gone.%zu\ngone.%zu:\n", number, number);
    return true;
}

/* The kernels themselves; their names differ among programs that are linked. */
static HdStatus add_kernels(const Hooks *h, const char *text, HdStrbuf *out, HdStrbuf *log)
{
    const unsigned long long tag = hd_hash_bytes(text, strlen(text), 0);
    const bool starts = h->constructors.count != 0;
    const bool ends = h->objects.count + h->destructors.count != 0;

    if (starts) {
        hd_strbuf_printf(out, "define spir_kernel void @__heddle_initialize_%llx() {\n", tag);
        for (size_t i = 0; i < h->constructors.count; i++)
            add_call(out, &h->constructors.at[i]);
        hd_strbuf_add(out, "  ret void\n}\n");
    }
    if (ends) {
        hd_strbuf_printf(out, "define spir_kernel void @__heddle_finalize_%llx() {\n", tag);
        for (size_t i = h->objects.count; i > 0; i--) {
            if (!h->objects.at[i - 1].is_guarded)
                add_call(out, &h->objects.at[i - 1]);
            else if (!add_guarded(out, text, &h->objects.at[i - 1], i, log))
                return HD_BAD_INPUT;
        }
        for (size_t i = h->destructors.count; i > 0; i--)
            add_call(out, &h->destructors.at[i - 1]);
        hd_strbuf_add(out, "  ret void\n}\n");
    }
    if (starts || ends)
        hd_strbuf_printf(out, "!spirv.ExecutionMode = !{%s%s%s}\n", starts ? "!1000000001" : "",
                         starts && ends ? ", " : "", ends ? "!1000000002" : "");
    if (starts)
        hd_strbuf_printf(out, "!1000000001 = !{ptr @__heddle_initialize_%llx, i32 %d}\n", tag,
                         SpvExecutionModeInitializer);
    if (ends)
        hd_strbuf_printf(out, "!1000000002 = !{ptr @__heddle_finalize_%llx, i32 %d}\n", tag,
                         SpvExecutionModeFinalizer);
    return HD_OK;
}

HdStatus hd_clc_mark_hooks(const char *text, HdStrbuf *out, HdStrbuf *log)
{
    Hooks h = {0};
    HdStatus st;

    read_lists(&h, text);
    for (const char *p = text; *p != '\0';) {
        const char *end = hd_clc_line_end(p);

        add_line(&h, p, end, out);
        p = end + (*end != '\0');
    }
    st = add_kernels(&h, text, out, log);
    if (h.failed || out->failed)
        st = HD_NO_MEMORY;
    HD_ARRAY_FREE(&h.constructors);
    HD_ARRAY_FREE(&h.destructors);
    HD_ARRAY_FREE(&h.objects);
    return st;
}

/* ---- what destructors destroy ----------------------------------------------------------------
 */

/* The function that destroys an object, `@__dtor_d`, as the object's own name; false: it is no such
 * function, or there is no such object in global memory. */
static bool name_object(const char *text, const char *function, const char *end, HdStrbuf *name)
{
    const size_t quoted = function[1] == '"', len = name_len(function, end);
    HdStrbuf definition = {0};
    const char *at, *at_end;
    bool found;

    hd_strbuf_free(name);
    if (len <= strlen(stub) + quoted || !begins(function + 1 + quoted, stub + 1))
        return false;
    hd_strbuf_printf(name, "@%s%.*s", quoted ? "\"" : "", (int)(len - strlen(stub) - quoted),
                     function + strlen(stub) + quoted);
    hd_strbuf_printf(&definition, "\n%s = ", hd_strbuf_text(name));
    at = name->failed || definition.failed ? NULL : strstr(text, hd_strbuf_text(&definition));
    at_end = at != NULL ? hd_clc_line_end(at + 1) : NULL;
    found = at != NULL && memmem(at, (size_t)(at_end - at), " addrspace(1) ", 14) != NULL;
    hd_strbuf_free(&definition);
    return found;
}

/* The list as LLVM reads it: the objects that functions belong to, in another address space than
 * the list's type says, are left out. */
static void add_list(const char *line, const char *end, HdStrbuf *out)
{
    static const char object[] = ", ptr addrspace(1) @";
    const char *at;

    while ((at = memmem(line, (size_t)(end - line), object, sizeof object - 1)) != NULL) {
        hd_strbuf_printf(out, "%.*s, ptr null", (int)(at - line), line);
        at += sizeof object - 2;
        line = at + name_len(at, end);
    }
    hd_strbuf_printf(out, "%.*s\n", (int)(end - line), line);
}

HdStatus hd_clc_name_objects(const char *text, HdStrbuf *out)
{
    static const char null[] = "(ptr null)";
    HdStrbuf name = {0};
    bool is_inside = false, failed;

    for (const char *p = text; *p != '\0';) {
        const char *end = hd_clc_line_end(p), *at = NULL;

        if (begins(p, "define ")) {
            at = memchr(p, '@', (size_t)(end - p));
            is_inside = at != NULL && name_object(text, at, end, &name);
        }
        if (begins(p, constructors)) {
            add_list(p, end, out);
            p = end + (*end != '\0');
            continue;
        }
        at = is_inside ? memmem(p, (size_t)(end - p), null, sizeof null - 1) : NULL;
        if (at != NULL) {
            hd_strbuf_add_bytes(out, p, (size_t)(at - p));
            hd_strbuf_printf(
                out, "(ptr addrspace(4) addrspacecast (ptr addrspace(1) %s to ptr addrspace(4)))",
                hd_strbuf_text(&name));
            p = at + sizeof null - 1;
        }
        hd_strbuf_add_bytes(out, p, (size_t)(end - p));
        hd_strbuf_add_char(out, '\n');
        p = end + (*end != '\0');
    }
    failed = name.failed || out->failed;
    hd_strbuf_free(&name);
    return failed ? HD_NO_MEMORY : HD_OK;
}

bool hd_clc_has_finalizer(const uint32_t *words, size_t nwords)
{
    size_t at = HD_MODULE_FIRST_WORD;

    for (HdRawInst in; hd_words_next(words, nwords, &at, &in) && in.op != SpvOpFunction;)
        if (in.op == SpvOpExecutionMode && in.count > 2 &&
            words[at - in.count + 2] == SpvExecutionModeFinalizer)
            return true;
    return false;
}
