/* debug/calls.c -- built-in functions in expressions of the debugger.
 *
 * Scalars only: an expression takes the component of a vector. What is computed of floats is
 * rounded to float, of doubles to double. min, max, clamp and abs are of integers and floats alike.
 *
 * SPDX-License-Identifier: MIT
 */
#include "debug/calls.h"

#include <math.h>
#include <string.h>

#include "debug/private.h"

#define MOST_ARGS 3u

static double smooth(double a, double b, double x)
{
    double t = fmin(fmax((x - a) / (b - a), 0), 1);

    return t * t * (3 - 2 * t);
}

/* Each takes three, whatever it needs of them. */
#define FUNCTION(type, kind, name, value)             \
    static type kind##_##name(type a, type b, type c) \
    {                                                 \
        (void)a;                                      \
        (void)b;                                      \
        (void)c;                                      \
        return value;                                 \
    }
#define CALL1(name, value)  FUNCTION(double, call, name, value)
#define CALL2(name, value)  FUNCTION(double, call, name, value)
#define CALL3(name, value)  FUNCTION(double, call, name, value)
#define WHOLE1(name, value) FUNCTION(int64_t, whole, name, value)
#define WHOLE2(name, value) FUNCTION(int64_t, whole, name, value)
#define WHOLE3(name, value) FUNCTION(int64_t, whole, name, value)
#define TEST1(name, value)               \
    static int64_t test_##name(double a) \
    {                                    \
        return (value) != 0;             \
    }
#include "debug/calls.def"
#undef CALL1
#undef CALL2
#undef CALL3
#undef TEST1
#undef WHOLE1
#undef WHOLE2
#undef WHOLE3

typedef struct Call {
    const char *name;
    unsigned args;
    double (*of_floats)(double, double, double);
    int64_t (*test)(double);
    int64_t (*of_wholes)(int64_t, int64_t, int64_t);
} Call;

static const Call calls[] = {
#define CALL1(name, value)  {#name, 1, call_##name, NULL, NULL},
#define CALL2(name, value)  {#name, 2, call_##name, NULL, NULL},
#define CALL3(name, value)  {#name, 3, call_##name, NULL, NULL},
#define TEST1(name, value)  {#name, 1, NULL, test_##name, NULL},
#define WHOLE1(name, value) {#name, 1, NULL, NULL, whole_##name},
#define WHOLE2(name, value) {#name, 2, NULL, NULL, whole_##name},
#define WHOLE3(name, value) {#name, 3, NULL, NULL, whole_##name},
#include "debug/calls.def"
};

static bool is(const char *name, const char *p, size_t len)
{
    return strlen(name) == len && memcmp(name, p, len) == 0;
}

static HdDebugValue whole(int64_t value)
{
    return (HdDebugValue){.number = HD_DEBUG_INT, .integer = value};
}

static double real_of(const HdDebugValue *n)
{
    return n->number == HD_DEBUG_FLOAT ? n->real : (double)n->integer;
}

HdDebugValue hd_debug_rounded(const HdDebugValue *args, unsigned count, double value)
{
    HdDebugValue out = {.number = HD_DEBUG_FLOAT, .real = value};
    const HdType *t = NULL;

    for (unsigned i = 0; i < count; i++) {
        if (args[i].type != NULL && args[i].type->kind == HD_T_FLOAT &&
            (t == NULL || hd_type_size(args[i].type) > hd_type_size(t)))
            t = args[i].type;
    }
    if (t == NULL || t->encoding != 0)
        return out;
    out = (HdDebugValue){.type = t};
    hd_float_put(out.own, hd_type_size(t), value);
    return out;
}

/* ---- of work-items ------------------------------------------------------------------------- */

static HdStatus of_item(HdDebug *d, uint32_t item, const char *name, size_t len, int64_t dim,
                        HdDebugValue *out)
{
    const HdInterpRun *r = d->r;
    unsigned i = dim < 0 || dim > 2 ? 3 : (unsigned)dim;
    HdDefectItem at;
    uint64_t value = 0;

    hd_debug_item(d, item, &at);
    if (is("get_global_id", name, len))
        value = i < 3 ? at.global[i] : 0;
    else if (is("get_local_id", name, len))
        value = i < 3 ? at.local[i] : 0;
    else if (is("get_group_id", name, len))
        value = i < 3 ? at.group[i] : 0;
    else if (is("get_local_size", name, len))
        value = i < 3 ? r->g->local_size[i] : 1;
    else if (is("get_global_size", name, len))
        value = i < 3 ? r->g->global_size[i] : 1;
    else if (is("get_sub_group_local_id", name, len))
        value = at.lane;
    else if (is("get_sub_group_id", name, len))
        value = at.subgroup;
    else
        return HD_UNSUPPORTED;
    *out = whole((int64_t)value);
    return HD_OK;
}

/* ---- of integers and floats ---------------------------------------------------------------- */

static HdStatus of_both(const char *name, size_t len, const HdDebugValue *args,
                        const HdDebugValue *n, unsigned count, HdDebugValue *out)
{
    bool floats = false;
    double x[MOST_ARGS] = {0};
    int64_t w[MOST_ARGS] = {0};

    for (unsigned i = 0; i < count; i++) {
        floats |= n[i].number == HD_DEBUG_FLOAT;
        x[i] = real_of(&n[i]);
        w[i] = n[i].integer;
    }
    if (is("abs", name, len) && count == 1)
        *out = floats ? hd_debug_rounded(args, count, fabs(x[0]))
                      : whole(w[0] < 0 ? (int64_t)(0 - (uint64_t)w[0]) : w[0]);
    else if (is("min", name, len) && count == 2)
        *out = floats ? hd_debug_rounded(args, count, fmin(x[0], x[1]))
                      : whole(w[0] < w[1] ? w[0] : w[1]);
    else if (is("max", name, len) && count == 2)
        *out = floats ? hd_debug_rounded(args, count, fmax(x[0], x[1]))
                      : whole(w[0] > w[1] ? w[0] : w[1]);
    else if (is("clamp", name, len) && count == 3)
        *out = floats ? hd_debug_rounded(args, count, fmin(fmax(x[0], x[1]), x[2]))
                      : whole(w[0] < w[1]   ? w[1]
                              : w[0] > w[2] ? w[2]
                                            : w[0]);
    else if (is("select", name, len) && count == 3)
        *out = args[n[2].integer != 0 ? 1 : 0];
    else
        return HD_UNSUPPORTED;
    return HD_OK;
}

static HdStatus of_table(const Call *k, const HdDebugValue *args, const HdDebugValue *n,
                         HdDebugValue *out)
{
    double x[MOST_ARGS] = {0};
    int64_t w[MOST_ARGS] = {0};

    for (unsigned i = 0; i < k->args; i++) {
        x[i] = real_of(&n[i]);
        w[i] = n[i].number == HD_DEBUG_FLOAT ? hd_debug_whole(n[i].real) : n[i].integer;
    }
    if (k->of_floats != NULL)
        *out = hd_debug_rounded(args, k->args, k->of_floats(x[0], x[1], x[2]));
    else if (k->test != NULL)
        *out = whole(k->test(x[0]));
    else
        *out = whole(k->of_wholes(w[0], w[1], w[2]));
    return HD_OK;
}

HdStatus hd_debug_call(HdDebug *d, uint32_t item, const char *name, size_t len,
                       const HdDebugValue *args, unsigned count, HdStrbuf *why, HdDebugValue *out)
{
    HdDebugValue n[MOST_ARGS];

    for (unsigned i = 0; i < count; i++)
        if (i == MOST_ARGS || !hd_debug_number(&args[i], &n[i])) {
            hd_strbuf_add(why,
                          "built-in functions take up to three scalars here: name a component");
            return HD_BAD_INPUT;
        }
    if (count == 0 && hd_debug_builtin(d, item, name, len, true, out))
        return HD_OK;
    if (count <= 1 && of_item(d, item, name, len, count != 0 ? n[0].integer : 0, out) == HD_OK)
        return HD_OK;
    if (of_both(name, len, args, n, count, out) == HD_OK)
        return HD_OK;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (!is(calls[i].name, name, len))
            continue;
        if (calls[i].args == count)
            return of_table(&calls[i], args, n, out);
        hd_strbuf_printf(why, "%s takes %u argument%s", calls[i].name, calls[i].args,
                         calls[i].args == 1 ? "" : "s");
        return HD_BAD_INPUT;
    }
    hd_strbuf_printf(why, "there is no built-in function '%.*s' here", (int)len, name);
    return HD_BAD_INPUT;
}
