// signals.cl -- kinds of kernels: signals, speech, video, codes that correct errors.
//
// Form: bench/kinds.py.

// case viterbi_k7
// 512, 64, I(512 * 128, 4, np.uint8), O(512 * 4, np.uint32)
kernel void viterbi_k7(global const uchar *symbols, global uint *out)
{
    int g = get_global_id(0);
    ushort metric[64], next[64];
    for (int s = 0; s < 64; s++)
        metric[s] = s == 0 ? 0 : 1000;
    uint bits = 0;
    for (int t = 0; t < 128; t++) {
        int sym = symbols[g * 128 + t];
        for (int s = 0; s < 64; s++) {
            int a = s >> 1, b = a + 32, in = s & 1;
            int ca = (popcount((a << 1 | in) & 0x6d) & 1) << 1 | (popcount((a << 1 | in) & 0x4f) & 1);
            int cb = (popcount((b << 1 | in) & 0x6d) & 1) << 1 | (popcount((b << 1 | in) & 0x4f) & 1);
            int ma = metric[a] + popcount(ca ^ sym), mb = metric[b] + popcount(cb ^ sym);
            next[s] = min(ma, mb);
        }
        int best = 0;
        for (int s = 0; s < 64; s++) {
            metric[s] = next[s];
            if (next[s] < next[best])
                best = s;
        }
        bits = bits << 1 | (best & 1);
        if ((t & 31) == 31)
            out[g * 4 + (t >> 5)] = bits;
    }
}

// case ldpc_check
// 1 << 14, 64, ('buffer', (RANDOM.random((1 << 14) * 6, dtype=np.float32) - 0.5)), I((1 << 14) * 6, (1 << 14) * 6), O((1 << 14) * 6)
kernel void ldpc_check(global const float *llr, global const int *edge, global float *out)
{
    int c = get_global_id(0);
    float least = INFINITY, second = INFINITY;
    int where = 0, sign = 0;
    for (int k = 0; k < 6; k++) {
        float v = llr[edge[c * 6 + k]], m = fabs(v);
        sign ^= v < 0;
        if (m < least) {
            second = least;
            least = m;
            where = k;
        } else if (m < second)
            second = m;
    }
    for (int k = 0; k < 6; k++) {
        float v = llr[edge[c * 6 + k]];
        float m = 0.75f * (k == where ? second : least);
        out[c * 6 + k] = (sign ^ (v < 0)) ? -m : m;
    }
}

// case fm_demod
// 1 << 18, 256, F(2 << 18), O(1 << 18), S(1 << 18)
kernel void fm_demod(global const float2 *iq, global float *audio, int n)
{
    int i = get_global_id(0);
    if (i >= n - 1)
        return;
    float2 a = iq[i], b = iq[i + 1];
    float2 p = (float2)(b.x * a.x + b.y * a.y, b.y * a.x - b.x * a.y);
    audio[i] = atan2(p.y, p.x) * 0.31830988f;
}

// case adpcm
// 1024, 64, I(1024 * 64, 256, np.uint8), O(1024 * 128, np.int16)
constant short ima_step[89] = {
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
    130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060, 1166,
    1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845,
    8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};
constant char ima_index[16] = {-1, -1, -1, -1, 2, 4, 6, 8, -1, -1, -1, -1, 2, 4, 6, 8};
kernel void adpcm(global const uchar *in, global short *out)
{
    int g = get_global_id(0), value = 0, index = 0;
    for (int i = 0; i < 64; i++) {
        uchar byte = in[g * 64 + i];
        for (int h = 0; h < 2; h++) {
            int nibble = byte >> (4 * h) & 15, step = ima_step[index];
            int diff = step >> 3;
            if (nibble & 4)
                diff += step;
            if (nibble & 2)
                diff += step >> 1;
            if (nibble & 1)
                diff += step >> 2;
            value = clamp(nibble & 8 ? value - diff : value + diff, -32768, 32767);
            index = clamp(index + ima_index[nibble], 0, 88);
            out[g * 128 + 2 * i + h] = value;
        }
    }
}

// case mulaw
// 1 << 18, 256, I(1 << 18, 256, np.uint8), O(1 << 18, np.int16)
kernel void mulaw(global const uchar *in, global short *out)
{
    int i = get_global_id(0);
    uchar u = ~in[i];
    int t = ((u & 0x0f) << 3) + 0x84;
    t <<= (u & 0x70) >> 4;
    out[i] = (u & 0x80) ? (0x84 - t) : (t - 0x84);
}

// case mel_filters
// (40, 256), (8, 8), F(257 * 256), I(40, 200), F(40 * 57), O(40 * 256)
kernel void mel_filters(global const float *power, global const int *first, global const float *weights, global float *out)
{
    int m = get_global_id(0), frame = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < 57; k++)
        sum += power[frame * 257 + first[m] + k] * weights[m * 57 + k];
    out[frame * 40 + m] = log(sum + 1e-6f);
}

// case autocorr
// (64, 512), (64, 1), F(512 * 400), O(512 * 64)
kernel void autocorr(global const float *x, global float *r)
{
    int lag = get_global_id(0), frame = get_global_id(1);
    float sum = 0;
    for (int i = lag; i < 400; i++)
        sum += x[frame * 400 + i] * x[frame * 400 + i - lag];
    r[frame * 64 + lag] = sum;
}

// case levinson
// 2048, 64, F(2048 * 17), O(2048 * 16)
kernel void levinson(global const float *r, global float *lpc)
{
    int g = get_global_id(0);
    float a[17], tmp[17];
    for (int i = 0; i < 17; i++)
        a[i] = 0;
    float e = r[g * 17] + 20;
    for (int i = 1; i <= 16; i++) {
        float k = r[g * 17 + i];
        for (int j = 1; j < i; j++)
            k -= a[j] * r[g * 17 + i - j];
        k /= e;
        for (int j = 1; j < i; j++)
            tmp[j] = a[j] - k * a[i - j];
        for (int j = 1; j < i; j++)
            a[j] = tmp[j];
        a[i] = k;
        e *= 1 - k * k;
    }
    for (int i = 0; i < 16; i++)
        lpc[g * 16 + i] = a[i + 1];
}

// case lms_filter
// 256, 64, F(256 * 256), F(256 * 256), O(256 * 256)
kernel void lms_filter(global const float *x, global const float *d, global float *err)
{
    int ch = get_global_id(0);
    float w[8] = {0, 0, 0, 0, 0, 0, 0, 0}, h[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int t = 0; t < 256; t++) {
        for (int k = 7; k > 0; k--)
            h[k] = h[k - 1];
        h[0] = x[t * 256 + ch];
        float y = 0;
        for (int k = 0; k < 8; k++)
            y += w[k] * h[k];
        float e = d[t * 256 + ch] - y;
        for (int k = 0; k < 8; k++)
            w[k] += 0.01f * e * h[k];
        err[t * 256 + ch] = e;
    }
}

// case beamform
// (256, 128), (64, 1), F(2 * 256 * 16), F(2 * 16 * 128), O(256 * 128)
kernel void beamform(global const float2 *x, global const float2 *steer, global float *power)
{
    int t = get_global_id(0), beam = get_global_id(1);
    float2 s = (float2)(0, 0);
    for (int a = 0; a < 16; a++) {
        float2 v = x[a * 256 + t], w = steer[beam * 16 + a];
        s.x += v.x * w.x + v.y * w.y;
        s.y += v.y * w.x - v.x * w.y;
    }
    power[beam * 256 + t] = dot(s, s);
}

// case cic_decimate
// 4096, 64, I(4096 * 16 + 48, 65536, np.int16), O(4096)
kernel void cic_decimate(global const short *x, global int *y)
{
    int i = get_global_id(0);
    int sum = 0;
    for (int a = 0; a < 16; a++)
        for (int b = 0; b < 16; b++)
            sum += x[i * 16 + a + b];
    y[i] = sum >> 8;
}

// case hpel_6tap
// (352, 288), (16, 16), I(360 * 296, 256, np.uint8), O(352 * 288, np.uint8), S(360)
kernel void hpel_6tap(global const uchar *ref, global uchar *out, int stride)
{
    int x = get_global_id(0), y = get_global_id(1);
    int column[6];
    for (int j = 0; j < 6; j++) {
        global const uchar *p = ref + (y + j) * stride + x;
        column[j] = p[0] - 5 * p[1] + 20 * p[2] + 20 * p[3] - 5 * p[4] + p[5];
    }
    int v = column[0] - 5 * column[1] + 20 * column[2] + 20 * column[3] - 5 * column[4] + column[5];
    out[y * get_global_size(0) + x] = convert_uchar_sat((v + 512) >> 10);
}

// case sad16_vec
// (33, 33), None, I(64 * 64, 256, np.uint8), I(16 * 16, 256, np.uint8), O(33 * 33, np.uint32)
kernel void sad16_vec(global const uchar *window, global const uchar *block, global uint *sad)
{
    int dx = get_global_id(0), dy = get_global_id(1);
    ushort16 sum = 0;
    for (int y = 0; y < 16; y++)
        sum += convert_ushort16(abs_diff(vload16(0, window + (dy + y) * 64 + dx), vload16(y, block)));
    ushort8 a = sum.lo + sum.hi;
    ushort4 b = a.lo + a.hi;
    sad[dy * 33 + dx] = (uint)b.x + b.y + b.z + b.w;
}

// case satd4
// (96, 64), (8, 8), I(384 * 256, 256, np.uint8), I(384 * 256, 256, np.uint8), O(96 * 64)
kernel void satd4(global const uchar *a, global const uchar *b, global int *out)
{
    int bx = get_global_id(0), by = get_global_id(1);
    int4 m[4];
    for (int r = 0; r < 4; r++) {
        int at = (by * 4 + r) * 384 + bx * 4;
        int4 d = convert_int4(vload4(0, a + at)) - convert_int4(vload4(0, b + at));
        int4 s = (int4)(d.xy + d.zw, d.xy - d.zw);
        m[r] = (int4)(s.x + s.y, s.x - s.y, s.z + s.w, s.z - s.w);
    }
    int4 p = m[0] + m[2], q = m[1] + m[3], r = m[0] - m[2], s = m[1] - m[3];
    uint4 t = abs(p + q) + abs(p - q) + abs(r + s) + abs(r - s);
    out[by * 96 + bx] = (t.x + t.y + t.z + t.w) >> 1;
}

// case hevc_planar
// (256, 256), (32, 8), I(256 + 33, 256, np.uint8), I(256 + 33, 256, np.uint8), O(256 * 256, np.uint8)
kernel void hevc_planar(global const uchar *top, global const uchar *left, global uchar *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    int lx = x & 31, ly = y & 31;
    int bx = x & ~31, by = y & ~31;
    int v = (31 - lx) * left[by + ly] + (lx + 1) * top[bx + 32] + (31 - ly) * top[bx + lx] + (ly + 1) * left[by + 32] + 32;
    out[y * 256 + x] = v >> 6;
}

// case range_decode
// 512, 64, I(512 * 256, 256, np.uint8), O(512 * 256, np.uint8)
kernel void range_decode(global const uchar *in, global uchar *out)
{
    int g = get_global_id(0);
    ushort probs[16];
    for (int i = 0; i < 16; i++)
        probs[i] = 1024;
    uint range = 0xffffffff, code = 0;
    int at = g * 256, end = at + 256, context = 1;
    for (int i = 0; i < 4; i++)
        code = code << 8 | in[at++];
    for (int i = 0; i < 256; i++) {
        uint bound = (range >> 11) * probs[context & 15];
        int bit;
        if (code < bound) {
            range = bound;
            probs[context & 15] += (2048 - probs[context & 15]) >> 5;
            bit = 0;
        } else {
            range -= bound;
            code -= bound;
            probs[context & 15] -= probs[context & 15] >> 5;
            bit = 1;
        }
        while (range < (1u << 24)) {
            range <<= 8;
            code = code << 8 | (at < end ? in[at++] : 0);
        }
        context = context << 1 | bit;
        out[g * 256 + i] = bit;
    }
}

// case rice_decode
// 512, 64, I(512 * 64 + 4, 1 << 30, np.uint32), O(512 * 64)
kernel void rice_decode(global const uint *words, global int *out)
{
    int g = get_global_id(0);
    int bit = g * 64 * 32;
    for (int i = 0; i < 64; i++) {
        int q = 0;
        while (q < 24 && (words[bit >> 5] >> (31 - (bit & 31)) & 1)) {
            q++;
            bit++;
        }
        bit++;
        uint r = 0;
        for (int k = 0; k < 3; k++, bit++)
            r = r << 1 | (words[bit >> 5] >> (31 - (bit & 31)) & 1);
        uint u = q << 3 | r;
        out[g * 64 + i] = (int)(u >> 1) ^ -(int)(u & 1);
    }
}

// case census5
// (320, 240), (16, 16), I(324 * 244, 256, np.uint8), O(320 * 240, np.uint32)
kernel void census5(global const uchar *img, global uint *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    uchar c = img[(y + 2) * 324 + x + 2];
    uint bits = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            if (i != 2 || j != 2)
                bits = bits << 1 | (img[(y + j) * 324 + x + i] < c);
    out[y * 320 + x] = bits;
}

// case sgm_path
// (64, 256), (64, 1), I(64 * 128 * 256, 64, np.uint8), O(64 * 128 * 256, np.uint16)
kernel void sgm_path(global const uchar *cost, global ushort *path)
{
    local ushort before[66];
    local ushort least[64];
    int d = get_local_id(0), row = get_group_id(1);
    before[d + 1] = cost[row * 128 * 64 + d];
    if (d == 0)
        before[0] = before[65] = 30000;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int x = 1; x < 128; x++) {
        least[d] = before[d + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int s = 32; s > 0; s >>= 1) {
            if (d < s)
                least[d] = min(least[d], least[d + s]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        int m = least[0];
        int best = min(min((int)before[d + 1], min(before[d], before[d + 2]) + 10), m + 120) - m;
        int v = cost[(row * 128 + x) * 64 + d] + best;
        barrier(CLK_LOCAL_MEM_FENCE);
        before[d + 1] = v;
        path[(row * 128 + x) * 64 + d] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case brief_match
// (256, 256), (16, 16), I(256 * 8, 1 << 30, np.uint32), I(256 * 8, 1 << 30, np.uint32), O(256 * 256, np.uint16)
kernel void brief_match(global const uint8 *a, global const uint8 *b, global ushort *distance)
{
    int i = get_global_id(0), j = get_global_id(1);
    uint8 p = popcount(a[i] ^ b[j]);
    uint4 q = p.lo + p.hi;
    distance[j * 256 + i] = q.x + q.y + q.z + q.w;
}

// case lk_flow
// (160, 120), (16, 8), F(170 * 130), F(170 * 130), O(160 * 120 * 2)
kernel void lk_flow(global const float *a, global const float *b, global float2 *flow)
{
    int x = get_global_id(0), y = get_global_id(1);
    float xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
    for (int j = -3; j <= 3; j++)
        for (int i = -3; i <= 3; i++) {
            int at = (y + 4 + j) * 170 + x + 4 + i;
            float dx = (a[at + 1] - a[at - 1]) * 0.5f, dy = (a[at + 170] - a[at - 170]) * 0.5f, dt = b[at] - a[at];
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
            xt += dx * dt;
            yt += dy * dt;
        }
    float det = xx * yy - xy * xy;
    flow[y * 160 + x] = fabs(det) < 1e-6f ? (float2)(0, 0) : (float2)((xy * yt - yy * xt) / det, (xy * xt - xx * yt) / det);
}
