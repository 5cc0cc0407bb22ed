// Small tables of constants are looked up in registers where indices are bounded.
// RUN: heddle run %s small --global 100 --arg u8[100]=random:1 --arg f32[100]=zeros --arg i32[100]=zeros --no-print
// RUN: heddle run %s bytes --global 100 --arg u8[100]=random:2 --arg u8[100]=zeros --arg u32[100]=zeros --no-print
// RUN: heddle run %s wide --global 100 --arg u8[100]=random:3 --arg f64[100]=zeros --arg u64[100]=zeros --no-print
// RUN: heddle run %s parts --global 100 --arg u32[100]=random:4 --arg i32[100]=zeros --no-print
// RUN: heddle run %s behind --global 100 --arg u32[100]=random:5 --arg i32[100]=zeros --no-print
constant char code[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
constant float level[16] = {-0.071f, 0.268f, -0.419f, 0.137f, -0.929f, -0.173f, -0.601f, -0.045f, 0.665f, 0.245f, 0.02f, 0.118f,
    0.972f, 0.435f, -0.935f, -0.087f};
constant uchar sbox[256] = {0, 119, 65, 57, 130, 190, 164, 161, 168, 251, 4, 29, 137, 12, 158, 97, 56, 128, 218, 235,
    63, 44, 18, 108, 102, 204, 211, 181, 125, 37, 25, 28, 167, 21, 127, 51, 52, 221, 73, 61, 15, 100, 169, 14, 185,
    95, 132, 69, 90, 36, 179, 112, 6, 193, 131, 134, 157, 213, 228, 23, 238, 20, 143, 206, 249, 173, 203, 115, 32,
    47, 159, 212, 85, 62, 35, 197, 45, 174, 42, 187, 250, 80, 246, 78, 116, 2, 122, 253, 53, 135, 170, 70, 142, 196,
    252, 209, 150, 165, 91, 92, 81, 219, 191, 64, 103, 178, 13, 231, 87, 76, 118, 82, 236, 188, 124, 58, 117, 48,
    110, 114, 205, 46, 242, 43, 216, 175, 153, 39, 67, 74, 176, 50, 8, 27, 19, 1, 79, 192, 60, 202, 217, 84, 96, 144,
    11, 30, 106, 200, 75, 5, 223, 105, 17, 88, 22, 156, 123, 215, 31, 72, 207, 166, 224, 54, 26, 145, 180, 233, 83,
    41, 244, 71, 208, 86, 225, 177, 104, 149, 136, 89, 146, 98, 129, 107, 210, 247, 111, 172, 239, 55, 126, 195, 9,
    24, 93, 34, 113, 147, 186, 229, 109, 201, 182, 227, 184, 152, 230, 68, 7, 199, 77, 10, 254, 194, 40, 245, 198,
    171, 243, 189, 99, 133, 222, 226, 162, 237, 38, 220, 163, 101, 248, 140, 241, 138, 240, 183, 49, 59, 141, 66,
    120, 214, 232, 3, 155, 16, 148, 160, 255, 154, 234, 94, 33, 139, 151, 121};
constant ushort half_words[100] = {37885, 44704, 29814, 8921, 37619, 15728, 32051, 5908, 4606, 26013, 56346, 6469,
    1722, 63051, 15835, 22520, 39306, 31332, 2601, 54231, 6979, 14888, 44741, 16437, 33092, 62547, 8043, 46116,
    28941, 25864, 16019, 15625, 22452, 31386, 35882, 16840, 983, 63897, 52465, 6544, 35572, 32539, 35204, 55441,
    6681, 61983, 42351, 237, 7187, 16628, 6053, 16335, 6531, 8967, 63283, 4326, 11288, 64224, 41405, 20583, 41232,
    9407, 46044, 50567, 51070, 39861, 47295, 34724, 25045, 43093, 56190, 16220, 16726, 457, 49838, 10472, 23403,
    5631, 48925, 60400, 49842, 5693, 56569, 6955, 48813, 65031, 41280, 55117, 54826, 60403, 2349, 32123, 28658,
    35401, 9382, 55690, 29417, 55817, 17087, 3682};
constant uint words[64] = {0xefbd6b85, 0x431e35e8, 0xcadf4619, 0xaae550d5, 0xbbd61184, 0x14135d9, 0x24bd9e93,
    0xc638c9ca, 0xe1665865, 0x60344bf, 0x1f0c6f07, 0xd80caa4d, 0xac6cc64e, 0xf3d13a7b, 0x943e5a22, 0xcc7ab32f,
    0xb7149706, 0xbfbc2a58, 0x9060d1cf, 0xd3fbb249, 0x3ffdc6eb, 0x64cb7c6c, 0x15508f3c, 0x80144a61, 0x291e6ca0,
    0x7bd521e9, 0xa4989173, 0x263a521c, 0x188a543c, 0xbf8712c4, 0x2fa4f90e, 0x32fd7325, 0x37b4f408, 0x5eb811a,
    0x61fbe92f, 0x5c47c906, 0x52715ad0, 0x24c3a235, 0x99581b2e, 0x8e9f7f9d, 0xb88062f1, 0xf5d38680, 0xace3ca83,
    0xf56e5393, 0xda97fa80, 0x42351e6e, 0xdbcceb43, 0x41483337, 0xdd771fce, 0x503c14af, 0x6c5d1484, 0x15ff355b,
    0x17b76878, 0x4ab1016c, 0x5b4e241d, 0xacee0cfb, 0x1c32149, 0x55b59469, 0x6fac33a8, 0x7c63fa29, 0xf490fc43,
    0x64135548, 0x8b5af321, 0x4656c0cb};
constant double wave[20] = {2.977795, -6.974478, 6.969402, 7.357716, -7.255698, 7.943176, -2.263979, 4.903546,
    4.63182, -3.680388, 3.16597, 2.773411, 5.50899, -4.219349, 4.575414, 8.303875, 3.110851, 0.651011, -6.960671,
    -0.110147};
constant ulong keys[32] = {0xbe04f89190ff072e, 0x26486107a181a49d, 0x7448ed24a7c66a0d, 0xebba3c732431c216,
    0xa5c1b2044cf1e9c0, 0x7b7cc345752c1460, 0x5bf5fef164508f66, 0x4555fa53440e7cf7, 0xdf5ecb290db0653a,
    0x83c4c48dc4d6b88e, 0xc58ecfcbcf24d5f8, 0x1cb49c06fee1e029, 0x971206d6453eab6e, 0x912ced08306d69e3,
    0xbe4a0d66ab8ee563, 0xdc09a981257f2226, 0x95433402e7fa5a36, 0x7bec276baaea8eb4, 0x9b829fa2507189,
    0x7deb5bf13bda0de3, 0xa00150bd860d4031, 0x363e74d2879073c5, 0xf25ceedfa55d86a9, 0x90e5ac8d1c901659,
    0x22b5e19427116586, 0xcf4947eec6c60b3, 0x9e4bb6d05c227915, 0x13ed14be818631df, 0x52b7d46c56f26ff3,
    0x226532e4b183cc3c, 0xed4e4890c67d2507, 0xdc88a4651036e411};
constant short bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

kernel void small(global const uchar *x, global float *o, global int *p)
{
    int i = get_global_id(0);

    o[i] = level[x[i] >> 4] * code[x[i] & 15];
    p[i] = x[i] & 16 ? bayer[x[i] & 3][i & 3] : code[(x[i] & 7) + 3];
}

kernel void bytes(global const uchar *x, global uchar *o, global uint *p)
{
    int i = get_global_id(0);
    uint k = x[i] % 4 + 9 * (x[i] / 100);

    o[i] = sbox[x[i]] ^ sbox[sbox[255 - x[i]]];
    if (x[i] != 7)
        p[i] = half_words[min((uint)x[i], 99u)] + half_words[k];
}

kernel void wide(global const uchar *x, global double *o, global ulong *p)
{
    int i = get_global_id(0);

    o[i] = wave[x[i] & 15] + wave[(x[i] >> 6) + 16];
    p[i] = keys[x[i] & 31] ^ keys[x[i] >> 3];
}

typedef struct {
    uchar kind, cost;
    short step;
} Row;
constant Row rows[8] = {{1, 2, -3}, {4, 5, -6}, {7, 8, -9}, {10, 11, -12}, {1, 3, 5}, {2, 4, 6}, {3, 6, 9}, {9, 9, 9}};

kernel void parts(global const uint *x, global int *o)
{
    int i = get_global_id(0);

    o[i] = rows[x[i] & 7].kind + rows[x[i] >> 29].cost * 3 + rows[x[i] & 3].step * 7;
}

// The index alone lies outside of the table, or may be anything.
kernel void behind(global const uint *x, global int *o)
{
    int i = get_global_id(0);

    o[i] = (int)words[(x[i] & 31) + 65 - 33] + (int)words[63 - (x[i] & 63)] + sbox[x[i] % 251];
}
