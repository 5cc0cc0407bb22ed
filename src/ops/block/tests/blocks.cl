// Blocks of two dimensions: each kind and size, whose numbers lie where the specification's mapping puts them, inside the
// memory, across each of its edges and outside; what is outside is zero.
// Spec: SPV_INTEL_2d_block_io, "Mapping Block Data to Invocations", "Out-of-Bounds Behavior".
// WIDTHS: 16
// ENGINES: compiled interpreted
// RUN: heddle run %s reads8 --local 16 --global 16 --arg u8[8192]=random:7 --arg u8[8192]=zeros --arg u32[16]=zeros --expect 2=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s reads16 --local 16 --global 16 --arg u8[8192]=random:7 --arg u8[8192]=zeros --arg u32[16]=zeros --expect 2=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s reads32 --local 16 --global 16 --arg u8[8192]=random:7 --arg u8[8192]=zeros --arg u32[16]=zeros --expect 2=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s transformed --local 16 --global 16 --arg u8[8192]=random:7 --arg u8[8192]=zeros --arg u32[16]=zeros --expect 2=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s transposed --local 16 --global 16 --arg u8[8192]=random:7 --arg u8[8192]=zeros --arg u32[16]=zeros --expect 2=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
// RUN: heddle run %s writes --local 16 --global 16 --arg u8[8192]=random:7 --arg u8[8192]=zeros --arg u32[16]=zeros --expect 2=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0

#define WIDTH  128
#define HEIGHT 24
#define PITCH  144

/* Where a block begins, in elements; with what is inside, at every edge, and nothing inside. */
constant int2 places[] = {{0, 0}, {16, 3}, {-8, -2}, {WIDTH - 16, HEIGHT - 4}, {4, HEIGHT}, {WIDTH, 0}, {-256, 1}, {8, -64}};
#define PLACES 8
#define ONCE   __attribute__((opencl_unroll_hint(1)))

static uint element(global const uchar *m, int bytes, int x, int y)
{
    uint word = 0;

    if (x < 0 || y < 0 || y >= HEIGHT || (x + 1) * bytes > WIDTH)
        return 0;
    for (int i = 0; i < bytes; i++)
        word |= (uint)m[y * PITCH + x * bytes + i] << 8 * i;
    return word;
}

static uint own(private const uchar *p, int bytes, int i)
{
    uint word = 0;

    for (int j = 0; j < bytes; j++)
        word |= (uint)p[i * bytes + j] << 8 * j;
    return word;
}

/* T: what the lane's memory is of; each row of elements is shared out among 16 lanes, or two rows are. */
#define READ(NAME, T, BITS, ROWS, COLUMNS, BLOCKS)                                                                     \
    ONCE for (int p = 0; p < PLACES; p++) {                                                                             \
        T d[(ROWS * COLUMNS * BLOCKS * (BITS / 8) + 16 * sizeof(T) - 1) / (16 * sizeof(T)) + BLOCKS];                  \
        int2 at = places[p];                                                                                           \
        int each = COLUMNS > 16 ? COLUMNS / 16 : 1, at_once = COLUMNS < 16 ? 16 / COLUMNS : 1;                         \
        int rows = (ROWS + at_once - 1) / at_once;                                                                     \
        intel_sub_group_2d_block_##NAME(m, WIDTH, HEIGHT, PITCH, at, d);                                               \
        ONCE for (int b = 0; b < BLOCKS; b++)                                                                          \
            ONCE for (int y = 0; y < ROWS; y++)                                                                        \
                ONCE for (int x = 0; x < COLUMNS; x++)                                                                 \
                    if (y % at_once * COLUMNS + x / each == lane)                                                      \
                        bad += own((private uchar *)d, BITS / 8, (b * rows + y / at_once) * each + x % each) !=        \
                               element(m, BITS / 8, at.x + b * COLUMNS + x, at.y + y);                                 \
    }

__attribute__((intel_reqd_sub_group_size(16)))
kernel void reads8(global uchar *m, global uchar *unused, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    READ(read_8b_1r32x1c, ushort, 8, 1, 32, 1)
    READ(read_8b_2r32x1c, ushort, 8, 2, 32, 1)
    READ(read_8b_4r32x1c, ushort, 8, 4, 32, 1)
    READ(read_8b_8r32x1c, ushort, 8, 8, 32, 1)
    READ(read_8b_16r32x1c, ushort, 8, 16, 32, 1)
    READ(read_8b_32r32x1c, ushort, 8, 32, 32, 1)
    READ(read_8b_1r32x2c, ushort, 8, 1, 32, 2)
    READ(read_8b_2r32x2c, ushort, 8, 2, 32, 2)
    READ(read_8b_4r32x2c, ushort, 8, 4, 32, 2)
    READ(read_8b_8r32x2c, ushort, 8, 8, 32, 2)
    READ(read_8b_16r32x2c, ushort, 8, 16, 32, 2)
    READ(read_8b_32r32x2c, ushort, 8, 32, 32, 2)
    READ(read_8b_8r16x4c, uchar, 8, 8, 16, 4)
    READ(read_8b_16r16x4c, uchar, 8, 16, 16, 4)
    READ(read_8b_32r16x4c, uchar, 8, 32, 16, 4)
    out[get_global_id(0)] = bad;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void reads16(global uchar *m, global uchar *unused, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    READ(read_16b_1r16x1c, ushort, 16, 1, 16, 1)
    READ(read_16b_2r16x1c, ushort, 16, 2, 16, 1)
    READ(read_16b_4r16x1c, ushort, 16, 4, 16, 1)
    READ(read_16b_8r16x1c, ushort, 16, 8, 16, 1)
    READ(read_16b_16r16x1c, ushort, 16, 16, 16, 1)
    READ(read_16b_32r16x1c, ushort, 16, 32, 16, 1)
    READ(read_16b_1r16x2c, ushort, 16, 1, 16, 2)
    READ(read_16b_2r16x2c, ushort, 16, 2, 16, 2)
    READ(read_16b_4r16x2c, ushort, 16, 4, 16, 2)
    READ(read_16b_8r16x2c, ushort, 16, 8, 16, 2)
    READ(read_16b_16r16x2c, ushort, 16, 16, 16, 2)
    READ(read_16b_32r16x2c, ushort, 16, 32, 16, 2)
    out[get_global_id(0)] = bad;
}

__attribute__((intel_reqd_sub_group_size(16)))
kernel void reads32(global uchar *m, global uchar *unused, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    READ(read_32b_1r8x1c, uint, 32, 1, 8, 1)
    READ(read_32b_2r8x1c, uint, 32, 2, 8, 1)
    READ(read_32b_4r8x1c, uint, 32, 4, 8, 1)
    READ(read_32b_8r8x1c, uint, 32, 8, 8, 1)
    READ(read_32b_16r8x1c, uint, 32, 16, 8, 1)
    READ(read_32b_32r8x1c, uint, 32, 32, 8, 1)
    READ(read_32b_1r8x2c, uint, 32, 1, 8, 2)
    READ(read_32b_2r8x2c, uint, 32, 2, 8, 2)
    READ(read_32b_4r8x2c, uint, 32, 4, 8, 2)
    READ(read_32b_8r8x2c, uint, 32, 8, 8, 2)
    READ(read_32b_16r8x2c, uint, 32, 16, 8, 2)
    READ(read_32b_32r8x2c, uint, 32, 32, 8, 2)
    READ(read_32b_1r16x1c, uint, 32, 1, 16, 1)
    READ(read_32b_2r16x1c, uint, 32, 2, 16, 1)
    READ(read_32b_4r16x1c, uint, 32, 4, 16, 1)
    READ(read_32b_8r16x1c, uint, 32, 8, 16, 1)
    READ(read_32b_16r16x1c, uint, 32, 16, 16, 1)
    READ(read_32b_32r16x1c, uint, 32, 32, 16, 1)
    out[get_global_id(0)] = bad;
}

/* Rows that make a word are packed into one. */
#define TRANSFORM(BITS, ROWS, BLOCKS)                                                                                  \
    ONCE for (int p = 0; p < PLACES; p++) {                                                                             \
        uint d[ROWS * BITS / 32 * BLOCKS];                                                                             \
        int2 at = places[p];                                                                                           \
        intel_sub_group_2d_block_read_transform_##BITS##b_##ROWS##r16x##BLOCKS##c(m, WIDTH, HEIGHT, PITCH, at, d);     \
        ONCE for (int b = 0; b < BLOCKS; b++)                                                                          \
            ONCE for (int y = 0; y < ROWS; y++)                                                                        \
                bad += own((private uchar *)d, BITS / 8, b * ROWS + y) !=                                              \
                       element(m, BITS / 8, at.x + b * 16 + lane, at.y + y);                                           \
    }

__attribute__((intel_reqd_sub_group_size(16)))
kernel void transformed(global uchar *m, global uchar *unused, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    TRANSFORM(8, 32, 1)
    TRANSFORM(8, 32, 2)
    TRANSFORM(8, 32, 4)
    TRANSFORM(16, 16, 1)
    TRANSFORM(16, 16, 2)
    TRANSFORM(16, 32, 1)
    TRANSFORM(16, 32, 2)
    out[get_global_id(0)] = bad;
}

/* A lane has one row, or two. */
#define TRANSPOSE(ROWS)                                                                                                \
    ONCE for (int p = 0; p < PLACES; p++) {                                                                             \
        uint d[ROWS / 2];                                                                                              \
        int2 at = places[p];                                                                                           \
        intel_sub_group_2d_block_read_transpose_32b_##ROWS##r8x1c(m, WIDTH, HEIGHT, PITCH, at, d);                     \
        ONCE for (int x = 0; x < 8; x++)                                                                               \
            for (int i = 0; i < ROWS / 16; i++)                                                                        \
                bad += d[x * (ROWS / 16) + i] != element(m, 4, at.x + x, at.y + lane * (ROWS / 16) + i);               \
    }

__attribute__((intel_reqd_sub_group_size(16)))
kernel void transposed(global uchar *m, global uchar *unused, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    TRANSPOSE(16)
    TRANSPOSE(32)
    out[get_global_id(0)] = bad;
}

/* Each block is written behind all others; then every byte is what the block has there, or what it was. */
#define WRITE(T, BITS, ROWS, COLUMNS)                                                                                  \
    ONCE for (int p = 0; p < PLACES; p++) {                                                                             \
        T d[ROWS];                                                                                                     \
        int2 at = places[p];                                                                                           \
        for (int i = 0; i < ROWS; i++)                                                                                 \
            d[i] = (T)(lane * 0x01010101 + i * 0x10203040);                                                            \
        for (int i = lane; i < 8192; i += 16)                                                                          \
            o[i] = 0xee;                                                                                               \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                       \
        intel_sub_group_2d_block_write_##BITS##b_##ROWS##r##COLUMNS##x1c(o, WIDTH, HEIGHT, PITCH, at, d);              \
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);                                                                       \
        for (int i = lane; i < 8192; i += 16) {                                                                        \
            int y = i / PITCH - at.y, x = i % PITCH - at.x * (BITS / 8), width = COLUMNS * (BITS / 8);                 \
            bool inside = i % PITCH < WIDTH && i / PITCH < HEIGHT && x >= 0 && x < width && y >= 0 && y < ROWS;        \
            int who = inside ? x / (int)sizeof(T) : 0;                                                                 \
            T value = (T)(who * 0x01010101 + y * 0x10203040);                                                          \
            bad += o[i] != (inside ? (uchar)(value >> x % (int)sizeof(T) * 8) : 0xee);                                 \
        }                                                                                                              \
    }

__attribute__((intel_reqd_sub_group_size(16)))
kernel void writes(global uchar *m, global uchar *o, global uint *out)
{
    int lane = get_sub_group_local_id(), bad = 0;

    WRITE(uchar, 8, 1, 16)
    WRITE(uchar, 8, 2, 16)
    WRITE(uchar, 8, 4, 16)
    WRITE(uchar, 8, 8, 16)
    WRITE(ushort, 8, 1, 32)
    WRITE(ushort, 8, 2, 32)
    WRITE(ushort, 8, 4, 32)
    WRITE(ushort, 8, 8, 32)
    WRITE(ushort, 16, 1, 16)
    WRITE(ushort, 16, 2, 16)
    WRITE(ushort, 16, 4, 16)
    WRITE(ushort, 16, 8, 16)
    WRITE(uint, 32, 1, 16)
    WRITE(uint, 32, 2, 16)
    WRITE(uint, 32, 4, 16)
    WRITE(uint, 32, 8, 16)
    out[get_global_id(0)] = bad;
}
