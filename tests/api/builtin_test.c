/* tests/api/builtin_test.c -- built-ins of extensions in OpenCL C: bits, dot products, atomics on
 * floats, votes, ballots and masks, block reads and writes.
 *
 * Where a built-in says what plain OpenCL C could, the kernel does both and counts differences.
 *
 * SPDX-License-Identifier: MIT
 */
#include "check.h"

#include <stdint.h>

enum { LOCAL = 37, GROUPS = 2, N = LOCAL * GROUPS };

/* Run a kernel (out) of a source on N items in groups of 37; out is `words` of zeros at first. */
static int run(HdApiTest *t, const char *source, const char *options, const char *name,
               uint32_t *out, size_t words)
{
    const size_t global = N, local = LOCAL;
    cl_program p = hd_api_build(t, source, options);
    size_t width = 0;
    cl_kernel k;
    cl_mem m;
    cl_int code;

    memset(out, 0, words * 4);
    if (p == NULL)
        return 1;
    k = clCreateKernel(p, name, &code);
    CHECK_OK(code);
    m = clCreateBuffer(t->context, CL_MEM_COPY_HOST_PTR, words * 4, out, &code);
    CHECK_OK(code);
    CHECK_OK(clSetKernelArg(k, 0, sizeof m, &m));
    CHECK_OK(clGetKernelSubGroupInfo(k, t->device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     sizeof local, &local, sizeof width, &width, NULL));
    CHECK_OK(clEnqueueNDRangeKernel(t->queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK_OK(clEnqueueReadBuffer(t->queue, m, CL_TRUE, 0, words * 4, out, 0, NULL, NULL));
    clReleaseMemObject(m);
    clReleaseKernel(k);
    clReleaseProgram(p);
    return width > 0 ? (int)width : 1;
}

/* ---- bits
 * ---------------------------------------------------------------------------------------- */

static const char bits_head[] =
    "#if !defined(cl_khr_extended_bit_ops)\n#error not reported\n#endif\n"
    "uint next(uint *s) { *s = *s * 1664525u + 1013904223u; return *s >> 3; }\n"
    "#define ONE(T, U, S, B)\\\n"
    "U low_##T(uint c) { return c == 0 ? (U)0 : (U)((U)~(U)0 >> (B - c)); }\\\n"
    "T insert_##T(T b, T i, uint o, uint c) { U m = (U)(low_##T(c) << (c == 0 ? 0 : o));\\\n"
    "  return (T)(((U)b & (U)~m) | ((U)((U)i << (c == 0 ? 0 : o)) & m)); }\\\n"
    "U unsigned_##T(T b, uint o, uint c) { return c == 0 ? (U)0 : (U)((U)b >> o) & low_##T(c); "
    "}\\\n"
    "S signed_##T(T b, uint o, uint c) { U u = unsigned_##T(b, o, c);\\\n"
    "  return c != 0 && (u >> (c - 1) & 1) ? (S)(u | (U)~low_##T(c)) : (S)u; }\\\n"
    "T reverse_##T(T b) { U r = 0; for (int i = 0; i < B; i++)\\\n"
    "  r |= (U)((U)((U)b >> i & 1) << (B - 1 - i)); return (T)r; }\n"
    "ONE(char, uchar, char, 8) ONE(uchar, uchar, char, 8)\n"
    "ONE(short, ushort, short, 16) ONE(ushort, ushort, short, 16)\n"
    "ONE(int, uint, int, 32) ONE(uint, uint, int, 32)\n"
    "ONE(long, ulong, long, 64) ONE(ulong, ulong, long, 64)\n";

/* A kernel for vectors of one type and size; components are judged one by one. */
static void add_bits(char *s, size_t room, const char *type, unsigned bits, unsigned n)
{
    const char *base = type[0] == 'u' ? type + 1 : type;
    char v[16], u[16], i[16];
    size_t at = strlen(s);

    snprintf(v, sizeof v, n > 1 ? "%s%u" : "%s", type, n);
    snprintf(u, sizeof u, n > 1 ? "u%s%u" : "u%s", base, n);
    snprintf(i, sizeof i, n > 1 ? "%s%u" : "%s", base, n);
    snprintf(s + at, room - at,
             "{ %s a[%u], b[%u], r[%u], e[%u]; u%s x[%u]; %s y[%u];\n"
             "  for (int k = 0; k < %u; k++) { a[k] = (%s)((ulong)next(&seed) << 32 ^ next(&seed));"
             " b[k] = (%s)((ulong)next(&seed) << 32 ^ next(&seed)); }\n"
             "  uint o = next(&seed) %% %u, c = next(&seed) %% (%u - o + 1);\n"
             "  %s va = *(%s *)a, vb = *(%s *)b;\n"
             "  *(%s *)r = bitfield_insert(va, vb, o, c); *(%s *)e = bit_reverse(va);\n"
             "  *(%s *)x = bitfield_extract_unsigned(va, o, c);"
             " *(%s *)y = bitfield_extract_signed(va, o, c);\n"
             "  for (int k = 0; k < %u; k++) bad += r[k] != insert_%s(a[k], b[k], o, c)"
             " || e[k] != reverse_%s(a[k]) || x[k] != unsigned_%s(a[k], o, c)"
             " || y[k] != signed_%s(a[k], o, c); }\n",
             type, n, n, n, n, base, n, base, n, n, type, type, bits, bits, v, v, v, v, v, u, i, n,
             type, type, type, type);
}

static void test_bits(HdApiTest *t)
{
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = {{"char", 8}, {"uchar", 8}, {"short", 16}, {"ushort", 16},
                 {"int", 32}, {"uint", 32}, {"long", 64},  {"ulong", 64}};
    static const unsigned sizes[] = {1, 2, 4, 8, 16};
    static char source[65536];
    uint32_t out[N];

    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        uint32_t bad = 0;

        snprintf(source, sizeof source,
                 "%skernel void bits(global uint *out) {\n"
                 "uint i = get_global_id(0), seed = i * 77 + 5, bad = 0;\n",
                 bits_head);
        for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++)
            add_bits(source, sizeof source, types[k].name, types[k].bits, sizes[n]);
        strcat(source, "out[i] = bad;\n}\n");
        run(t, source, "-cl-std=CL3.0", "bits", out, N);
        for (size_t i = 0; i < N; i++)
            bad += out[i];
        if (bad != 0)
            printf("bit operations on %s: %u wrong\n", types[k].name, (unsigned)bad);
        CHECK(bad == 0);
    }
}

/* ---- dot products
 * -------------------------------------------------------------------------------- */

static const char dots[] =
    "#if !defined(cl_khr_integer_dot_product) ||\\\n"
    "  !defined(__opencl_c_integer_dot_product_input_4x8bit) ||\\\n"
    "  !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)\n#error not reported\n#endif\n"
    "uint next(uint *s) { *s = *s * 1664525u + 1013904223u; return *s ^ *s << 13; }\n"
    "#define REF(x, y) ((long)x.x * y.x + (long)x.y * y.y + (long)x.z * y.z + (long)x.w * y.w)\n"
    "#define SAT(v, T) ((v) < T##_MIN ? (long)T##_MIN : (v) > (long)T##_MAX ? (long)T##_MAX : "
    "(v))\n"
    "#define UINT_MIN 0\n"
    "#define TRY(X, Y, T, P) { X x = as_##X(a); Y y = as_##Y(b);\\\n"
    "  long want = REF(x, y), sum = want + (long)c_##T;\\\n"
    "  bad += (long)dot(x, y) != want;\\\n"
    "  bad += (long)dot_acc_sat(x, y, c_##T) != SAT(sum, T);\\\n"
    "  bad += (long)dot_4x8packed_##P(a, b) != want;\\\n"
    "  bad += (long)dot_acc_sat_4x8packed_##P(a, b, c_##T) != SAT(sum, T); }\n"
    "kernel void dots(global uint *out) {\n"
    "  uint i = get_global_id(0), seed = i * 99 + 1, bad = 0;\n"
    "  for (int k = 0; k < 50; k++) {\n"
    "    uint a = next(&seed), b = next(&seed);\n"
    "    int c_INT = k % 3 == 0 ? INT_MAX - (int)(next(&seed) % 30000) :\n"
    "                k % 3 == 1 ? INT_MIN + (int)(next(&seed) % 30000) : (int)next(&seed);\n"
    "    uint c_UINT = k % 2 ? UINT_MAX - next(&seed) % 100000 : next(&seed);\n"
    "    if (k == 7) a = b = 0x80808080u;\n"
    "    TRY(char4, char4, INT, ss_int) TRY(uchar4, uchar4, UINT, uu_uint)\n"
    "    TRY(char4, uchar4, INT, su_int) TRY(uchar4, char4, INT, us_int)\n"
    "  }\n"
    "  out[i] = bad;\n}\n";

static void test_dots(HdApiTest *t)
{
    uint32_t out[N], bad = 0;

    run(t, dots, "-cl-std=CL3.1", "dots", out, N);
    for (size_t i = 0; i < N; i++)
        bad += out[i];
    CHECK(bad == 0);
}

/* ---- atomics on floats
 * ---------------------------------------------------------------------------- */

/* Sums, minima and maxima of small whole numbers, over global, local and generic pointers, with and
 * without orders and scopes. */
static const char atomics[] =
    "#if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp16_local_atomic_min_max)\n"
    "#error not reported\n#endif\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "void any_space(volatile atomic_T *sum, volatile atomic_T *least, T v) {\n"
    "  atomic_fetch_add(sum, v); atomic_fetch_min(least, v); }\n"
    "kernel void atomics(global uint *out) {\n"
    "  global atomic_T *g = (global atomic_T *)out;\n"
    "  local atomic_T l[4];\n"
    "  uint i = get_global_id(0); T v = (T)(i % 5);\n"
    "  if (get_local_id(0) == 0) { for (int k = 0; k < 4; k++) atomic_init(&l[k], (T)0); }\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  atomic_fetch_add(&g[0], v);\n"
    "  atomic_fetch_sub_explicit(&g[1], v, memory_order_relaxed);\n"
    "  atomic_fetch_min_explicit(&g[2], -v, memory_order_acq_rel, memory_scope_device);\n"
    "  atomic_fetch_max(&g[3], v);\n"
    "  any_space((volatile atomic_T *)&g[4], (volatile atomic_T *)&g[5], v);\n"
    "  atomic_fetch_add_explicit(&l[0], v, memory_order_relaxed, memory_scope_work_group);\n"
    "  atomic_fetch_min(&l[1], -v);\n"
    "  atomic_fetch_max_explicit(&l[2], v, memory_order_relaxed);\n"
    "  if (i % 2) any_space((volatile atomic_T *)&l[3], (volatile atomic_T *)&g[5], v);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (i == 0) { for (int k = 0; k < 4; k++)\n"
    "    atomic_store(&g[6 + k], atomic_load(&l[k])); }\n"
    "  if (i == 1) g2[20] = atomic_exchange(&g[10], (T)3);\n"
    "}\n";

static double element(const char *type, const void *at, unsigned index)
{
    uint16_t h;
    double d;
    float f;

    if (type[0] == 'd') {
        memcpy(&d, (const char *)at + index * 8, 8);
        return d;
    }
    if (type[0] == 'f') {
        memcpy(&f, (const char *)at + index * 4, 4);
        return (double)f;
    }
    memcpy(&h, (const char *)at + index * 2, 2);
    if ((h & 0x7fff) == 0)
        return 0;
    d = (double)((h & 1023) | 1024) / 1024; /* whole numbers are normal */
    for (int e = (h >> 10 & 31) - 15; e != 0; e += e < 0 ? 1 : -1)
        d = e < 0 ? d / 2 : d * 2;
    return h & 0x8000 ? -d : d;
}

static void test_atomics(HdApiTest *t)
{
    static const char *const types[] = {"half", "float", "double"};
    double all = 0, group = 0, odd = 0;

    for (int i = 0; i < N; i++) {
        all += i % 5;
        group += i < LOCAL ? i % 5 : 0;
        odd += i < LOCAL && i % 2 ? i % 5 : 0;
    }
    for (size_t k = 0; k < 3; k++) {
        const double want[] = {all, -all, -4, 4, all, 0, group, -4, 4, odd, 3};
        char options[96];
        uint32_t out[64];

        snprintf(options, sizeof options,
                 "-cl-std=CL3.0 -DT=%s -Datomic_T=atomic_%s \"-Dg2=((global %s*)out)\"", types[k],
                 types[k], types[k]);
        run(t, atomics, options, "atomics", out, 64);
        for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
            if (element(types[k], out, i) != want[i])
                printf("%s %u: %g, should be %g\n", types[k], i, element(types[k], out, i),
                       want[i]);
            CHECK(element(types[k], out, i) == want[i]);
        }
    }
}

/* ---- votes, ballots, masks
 * ------------------------------------------------------------------------ */

enum { VOTES = 32 };

static const char votes[] =
    "kernel void votes(global uint *out) {\n"
    "  uint i = get_global_id(0), n = get_global_size(0), l = get_sub_group_local_id();\n"
    "  int p = i % 4 == 2 || i < 37;\n"
    "  uint4 b = sub_group_ballot(p);\n"
    "#define PUT(k, v) out[(k) * n + i] = (v);\n"
    "  PUT(0, b.x) PUT(1, b.y | b.z | b.w)\n"
    "  PUT(2, sub_group_inverse_ballot(b) != 0)\n"
    "  PUT(3, sub_group_ballot_bit_extract(b, 2) != 0)\n"
    "  PUT(4, sub_group_ballot_bit_count(b)) PUT(5, sub_group_ballot_inclusive_scan(b))\n"
    "  PUT(6, sub_group_ballot_exclusive_scan(b))\n"
    "  PUT(7, get_sub_group_eq_mask().x) PUT(8, get_sub_group_ge_mask().x)\n"
    "  PUT(9, get_sub_group_gt_mask().x) PUT(10, get_sub_group_le_mask().x)\n"
    "  PUT(11, get_sub_group_lt_mask().x)\n"
    "  PUT(12, sub_group_all(p) != 0) PUT(13, sub_group_any(p) != 0)\n"
    "  PUT(14, work_group_all(p) != 0) PUT(15, work_group_any(p) != 0)\n"
    "  PUT(16, get_sub_group_size()) PUT(17, get_sub_group_id()) PUT(18, l)\n"
    "  PUT(19, get_num_sub_groups()) PUT(20, get_enqueued_num_sub_groups())\n"
    "  if (i % 3 == 1) {\n"
    "    PUT(21, sub_group_elect() != 0) PUT(22, sub_group_non_uniform_all(p) != 0)\n"
    "    PUT(23, sub_group_non_uniform_any(p) != 0)\n"
    "    PUT(24, sub_group_non_uniform_all_equal(p) != 0) PUT(25, sub_group_ballot(p).x)\n"
    "    PUT(26, sub_group_ballot_find_lsb(sub_group_ballot(1)))\n"
    "    PUT(27, sub_group_ballot_find_msb(sub_group_ballot(1)))\n"
    "    PUT(28, sub_group_non_uniform_reduce_logical_and(p) != 0)\n"
    "    PUT(29, sub_group_non_uniform_scan_inclusive_logical_or(p) != 0)\n"
    "    PUT(30, sub_group_non_uniform_scan_exclusive_logical_xor(p) != 0)\n"
    "    PUT(31, sub_group_clustered_reduce_logical_xor(p, 4u) != 0)\n"
    "  }\n"
    "}\n";

static unsigned ones(uint32_t x)
{
    return (unsigned)__builtin_popcount(x);
}

/* What item i sees; `from` and `to` are the lanes of its sub-group, `lane` is its own. */
static void expect_votes(unsigned i, unsigned width, uint32_t *want)
{
    unsigned item = i % LOCAL, lane = item % width, first = i - lane;
    unsigned size = LOCAL - (item - lane) < width ? LOCAL - (item - lane) : width;
    uint32_t ballot = 0, full = size == 32 ? ~0u : (1u << size) - 1, active = 0, bit = 1u << lane;
    uint32_t below = bit - 1, b, cluster, most = width == 32 ? ~0u : (1u << width) - 1;

    for (unsigned k = 0; k < size; k++) {
        ballot |= (uint32_t)((first + k) % 4 == 2 || first + k < 37) << k;
        active |= (uint32_t)((first + k) % 3 == 1) << k;
    }
    b = ballot & active;
    cluster = active & 15u << (lane & ~3u);
    const uint32_t all[VOTES] = {ballot,
                                 0,
                                 (ballot & bit) != 0,
                                 ballot >> 2 & 1,
                                 ones(ballot),
                                 ones(ballot & (below | bit)),
                                 ones(ballot & below),
                                 bit,
                                 most & ~below,
                                 most & ~(below | bit),
                                 below | bit,
                                 below,
                                 ballot == full,
                                 ballot != 0,
                                 i < LOCAL,
                                 1,
                                 size,
                                 item / width,
                                 lane,
                                 (LOCAL + width - 1) / width,
                                 (LOCAL + width - 1) / width,
                                 (active & below) == 0,
                                 b == active,
                                 b != 0,
                                 b == active || b == 0,
                                 b,
                                 active != 0 ? (uint32_t)__builtin_ctz(active) : 0,
                                 active != 0 ? 31 - (uint32_t)__builtin_clz(active) : 0,
                                 b == active,
                                 (b & (below | bit)) != 0,
                                 ones(b & below) & 1,
                                 ones(b & cluster) & 1};

    memcpy(want, all, sizeof all);
}

static void test_votes(HdApiTest *t)
{
    static uint32_t out[N * VOTES];
    int width = run(t, votes, "-cl-std=CL3.0", "votes", out, N * VOTES);

    for (unsigned k = 0; k < VOTES; k++) {
        bool ok = true;

        for (unsigned i = 0; i < N; i++) {
            uint32_t want[VOTES];

            if (width > 32 || (k >= 21 && i % 3 != 1))
                continue;
            expect_votes(i, (unsigned)width, want);
            if (ok && out[k * N + i] != want[k])
                printf("vote %u of item %u: 0x%x, should be 0x%x\n", k, i, out[k * N + i], want[k]);
            ok = ok && out[k * N + i] == want[k];
        }
        CHECK(ok);
    }
}

/* ---- vectors and blocks
 * --------------------------------------------------------------------------- */

static void test_broadcasts(HdApiTest *t)
{
    static const char *const types[] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                        "long", "ulong", "half",  "float",  "double"};
    static char source[32768];
    uint32_t out[N], bad = 0;
    size_t n = 0;

    n += (size_t)snprintf(
        source, sizeof source,
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
        "#define TRY(T, V, E) { V v = (V)((T)0) + (V)((T)(i %% 100)); v.s1 = (T)7;\\\n"
        "  V a = sub_group_broadcast(v, 1u), w = sub_group_broadcast(v, 0u);\\\n"
        "  bad += a.s0 != (T)((f + 1) %% 100) || a.E != (a.s1 == a.E ? a.s1 : a.s0)\\\n"
        "    || a.s1 != (T)7 || w.s0 != (T)(f %% 100);\\\n"
        "  if (i %% 3 != 1) { V b = sub_group_non_uniform_broadcast(v, q);\\\n"
        "    bad += b.s0 != (T)((f + q) %% 100) || b.s1 != (T)7; } }\n"
        "kernel void vectors(global uint *out) {\n"
        "  uint i = get_global_id(0), bad = 0, f = i - get_sub_group_local_id();\n"
        "  uint q = f %% 3 == 1 ? 1 : 0; /* a lane that comes */\n"
        "  if (get_sub_group_size() < 2) { out[i] = 0; return; }\n");
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        n += (size_t)snprintf(source + n, sizeof source - n,
                              "TRY(%s, %s2, s1) TRY(%s, %s3, s2) TRY(%s, %s4, s3) TRY(%s, %s8, s7) "
                              "TRY(%s, %s16, sf)\n",
                              types[k], types[k], types[k], types[k], types[k], types[k], types[k],
                              types[k], types[k], types[k]);
    snprintf(source + n, sizeof source - n, "  out[i] = bad;\n}\n");
    run(t, source, "-cl-std=CL3.0", "vectors", out, N);
    for (size_t i = 0; i < N; i++)
        bad += out[i];
    CHECK(bad == 0);
}

/* Blocks: component k of lane l is element k * size + l of the sub-group's block. Only full
 * sub-groups: what lanes that are missing read and write is nobody's. */
static const char blocks[] =
    "#define TRY(T, S, V, C, K) {\\\n"
    "  SPACE T *p = (SPACE T *)memory; V v;\\\n"
    "  for (uint k = 0; k < K; k++) ((T *)&v)[k] = (T)(C + k * w + l);\\\n"
    "  intel_sub_group_block_write##S(p, v);\\\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE);\\\n"
    "  for (uint k = l; k < K * w; k += w) bad += p[k] != (T)(C + k);\\\n"
    "  v = intel_sub_group_block_read##S(p);\\\n"
    "  for (uint k = 0; k < K; k++) bad += ((T *)&v)[k] != (T)(C + k * w + l);\\\n"
    "  barrier(CLK_GLOBAL_MEM_FENCE); }\n"
    "kernel void blocks(global uint *out) {\n"
    "  MEMORY\n"
    "  uint l = get_sub_group_local_id(), w = get_max_sub_group_size(), bad = 0;\n"
    "  if (get_global_id(0) >= w) return;\n"
    "  TRY(uint, , uint, 1, 1) TRY(uint, 2, uint2, 2, 2) TRY(uint, 4, uint4, 3, 4)\n"
    "  TRY(uint, 8, uint8, 4, 8) TRY(uint, _ui4, uint4, 5, 4)\n"
    "  TRY(ushort, _us, ushort, 1, 1) TRY(ushort, _us2, ushort2, 2, 2)\n"
    "  TRY(ushort, _us4, ushort4, 3, 4) TRY(ushort, _us8, ushort8, 4, 8)\n"
    "  TRY(uchar, _uc, uchar, 1, 1) TRY(uchar, _uc2, uchar2, 2, 2) TRY(uchar, _uc4, uchar4, 3, 4)\n"
    "  TRY(uchar, _uc8, uchar8, 4, 8) TRY(uchar, _uc16, uchar16, 5, 16)\n"
    "  TRY(ulong, _ul, ulong, 1, 1) TRY(ulong, _ul2, ulong2, 2, 2)\n"
    "  TRY(ulong, _ul4, ulong4, 3, 4) TRY(ulong, _ul8, ulong8, 4, 8)\n"
    "  out[l] = bad + 1;\n}\n";

/* space: of memory, as build options say it */
static void test_blocks(HdApiTest *t, const char *space)
{
    static uint32_t out[16384];
    char source[sizeof blocks + 64], *barrier_;
    int width;

    memcpy(source, blocks, sizeof blocks);
    /* One sub-group goes on alone: its own barrier. */
    while ((barrier_ = strstr(source, " barrier(")) != NULL) {
        memmove(barrier_ + 11, barrier_ + 1, strlen(barrier_ + 1) + 1);
        memcpy(barrier_ + 1, "sub_group_", 10);
    }
    width = run(t, source, space, "blocks", out, 16384);
    for (int i = 0; i < width; i++)
        CHECK(out[i] == 1);
}

int main(void)
{
    HdApiTest t = hd_api_open();

    if (t.has_compiler) {
        test_bits(&t);
        test_dots(&t);
        test_atomics(&t);
        test_votes(&t);
        test_broadcasts(&t);
        test_blocks(&t,
                    "-cl-std=CL3.0 -DSPACE=global -D\"MEMORY=global uint *memory = out + 4096;\"");
        test_blocks(&t, "-cl-std=CL3.0 -DSPACE=local -D\"MEMORY=local uint memory[4096];\"");
    } else {
        hd_api_skip("no compiler");
    }
    return hd_api_close(&t);
}
