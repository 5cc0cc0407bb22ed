/* debug/expr.c -- expressions, as in C: names, %ids, $gid and its kin, numbers; . -> [] * & ! ~ -,
 * casts, sizeof, calls of built-in functions, arithmetic, comparisons, && and ||, and p@n for n
 * elements from a place on.
 *
 * SPDX-License-Identifier: MIT
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "debug/calls.h"
#include "debug/private.h"

#define MAX_DEPTH 64u

typedef struct Expr {
    HdDebug *d;
    uint32_t item;
    HdDebugFrame frame;
    const HdDebugFrame *f;
    const char *p;
    HdStrbuf *why;
    unsigned depth;
} Expr;

static HdStatus parse(Expr *x, int least, HdDebugValue *out);
static HdStatus unary(Expr *x, HdDebugValue *out);
static HdStatus apply(Expr *x, int what, const HdDebugValue *a, const HdDebugValue *b,
                      HdDebugValue *out);

static HdStatus fail(const Expr *x, const char *what, const char *about, size_t len)
{
    hd_debug_words(x->d, what, x->why);
    hd_strbuf_printf(x->why, "%s%.*s%s", len > 0 ? " '" : "", (int)len, about, len > 0 ? "'" : "");
    return HD_BAD_INPUT;
}

static HdStatus plain_fail(const Expr *x, const char *what)
{
    return fail(x, what, "", 0);
}

static void space(Expr *x)
{
    x->p += strspn(x->p, " \t");
}

static bool takes(Expr *x, const char *token)
{
    size_t len = strlen(token);

    space(x);
    if (strncmp(x->p, token, len) != 0)
        return false;
    x->p += len;
    return true;
}

static HdDebugValue integer(int64_t value)
{
    return (HdDebugValue){.number = HD_DEBUG_INT, .integer = value};
}

static size_t word_length(const char *p)
{
    size_t len = 0;

    while (isalnum((unsigned char)p[len]) || p[len] == '_')
        len++;
    return len;
}

/* ---- names --------------------------------------------------------------------------------- */

/* $gid, $lid, $group with .x .y .z (x when left out); $lane, $subgroup, $item. */
static HdStatus pseudo(Expr *x, HdDebugValue *out)
{
    size_t len = word_length(x->p);
    const char *name = x->p;
    const uint64_t *ids = NULL;
    HdDefectItem item;

    hd_debug_item(x->d, x->item, &item);
    x->p += len;
    if (len == 3 && strncmp(name, "gid", 3) == 0)
        ids = item.global;
    else if (len == 3 && strncmp(name, "lid", 3) == 0)
        ids = item.local;
    else if (len == 5 && strncmp(name, "group", 5) == 0)
        ids = item.group;
    else if (len == 4 && strncmp(name, "lane", 4) == 0)
        *out = integer(item.lane);
    else if (len == 8 && strncmp(name, "subgroup", 8) == 0)
        *out = integer(item.subgroup);
    else if (len == 4 && strncmp(name, "item", 4) == 0)
        *out = integer(x->item);
    else
        return fail(x, "there is no", name - 1, len + 1);
    if (ids != NULL) {
        unsigned i = 0;

        if (x->p[0] == '.' && x->p[1] >= 'x' && x->p[1] <= 'z') {
            i = (unsigned)(x->p[1] - 'x');
            x->p += 2;
        }
        *out = integer((int64_t)ids[i]);
    }
    return HD_OK;
}

static bool is_name(const char *name, const char *p, size_t len)
{
    return strlen(name) == len && memcmp(name, p, len) == 0;
}

/* The innermost variable of a name: the last. */
static bool find(const HdDebugVariables *list, const char *p, size_t len, HdDebugVariable *out)
{
    bool found = false;

    for (size_t i = 0; i < list->count; i++)
        if (is_name(list->at[i].name, p, len)) {
            *out = list->at[i];
            found = true;
        }
    return found;
}

/* A structure's member of a name. */
static bool find_member(Expr *x, const HdDebugValue *v, const char *p, size_t len,
                        HdDebugValue *out)
{
    uint64_t count = v->type != NULL && v->type->kind == HD_T_STRUCT ? v->type->count : 0;

    for (uint64_t i = 0; i < count; i++) {
        HdStrbuf is = {0};
        bool found =
            hd_debug_value_part(x->d, v, i, out, &is) && is_name(hd_strbuf_text(&is), p, len);

        hd_strbuf_free(&is);
        if (found)
            return true;
    }
    return false;
}

/* Shaders' sources name the members of a block that has no name (GLSL), or of every one (cbuffer of
 * HLSL). */
static bool find_in_blocks(Expr *x, const HdDebugVariables *globals, const char *p, size_t len,
                           HdDebugVariable *out)
{
    *out = (HdDebugVariable){0};
    for (int named = 0; named < 2; named++)
        for (size_t i = 0; i < globals->count; i++) {
            const HdDebugVariable *v = &globals->at[i];

            if (v->is_bound && v->is_nameless == (named == 0) && !v->is_gone &&
                find_member(x, &v->value, p, len, &out->value))
                return true;
        }
    return false;
}

static HdStatus name(Expr *x, HdDebugValue *out)
{
    size_t len = word_length(x->p);
    const char *p = x->p;
    HdDebugVariables locals = {0}, globals = {0};
    HdDebugVariable v = {0};
    HdStatus st = HD_OK;
    bool found;

    x->p += len;
    if (x->f != NULL)
        st = hd_debug_locals(x->d, x->item, x->f, &locals);
    found = st == HD_OK && find(&locals, p, len, &v);
    if (st == HD_OK && !found) {
        st = hd_debug_globals(x->d, &globals);
        found =
            st == HD_OK && (find(&globals, p, len, &v) || find_in_blocks(x, &globals, p, len, &v));
    }
    HD_ARRAY_FREE(&locals);
    HD_ARRAY_FREE(&globals);
    HD_TRY(st);
    if (!found)
        return hd_debug_builtin(x->d, x->item, p, len, false, out)
                   ? HD_OK
                   : fail(x, "there is no variable", p, len);
    if (v.is_gone)
        return fail(x, "nothing keeps the value of", p, len);
    *out = v.value;
    return HD_OK;
}

static HdStatus id(Expr *x, HdDebugValue *out)
{
    size_t len = word_length(x->p);
    const char *p = x->p;
    HdId is;

    x->p += len;
    if (!hd_debug_find_id(x->d, p, len, &is))
        return fail(x, "there is no id", p - 1, len + 1);
    if (!hd_debug_id_value(x->d, x->item, x->f, is, out))
        return fail(x, "no value has been computed here for", p - 1, len + 1);
    return HD_OK;
}

static HdStatus literal(Expr *x, HdDebugValue *out)
{
    const char *end = hd_debug_literal(x->d, x->p, out);

    if (end == NULL)
        return fail(x, "this is not a character", x->p, strlen(x->p));
    x->p = end;
    return HD_OK;
}

/* ---- places -------------------------------------------------------------------------------- */

static HdStatus follow(Expr *x, const HdDebugValue *pointer, const HdType *t, int64_t index,
                       HdDebugValue *out)
{
    HdDebugValue n;
    uint64_t address;

    if (t == NULL || hd_type_size(t) == 0)
        return plain_fail(x, "what the pointer points to has no type: cast it");
    if (!hd_debug_number(pointer, &n))
        return plain_fail(x, "not a pointer");
    address = (uint64_t)n.integer + (uint64_t)index * hd_type_size(t);
    if (!hd_debug_at(x->d, t, address, out)) {
        hd_strbuf_printf(x->why, "no memory of the program is at 0x%llx",
                         (unsigned long long)address);
        return HD_BAD_INPUT;
    }
    return HD_OK;
}

/* The buffer of a structure that holds one array and nothing else, which sources index (HLSL,
 * Slang). */
static HdDebugValue indexed(Expr *x, const HdDebugValue *v)
{
    HdDebugValue part;

    if (v->type != NULL && v->type->kind == HD_T_STRUCT && v->type->count == 1 &&
        hd_debug_value_part(x->d, v, 0, &part, NULL) &&
        (part.type->kind == HD_T_ARRAY || part.type->kind == HD_T_RUNTIME_ARRAY))
        return part;
    return *v;
}

static HdStatus index_of(Expr *x, HdDebugValue *v)
{
    HdDebugValue at, n, part;

    HD_TRY(parse(x, 0, &at));
    if (!takes(x, "]"))
        return plain_fail(x, "']' is missing");
    if (!hd_debug_number(&at, &n) || n.number != HD_DEBUG_INT)
        return plain_fail(x, "an index is a whole number");
    *v = indexed(x, v);
    if (v->type != NULL && v->type->kind == HD_T_POINTER) {
        HD_TRY(follow(x, v, hd_type_element(v->type), n.integer, &part));
    } else if (v->type == NULL || v->type->kind == HD_T_STRUCT ||
               !hd_debug_value_part(x->d, v, (uint64_t)n.integer, &part, NULL)) {
        return plain_fail(x, v->type != NULL && v->type->kind != HD_T_STRUCT &&
                                     (hd_type_parts(v->type) > 0 || v->type->kind == HD_T_ARRAY)
                                 ? "the index is outside"
                                 : "only pointers, arrays and vectors have elements");
    }
    *v = part;
    return HD_OK;
}

/* Which components of a vector a word names: how many; 0: none. */
typedef struct Components {
    unsigned char at[16];
    unsigned count;
} Components;

/* Letters of one set: x, y, z, w; r, g, b, a and s, t, p, q of shaders. */
static Components by_letters(const char *p, size_t len)
{
    static const char *const sets[] = {"xyzw", "rgba", "stpq"};
    Components c = {0};

    for (size_t k = 0; k < sizeof sets / sizeof *sets && c.count < len; k++) {
        const char *at;

        for (c.count = 0; c.count < len && c.count < sizeof c.at; c.count++) {
            at = strchr(sets[k], p[c.count]);
            if (at == NULL)
                break;
            c.at[c.count] = (unsigned char)(at - sets[k]);
        }
    }
    c.count = c.count == len ? c.count : 0;
    return c;
}

/* s0 … sf, of kernels: s31, sFED */
static Components by_digits(const char *p, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    Components c = {0};

    if (len < 2 || len > 1 + sizeof c.at || (p[0] != 's' && p[0] != 'S'))
        return c;
    for (size_t i = 1; i < len; i++) {
        const char *at = strchr(digits, tolower((unsigned char)p[i]));

        if (at == NULL)
            return (Components){0};
        c.at[c.count++] = (unsigned char)(at - digits);
    }
    return c;
}

/* lo, hi, even, odd, of kernels. Of three components they are those of four. */
static Components by_half(const char *p, size_t len, unsigned of)
{
    const unsigned half = (of + 1) / 2;
    const bool is_beside = is_name("lo", p, len) || is_name("hi", p, len);
    Components c = {0};

    if (!is_beside && !is_name("even", p, len) && !is_name("odd", p, len))
        return c;
    for (; c.count < half; c.count++)
        c.at[c.count] = (unsigned char)(is_beside ? c.count + (p[0] == 'h' ? half : 0)
                                                  : 2 * c.count + (p[0] == 'o'));
    return c;
}

static Components components(const char *p, size_t len, unsigned of)
{
    Components c = by_letters(p, len);

    if (c.count == 0)
        c = by_digits(p, len);
    if (c.count == 0)
        c = by_half(p, len, of);
    for (unsigned i = 0; i < c.count; i++)
        if (c.at[i] >= of)
            return (Components){0};
    return c.count <= 4 || c.count == 8 || c.count == 16 ? c : (Components){0};
}

/* A component; several as a vector: a place where they lie beside each other, otherwise a value. */
static bool find_components(Expr *x, const HdDebugValue *v, const char *p, size_t len,
                            HdDebugValue *out)
{
    const Components c = components(p, len, v->type->count);
    const uint64_t stride = hd_debug_stride(x->d, v->type);
    bool is_beside = !v->is_swizzle && stride == hd_type_size(hd_type_element(v->type));

    if (c.count == 0 || !hd_debug_value_part(x->d, v, c.at[0], out, NULL))
        return false;
    if (c.count == 1)
        return true;
    for (unsigned i = 1; i < c.count; i++)
        is_beside = is_beside && c.at[i] == c.at[0] + i;
    if (!is_beside) {
        *out = *v;
        out->is_swizzle = true;
        out->is_variable = false;
        out->address = 0;
        for (unsigned i = 0; i < c.count; i++)
            out->order[i] = v->is_swizzle ? v->order[c.at[i]] : c.at[i];
    }
    out->type = hd_debug_vector_of(x->d, hd_type_element(v->type), c.count, stride);
    return out->type != NULL;
}

static HdStatus no_member(Expr *x, const HdDebugValue *v, const char *p, size_t len)
{
    const uint64_t count = v->type != NULL && v->type->kind == HD_T_STRUCT ? v->type->count : 0;
    HdDebugValue part;

    (void)fail(x, "there is no member", p, len);
    for (uint64_t i = 0; i < count; i++) {
        HdStrbuf is = {0};

        if (hd_debug_value_part(x->d, v, i, &part, &is))
            hd_strbuf_printf(x->why, "%s%s", i == 0 ? "; there is " : ", ", hd_strbuf_text(&is));
        hd_strbuf_free(&is);
    }
    return HD_BAD_INPUT;
}

static HdStatus member(Expr *x, HdDebugValue *v)
{
    size_t len;
    const char *p;
    HdDebugValue part;

    space(x);
    p = x->p;
    len = word_length(p);
    x->p += len;
    if (v->type != NULL && v->type->kind == HD_T_VECTOR) {
        if (!find_components(x, v, p, len, &part))
            return fail(x, "the vector has no component", p, len);
        *v = part;
        return HD_OK;
    }
    if (!find_member(x, v, p, len, &part))
        return no_member(x, v, p, len);
    *v = part;
    return HD_OK;
}

static HdStatus postfix(Expr *x, HdDebugValue *v)
{
    for (;;) {
        HdDebugValue pointer;

        if (takes(x, "[")) {
            HD_TRY(index_of(x, v));
        } else if (takes(x, "->")) {
            pointer = *v;
            HD_TRY(follow(x, &pointer, v->type != NULL ? hd_type_element(v->type) : NULL, 0, v));
            HD_TRY(member(x, v));
        } else if (takes(x, ".")) {
            pointer = *v; /* that shaders call a reference, or an element of an array of blocks */
            if (v->type != NULL && v->type->kind == HD_T_POINTER)
                HD_TRY(follow(x, &pointer, hd_type_element(v->type), 0, v));
            HD_TRY(member(x, v));
        } else {
            return HD_OK;
        }
    }
}

/* ---- operators ----------------------------------------------------------------------------- */

/* "(float *)": the type, and the rest of the text. */
static const HdType *cast_type(Expr *x)
{
    const char *end = strchr(x->p, ')');
    HdStrbuf text = {0};
    const HdType *t;

    if (end == NULL)
        return NULL;
    hd_strbuf_add_bytes(&text, x->p, (size_t)(end - x->p));
    t = hd_debug_type_named(x->d, hd_strbuf_text(&text));
    hd_strbuf_free(&text);
    if (t != NULL)
        x->p = end + 1;
    return t;
}

static HdStatus cast(Expr *x, const HdType *t, HdDebugValue *out)
{
    HdDebugValue v, n;

    HD_TRY(unary(x, &v));
    if (!hd_debug_number(&v, &n))
        return plain_fail(x, "only numbers and pointers can be cast");
    *out = (HdDebugValue){.type = t};
    if (t->kind == HD_T_FLOAT)
        hd_float_put(out->own, hd_type_size(t),
                     n.number == HD_DEBUG_FLOAT ? n.real : (double)n.integer);
    else if (t->kind == HD_T_INT || t->kind == HD_T_POINTER || t->kind == HD_T_BOOL)
        hd_bits_put(out->own, hd_type_size(t),
                    (uint64_t)(n.number == HD_DEBUG_FLOAT ? hd_debug_whole(n.real) : n.integer));
    else
        return plain_fail(x, "only to numbers and pointers is there a cast");
    return HD_OK;
}

/* "sizeof (type)", "sizeof expression" */
static HdStatus size_of(Expr *x, HdDebugValue *out)
{
    const char *before;
    const HdType *t = NULL;
    HdDebugValue v;

    space(x);
    before = x->p;
    if (takes(x, "("))
        t = cast_type(x);
    if (t == NULL) {
        x->p = before;
        HD_TRY(unary(x, &v));
        t = v.type;
        if (t == NULL) {
            *out = integer(v.number == HD_DEBUG_FLOAT ? 8 : 4);
            return HD_OK;
        }
    }
    *out = integer((int64_t)hd_type_size(t));
    return HD_OK;
}

/* A built-in function, and its arguments in parentheses. */
static HdStatus call(Expr *x, HdDebugValue *out)
{
    const char *p = x->p;
    size_t len = word_length(p);
    HdDebugValue args[HD_DEBUG_CALL_ARGS];
    unsigned count = 0;

    x->p += len;
    if (!takes(x, "(") || x->d->r == NULL)
        return plain_fail(x, "'(' is missing");
    while (!takes(x, ")")) {
        if (count == HD_DEBUG_CALL_ARGS)
            return plain_fail(x, "built-in functions take up to three arguments here");
        if (count > 0 && !takes(x, ","))
            return plain_fail(x, "')' is missing");
        HD_TRY(parse(x, 0, &args[count++]));
    }
    return hd_debug_call(x->d, x->item, p, len, args, count, x->why, out);
}

static bool is_call(const char *p)
{
    size_t len = word_length(p);

    return len > 0 && p[len + strspn(p + len, " \t")] == '(';
}

static HdStatus primary(Expr *x, HdDebugValue *out)
{
    const HdType *t;

    space(x);
    if (takes(x, "(")) {
        t = cast_type(x);
        if (t != NULL)
            return cast(x, t, out);
        HD_TRY(parse(x, 0, out));
        if (!takes(x, ")"))
            return plain_fail(x, "')' is missing");
    } else if (takes(x, "$")) {
        HD_TRY(pseudo(x, out));
    } else if (takes(x, "%")) {
        HD_TRY(id(x, out));
    } else if (isdigit((unsigned char)*x->p) || *x->p == '\'') {
        HD_TRY(literal(x, out));
    } else if (word_length(x->p) == 6 && strncmp(x->p, "sizeof", 6) == 0) {
        x->p += 6;
        return size_of(x, out);
    } else if (is_call(x->p)) {
        HD_TRY(call(x, out));
    } else if (word_length(x->p) > 0) {
        HD_TRY(name(x, out));
    } else {
        return fail(x, "a value is missing", x->p, strlen(x->p));
    }
    return postfix(x, out);
}

static HdStatus needs_number(Expr *x, const HdDebugValue *v, HdDebugValue *n)
{
    return hd_debug_number(v, n) ? HD_OK : plain_fail(x, "this needs a number");
}

static HdStatus address_of(Expr *x, HdDebugValue *out)
{
    HdDebugValue v;
    const HdType *t;

    HD_TRY(unary(x, &v));
    t = v.address != 0 && v.type != NULL ? hd_debug_pointer_to(x->d, v.type) : NULL;
    if (t == NULL)
        return plain_fail(x, "this has no address");
    *out = (HdDebugValue){.type = t};
    hd_bits_put(out->own, 8, v.address);
    return HD_OK;
}

typedef struct Operator {
    const char *text;
    int level; /* how tightly it binds */
    int what;
} Operator;

enum { ADD, SUB, MUL, DIV, REM, SHL, SHR, AND, OR, XOR, EQ, NE, LT, LE, GT, GE, BOTH, ANY, MANY };

/* Longer ones first. */
static const Operator operators[] = {
    {"||", 1, ANY}, {"&&", 2, BOTH}, {"==", 6, EQ},  {"!=", 6, NE},   {"<<", 8, SHL},
    {">>", 8, SHR}, {"<=", 7, LE},   {">=", 7, GE},  {"|", 3, OR},    {"^", 4, XOR},
    {"&", 5, AND},  {"<", 7, LT},    {">", 7, GT},   {"+", 9, ADD},   {"-", 9, SUB},
    {"*", 10, MUL}, {"/", 10, DIV},  {"%", 10, REM}, {"@", 11, MANY},
};

/* What comes of floats: a float where none is a double, as in C. */
static HdDebugValue real_of(const HdDebugValue *a, const HdDebugValue *b, double value)
{
    const HdDebugValue both[] = {*a, *b};
    bool is_double = (a->type == NULL && a->number == HD_DEBUG_FLOAT) ||
                     (b->type == NULL && b->number == HD_DEBUG_FLOAT);

    return is_double ? (HdDebugValue){.number = HD_DEBUG_FLOAT, .real = value}
                     : hd_debug_rounded(both, 2, value);
}

static HdStatus unary(Expr *x, HdDebugValue *out)
{
    const HdDebugValue none = integer(0), all = integer(-1);
    HdDebugValue v, n;

    if (++x->depth > MAX_DEPTH)
        return plain_fail(x, "too deeply nested");
    space(x);
    if (takes(x, "*")) {
        HD_TRY(unary(x, &v));
        HD_TRY(follow(x, &v, v.type != NULL ? hd_type_element(v.type) : NULL, 0, out));
    } else if (x->p[0] == '&' && x->p[1] != '&') {
        x->p++;
        HD_TRY(address_of(x, out));
    } else if (takes(x, "-")) {
        HD_TRY(unary(x, &v));
        HD_TRY(needs_number(x, &v, &n));
        if (n.number == HD_DEBUG_FLOAT)
            *out = real_of(&v, &none, -n.real);
        else
            HD_TRY(apply(x, SUB, &none, &v, out));
    } else if (takes(x, "~")) {
        HD_TRY(unary(x, &v));
        HD_TRY(apply(x, XOR, &v, &all, out));
    } else if (takes(x, "!")) {
        HD_TRY(unary(x, &v));
        HD_TRY(needs_number(x, &v, &n));
        *out = integer(n.number == HD_DEBUG_FLOAT ? n.real == 0 : n.integer == 0);
    } else {
        HD_TRY(primary(x, out));
    }
    x->depth--;
    return HD_OK;
}

static HdStatus compute_float(Expr *x, int what, double a, double b, double *r)
{
    switch (what) {
    case ADD: *r = a + b; return HD_OK;
    case SUB: *r = a - b; return HD_OK;
    case MUL: *r = a * b; return HD_OK;
    case DIV: *r = a / b; return HD_OK;
    case EQ: *r = a == b; return HD_OK;
    case NE: *r = a != b; return HD_OK;
    case LT: *r = a < b; return HD_OK;
    case LE: *r = a <= b; return HD_OK;
    case GT: *r = a > b; return HD_OK;
    case GE: *r = a >= b; return HD_OK;
    case BOTH: *r = a != 0 && b != 0; return HD_OK;
    case ANY: *r = a != 0 || b != 0; return HD_OK;
    default: return plain_fail(x, "this needs whole numbers");
    }
}

static bool is_test(int what)
{
    return what >= EQ && what <= ANY;
}

/* ---- whole numbers ------------------------------------------------------------------------- */

/* The type of an operand once it is promoted. */
typedef struct Whole {
    unsigned bits; /* 32 or 64 */
    bool is_unsigned;
    const HdType *type; /* NULL: of a number, or of something smaller */
} Whole;

static Whole whole_of(const HdDebugValue *v, int64_t value)
{
    const HdType *t = v->type;

    if (t == NULL)
        return (Whole){.bits = value == (int32_t)value ? 32 : 64};
    if (t->kind == HD_T_POINTER)
        return (Whole){.bits = 64, .is_unsigned = true};
    if (t->kind != HD_T_INT || hd_type_size(t) < 4)
        return (Whole){.bits = 32};
    return (Whole){.bits = (unsigned)hd_type_size(t) * 8, .is_unsigned = !t->is_signed, .type = t};
}

/* C's usual arithmetic conversions. */
static Whole common_of(Whole a, Whole b)
{
    if (a.bits != b.bits)
        return a.bits > b.bits ? a : b;
    if (a.is_unsigned != b.is_unsigned)
        return a.is_unsigned ? a : b;
    return a.type != NULL ? a : b;
}

static int64_t converted(Whole to, int64_t value)
{
    if (to.bits == 64)
        return value;
    return to.is_unsigned ? (int64_t)(uint32_t)value : (int64_t)(int32_t)(uint32_t)value;
}

static HdStatus divide(Expr *x, int what, Whole of, int64_t a, int64_t b, int64_t *r)
{
    if (b == 0 || (!of.is_unsigned && b == -1 && a == INT64_MIN))
        return plain_fail(x, b == 0 ? "a division by zero" : "the quotient is too large");
    if (of.is_unsigned)
        *r = (int64_t)(what == DIV ? (uint64_t)a / (uint64_t)b : (uint64_t)a % (uint64_t)b);
    else
        *r = what == DIV ? a / b : a % b;
    return HD_OK;
}

/* Of operands that have been converted. The amount of a shift is taken modulo the width. */
static HdStatus compute_int(Expr *x, int what, Whole of, int64_t a, int64_t b, int64_t *r)
{
    uint64_t u = (uint64_t)a, v = (uint64_t)b;
    bool is_less = of.is_unsigned ? u < v : a < b;

    switch (what) {
    case ADD: *r = (int64_t)(u + v); break;
    case SUB: *r = (int64_t)(u - v); break;
    case MUL: *r = (int64_t)(u * v); break;
    case DIV:
    case REM: return divide(x, what, of, a, b, r);
    case SHL: *r = (int64_t)(u << (v & (of.bits - 1))); break;
    case SHR:
        *r = of.is_unsigned ? (int64_t)(u >> (v & (of.bits - 1))) : a >> (v & (of.bits - 1));
        break;
    case AND: *r = a & b; break;
    case OR: *r = a | b; break;
    case XOR: *r = a ^ b; break;
    case EQ: *r = a == b; break;
    case NE: *r = a != b; break;
    case LT: *r = is_less; break;
    case LE: *r = is_less || a == b; break;
    case GT: *r = !is_less && a != b; break;
    case GE: *r = !is_less; break;
    case BOTH: *r = a != 0 && b != 0; break;
    default: *r = a != 0 || b != 0; break;
    }
    return HD_OK;
}

/* A result has the type of its operands; of numbers alone it is one, with 64 bits. */
static HdStatus apply_int(Expr *x, int what, const HdDebugValue *a, const HdDebugValue *b,
                          const int64_t n[2], HdDebugValue *out)
{
    static const char *const names[2][2] = {{"int", "uint"}, {"long", "ulong"}};
    bool is_shift = what == SHL || what == SHR, is_plain = a->type == NULL && b->type == NULL;
    Whole left = whole_of(a, n[0]);
    Whole of = is_plain   ? (Whole){.bits = 64}
               : is_shift ? left
                          : common_of(left, whole_of(b, n[1]));
    int64_t r;

    HD_TRY(
        compute_int(x, what, of, converted(of, n[0]), is_shift ? n[1] : converted(of, n[1]), &r));
    if (of.type == NULL && !is_plain)
        of.type = hd_debug_type_named(x->d, names[of.bits == 64][of.is_unsigned]);
    *out = integer(converted(of, r));
    if (is_plain || is_test(what) || of.type == NULL)
        return HD_OK;
    *out = (HdDebugValue){.type = of.type};
    hd_bits_put(out->own, of.bits / 8, (uint64_t)r);
    return HD_OK;
}

/* p@n */
static HdStatus many(Expr *x, const HdDebugValue *v, int64_t count, HdDebugValue *out)
{
    const HdType *t;

    if (v->address == 0 || v->type == NULL || count <= 0 || count > 65536)
        return plain_fail(x, "@ needs a place in memory and how many there are");
    t = hd_debug_array_of(x->d, v->type, (uint64_t)count);
    if (t == NULL || !hd_debug_at(x->d, t, v->address, out))
        return plain_fail(x, "the memory does not reach that far");
    return HD_OK;
}

/* What a pointer points to, if that has a size; else 0. */
static uint64_t step_of(const HdDebugValue *v)
{
    const HdType *t =
        v->type != NULL && v->type->kind == HD_T_POINTER ? hd_type_element(v->type) : NULL;

    return t != NULL ? hd_type_size(t) : 0;
}

/* A pointer moved by elements, or how many are between two; false: it is something else. */
static bool of_pointers(int what, const HdDebugValue *a, const HdDebugValue *b, const int64_t n[2],
                        HdDebugValue *out)
{
    uint64_t step = step_of(a), distance = (uint64_t)n[1] * step;

    if (step == 0 || (what != ADD && what != SUB))
        return false;
    if (step_of(b) != 0) {
        if (what != SUB)
            return false;
        *out = integer((int64_t)((uint64_t)n[0] - (uint64_t)n[1]) / (int64_t)step);
        return true;
    }
    *out = (HdDebugValue){.type = a->type};
    hd_bits_put(out->own, 8, (uint64_t)n[0] + (what == ADD ? distance : 0 - distance));
    return true;
}

static HdStatus apply(Expr *x, int what, const HdDebugValue *a, const HdDebugValue *b,
                      HdDebugValue *out)
{
    HdDebugValue n, m;
    int64_t whole[2];

    HD_TRY(needs_number(x, b, &m));
    if (what == MANY)
        return many(x, a, m.integer, out);
    HD_TRY(needs_number(x, a, &n));
    whole[0] = n.integer;
    whole[1] = m.integer;
    if (m.number == HD_DEBUG_INT && of_pointers(what, a, b, whole, out))
        return HD_OK;
    if (n.number == HD_DEBUG_FLOAT || m.number == HD_DEBUG_FLOAT) {
        double r;

        HD_TRY(compute_float(x, what, n.number == HD_DEBUG_FLOAT ? n.real : (double)n.integer,
                             m.number == HD_DEBUG_FLOAT ? m.real : (double)m.integer, &r));
        *out = is_test(what) ? integer(r != 0) : real_of(a, b, r);
        return HD_OK;
    }
    return apply_int(x, what, a, b, whole, out);
}

static const Operator *operator_at(Expr *x, int least)
{
    space(x);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (strncmp(x->p, operators[i].text, strlen(operators[i].text)) == 0)
            return operators[i].level >= least ? &operators[i] : NULL;
    return NULL;
}

static HdStatus parse(Expr *x, int least, HdDebugValue *out)
{
    const Operator *op;

    if (++x->depth > MAX_DEPTH)
        return plain_fail(x, "too deeply nested");
    HD_TRY(unary(x, out));
    while ((op = operator_at(x, least)) != NULL) {
        HdDebugValue left = *out, right;

        x->p += strlen(op->text);
        HD_TRY(parse(x, op->level + 1, &right));
        HD_TRY(apply(x, op->what, &left, &right, out));
    }
    x->depth--;
    return HD_OK;
}

HdStatus hd_debug_eval(HdDebug *d, uint32_t item, uint32_t frame, const char *text,
                       HdDebugValue *out, HdStrbuf *why)
{
    HdDebugFrame frames[HD_DEBUG_FRAMES];
    Expr x = {.d = d, .item = item, .p = text, .why = why};
    uint32_t count = hd_debug_frames(d, item, frames);

    if (d->r == NULL)
        return plain_fail(&x, "the kernel is not running");
    if (frame < count) {
        x.frame = frames[frame];
        x.f = &x.frame;
    }
    HD_TRY(parse(&x, 0, out));
    space(&x);
    if (*x.p == '=')
        return plain_fail(&x, "an expression has no assignments; `set NAME = VALUE` changes one");
    return *x.p == '\0' ? HD_OK : fail(&x, "what is", x.p, strlen(x.p));
}

HdStatus hd_debug_true(HdDebug *d, uint32_t item, const char *text, bool *is_true, HdStrbuf *why)
{
    HdDebugValue v, n;

    HD_TRY(hd_debug_eval(d, item, 0, text, &v, why));
    if (!hd_debug_number(&v, &n)) {
        hd_strbuf_add(why, "a condition is a number");
        return HD_BAD_INPUT;
    }
    *is_true = n.number == HD_DEBUG_FLOAT ? n.real != 0 : n.integer != 0;
    return HD_OK;
}
