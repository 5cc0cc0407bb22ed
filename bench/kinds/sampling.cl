// Random numbers, statistics, searches and prices.

// case ep_gauss
// 1 << 12, 64, O(1 << 12, np.float64), O(10 << 12, np.int32), S(32)
double lcg46(double *x, double a)
{
    const double r23 = 0x1p-23, t23 = 0x1p23, r46 = 0x1p-46, t46 = 0x1p46;
    double a1 = floor(r23 * a), a2 = a - t23 * a1, x1 = floor(r23 * *x), x2 = *x - t23 * x1;
    double t1 = a1 * x2 + a2 * x1, t2 = floor(r23 * t1), z = t1 - t23 * t2, t3 = t23 * z + a2 * x2;
    *x = t3 - t46 * floor(r46 * t3);
    return r46 * *x;
}
kernel void ep_gauss(global double *sums, global int *counts, int pairs)
{
    int i = get_global_id(0), n = get_global_size(0), q[10];
    double x = 271828183.0 + 2.0 * i * 1234567.0, s = 0;
    for (int k = 0; k < 10; k++)
        q[k] = 0;
    for (int k = 0; k < pairs; k++) {
        double a = 2 * lcg46(&x, 1220703125.0) - 1, b = 2 * lcg46(&x, 1220703125.0) - 1, t = a * a + b * b;
        if (t <= 1) {
            double f = sqrt(-2 * log(t) / t), u = fabs(a * f), v = fabs(b * f);
            q[(int)fmax(u, v)]++;
            s += u + v;
        }
    }
    sums[i] = s;
    for (int k = 0; k < 10; k++)
        counts[k * n + i] = q[k];
}

// case quasi_moro
// 1 << 14, 128, I(32 * 3), O(3 << 14)
float inverse_normal(uint x)
{
    bool negate = x >= 0x80000000u;
    float p = (negate ? 0xffffffffu - x : x) * 2.3283064e-10f + 1.1641532e-10f;
    float y = p - 0.5f, z;
    if (fabs(y) < 0.42f) {
        z = y * y;
        z = y * (((-25.44106f * z + 41.391197f) * z - 18.615f) * z + 2.506628f) / ((((3.1308291f * z - 21.06224f) * z + 23.083366f) * z - 8.473511f) * z + 1);
    } else {
        z = log(-log(p));
        z = -(0.337475f + z * (0.97616905f + z * (0.16079797f + z * (0.027643857f + z * (0.0038405729f + z * 0.00039518965f)))));
    }
    return negate ? -z : z;
}
kernel void quasi_moro(global const uint *direction, global float *out)
{
    uint i = get_global_id(0), n = get_global_size(0);
    for (int d = 0; d < 3; d++) {
        uint r = 0, bits = i;
        for (int b = 0; b < 32; b++, bits >>= 1)
            if (bits & 1)
                r ^= direction[d * 32 + b] * 4u;
        out[d * n + i] = inverse_normal(r);
    }
}

// case swaption_tree
// 256 * 64, 64, F(256), F(256), O(256), L(65), S(64)
kernel void swaption_tree(global const float *rate, global const float *strike, global float *value, local float *level, int steps)
{
    int l = get_local_id(0), g = get_group_id(0);
    float dt = 1.0f / steps, vol = 0.2f, u = exp(vol * sqrt(dt)), d = 1 / u, p = (exp(0.03f * dt) - d) / (u - d), disc = exp(-rate[g] * dt * 0.1f);
    level[l] = fmax(pow(u, (float)(2 * l - steps)) - strike[g] - 0.2f, 0.0f);
    if (l == 0)
        level[steps] = fmax(pow(u, (float)steps) - strike[g] - 0.2f, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = steps - 1; k >= 0; k--) {
        float v = 0;
        if (l <= k)
            v = fmax(disc * (p * level[l + 1] + (1 - p) * level[l]), pow(u, (float)(2 * l - k)) - strike[g] - 0.2f);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l <= k)
            level[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        value[g] = level[0];
}

// case lomb_scargle
// 2000, None, F(500), F(500), O(2000), S(500), S(2000)
kernel void lomb_scargle(global const float *t, global const float *x, global float *power, int samples, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float f = 0.1f + 0.01f * i, xc = 0, xs = 0, cc = 0, ss = 0, cs = 0;
    for (int j = 0; j < samples; j++) {
        float c, s = sincos(f * t[j], &c);
        xc += x[j] * c;
        xs += x[j] * s;
        cc += c * c;
        ss += s * s;
        cs += c * s;
    }
    float tau = atan2(2 * cs, cc - ss) / (2 * f), st = sin(f * tau), ct = cos(f * tau);
    float a = ct * xc + st * xs, b = ct * xs - st * xc;
    power[i] = 0.5f * (a * a / (ct * ct * cc + 2 * ct * st * cs + st * st * ss) + b * b / (ct * ct * ss - 2 * ct * st * cs + st * st * cc));
}

// case vincenty
// 1 << 13, 64, D(4 << 13), O(1 << 13, np.float64)
kernel void vincenty(global const double4 *pairs, global double *out)
{
    double4 p = pairs[get_global_id(0)];
    const double a = 6378137, f = 1 / 298.257223563, b = a * (1 - f);
    double u1 = atan((1 - f) * tan(p.x)), u2 = atan((1 - f) * tan(p.y)), l = p.z - p.w, lambda = l, before;
    double su1 = sin(u1), cu1 = cos(u1), su2 = sin(u2), cu2 = cos(u2), ss, cs, sigma, ca2, cm;
    int most = 20;
    do {
        double sl = sin(lambda), cl = cos(lambda), q = cu1 * su2 - su1 * cu2 * cl;
        ss = sqrt(cu2 * sl * cu2 * sl + q * q) + 1e-30;
        cs = su1 * su2 + cu1 * cu2 * cl;
        sigma = atan2(ss, cs);
        double sa = cu1 * cu2 * sl / ss;
        ca2 = 1 - sa * sa;
        cm = ca2 > 1e-12 ? cs - 2 * su1 * su2 / ca2 : 0;
        double c = f / 16 * ca2 * (4 + f * (4 - 3 * ca2));
        before = lambda;
        lambda = l + (1 - c) * f * sa * (sigma + c * ss * (cm + c * cs * (2 * cm * cm - 1)));
    } while (fabs(lambda - before) > 1e-11 && --most);
    double up = ca2 * (a * a - b * b) / (b * b), big = 1 + up / 16384 * (4096 + up * (-768 + up * (320 - 175 * up)));
    out[get_global_id(0)] = b * big * sigma;
}

// case epistasis
// (90, 90), None, I(90 * 3 * 64, 1 << 31, np.uint32), O(90 * 90), S(64)
kernel void epistasis(global const uint *snps, global float *score, int words)
{
    int a = get_global_id(0), b = get_global_id(1), n = get_global_size(0);
    if (a <= b) {
        score[b * n + a] = 0;
        return;
    }
    int counts[9];
    for (int k = 0; k < 9; k++)
        counts[k] = 0;
    for (int w = 0; w < words; w++)
        for (int x = 0; x < 3; x++)
            for (int y = 0; y < 3; y++)
                counts[x * 3 + y] += popcount(snps[(a * 3 + x) * words + w] & snps[(b * 3 + y) * words + w]);
    float s = 0;
    for (int k = 0; k < 9; k++)
        s += lgamma(counts[k] + 1.0f) * 0.001f;
    score[b * n + a] = s;
}

// case two_opt
// 64 * 64, 64, F(2 * 256), I(64 * 256, 256), O(64 * 64), L(2 * 256), S(256)
kernel void two_opt(global const float2 *city, global const int *tour, global float *best, local float2 *at, int n)
{
    int l = get_local_id(0), g = get_group_id(0);
    for (int k = l; k < n; k += 64)
        at[k] = city[tour[g * n + k]];
    barrier(CLK_LOCAL_MEM_FENCE);
    float least = 0;
    for (int i = 1 + l; i < n - 2; i += 64)
        for (int j = i + 1; j < n - 1; j++) {
            float change = distance(at[i - 1], at[j]) + distance(at[i], at[j + 1]) - distance(at[i - 1], at[i]) - distance(at[j], at[j + 1]);
            least = fmin(least, change);
        }
    best[g * 64 + l] = least;
}

// case ransac_flow
// 256 * 64, 64, F(4 * 1024), I(512, 1024), O(256, np.int32), S(1024)
kernel void ransac_flow(global const float4 *flow, global const int *pick, global int *inliers, int n)
{
    local int count;
    local float model[4];
    int l = get_local_id(0), g = get_group_id(0);
    if (l == 0) {
        count = 0;
        float4 a = flow[pick[2 * g]], b = flow[pick[2 * g + 1]];
        float d = a.x - b.x, e = a.y - b.y, q = d * d + e * e + 1e-3f;
        model[0] = ((a.z - b.z) * d + (a.w - b.w) * e) / q;
        model[1] = ((a.w - b.w) * d - (a.z - b.z) * e) / q;
        model[2] = a.z - model[0] * a.x + model[1] * a.y;
        model[3] = a.w - model[1] * a.x - model[0] * a.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int mine = 0;
    for (int i = l; i < n; i += 64) {
        float4 v = flow[i];
        float dx = model[0] * v.x - model[1] * v.y + model[2] - v.z, dy = model[1] * v.x + model[0] * v.y + model[3] - v.w;
        if (dx * dx + dy * dy < 0.1f)
            mine++;
    }
    atomic_add(&count, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        inliers[g] = count;
}

// case arm_angles
// 1 << 12, 64, F(2 << 12), O(3 << 12), S(12)
kernel void arm_angles(global const float2 *goal, global float *angle, int steps)
{
    int i = get_global_id(0);
    float t[3] = {0.1f, 0.2f, 0.3f};
    for (int s = 0; s < steps; s++) {
        float px[4], py[4], a = 0;
        px[0] = py[0] = 0;
        for (int k = 0; k < 3; k++) {
            a += t[k];
            px[k + 1] = px[k] + 0.5f * cos(a);
            py[k + 1] = py[k] + 0.5f * sin(a);
        }
        float ex = goal[i].x - px[3], ey = goal[i].y - py[3];
        for (int k = 0; k < 3; k++)
            t[k] += 0.4f * (-(py[3] - py[k]) * ex + (px[3] - px[k]) * ey);
    }
    for (int k = 0; k < 3; k++)
        angle[3 * i + k] = t[k];
}

// case romberg
// 64 * 64, 64, O(64 * 64, np.float64), S(7)
double f_of(double x)
{
    return exp(-x * x) * cos(3 * x) + 1 / (1 + x * x);
}
kernel void romberg(global double *out, int k)
{
    double r[8], a = get_global_id(0) * 0.001, b = a + 1, h = b - a;
    r[0] = 0.5 * h * (f_of(a) + f_of(b));
    for (int i = 1; i <= k; i++) {
        h *= 0.5;
        double s = 0;
        for (int j = 1; j < 1 << i; j += 2)
            s += f_of(a + j * h);
        double before = r[0], four = 1;
        r[0] = 0.5 * r[0] + h * s;
        for (int j = 1; j <= i; j++) {
            four *= 4;
            double next = r[j - 1] + (r[j - 1] - before) / (four - 1);
            before = r[j];
            r[j] = next;
        }
    }
    out[get_global_id(0)] = r[k];
}

// case brown_exit
// 1 << 11, 64, I(1 << 11), O(1 << 11, np.int32), S(400)
kernel void brown_exit(global const uint *seed, global int *when, int most)
{
    uint s = seed[get_global_id(0)] | 1;
    int x = 0, y = 0, z = 0, t = 0;
    for (; t < most && x * x + 2 * y * y + 3 * z * z < 220; t++) {
        s = s * 1664525u + 1013904223u;
        int d = (s >> 30) ? 1 : -1;
        switch ((s >> 24) % 3) {
        case 0: x += d; break;
        case 1: y += d; break;
        default: z += (s >> 13) & 1 ? 1 : -1;
        }
    }
    when[get_global_id(0)] = t;
}

// case gmm_estep
// 5000, None, F(8 * 5000), F(8 * 12), F(8 * 12), F(12), O(12 * 5000), S(5000), S(12)
kernel void gmm_estep(global const float *x, global const float *mean, global const float *inv, global const float *weight, global float *member, int n, int clusters)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float most = -MAXFLOAT, sum = 0;
    for (int c = 0; c < clusters; c++) {
        float like = 0;
        for (int d = 0; d < 8; d++) {
            float v = x[d * n + i] - mean[c * 8 + d];
            like += v * v * inv[c * 8 + d];
        }
        like = -0.5f * like + log(weight[c] + 0.1f);
        member[c * n + i] = like;
        most = max(most, like);
    }
    for (int c = 0; c < clusters; c++)
        sum += exp(member[c * n + i] - most);
    sum = most + log(sum);
    for (int c = 0; c < clusters; c++)
        member[c * n + i] = exp(member[c * n + i] - sum);
}

// case mean_shift
// 512, 64, F(2 * 512), O(2 * 512), S(512)
kernel void mean_shift(global const float2 *p, global float2 *out, int n)
{
    local float2 tile[64];
    float2 me = p[get_global_id(0)], sum = 0;
    float total = 0;
    for (int t = 0; t < n; t += 64) {
        tile[get_local_id(0)] = p[t + get_local_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 64; k++) {
            float2 d = me - tile[k];
            float w = native_exp(-dot(d, d) * 20);
            sum += w * tile[k];
            total += w;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum / total;
}
