// Products of matrices by sub-groups of 16, of every type and number of rows, beside sums of single products.
// Spec: cl_intel_subgroup_matrix_multiply_accumulate, cl_intel_subgroup_matrix_multiply_accumulate_tf32.
// WIDTHS: 16
// ENGINES: compiled interpreted
// RUN: heddle run %s integers --local 16 --global 16 --arg u8[1024]=random:1 --arg u32[16]=zeros --expect 1=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s floats --local 16 --global 16 --arg u8[1024]=random:2 --arg u32[16]=zeros --expect 1=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
#define N 16

static int element(global const uchar *p, int i, int bits, int is_signed)
{
    uint x = bits == 4 ? p[i / 2] >> i % 2 * 4 & 15 : p[i];

    return is_signed ? (int)(x << (32 - bits)) >> (32 - bits) : (int)x;
}

/* A is at byte 0 and B at byte 512, row by row; C is made up. */
#define INTEGERS(NAME, A, B, BITS, K, A_SIGNED, B_SIGNED, ROWS, M)                                  \
    {                                                                                              \
        A##8 a8;                                                                                   \
        B##8 b;                                                                                    \
        int8 c8, r8;                                                                               \
        A *a = (A *)&a8;                                                                           \
        int *c = (int *)&c8, *r = (int *)&r8;                                                      \
        for (int i = 0; i < ROWS; i++) {                                                           \
            a[i] = ((global const A *)m)[i * N + lane];                                            \
            c[i] = i * 1000 - lane;                                                                \
        }                                                                                          \
        for (int j = 0; j < 8; j++) {                                                              \
            uint word = 0;                                                                         \
            for (int i = 0; i < 32 / BITS; i++)                                                    \
                word |= (uint)element(m + 512, (j * (32 / BITS) + i) * N + lane, BITS, 0) << i * BITS; \
            ((B *)&b)[j] = word;                                                                   \
        }                                                                                          \
        *(int##M *)r = NAME(*(A##M *)a, b, *(int##M *)c);                                          \
        for (int i = 0; i < ROWS; i++) {                                                           \
            int sum = c[i];                                                                        \
            for (int k = 0; k < K; k++)                                                            \
                sum += element(m, i * K + k, BITS, A_SIGNED) * element(m + 512, k * N + lane, BITS, B_SIGNED); \
            bad += sum != r[i];                                                                    \
        }                                                                                          \
    }

#define EACH(NAME, A, B, BITS, K, A_SIGNED, B_SIGNED)                                              \
    INTEGERS(NAME, A, B, BITS, K, A_SIGNED, B_SIGNED, 1, )                                         \
    INTEGERS(NAME, A, B, BITS, K, A_SIGNED, B_SIGNED, 2, 2)                                        \
    INTEGERS(NAME, A, B, BITS, K, A_SIGNED, B_SIGNED, 4, 4)                                        \
    INTEGERS(NAME, A, B, BITS, K, A_SIGNED, B_SIGNED, 8, 8)

__attribute__((intel_reqd_sub_group_size(N)))
kernel void integers(global const uchar *m, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    EACH(intel_sub_group_i8_i8_matrix_mad_k32, short, int, 8, 32, 1, 1)
    EACH(intel_sub_group_i8_u8_matrix_mad_k32, short, uint, 8, 32, 1, 0)
    EACH(intel_sub_group_u8_i8_matrix_mad_k32, ushort, int, 8, 32, 0, 1)
    EACH(intel_sub_group_u8_u8_matrix_mad_k32, ushort, uint, 8, 32, 0, 0)
    EACH(intel_sub_group_i4_i4_matrix_mad_k64, short, int, 4, 64, 1, 1)
    EACH(intel_sub_group_i4_u4_matrix_mad_k64, short, uint, 4, 64, 1, 0)
    EACH(intel_sub_group_u4_i4_matrix_mad_k64, ushort, int, 4, 64, 0, 1)
    EACH(intel_sub_group_u4_u4_matrix_mad_k64, ushort, uint, 4, 64, 0, 0)
    out[get_global_id(0)] = bad;
}

/* Numbers with few bits, so that sums are exact in any order: (0 … 255) / 16 - 8. */
static float number(global const uchar *p, int i)
{
    return p[i] / 16.0f - 8;
}

static ushort bits_half(float x) { return as_ushort(convert_half(x)); }
static ushort bits_bfloat(float x) { return as_uint(x) >> 16; }
static float from_bfloat(ushort x) { return as_float((uint)x << 16); }
static float same(float x) { return x; }

/* C: its type, FROM: its numbers as floats, TO: what a float becomes */
#define FLOATS(NAME, A, BITS, C, FROM, TO, ROWS, M)                                                \
    {                                                                                              \
        A##8 a8;                                                                                   \
        int8 b;                                                                                    \
        C##8 c8, r8;                                                                               \
        C *c = (C *)&c8, *r = (C *)&r8;                                                            \
        for (int i = 0; i < ROWS; i++) {                                                           \
            uint word = 0;                                                                         \
            for (int j = 0; j < 16 / N; j++)                                                       \
                word |= (uint)BITS(number(m, i * 16 + lane * (16 / N) + j)) << j * 16;             \
            ((A *)&a8)[i] = word;                                                                  \
            c[i] = TO(i - lane * 0.5f);                                                            \
        }                                                                                          \
        for (int j = 0; j < 8; j++)                                                                \
            ((int *)&b)[j] = BITS(number(m + 512, 2 * j * N + lane)) |                             \
                             (uint)BITS(number(m + 512, (2 * j + 1) * N + lane)) << 16;            \
        *(C##M *)r = NAME(*(A##M *)&a8, b, *(C##M *)c);                                            \
        for (int i = 0; i < ROWS; i++) {                                                           \
            float sum = FROM(c[i]);                                                                \
            for (int k = 0; k < 16; k++)                                                           \
                sum += number(m, i * 16 + k) * number(m + 512, k * N + lane);                      \
            bad += FROM(r[i]) != FROM(TO(sum));                                                    \
        }                                                                                          \
    }

#define EACH_FLOAT(NAME, A, BITS, C, FROM, TO)                                                     \
    FLOATS(NAME, A, BITS, C, FROM, TO, 1, )                                                        \
    FLOATS(NAME, A, BITS, C, FROM, TO, 2, 2)                                                       \
    FLOATS(NAME, A, BITS, C, FROM, TO, 4, 4)                                                       \
    FLOATS(NAME, A, BITS, C, FROM, TO, 8, 8)

static ushort nearest_bfloat(float x) { return intel_convert_bfloat16_as_ushort(x); }
#define TENSORS(ROWS, M, PARTS, P)                                                                 \
    {                                                                                              \
        float4 a4 = 0;                                                                             \
        float8 b, c8, r8;                                                                          \
        float *c = (float *)&c8, *r = (float *)&r8;                                                \
        for (int i = 0; i < ROWS; i++)                                                             \
            c[i] = i - lane * 0.5f;                                                                \
        for (int i = 0; i < PARTS; i++)                                                            \
            ((float *)&a4)[i] = number(m, i * 16 + lane) + 0x1p-20f;                               \
        for (int j = 0; j < 8; j++)                                                                \
            ((float *)&b)[j] = number(m + 512, j * N + lane);                                      \
        *(float##M *)r = intel_sub_group_tf32_tf32_matrix_mad_k8(*(float##P *)&a4, b, *(float##M *)c); \
        for (int i = 0; i < ROWS; i++) {                                                           \
            float sum = c[i];                                                                      \
            for (int k = 0; k < 8; k++)                                                            \
                sum += tensor(number(m, i * 8 + k) + 0x1p-20f) * number(m + 512, k * N + lane);    \
            bad += r[i] != sum;                                                                    \
        }                                                                                          \
    }

/* Only ten bits of a fraction count. */
static float tensor(float x) { return as_float(as_uint(x) & 0xffffe000); }

__attribute__((intel_reqd_sub_group_size(N)))
kernel void floats(global const uchar *m, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    EACH_FLOAT(intel_sub_group_f16_f16_matrix_mad_k16, short, bits_half, float, same, same)
    EACH_FLOAT(intel_sub_group_bf16_bf16_matrix_mad_k16, short, bits_bfloat, float, same, same)
    EACH_FLOAT(intel_sub_group_f16_f16_matrix_mad_k16, short, bits_half, half, convert_float, convert_half)
    EACH_FLOAT(intel_sub_group_bf16_bf16_matrix_mad_k16, short, bits_bfloat, short, from_bfloat, nearest_bfloat)
    TENSORS(1, , 1, )
    TENSORS(2, 2, 1, )
    TENSORS(4, 4, 2, 2)
    TENSORS(8, 8, 4, 4)
    out[get_global_id(0)] = bad;
}
