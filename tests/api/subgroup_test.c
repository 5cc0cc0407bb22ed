/* tests/api/subgroup_test.c -- sub-group and work-group operations of OpenCL C, type by type.
 *
 * One kernel holds every operation of a type that all work-items reach, a second one those that
 * only some of them reach. Groups of 37 end in a partial sub-group. The reference knows lists of
 * lanes only.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <math.h>
#include <stdint.h>

enum { LOCAL = 37, GROUPS = 3, N = LOCAL * GROUPS, MAX_OPS = 128 };

typedef struct Type {
    const char *name;
    unsigned bytes;
    bool is_float, is_signed;
} Type;

static const Type types[] = {
    {"char", 1, false, true},    {"uchar", 1, false, false}, {"short", 2, false, true},
    {"ushort", 2, false, false}, {"int", 4, false, true},    {"uint", 4, false, false},
    {"long", 8, false, true},    {"ulong", 8, false, false}, {"half", 2, true, true},
    {"float", 4, true, true},    {"double", 8, true, true}};

/* A value of any type: exact, because all inputs are small. */
typedef struct Value {
    double f;
    int64_t i;
} Value;

typedef enum Kind {
    REDUCE,
    INCLUSIVE,
    EXCLUSIVE,
    CLUSTER, /* of 4 */
    BROADCAST,
    FIRST,
    SHUFFLE,
    XOR,
    UP,
    DOWN,
    ROTATE,
    CLUSTER_ROTATE
} Kind;

typedef struct Op {
    char text[96]; /* expression of x (the value) and s (the item's selector) */
    Kind kind;
    const char *combine;
    bool is_group;
} Op;

typedef struct Ops {
    Op at[MAX_OPS];
    unsigned count;
} Ops;

static Op *add(Ops *ops, Kind kind)
{
    Op *o = &ops->at[ops->count++];

    *o = (Op){.kind = kind};
    return o;
}

static void add_combining(Ops *ops, const char *prefix, const char *combine, bool is_group)
{
    static const char *const kinds[] = {"reduce", "scan_inclusive", "scan_exclusive"};

    for (unsigned k = 0; k < 3; k++) {
        Op *o = add(ops, (Kind)k);

        o->combine = combine;
        o->is_group = is_group;
        snprintf(o->text, sizeof o->text, "%s_%s_%s(x)", prefix, kinds[k], combine);
    }
}

static void add_moving(Ops *ops, Kind kind, const char *text)
{
    snprintf(add(ops, kind)->text, sizeof ops->at[0].text, "%s", text);
}

/* Operations that every work-item of the group reaches. */
static void list_uniform(Ops *ops, const Type *t)
{
    static const char *const basic[] = {"add", "min", "max"};
    static const char *const more[] = {"mul", "and", "or", "xor"};

    ops->count = 0;
    for (unsigned i = 0; i < 3; i++) {
        add_combining(ops, "sub_group", basic[i], false);
        if (t->bytes >= 4 || t->is_float)
            add_combining(ops, "work_group", basic[i], true);
    }
    for (unsigned i = 0; i < (t->is_float ? 1 : 4); i++)
        if (t->bytes >= 4 || t->is_float)
            add_combining(ops, "work_group", more[i], true);
    add_moving(ops, BROADCAST, "sub_group_broadcast(x, 1u)");
    add_moving(ops, ROTATE, "sub_group_rotate(x, 3)");
    add_moving(ops, CLUSTER_ROTATE, "sub_group_clustered_rotate(x, 3, 4u)");
    add_moving(ops, SHUFFLE, "sub_group_shuffle(x, s)");
    add_moving(ops, XOR, "sub_group_shuffle_xor(x, 1u)");
    add_moving(ops, UP, "sub_group_shuffle_up(x, 1u)");
    add_moving(ops, DOWN, "sub_group_shuffle_down(x, 1u)");
    add_moving(ops, SHUFFLE, "intel_sub_group_shuffle(x, s)");
    add_moving(ops, XOR, "intel_sub_group_shuffle_xor(x, 1u)");
    add_moving(ops, UP, "intel_sub_group_shuffle_up(x, x, 1u)");
    add_moving(ops, DOWN, "intel_sub_group_shuffle_down(x, x, 1u)");
}

/* Operations that those who reach them take part in. */
static void list_divergent(Ops *ops, const Type *t)
{
    static const char *const all[] = {"add", "min", "max", "mul", "and", "or", "xor"};

    ops->count = 0;
    for (unsigned i = 0; i < (t->is_float ? 4 : 7); i++) {
        Op *o;

        add_combining(ops, "sub_group_non_uniform", all[i], false);
        o = add(ops, CLUSTER);
        o->combine = all[i];
        snprintf(o->text, sizeof o->text, "sub_group_clustered_reduce_%s(x, 4u)", all[i]);
    }
    add_moving(ops, FIRST, "sub_group_broadcast_first(x)");
    add_moving(ops, SHUFFLE, "sub_group_shuffle(x, s)");
    add_moving(ops, XOR, "sub_group_shuffle_xor(x, 2u)");
    add_moving(ops, BROADCAST, "sub_group_non_uniform_broadcast(x, 1u)");
}

/* ---- the reference ----------------------------------------------------------------------------
 */

static Value wrap(const Type *t, Value v)
{
    unsigned shift = 64 - 8 * t->bytes;

    if (t->is_float)
        return v;
    v.i = t->is_signed ? (int64_t)((uint64_t)v.i << shift) >> shift
                       : (int64_t)((uint64_t)v.i << shift >> shift);
    return v;
}

static bool less(const Type *t, Value a, Value b)
{
    if (t->is_float)
        return a.f < b.f;
    return t->is_signed ? a.i < b.i : (uint64_t)a.i < (uint64_t)b.i;
}

static Value combine(const Type *t, const char *op, Value a, Value b)
{
    Value r = a;

    if (strcmp(op, "min") == 0 || strcmp(op, "max") == 0)
        return less(t, a, b) == (op[1] == 'i') ? a : b;
    switch (op[1]) {
    case 'd': r.f = a.f + b.f, r.i = (int64_t)((uint64_t)a.i + (uint64_t)b.i); break;
    case 'u': r.f = a.f * b.f, r.i = (int64_t)((uint64_t)a.i * (uint64_t)b.i); break;
    case 'n': r.i = a.i & b.i; break;
    case 'r': r.i = a.i | b.i; break;
    case 'o': r.i = a.i ^ b.i; break;
    default: break;
    }
    return wrap(t, r);
}

static Value identity(const Type *t, const char *op)
{
    Value v = {0, 0};

    if (strcmp(op, "min") == 0) {
        v.f = INFINITY;
        v.i = t->is_signed ? INT64_MAX >> (64 - 8 * t->bytes) : -1;
    } else if (strcmp(op, "max") == 0) {
        v.f = -INFINITY;
        v.i = t->is_signed ? INT64_MIN >> (64 - 8 * t->bytes) : 0;
    } else if (strcmp(op, "mul") == 0) {
        v.f = 1, v.i = 1;
    } else if (strcmp(op, "and") == 0) {
        v.i = -1;
    }
    return wrap(t, v);
}

static Value input(const Type *t, unsigned i)
{
    int v = i % 5 == 0 ? 2 : i % 7 == 0 ? 3 : 1;

    if (t->is_signed && i % 11 == 0)
        v = -v;
    return (Value){v, v};
}

/* The lane that an item gets its value from; -1: what it gets is undefined. */
static int source(const Op *o, int lane, int size, int width, unsigned selector)
{
    int from = lane;

    switch (o->kind) {
    case BROADCAST: from = 1; break;
    case SHUFFLE: from = (int)selector; break;
    case XOR: from = lane ^ (strstr(o->text, "2u") != NULL ? 2 : 1); break;
    case UP: from = lane - 1; break;
    case DOWN: from = lane + 1; break;
    case ROTATE: from = (lane + 3) % width; break;
    case CLUSTER_ROTATE: from = (lane & ~3) + ((lane + 3) & 3); break;
    default: break;
    }
    return from >= 0 && from < size ? from : -1;
}

/* Item i's result, with those of its group taking part that `active` says. False: undefined. */
static bool expect(const Type *t, const Op *o, unsigned i, const bool *active, int width,
                   Value *out)
{
    int item = (int)(i % LOCAL), span = o->is_group ? LOCAL : width;
    int first = item / span * span, last = first + span < LOCAL ? first + span : LOCAL;
    unsigned base = i - (unsigned)item;
    int lane = item - first;

    if (o->kind == CLUSTER) {
        first += lane / 4 * 4;
        last = first + 4 < last ? first + 4 : last;
    }
    if (o->kind > CLUSTER) {
        int from = o->kind == FIRST ? 0 : source(o, lane, last - first, width, (i * 3) % 4);

        while (o->kind == FIRST && !active[base + (unsigned)(first + from)])
            from++;
        if (from < 0 || !active[base + (unsigned)(first + from)])
            return false;
        *out = input(t, base + (unsigned)(first + from));
        return true;
    }
    *out = identity(t, o->combine);
    for (int k = first; k < last; k++) {
        if (!active[base + (unsigned)k] || (o->kind == INCLUSIVE && k > item) ||
            (o->kind == EXCLUSIVE && k >= item))
            continue;
        *out = combine(t, o->combine, *out, input(t, base + (unsigned)k));
    }
    return true;
}

/* ---- values in memory ---------------------------------------------------------------------------
 */

static double half_value(uint16_t h)
{
    int e = h >> 10 & 31;
    double m = h & 1023, v;

    v = e == 31 ? (m != 0 ? NAN : INFINITY) : e == 0 ? ldexp(m, -24) : ldexp(m + 1024, e - 25);
    return h & 0x8000 ? -v : v;
}

static uint16_t half_bits(double v)
{
    uint16_t sign = v < 0 ? 0x8000 : 0;
    int e;
    double m = frexp(fabs(v), &e); /* 0.5 <= m < 1: small whole numbers are normal halves */

    return v == 0 ? 0 : (uint16_t)(sign | (unsigned)(e + 14) << 10 | ((unsigned)(m * 2048) & 1023));
}

static Value load(const Type *t, const unsigned char *p)
{
    Value v = {0, 0};
    float f;
    uint16_t h;

    if (!t->is_float) {
        memcpy(&v.i, p, t->bytes);
        return wrap(t, v);
    }
    switch (t->bytes) {
    case 2: memcpy(&h, p, 2), v.f = half_value(h); break;
    case 4: memcpy(&f, p, 4), v.f = f; break;
    default: memcpy(&v.f, p, 8);
    }
    return v;
}

static void store(const Type *t, unsigned char *p, Value v)
{
    float f = (float)v.f;
    uint16_t h = half_bits(v.f);

    if (!t->is_float)
        memcpy(p, &v.i, t->bytes);
    else
        memcpy(p, t->bytes == 2 ? (void *)&h : t->bytes == 4 ? (void *)&f : (void *)&v.f, t->bytes);
}

/* ---- running ------------------------------------------------------------------------------------
 */

static char *source_of(const Type *t, const Ops *uniform, const Ops *divergent)
{
    size_t room = 32768, n = 0;
    char *s = malloc(room);

    n += (size_t)snprintf(s + n, room - n,
                          "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                          "kernel void uniform_(global %s *out, global const %s *in) {\n"
                          "  uint i = get_global_id(0), s = i * 3 %% 4; %s x = in[i];\n",
                          t->name, t->name, t->name);
    for (unsigned k = 0; k < uniform->count; k++)
        n += (size_t)snprintf(s + n, room - n, "  out[%u + i] = %s;\n", k * N, uniform->at[k].text);
    n += (size_t)snprintf(s + n, room - n,
                          "}\nkernel void divergent(global %s *out, global const %s *in) {\n"
                          "  uint i = get_global_id(0), s = i * 3 %% 4; %s x = in[i];\n"
                          "  if (i %% 3 != 1) {\n",
                          t->name, t->name, t->name);
    for (unsigned k = 0; k < divergent->count; k++)
        n += (size_t)snprintf(s + n, room - n, "  out[%u + i] = %s;\n", k * N,
                              divergent->at[k].text);
    snprintf(s + n, room - n, "}}\n");
    return s;
}

static int width_of(HdApiTest *t, cl_kernel k)
{
    const size_t local = LOCAL;
    size_t width = 0;

    CHECK_OK(clGetKernelSubGroupInfo(k, t->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     sizeof local, &local, sizeof width, &width, NULL));
    return width > 0 ? (int)width : 1;
}

static void judge(const Type *type, const Ops *ops, const bool *active, int width,
                  const unsigned char *got)
{
    for (unsigned k = 0; k < ops->count; k++) {
        bool ok = true;

        for (unsigned i = 0; i < N; i++) {
            Value want, have = load(type, got + (k * N + i) * type->bytes);

            if (!active[i] || !expect(type, &ops->at[k], i, active, width, &want))
                continue;
            if (ok && (type->is_float ? have.f != want.f : have.i != want.i)) {
                ok = false;
                printf("%s %s, item %u: %g %lld, should be %g %lld\n", type->name, ops->at[k].text,
                       i, have.f, (long long)have.i, want.f, (long long)want.i);
            }
        }
        CHECK(ok);
    }
}

static void run_kernel(HdApiTest *t, cl_program p, const char *name, const Type *type,
                       const Ops *ops, bool is_divergent)
{
    const size_t global = N, local = LOCAL;
    unsigned char in[N * 8];
    size_t bytes = (size_t)ops->count * N * type->bytes;
    unsigned char *got = calloc(bytes, 1);
    bool active[N];
    cl_int code;
    cl_kernel k = clCreateKernel(p, name, &code);
    cl_mem a, b;

    CHECK_OK(code);
    for (unsigned i = 0; i < N; i++) {
        store(type, in + i * type->bytes, input(type, i));
        active[i] = !is_divergent || i % 3 != 1;
    }
    a = clCreateBuffer(t->context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
    b = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, N * type->bytes, in, NULL);
    CHECK_OK(clSetKernelArg(k, 0, sizeof a, &a));
    CHECK_OK(clSetKernelArg(k, 1, sizeof b, &b));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, a, CL_TRUE, 0, bytes, got, 0, NULL, NULL));
    judge(type, ops, active, width_of(t, k), got);
    clReleaseMemObject(a);
    clReleaseMemObject(b);
    clReleaseKernel(k);
    free(got);
}

static void test_type(HdApiTest *t, const Type *type, const char *options)
{
    static Ops uniform, divergent;
    cl_program p;
    char *text;

    list_uniform(&uniform, type);
    list_divergent(&divergent, type);
    text = source_of(type, &uniform, &divergent);
    p = hd_api_build(t, text, options);
    free(text);
    if (p == NULL)
        return;
    run_kernel(t, p, "uniform_", type, &uniform, false);
    run_kernel(t, p, "divergent", type, &divergent, true);
    clReleaseProgram(p);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    if (!t.has_compiler)
        hd_api_skip("no compiler");
    for (size_t i = 0; t.has_compiler && i < sizeof types / sizeof types[0]; i++)
        test_type(&t, &types[i], i % 2 == 0 ? "-cl-std=CL3.0" : "-cl-std=CL3.1");
    if (t.has_compiler)
        test_type(&t, &types[4], "-cl-std=CL2.0");
    return hd_api_close(&t);
}
