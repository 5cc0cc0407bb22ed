// Kernels of domains that the other files do not have, as programs of these domains write them: molecules, particles and lattices,
// sequences, prices, pictures and video, rays, ciphers, compressed data, tables, texts.
//
// SPDX-License-Identifier: MIT

// ---- Molecules, particles, lattices.

// case nonbonded_tile32
// 256 * 32, 32, F(4 * 32 * 64), I(2 * 256, 64), I(32 * 256, 1 << 30, np.uint32), O(4 * 256 * 32), S(0.9, np.float32)
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void nonbonded_tile32(global const float4 *posq, global const int2 *tiles,
    global const uint *exclusions, global float4 *force, float cutoff2)
{
    local float4 other[32];
    local float fx[32], fy[32], fz[32];
    uint t = get_local_id(0), tile = get_group_id(0);
    int2 xy = tiles[tile];
    float4 p1 = posq[xy.x * 32 + t];
    other[t] = posq[xy.y * 32 + t];
    fx[t] = fy[t] = fz[t] = 0;
    uint excl = exclusions[tile * 32 + t];
    excl = (excl >> t) | (excl << ((32 - t) & 31));
    float3 f = 0;
    uint tj = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < 32; j++) {
        bool included = !(excl & 1);
        float4 p2 = other[tj];
        float3 d = p2.xyz - p1.xyz;
        float r2 = dot(d, d);
        if (included && r2 < cutoff2 && r2 > 1e-6f) {
            float inv = native_rsqrt(r2), i2 = inv * inv, s2 = 0.01f * i2, s6 = s2 * s2 * s2;
            float de = (12 * s6 - 6) * s6 * 0.3f * i2 + 138.9f * p1.w * p2.w * inv * i2;
            f -= d * de;
            fx[tj] += d.x * de;
            fy[tj] += d.y * de;
            fz[tj] += d.z * de;
        }
        excl >>= 1;
        tj = (tj + 1) & 31;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    force[tile * 32 + t] = (float4)(f.x + fx[t], f.y + fy[t], f.z + fz[t], 0);
}

// case cluster_pairs
// (8, 8 * 256), (8, 8), F(4 * 8 * 512), row_starts(257, 12), I(12 * 256, 512), I(12 * 256, 1 << 8, np.uint32), O(4 * 8 * 256), O(256)
kernel __attribute__((reqd_work_group_size(8, 8, 1))) void cluster_pairs(global const float4 *xq, global const int *starts,
    global const int *cj, global const uint *mask, global float4 *f, global float *energy)
{
    local float4 xi[8];
    local float red[8][8][4];
    int ti = get_local_id(0), tj = get_local_id(1), ci = get_group_id(1);
    if (tj == 0)
        xi[ti] = xq[ci * 8 + ti];
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 me = xi[ti], fi = 0;
    float e = 0;
    for (int k = starts[ci]; k < starts[ci + 1]; k++) {
        uint bits = mask[k];
        if (!((bits >> ti) & 1))
            continue;
        float4 xj = xq[cj[k] * 8 + tj];
        float4 d = me - xj;
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (r2 < 0.5f) {
            r2 = fmax(r2, 0.01f);
            float rinv = rsqrt(r2), rinv2 = rinv * rinv, s6 = rinv2 * rinv2 * rinv2 * 1e-5f;
            float fscal = s6 * (12 * s6 - 6) * rinv2 + me.w * xj.w * (rinv * rinv2 - 1.2f);
            e += s6 * (s6 - 1) + me.w * xj.w * (rinv + 0.6f * r2 - 1.5f);
            fi += d * fscal;
        }
    }
    red[tj][ti][0] = fi.x;
    red[tj][ti][1] = fi.y;
    red[tj][ti][2] = fi.z;
    red[tj][ti][3] = e;
    for (int s = 4; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tj < s)
            for (int c = 0; c < 4; c++)
                red[tj][ti][c] += red[tj + s][ti][c];
    }
    if (tj == 0)
        f[ci * 8 + ti] = (float4)(red[0][ti][0], red[0][ti][1], red[0][ti][2], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tj == 0 && ti == 0) {
        float s = 0;
        for (int i = 0; i < 8; i++)
            s += red[0][i][3];
        energy[ci] = s;
    }
}

// case full_neigh_lj
// 4096, 128, F(4 * 4096), I(4096, 48), I(48 * 4096, 4096), I(4096, 4), F(64), O(4 * 4096), O(4096), S(4096)
kernel void full_neigh_lj(global const float4 *x, global const int *numneigh, global const int *neigh, global const int *type,
                          constant float4 *coef, global float4 *f, global float *eng, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float4 ix = x[i], s = (float4)(0.0f);
    int it = type[i], count = numneigh[i];
    float energy = 0;
    for (int k = 0; k < count; k++) {
        int j = neigh[k * n + i];
        float4 jx = x[j];
        float dx = ix.x - jx.x, dy = ix.y - jx.y, dz = ix.z - jx.z, rsq = dx * dx + dy * dy + dz * dz;
        float4 c = coef[it * 4 + type[j]];
        if (rsq < 0.6f && rsq > 1e-4f) {
            float r2inv = 1.0f / rsq, r6inv = r2inv * r2inv * r2inv * 1e-6f;
            float force = r2inv * r6inv * (c.x * r6inv - c.y);
            s.x += dx * force;
            s.y += dy * force;
            s.z += dz * force;
            energy += r6inv * (c.z * r6inv - c.w);
        }
    }
    f[i] = s;
    eng[i] = energy;
}

// case bonds_scatter
// 1 << 14, 64, I(2 << 14, 1 << 13), F(2 << 14), F(4 << 13), O(4 << 13, np.int64)
void add_fixed(volatile global int *at, float v)
{
    atomic_add(at, (int)(v * 65536));
}
kernel void bonds_scatter(global const int2 *bonds, global const float2 *params, global const float4 *pos, global int *f)
{
    int b = get_global_id(0);
    int2 ij = bonds[b];
    float2 p = params[b];
    float4 d = pos[ij.y] - pos[ij.x];
    d.w = 0;
    float r = fast_length(d), k = r > 0 ? p.y * (r - p.x) / r : 0;
    d *= k;
    add_fixed(f + 4 * ij.x, d.x);
    add_fixed(f + 4 * ij.x + 1, d.y);
    add_fixed(f + 4 * ij.x + 2, d.z);
    add_fixed(f + 4 * ij.y, -d.x);
    add_fixed(f + 4 * ij.y + 1, -d.y);
    add_fixed(f + 4 * ij.y + 2, -d.z);
}

// case lbm_d3q27_aos
// (24, 24, 24), (24, 1, 1), F(27 * 24 * 24 * 24), O(27 * 24 * 24 * 24), S(24), S(1.2, np.float32)
kernel void lbm_d3q27_aos(global const float *fin, global float *fout, int n, float omega)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float f[27], rho = 0, ux = 0, uy = 0, uz = 0;
    for (int q = 0; q < 27; q++) {
        int cx = q % 3 - 1, cy = q / 3 % 3 - 1, cz = q / 9 - 1;
        int sx = (x - cx + n) % n, sy = (y - cy + n) % n, sz = (z - cz + n) % n;
        f[q] = fin[((sz * n + sy) * n + sx) * 27 + q];
        rho += f[q];
        ux += f[q] * cx;
        uy += f[q] * cy;
        uz += f[q] * cz;
    }
    ux /= rho;
    uy /= rho;
    uz /= rho;
    float uu = 1.5f * (ux * ux + uy * uy + uz * uz);
    for (int q = 0; q < 27; q++) {
        int cx = q % 3 - 1, cy = q / 3 % 3 - 1, cz = q / 9 - 1;
        float w = (cx ? 1.0f / 6 : 2.0f / 3) * (cy ? 1.0f / 6 : 2.0f / 3) * (cz ? 1.0f / 6 : 2.0f / 3);
        float cu = 3 * (cx * ux + cy * uy + cz * uz);
        fout[((z * n + y) * n + x) * 27 + q] = f[q] + omega * (w * rho * (1 + cu + 0.5f * cu * cu - uu) - f[q]);
    }
}

// case sph_linked_cells
// 1 << 12, 64, F(2 << 12), I(32 * 32, 1 << 12), chains(1 << 12), O(1 << 12), O(2 << 12), S(32)
kernel void sph_linked_cells(global const float2 *pos, global const int *heads, global const int *next, global float *rho,
                             global float2 *push, int grid)
{
    int i = get_global_id(0);
    float2 p = pos[i], away = 0;
    int cx = clamp((int)(p.x * grid), 0, grid - 1), cy = clamp((int)(p.y * grid), 0, grid - 1);
    float density = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int nx = cx + dx, ny = cy + dy;
            if (nx < 0 || ny < 0 || nx >= grid || ny >= grid)
                continue;
            for (int j = heads[ny * grid + nx]; j != -1; j = next[j]) {
                float2 d = p - pos[j];
                float r2 = dot(d, d), h2 = 0.25f;
                if (r2 >= h2)
                    continue;
                float w = h2 - r2;
                density += w * w * w;
                away += d * w;
            }
        }
    rho[i] = density;
    push[i] = away;
}

// case cubes_triangles
// (31, 31, 31), None, F(32 * 32 * 32), I(256, 6, np.uint8), I(256 * 16, 12, np.uint8), O(31 * 31 * 31), O(31 * 31 * 31 * 3), S(32)
constant uchar corner[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
float3 crossing(float3 a, float3 b, float va, float vb)
{
    float t = (0.5f - va) / (vb - va + 1e-6f);
    return a + clamp(t, 0.0f, 1.0f) * (b - a);
}
kernel void cubes_triangles(global const float *field, global const uchar *counts, global const uchar *table, global float *area,
                            global float *normal, int n)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float v[8];
    float3 p[8], edge[12];
    int index = 0;
    for (int c = 0; c < 8; c++) {
        int ox = ((c + 1) >> 1) & 1, oy = (c >> 1) & 1, oz = c >> 2;
        v[c] = field[((z + oz) * n + y + oy) * n + x + ox];
        p[c] = (float3)(x + ox, y + oy, z + oz);
        index |= (v[c] < 0.5f) << c;
    }
    for (int e = 0; e < 12; e++)
        edge[e] = crossing(p[corner[e][0]], p[corner[e][1]], v[corner[e][0]], v[corner[e][1]]);
    float sum = 0;
    float3 total = 0;
    for (int t = 0; t < counts[index]; t++) {
        global const uchar *tri = table + index * 16 + 3 * min(t, 4);
        float3 a = edge[tri[0]], b = edge[tri[1]], c = edge[tri[2]], m = cross(b - a, c - a);
        sum += 0.5f * length(m);
        total += m;
    }
    size_t o = (z * get_global_size(1) + y) * get_global_size(0) + x;
    area[o] = sum;
    vstore3(total, o, normal);
}

// case fem_hex_apply
// 1 << 11, 64, I(8 << 11, 1 << 12), F(24 * 24), F(3 << 12), F(1 << 11), O(24 << 11)
kernel void fem_hex_apply(global const int *nodes, constant float *ke, global const float *u, global const float *rho, global float *out)
{
    int e = get_global_id(0), n = get_global_size(0);
    float ue[24];
    for (int i = 0; i < 8; i++)
        for (int d = 0; d < 3; d++)
            ue[3 * i + d] = u[3 * nodes[e * 8 + i] + d];
    float scale = pown(rho[e], 3);
    for (int r = 0; r < 24; r++) {
        float s = 0;
        for (int c = 0; c < 24; c++)
            s += ke[r * 24 + c] * ue[c];
        out[r * n + e] = scale * s;
    }
}

// case rosenbrock5
// 1 << 12, 64, F(5 << 12), O(5 << 12), S(8)
kernel void rosenbrock5(global const double *unused, global float *out, int steps)
{
    global const float *in = (global const float *)unused;
    int id = get_global_id(0), n = get_global_size(0);
    float y[5], a[5][5], k[5];
    for (int i = 0; i < 5; i++)
        y[i] = in[i * n + id];
    for (int s = 0; s < steps; s++) {
        float h = 0.05f;
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++)
                a[i][j] = (i == j) - h * (j == (i + 1) % 5 ? 1.5f * y[i] : j == i ? -2.0f - y[(i + 4) % 5] : 0.1f * y[j]);
        for (int i = 0; i < 5; i++)
            k[i] = h * (1.5f * y[i] * y[(i + 1) % 5] - 2 * y[i] - y[i] * y[(i + 4) % 5]);
        for (int i = 0; i < 5; i++) {
            float d = 1 / a[i][i];
            for (int r = i + 1; r < 5; r++) {
                float m = a[r][i] * d;
                for (int c = i + 1; c < 5; c++)
                    a[r][c] -= m * a[i][c];
                k[r] -= m * k[i];
            }
        }
        for (int i = 4; i >= 0; i--) {
            for (int c = i + 1; c < 5; c++)
                k[i] -= a[i][c] * k[c];
            k[i] /= a[i][i];
        }
        for (int i = 0; i < 5; i++)
            y[i] += k[i];
    }
    for (int i = 0; i < 5; i++)
        out[i * n + id] = y[i];
}

// ---- Sequences.

// case pair_hmm
// 512, 32, I(512 * 40, 4, np.uint8), I(512 * 40, 40, np.uint8), I(512 * 64, 4, np.uint8), O(512), F(128)
kernel void pair_hmm(global const uchar *reads, global const uchar *quals, global const uchar *haps, global float *out,
                     constant float *error)
{
    int id = get_global_id(0);
    float m[41], x[41], y[41];
    for (int r = 0; r <= 40; r++)
        m[r] = x[r] = y[r] = 0;
    float sum = 0;
    for (int h = 0; h < 64; h++) {
        uchar base = haps[id * 64 + h];
        float dm = 0, dx = 0, dy = 1.0f / 64;
        float um = 0, ux = 0;
        for (int r = 1; r <= 40; r++) {
            float e = 0.25f * error[quals[id * 40 + r - 1]];
            float prior = reads[id * 40 + r - 1] == base ? 1 - e : e / 3;
            float nm = prior * (0.9f * dm + 0.8f * (dx + dy));
            float nx = 0.05f * um + 0.2f * ux;
            float ny = 0.05f * m[r] + 0.2f * y[r];
            dm = m[r];
            dx = x[r];
            dy = y[r];
            um = m[r] = nm;
            ux = x[r] = nx;
            y[r] = ny;
        }
        sum += m[40] + x[40];
    }
    out[id] = log10(sum + 1e-30f);
}

// case striped_sw16
// 256, 16, I(256 * 128, 20, np.uint8), I(20 * 128, 12, np.int8), O(256, np.int32), S(128)
kernel void striped_sw16(global const uchar *db, global const char *profile, global int *score, int length)
{
    int id = get_global_id(0);
    uchar16 h[8], e[8], most = 0;
    for (int s = 0; s < 8; s++)
        h[s] = e[s] = 0;
    for (int i = 0; i < length; i++) {
        global const char *row = profile + db[id * length + i] * 128;
        uchar16 f = 0, v = (uchar16)(0, h[7].s01234567, h[7].s89ab, h[7].scde);
        for (int s = 0; s < 8; s++) {
            v = sub_sat(add_sat(v, as_uchar16(vload16(s, row))), (uchar16)(4));
            v = max(v, max(e[s], f));
            most = max(most, v);
            uchar16 open = sub_sat(v, (uchar16)(10)), next = h[s];
            h[s] = v;
            e[s] = max(sub_sat(e[s], (uchar16)(2)), open);
            f = max(sub_sat(f, (uchar16)(2)), open);
            v = next;
        }
    }
    uchar8 m8 = max(most.lo, most.hi);
    uchar4 m4 = max(m8.lo, m8.hi);
    uchar2 m2 = max(m4.lo, m4.hi);
    score[id] = max(m2.x, m2.y);
}

// case minimizers
// 1 << 12, 64, I((64 << 12) + 64, 4, np.uint8), O(1 << 12, np.uint32), O(1 << 12, np.int32)
uint mixed(uint k)
{
    k = ~k + (k << 21);
    k ^= k >> 24;
    k = k + (k << 3) + (k << 8);
    k ^= k >> 14;
    return k * 21;
}
kernel void minimizers(global const uchar *seq, global uint *sum, global int *count)
{
    int id = get_global_id(0), n = 0, filled = 0, at = 0;
    uint window[8], fw = 0, rc = 0, total = 0, last = 0xffffffff;
    for (int i = 0; i < 8; i++)
        window[i] = 0xffffffff;
    for (int i = 0; i < 64; i++) {
        uint c = seq[id * 64 + i];
        fw = ((fw << 2) | c) & 0xfffff;
        rc = (rc >> 2) | ((3 - c) << 18);
        if (i < 9)
            continue;
        window[at] = mixed(min(fw, rc));
        at = at == 7 ? 0 : at + 1;
        if (++filled < 8)
            continue;
        uint least = window[0];
        for (int k = 1; k < 8; k++)
            least = min(least, window[k]);
        if (least != last) {
            total += least;
            n++;
            last = least;
        }
    }
    sum[id] = total;
    count[id] = n;
}

// case anchor_chain
// 256, 16, ascending(256 * 64), F(256 * 64), O(256)
kernel void anchor_chain(global const float *x, global const float *y, global float *best)
{
    int id = get_global_id(0);
    float score[64], top = 0;
    for (int i = 0; i < 64; i++) {
        float s = 15, xi = x[id * 64 + i], yi = y[id * 64 + i];
        for (int j = max(0, i - 25); j < i; j++) {
            float dx = (xi - x[id * 64 + j]) * 1e5f, dy = (yi - y[id * 64 + j]) * 100;
            if (dy <= 0 || dx <= 0)
                continue;
            float gap = fabs(dx - dy), c = fmin(fmin(dx, dy), 15.0f) - 0.01f * gap - 0.5f * log2(gap + 1);
            s = fmax(s, score[j] + c);
        }
        score[i] = s;
        top = fmax(top, s);
    }
    best[id] = top;
}

// ---- Prices.

// case lsm_regress
// 64 * 64, 64, F(4096), F(4096), O(9 * 64), S(0.6, np.float32)
kernel void lsm_regress(global const float *spot, global const float *cash, global float *sums, float strike)
{
    local float part[64][9];
    int t = get_local_id(0), g = get_group_id(0);
    float s = spot[get_global_id(0)], c = cash[get_global_id(0)], in = s < strike ? 1 : 0, x = s / strike, p = 1;
    for (int k = 0; k < 5; k++) {
        part[t][k] = in * p;
        if (k < 3)
            part[t][5 + k] = in * p * c;
        p *= x;
    }
    part[t][8] = in;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 32; h > 0; h /= 2) {
        if (t < h)
            for (int k = 0; k < 9; k++)
                part[t][k] += part[t + h][k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t < 9)
        sums[g * 9 + t] = part[0][t];
}

// case heston_sobol
// 1 << 12, 64, I(2 * 32, 1 << 31, np.uint32), O(1 << 12), S(16), S(4)
float norm_inverse(float u)
{
    float q = u - 0.5f;
    if (fabs(q) <= 0.425f) {
        float r = 0.180625f - q * q;
        return q * (3.38713f + r * (50.4347f + r * 67.1876f)) / (1 + r * (17.8952f + r * 78.7758f));
    }
    float r = sqrt(-log(q < 0 ? u : 1 - u));
    float v = (1.42344f + r * (2.75682f + r * 1.30673f)) / (1 + r * (0.737f + r * 0.12022f));
    return q < 0 ? -v : v;
}
kernel void heston_sobol(global const uint *directions, global float *price, int steps, int skip)
{
    uint id = get_global_id(0) + skip, gray = id ^ (id >> 1);
    uint x0 = 0, x1 = 0;
    for (int b = 0; b < 32; b++)
        if (gray >> b & 1) {
            x0 ^= directions[b];
            x1 ^= directions[32 + b];
        }
    float logs = 0, v = 0.04f, dt = 1.0f / steps;
    for (int i = 0; i < steps; i++) {
        float z0 = norm_inverse((x0 + 0.5f) * 0x1p-32f), z1 = norm_inverse((x1 + 0.5f) * 0x1p-32f);
        float w = -0.7f * z0 + 0.714f * z1, vp = fmax(v, 0.0f), root = sqrt(vp * dt);
        logs += -0.5f * vp * dt + root * z0;
        v += 1.5f * (0.04f - vp) * dt + 0.3f * root * w;
        x0 = x0 * 1664525 + 1013904223;
        x1 ^= x1 << 13;
        x1 ^= x1 >> 17;
        x1 ^= x1 << 5;
    }
    price[get_global_id(0)] = fmax(exp(logs) - 1.0f, 0.0f);
}

// case exposure_profile
// 1 << 11, 64, D(1 << 11), O(1 << 11, np.float64), O(1 << 11, np.float64), S(12), S(8)
kernel void exposure_profile(global const double *shock, global double *epe, global double *ene, int dates, int swaps)
{
    int id = get_global_id(0);
    double r = 0.03, pos = 0, neg = 0;
    for (int t = 0; t < dates; t++) {
        r += 0.1 * (0.04 - r) * 0.25 + 0.02 * (shock[id] - 0.5);
        double v = 0;
        for (int s = 0; s < swaps; s++) {
            double rate = 0.02 + 0.004 * s, left = 3 - 0.25 * t, leg = 0, df = 1, step = exp(-r * 0.5);
            for (double u = 0; u < left; u += 0.5) {
                df *= step;
                leg += 0.5 * rate * df;
            }
            v += (s & 1 ? -1 : 1) * (1 - df - leg);
        }
        if (v > 0)
            pos += v;
        else
            neg -= v;
    }
    epe[id] = pos / dates;
    ene[id] = neg / dates;
}

// ---- Pictures and video.

// case resize_area_tab
// (192, 128), None, I(3 * 640 * 480, 256, np.uint8), O(3 * 192 * 128, np.uint8), S(640), S(480), S(3.3333, np.float32), S(3.75, np.float32)
kernel void resize_area_tab(global const uchar *src, global uchar *dst, int sw, int sh, float fx, float fy)
{
    int x = get_global_id(0), y = get_global_id(1);
    float x0 = x * fx, x1 = fmin(x0 + fx, sw), y0 = y * fy, y1 = fmin(y0 + fy, sh);
    float3 sum = 0;
    for (int sy = (int)y0; sy < (int)ceil(y1); sy++) {
        float wy = fmin(sy + 1.0f, y1) - fmax((float)sy, y0);
        float3 row = 0;
        for (int sx = (int)x0; sx < (int)ceil(x1); sx++) {
            float wx = fmin(sx + 1.0f, x1) - fmax((float)sx, x0);
            row += wx * convert_float3(vload3(sy * sw + sx, src));
        }
        sum += wy * row;
    }
    vstore3(convert_uchar3_sat_rte(sum / ((x1 - x0) * (y1 - y0))), y * get_global_size(0) + x, dst);
}

// case sep_filter_local
// (256, 192), (16, 16), I(4 * 256 * 192, 256, np.uint8), O(4 * 256 * 192, np.uint8), F(7), S(256), S(192)
kernel void sep_filter_local(global const uchar4 *src, global uchar4 *dst, constant float *k, int w, int h)
{
    local float4 tile[22][16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    for (int r = ly; r < 22; r += 16) {
        int sy = clamp((int)(get_group_id(1) * 16) + r - 3, 0, h - 1);
        float4 s = 0;
        for (int i = -3; i <= 3; i++) {
            int sx = x + i;
            sx = sx < 0 ? -sx - 1 : sx >= w ? 2 * w - 1 - sx : sx;
            s += k[i + 3] * convert_float4(src[sy * w + sx]);
        }
        tile[r][lx] = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 s = 0;
    for (int i = 0; i < 7; i++)
        s += k[i] * tile[ly + i][lx];
    dst[y * w + x] = convert_uchar4_sat(s * 0.05f);
}

// case bgr_to_hsv
// (256, 256), None, I(3 * 256 * 256, 256, np.uint8), O(3 * 256 * 256, np.uint8), I(256, 4096), I(256, 4096), S(768), S(768)
kernel void bgr_to_hsv(global const uchar *src, global uchar *dst, constant int *sdiv, constant int *hdiv, int src_step, int dst_step)
{
    int x = get_global_id(0), y = get_global_id(1);
    global const uchar *p = src + mad24(y, src_step, x * 3);
    global uchar *q = dst + mad24(y, dst_step, x * 3);
    int b = p[0], g = p[1], r = p[2], v = max(b, max(g, r)), diff = v - min(b, min(g, r));
    int vr = v == r ? -1 : 0, vg = v == g ? -1 : 0;
    int s = (diff * sdiv[v] + (1 << 11)) >> 12;
    int h = (vr & (g - b)) + (~vr & ((vg & (b - r + 2 * diff)) + (~vg & (r - g + 4 * diff))));
    h = (h * hdiv[diff] + (1 << 11)) >> 12;
    h += h < 0 ? 180 : 0;
    q[0] = convert_uchar_sat(h);
    q[1] = (uchar)s;
    q[2] = (uchar)v;
}

// case morph_cross_vec
// (64, 240), None, I(272 * 244, 256, np.uint8), O(256 * 240, np.uint8), S(272), S(256)
kernel void morph_cross_vec(global const uchar *src, global uchar *dst, int sp, int dp)
{
    int x = get_global_id(0) * 4, y = get_global_id(1);
    global const uchar *p = src + (y + 2) * sp + x + 4;
    uchar4 m = vload4(0, p);
    for (int d = 1; d <= 2; d++) {
        m = max(m, max(vload4(0, p - d), vload4(0, p + d)));
        m = max(m, max(vload4(0, p - d * sp), vload4(0, p + d * sp)));
    }
    vstore4(m, 0, dst + y * dp + x);
}

// case intra_modes
// 40 * 30, 8, I(640 * 480, 256, np.uint8), O(40 * 30, np.int32), O(40 * 30, np.int32), S(640), S(40)
kernel void intra_modes(global const uchar *frame, global int *mode, global int *cost, int stride, int mbs)
{
    int mb = get_global_id(0), mx = mb % mbs, my = mb / mbs;
    if (mx == 0 || my == 0)
        return;
    global const uchar *p = frame + my * 16 * stride + mx * 16;
    int dc = 0;
    for (int i = 0; i < 16; i++)
        dc += p[i - stride] + p[i * stride - 1];
    dc = (dc + 16) >> 5;
    int H = 0, V = 0;
    for (int i = 1; i <= 8; i++) {
        H += i * (p[7 + i - stride] - p[7 - i - stride]);
        V += i * (p[(7 + i) * stride - 1] - p[(7 - i) * stride - 1]);
    }
    int b = (5 * H + 32) >> 6, c = (5 * V + 32) >> 6, a = 16 * (p[15 - stride] + p[15 * stride - 1]);
    uint sad[4] = {0, 0, 0, 0};
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++) {
            int v = p[y * stride + x], plane = clamp((a + b * (x - 7) + c * (y - 7) + 16) >> 5, 0, 255);
            sad[0] += abs_diff(v, (int)p[x - stride]);
            sad[1] += abs_diff(v, (int)p[y * stride - 1]);
            sad[2] += abs_diff(v, dc);
            sad[3] += abs_diff(v, plane);
        }
    int best = 0;
    for (int k = 1; k < 4; k++)
        if (sad[k] < sad[best])
            best = k;
    mode[mb] = best;
    cost[mb] = sad[best];
}

// case cdef_filter
// (160, 120), (16, 8), I(176 * 136, 1024, np.uint16), I(20 * 15, 8, np.uint8), O(160 * 120, np.uint16), S(176), S(4), S(2), S(5)
constant char2 directions[8][2] = {{{1, -1}, {2, -2}}, {{1, 0}, {2, -1}}, {{1, 0}, {2, 0}}, {{1, 0}, {2, 1}},
                                   {{1, 1}, {2, 2}}, {{0, 1}, {1, 2}}, {{0, 1}, {0, 2}}, {{0, 1}, {-1, 2}}};
int constrain(int diff, int threshold, int damping)
{
    int a = abs(diff), shift = max(0, damping - (31 - (int)clz(threshold)));
    return diff < 0 ? -min(a, max(0, threshold - (a >> shift))) : min(a, max(0, threshold - (a >> shift)));
}
kernel void cdef_filter(global const ushort *src, global const uchar *dirs, global ushort *dst, int stride, int pri, int sec, int damping)
{
    int x = get_global_id(0), y = get_global_id(1), dir = dirs[(y / 8) * 20 + x / 8];
    global const ushort *p = src + (y + 8) * stride + x + 8;
    int v = *p, sum = 0, hi = v, lo = v;
    for (int k = 0; k < 2; k++) {
        char2 d = directions[dir][k];
        int o = d.y * stride + d.x, p0 = p[o], p1 = p[-o];
        sum += (4 - k) * (constrain(p0 - v, pri, damping) + constrain(p1 - v, pri, damping));
        hi = max(hi, max(p0, p1));
        lo = min(lo, min(p0, p1));
        for (int s = 2; s <= 6; s += 4) {
            d = directions[(dir + s) & 7][k];
            o = d.y * stride + d.x;
            p0 = p[o];
            p1 = p[-o];
            sum += (2 - k) * (constrain(p0 - v, sec, damping) + constrain(p1 - v, sec, damping));
            hi = max(hi, max(p0, p1));
            lo = min(lo, min(p0, p1));
        }
    }
    dst[y * get_global_size(0) + x] = clamp(v + ((8 + sum - (sum < 0)) >> 4), lo, hi);
}

// case sao_edge
// (256, 128), None, I(260 * 130, 256, np.uint8), O(256 * 128, np.uint8), I(8, 8, np.int8), S(260), S(1)
kernel void sao_edge(global const uchar *src, global uchar *dst, constant char *offsets, int stride, int klass)
{
    int x = get_global_id(0), y = get_global_id(1), at = (y + 1) * stride + x + 1;
    int step = klass == 0 ? 1 : klass == 1 ? stride : klass == 2 ? stride + 1 : stride - 1;
    int c = src[at], s = sign((float)(c - src[at - step])) + sign((float)(c - src[at + step]));
    uchar map[5] = {1, 2, 0, 3, 4};
    dst[y * 256 + x] = convert_uchar_sat(c + offsets[map[s + 2]]);
}

// case hevc_idct16
// 512 * 16, 16, I(256 * 512, 512, np.int16), I(256, 90, np.int8), O(256 * 512, np.int16)
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void hevc_idct16(global const short *coef, constant char *m, global short *out)
{
    local short mid[16][18];
    int t = get_local_id(0), base = get_group_id(0) * 256;
    for (int i = 0; i < 16; i++) {
        int s = 64;
        for (int k = 0; k < 16; k++)
            s += m[k * 16 + i] * coef[base + k * 16 + t];
        mid[i][t] = clamp(s >> 7, -32768, 32767);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++) {
        int s = 2048;
        for (int k = 0; k < 16; k++)
            s += m[k * 16 + i] * mid[t][k];
        out[base + t * 16 + i] = clamp(s >> 12, -32768, 32767);
    }
}

// case vp8_sixtap
// (176, 144), (16, 16), I(192 * 160, 256, np.uint8), I(2 * 11 * 9, 8, np.int8), O(176 * 144, np.uint8), S(192), S(11)
constant short taps[8][6] = {{0, 0, 128, 0, 0, 0}, {0, -6, 123, 12, -1, 0}, {2, -11, 108, 36, -8, 1}, {0, -9, 93, 50, -6, 0},
                             {3, -16, 77, 77, -16, 3}, {0, -6, 50, 93, -9, 0}, {1, -8, 36, 108, -11, 2}, {0, -1, 12, 123, -6, 0}};
kernel void vp8_sixtap(global const uchar *ref, global const char2 *mv, global uchar *out, int stride, int mbs)
{
    local uchar mid[21][16];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    char2 v = mv[get_group_id(1) * mbs + get_group_id(0)];
    for (int r = ly; r < 21; r += 16) {
        global const uchar *p = ref + (get_group_id(1) * 16 + r + 2) * stride + x + 4;
        int s = 64;
        for (int k = 0; k < 6; k++)
            s += taps[v.x & 7][k] * p[k - 2];
        mid[r][lx] = clamp(s >> 7, 0, 255);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 64;
    for (int k = 0; k < 6; k++)
        s += taps[v.y & 7][k] * mid[ly + k][lx];
    out[y * 176 + x] = clamp(s >> 7, 0, 255);
}

// case ccl_local
// (128, 128), (16, 16), I(128 * 128, 3, np.uint8), O(128 * 128, np.int32), S(128)
int root_of(volatile local int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i];
    return i;
}
kernel void ccl_local(global const uchar *in, global int *labels, int w)
{
    local int parent[256];
    local uchar value[256];
    int lx = get_local_id(0), ly = get_local_id(1), at = ly * 16 + lx, o = get_global_id(1) * w + get_global_id(0);
    value[at] = in[o] > 0;
    parent[at] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 0; d < 2; d++) {
        int other = d ? at - 16 : at - 1;
        bool has = d ? ly > 0 : lx > 0;
        if (has && value[at] == value[other]) {
            int a = at, b = other;
            while (1) {
                a = root_of(parent, a);
                b = root_of(parent, b);
                if (a == b)
                    break;
                if (a < b) {
                    int h = a;
                    a = b;
                    b = h;
                }
                int old = atomic_min(&parent[a], b);
                if (old == a)
                    break;
                a = old;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    labels[o] = root_of(parent, at);
}

// ---- Rays.

// case bvh2_packed
// (64, 64), (8, 8), F(16 * 255), F(12 * 256), O(64 * 64), O(64 * 64, np.int32)
float2 slabs(float4 x, float4 y, float4 z, float3 o, float3 inv, float far)
{
    float4 a = (x - o.x) * inv.x, b = (y - o.y) * inv.y, c = (z - o.z) * inv.z;
    float2 near2 = fmax(fmax(fmin(a.xy, a.zw), fmin(b.xy, b.zw)), fmax(fmin(c.xy, c.zw), (float2)0));
    float2 far2 = fmin(fmin(fmax(a.xy, a.zw), fmax(b.xy, b.zw)), fmin(fmax(c.xy, c.zw), (float2)far));
    return select((float2)(INFINITY), near2, near2 <= far2);
}
kernel void bvh2_packed(global const float4 *nodes, global const float4 *tris, global float *depth, global int *hit)
{
    int id = get_global_id(1) * 64 + get_global_id(0), stack[24], top = 0, node = 0, found = -1, steps = 0;
    float3 o = (float3)(0.5f, 0.5f, -1), d = normalize((float3)(get_global_id(0) / 64.0f - 0.5f, get_global_id(1) / 64.0f - 0.5f, 1));
    float3 inv = 1 / d;
    float far = 100;
    stack[top++] = -1;
    while (node != -1 && steps++ < 64) {
        if (node < 127) {
            float2 t = slabs(nodes[node * 4], nodes[node * 4 + 1], nodes[node * 4 + 2], o, inv, far);
            int l = 2 * node + 1, r = l + 1;
            bool hl = isfinite(t.x), hr = isfinite(t.y);
            if (hl && hr) {
                if (t.y < t.x) {
                    int h = l;
                    l = r;
                    r = h;
                }
                stack[top++] = r;
                node = l;
            } else if (hl || hr)
                node = hl ? l : r;
            else
                node = stack[--top];
            continue;
        }
        for (int k = 0; k < 2; k++) {
            int tri = (node - 127) * 2 + k;
            float3 a = tris[tri * 3].xyz, e1 = tris[tri * 3 + 1].xyz - a, e2 = tris[tri * 3 + 2].xyz - a;
            float3 p = cross(d, e2);
            float det = dot(e1, p);
            if (fabs(det) < 1e-8f)
                continue;
            float3 s = o - a;
            float u = dot(s, p) / det;
            float3 q = cross(s, e1);
            float v = dot(d, q) / det, t = dot(e2, q) / det;
            if (u >= 0 && v >= 0 && u + v <= 1 && t > 0 && t < far) {
                far = t;
                found = tri;
            }
        }
        node = stack[--top];
    }
    depth[id] = far;
    hit[id] = found;
}

// case vdb_sample
// 1 << 14, 64, F(3 << 14), I(4096, 512), I(512 * 16, 1 << 30, np.uint32), F(512 * 512), O(1 << 14)
kernel void vdb_sample(global const float *points, global const int *root, global const uint *masks, global const float *leaves, global float *out)
{
    int id = get_global_id(0);
    float3 p = vload3(id, points) * 120.0f;
    int3 c = convert_int3(p);
    float3 f = p - convert_float3(c);
    float sum = 0;
    for (int k = 0; k < 8; k++) {
        int3 q = c + (int3)(k & 1, (k >> 1) & 1, k >> 2);
        int leaf = root[((q.z >> 3) * 16 + (q.y >> 3)) * 16 + (q.x >> 3)];
        int at = ((q.z & 7) * 8 + (q.y & 7)) * 8 + (q.x & 7);
        float v = masks[leaf * 16 + (at >> 5)] >> (at & 31) & 1 ? leaves[leaf * 512 + at] : 0.1f;
        sum += v * (k & 1 ? f.x : 1 - f.x) * (k & 2 ? f.y : 1 - f.y) * (k & 4 ? f.z : 1 - f.z);
    }
    out[id] = sum;
}

// case ao_hemisphere
// (96, 64), (8, 8), F(4 * 24), O(96 * 64), S(8)
uint lcg(uint *s)
{
    return *s = *s * 1103515245u + 12345u;
}
kernel void ao_hemisphere(constant float4 *balls, global float *out, int samples)
{
    int x = get_global_id(0), y = get_global_id(1), id = y * get_global_size(0) + x;
    uint seed = id * 9781 + 7;
    float3 p = (float3)(x / 96.0f, 0, y / 64.0f);
    int open = 0;
    for (int s = 0; s < samples; s++) {
        float u = (lcg(&seed) >> 8) * 0x1p-24f, v = (lcg(&seed) >> 8) * 0x1p-24f * 2 * M_PI_F, r = sqrt(u);
        float3 d = (float3)(r * native_cos(v), sqrt(1 - u), r * native_sin(v));
        bool hit = false;
        for (int b = 0; b < 24 && !hit; b++) {
            float3 m = p - balls[b].xyz;
            float q = dot(m, d), c = dot(m, m) - balls[b].w * 0.01f;
            if (c > 0 && q > 0)
                continue;
            hit = q * q - c >= 0;
        }
        open += !hit;
    }
    out[id] = (float)open / samples;
}

// ---- Ciphers.

// case ripemd_rows
// 1 << 11, 64, I(16 << 11, 1 << 32, np.uint32), O(5 << 11, np.uint32)
constant uchar rl[80] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8,
                         3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2,
                         4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13};
constant uchar sl[16] = {11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8};
constant uint kl[5] = {0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e};
uint pick(int j, uint x, uint y, uint z)
{
    switch (j) {
    case 0: return x ^ y ^ z;
    case 1: return (x & y) | (~x & z);
    case 2: return (x | ~y) ^ z;
    case 3: return (x & z) | (y & ~z);
    default: return x ^ (y | ~z);
    }
}
kernel void ripemd_rows(global const uint *msg, global uint *out)
{
    int id = get_global_id(0);
    uint w[16], a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476, e = 0xc3d2e1f0;
    for (int i = 0; i < 16; i++)
        w[i] = msg[id * 16 + i];
    for (int j = 0; j < 80; j++) {
        uint t = rotate(a + pick(j / 16, b, c, d) + w[rl[j]] + kl[j / 16], (uint)sl[(j * 5 + j / 16) & 15]) + e;
        a = e;
        e = d;
        d = rotate(c, 10u);
        c = b;
        b = t;
    }
    out[id * 5] = a;
    out[id * 5 + 1] = b;
    out[id * 5 + 2] = c;
    out[id * 5 + 3] = d;
    out[id * 5 + 4] = e;
}

// case sha256d_nonce
// 1 << 11, 64, I(64, 1 << 32, np.uint32), I(11, 1 << 32, np.uint32), O(2 << 11, np.uint32)
#define R(x, n) rotate(x, (uint4)(32 - n))
void compress(uint4 *s, uint4 *w, constant uint *k)
{
    uint4 a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7];
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            uint4 x = w[(i + 1) & 15], y = w[(i + 14) & 15];
            w[i & 15] += w[(i + 9) & 15] + (R(x, 7) ^ R(x, 18) ^ (x >> 3)) + (R(y, 17) ^ R(y, 19) ^ (y >> 10));
        }
        uint4 t1 = h + (R(e, 6) ^ R(e, 11) ^ R(e, 25)) + bitselect(g, f, e) + k[i] + w[i & 15];
        uint4 t2 = (R(a, 2) ^ R(a, 13) ^ R(a, 22)) + bitselect(a, b, c ^ a);
        h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
    }
    s[0] += a; s[1] += b; s[2] += c; s[3] += d; s[4] += e; s[5] += f; s[6] += g; s[7] += h;
}
kernel void sha256d_nonce(constant uint *k, constant uint *mid, global uint2 *out)
{
    uint4 nonce = (uint4)(get_global_id(0) * 4) + (uint4)(0, 1, 2, 3), s[8], w[16];
    for (int i = 0; i < 8; i++)
        s[i] = mid[i];
    for (int i = 0; i < 16; i++)
        w[i] = i < 3 ? mid[8 + i] : i == 3 ? nonce.x : i == 4 ? 0x80000000 : i == 15 ? 640 : 0;
    w[3] = nonce;
    compress(s, w, k);
    for (int i = 0; i < 16; i++)
        w[i] = i < 8 ? s[i] : i == 8 ? (uint4)(0x80000000) : i == 15 ? (uint4)(256) : (uint4)(0);
    for (int i = 0; i < 8; i++)
        s[i] = k[i];
    compress(s, w, k);
    uint4 m = s[7];
    uint least = min(min(m.x, m.y), min(m.z, m.w));
    out[get_global_id(0)] = (uint2)(least, m.x == least ? nonce.x : m.y == least ? nonce.y : m.z == least ? nonce.z : nonce.w);
}

// case md5crypt_rounds
// 512, 32, I(4 * 512, 1 << 32, np.uint32), O(4 * 512, np.uint32), S(12)
void put(uint *w, uint at, uchar c)
{
    w[at >> 2] |= (uint)c << ((at & 3) * 8);
}
kernel void md5crypt_rounds(global const uint *keys, global uint *out, int rounds)
{
    int id = get_global_id(0);
    uint d[4];
    for (int i = 0; i < 4; i++)
        d[i] = keys[id * 4 + i];
    uint len = 6 + (keys[id * 4] & 3);
    for (int r = 0; r < rounds; r++) {
        uint w[16] = {0}, n = 0;
        if (r & 1)
            for (uint i = 0; i < len; i++)
                put(w, n++, keys[id * 4 + i / 4] >> (i % 4 * 8));
        else
            for (uint i = 0; i < 16; i++)
                put(w, n++, d[i / 4] >> (i % 4 * 8));
        if (r % 3)
            for (uint i = 0; i < 8; i++)
                put(w, n++, 'a' + i);
        if (r % 7)
            for (uint i = 0; i < len; i++)
                put(w, n++, keys[id * 4 + i / 4] >> (i % 4 * 8));
        put(w, n, 0x80);
        w[14] = n * 8;
        uint a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, e = 0x10325476;
        for (int i = 0; i < 64; i++) {
            uint f = i < 16 ? bitselect(e, c, b) : i < 32 ? bitselect(c, b, e) : i < 48 ? b ^ c ^ e : c ^ (b | ~e);
            uint g = i < 16 ? i : i < 32 ? 5 * i + 1 : i < 48 ? 3 * i + 5 : 7 * i;
            uint t = a + f + w[g & 15] + i * 0x9e3779b9;
            a = e;
            e = c;
            c = b;
            b += rotate(t, (uint)(7 + 5 * (i & 3)));
        }
        d[0] = a;
        d[1] = b;
        d[2] = c;
        d[3] = e;
    }
    for (int i = 0; i < 4; i++)
        out[id * 4 + i] = d[i];
}

// case hash_bitmap_probe
// 1 << 15, 64, I(1 << 15, 1 << 32, np.uint32), I(1 << 11, 1 << 32, np.uint32), ('buffer', np.sort(RANDOM.integers(0, 1 << 32, 1024)).astype(np.uint32)), O(4, np.uint32)
kernel void hash_bitmap_probe(global const uint *words, global const uint *bitmap, global const uint *digests, global uint *found)
{
    uint h = words[get_global_id(0)];
    for (int i = 0; i < 6; i++)
        h = (h ^ (h >> 15)) * 0x2c1b3c6d + i;
    if (!((bitmap[h >> 5 & 0x7ff] >> (h & 31)) & 1))
        return;
    if (!((bitmap[h >> 16 & 0x7ff] >> (h >> 27 & 31)) & 1))
        return;
    int lo = 0, hi = 1023;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (digests[m] < h)
            lo = m + 1;
        else
            hi = m;
    }
    if (digests[lo] - h < 1 << 20)
        atomic_inc(&found[h & 3]);
}

// case dag_mix
// 1 << 10, 32, I(1 << 19, 1 << 32, np.uint32), O(1 << 10, np.uint32), S(1 << 14), S(8)
#define FNV(x, y) ((x) * 0x01000193 ^ (y))
kernel void dag_mix(global const uint16 *dag, global uint *out, uint rows, int rounds)
{
    uint seed = get_global_id(0) * 0x9e3779b9;
    uint16 m0 = (uint16)(seed) + (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), m1 = m0 * 3u;
    for (int i = 0; i < rounds; i++) {
        uint p = FNV(seed ^ i, i & 1 ? m1.s3 : m0.s3) % rows;
        m0 = FNV(m0, dag[2 * p]);
        m1 = FNV(m1, dag[2 * p + 1]);
    }
    uint8 a = FNV(m0.lo, m0.hi), b = FNV(m1.lo, m1.hi);
    uint4 c = FNV(a.lo, b.hi) + FNV(b.lo, a.hi);
    out[get_global_id(0)] = c.x ^ c.y ^ c.z ^ c.w;
}

// case poly1305_rows
// 1 << 10, 64, I(32 << 10, 1 << 32, np.uint32), I(4, 1 << 28, np.uint32), O(4 << 10, np.uint32), S(8)
kernel void poly1305_rows(global const uint *msg, constant uint *key, global uint *tag, int blocks)
{
    int id = get_global_id(0);
    uint r0 = key[0] & 0x3ffffff, r1 = key[1] & 0x3ffff03, r2 = key[2] & 0x3ffc0ff, r3 = key[3] & 0x3f03fff, r4 = 0xfffff;
    uint s1 = r1 * 5, s2 = r2 * 5, s3 = r3 * 5, s4 = r4 * 5, h0 = 0, h1 = 0, h2 = 0, h3 = 0, h4 = 0;
    for (int b = 0; b < blocks; b++) {
        uint4 m = vload4(id * blocks + b, msg);
        h0 += m.x & 0x3ffffff;
        h1 += (uint)(upsample(m.y, m.x) >> 26) & 0x3ffffff;
        h2 += (uint)(upsample(m.z, m.y) >> 20) & 0x3ffffff;
        h3 += (uint)(upsample(m.w, m.z) >> 14) & 0x3ffffff;
        h4 += (m.w >> 8) | 1 << 24;
        ulong d0 = (ulong)h0 * r0 + (ulong)h1 * s4 + (ulong)h2 * s3 + (ulong)h3 * s2 + (ulong)h4 * s1;
        ulong d1 = (ulong)h0 * r1 + (ulong)h1 * r0 + (ulong)h2 * s4 + (ulong)h3 * s3 + (ulong)h4 * s2;
        ulong d2 = (ulong)h0 * r2 + (ulong)h1 * r1 + (ulong)h2 * r0 + (ulong)h3 * s4 + (ulong)h4 * s3;
        ulong d3 = (ulong)h0 * r3 + (ulong)h1 * r2 + (ulong)h2 * r1 + (ulong)h3 * r0 + (ulong)h4 * s4;
        ulong d4 = (ulong)h0 * r4 + (ulong)h1 * r3 + (ulong)h2 * r2 + (ulong)h3 * r1 + (ulong)h4 * r0;
        d1 += d0 >> 26; h0 = d0 & 0x3ffffff;
        d2 += d1 >> 26; h1 = d1 & 0x3ffffff;
        d3 += d2 >> 26; h2 = d2 & 0x3ffffff;
        d4 += d3 >> 26; h3 = d3 & 0x3ffffff;
        h0 += (uint)(d4 >> 26) * 5; h4 = d4 & 0x3ffffff;
        h1 += h0 >> 26; h0 &= 0x3ffffff;
    }
    vstore4((uint4)(h0 | h1 << 26, h1 >> 6 | h2 << 20, h2 >> 12 | h3 << 14, h3 >> 18 | h4 << 8), id, tag);
}

// ---- Compressed data, tables, texts.

// case huffman_table11
// 256, 16, I(256 * 64, 1 << 32, np.uint32), I(2048, 1 << 16, np.uint16), O(256 * 128, np.uint8), S(128)
kernel void huffman_table11(global const uint *bits, global const ushort *table, global uchar *out, int symbols)
{
    int id = get_global_id(0), have = 0, at = 0;
    ulong window = 0;
    global const uint *p = bits + id * 64;
    for (int i = 0; i < symbols; i++) {
        if (have < 32) {
            window |= (ulong)p[at++ & 63] << have;
            have += 32;
        }
        ushort e = table[window & 2047];
        int used = 1 + (e >> 8) % 11;
        out[id * symbols + i] = e & 255;
        window >>= used;
        have -= used;
    }
}

// case tans_decode
// 256, 16, I(256 * 64, 1 << 32, np.uint32), I(512, 1 << 16, np.uint16), O(256 * 128, np.uint8)
typedef struct {
    uchar symbol;
    uchar bits;
} State;
kernel void tans_decode(global const uint *stream, global const State *table, global uchar *out)
{
    size_t id = get_global_id(0);
    global const uint *s = stream + id * 64;
    uint state = s[0] & 511, pos = 9;
    for (size_t i = 0; i < 128; ++i) {
        State e = table[state];
        uint n = e.bits & 7;
        out[id * 128 + i] = e.symbol;
        uint word = pos >> 5 & 63, off = pos & 31;
        ulong two = s[word] | (ulong)s[(word + 1) & 63] << 32;
        state = ((uint)e.bits * 2 + ((uint)(two >> off) & ((1u << n) - 1))) & 511;
        pos += n;
    }
}

// case snappy_blocks
// 256, 16, I(256 * 192, 256, np.uint8), O(256 * 512, np.uint8), O(256, np.int32)
kernel void snappy_blocks(global const uchar *in, global uchar *out, global int *length)
{
    int id = get_global_id(0), ip = 0, op = 0;
    global const uchar *src = in + id * 192;
    global uchar *dst = out + id * 512;
    while (ip < 160 && op < 440) {
        uchar tag = src[ip++];
        int n, offset;
        switch (tag & 3) {
        case 0:
            n = min((tag >> 2) + 1, 16);
            for (int i = 0; i < n; i++)
                dst[op++] = src[ip + i];
            ip += n;
            continue;
        case 1:
            n = ((tag >> 2) & 7) + 4;
            offset = (tag >> 5) << 8 | src[ip++];
            break;
        default:
            n = (tag >> 2) + 1;
            offset = src[ip] | src[ip + 1] << 8;
            ip += 2;
        }
        offset = offset % (op + 1);
        if (offset == 0)
            offset = 1;
        if (op == 0)
            continue;
        for (int i = 0; i < n; i++, op++)
            dst[op] = dst[op - offset];
    }
    length[id] = op;
}

// case hybrid_levels
// 512, 32, I(512 * 128, 256, np.uint8), O(512 * 256, np.uint8), S(256)
kernel void hybrid_levels(global const uchar *pages, global uchar *levels, int values)
{
    int id = get_global_id(0), done = 0, at = 0;
    global const uchar *p = pages + id * 128;
    while (done < values && at < 120) {
        uint header = p[at++];
        if (header & 1) {
            int groups = (header >> 1 & 3) + 1;
            for (int g = 0; g < groups && at < 125; g++) {
                uint three = p[at] | p[at + 1] << 8 | p[at + 2] << 16;
                at += 3;
                for (int k = 0; k < 8 && done < values; k++)
                    levels[id * values + done++] = three >> (3 * k) & 7;
            }
        } else {
            int run = (header >> 1 & 15) + 1;
            uchar v = p[at++] & 7;
            while (run-- > 0 && done < values)
                levels[id * values + done++] = v;
        }
    }
}

// case roaring_and
// 512, 32, row_starts(513, 64), sorted_rows(1 << 16, 1), I(64 * 512, 1 << 16, np.uint16), I(16 * 1024, 1 << 62, np.uint64), O(512, np.int32)
kernel void roaring_and(global const int *starts, global const int *unused, global const ushort *values, global const ulong *bitmaps, global int *count)
{
    int id = get_global_id(0), n = 0;
    global const ulong *map = bitmaps + (id & 15) * 1024;
    for (int k = starts[id]; k < starts[id + 1]; k++) {
        ushort v = values[k];
        n += (map[v >> 6] >> (v & 63)) & 1;
    }
    count[id] = n;
}

// case bitmap_and_count
// 1024 * 64, 64, I(1024 * 1024, 1 << 62, np.uint64), I(1024 * 1024, 1 << 62, np.uint64), O(1024, np.int32)
kernel void bitmap_and_count(global const ulong *a, global const ulong *b, global int *count)
{
    local int part[64];
    int t = get_local_id(0), g = get_group_id(0), n = 0;
    for (int i = t; i < 1024; i += 64)
        n += (int)popcount(a[g * 1024 + i] & b[g * 1024 + i]);
    part[t] = n;
    for (int s = 32; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < s)
            part[t] += part[t + s];
    }
    if (t == 0)
        count[g] = part[0];
}

// case group_by_local
// 64 * 256, 256, I(64 * 1024, 200), I(64 * 1024, 100), O(64, np.int32), O(64, np.int32)
kernel void group_by_local(global const int *keys, global const int *values, global int *groups, global int *largest)
{
    local int slots[512], sums[512], used, most;
    int t = get_local_id(0), g = get_group_id(0);
    for (int i = t; i < 512; i += get_local_size(0)) {
        slots[i] = -1;
        sums[i] = 0;
    }
    if (t == 0)
        used = most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < 1024; i += get_local_size(0)) {
        int key = keys[g * 1024 + i];
        uint h = (uint)key * 2654435761u >> 23;
        for (;;) {
            int seen = slots[h];
            if (seen == -1)
                seen = atomic_cmpxchg(&slots[h], -1, key);
            if (seen == -1 || seen == key)
                break;
            h = (h + 1) & 511;
        }
        atomic_add(&sums[h], values[g * 1024 + i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < 512; i += get_local_size(0))
        if (slots[i] != -1) {
            atomic_inc(&used);
            atomic_max(&most, sums[i]);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        groups[g] = used;
        largest[g] = most;
    }
}

// case json_masks
// 1 << 12, 64, ('buffer', np.frombuffer((b'{"a\\\\": [1, 2.5, "x, \\"y\\" z"], "key": {"b": null, "c": true}}  \n' * 8192)[:64 << 12], np.uint8).copy()), O(1 << 12, np.uint64), O(1 << 12, np.uint64)
kernel void json_masks(global const uchar *text, global ulong *strings, global ulong *marks)
{
    int id = get_global_id(0);
    ulong quotes = 0, slashes = 0, ops = 0;
    for (int i = 0; i < 64; i += 16) {
        uchar16 c = vload16(0, text + id * 64 + i);
        uchar b[16];
        vstore16(c, 0, b);
        for (int k = 0; k < 16; k++) {
            ulong bit = 1ul << (i + k);
            quotes |= b[k] == '"' ? bit : 0;
            slashes |= b[k] == '\\' ? bit : 0;
            ops |= b[k] == '{' || b[k] == '}' || b[k] == '[' || b[k] == ']' || b[k] == ':' || b[k] == ',' ? bit : 0;
        }
    }
    ulong starts = slashes & ~(slashes << 1), even = 0x5555555555555555, carries = slashes + (starts & even);
    ulong odd_ends = (carries & ~slashes & ~even) | ((slashes + (starts & ~even)) & ~slashes & even);
    ulong in = quotes & ~odd_ends;
    for (int s = 1; s < 64; s <<= 1)
        in ^= in << s;
    strings[id] = in;
    marks[id] = ops & ~in;
}

// case aho_corasick
// 1 << 10, 64, I(1 << 16, 26, np.uint8), I(26 * 256, 256, np.uint8), I(256, 8, np.uint8), O(1 << 10, np.int32), S(64)
kernel void aho_corasick(global const uchar *text, global const uchar *next, global const uchar *hits, global int *out, int chunk)
{
    int id = get_global_id(0), count = 0;
    uchar state = 0;
    for (int i = id * chunk; i < (id + 1) * chunk; ++i) {
        state = next[state * 26 + text[i]];
        if (hits[state] == 1)
            count++;
    }
    out[id] = count;
}

// case glob_match
// 1 << 12, 64, I(24 << 12, 3, np.uint8), I(16, 4, np.uint8), O(1 << 12, np.int32)
kernel void glob_match(global const uchar *names, constant uchar *pattern, global int *out)
{
    int id = get_global_id(0), s = 0, p = 0, star = -1, back = 0;
    global const uchar *t = names + id * 24;
    bool ok = true;
    while (s < 24) {
        if (p < 9 && pattern[p] != 3 && (pattern[p] == t[s] || pattern[p] == 2)) {
            s++;
            p++;
        } else if (p < 9 && pattern[p] == 3) {
            star = p++;
            back = s;
        } else if (star >= 0) {
            p = star + 1;
            s = ++back;
        } else {
            ok = false;
            break;
        }
    }
    out[id] = ok ? p : -1 - s;
}

// case parse_doubles
// 1 << 12, 64, ('buffer', np.frombuffer((b'-123.4567e-3,   8.125,+99999,.5e2,1e10,' * 8192)[:16 << 12], np.uint8).copy()), O(1 << 12, np.float64)
kernel void parse_doubles(global const uchar *text, global double *out)
{
    size_t i = get_global_id(0) * 16, end = i + 16;
    long m = 0;
    int scale = 0, e = 0;
    bool minus = false, eminus = false;
    while (i < end && (text[i] == ' ' || text[i] == ','))
        i++;
    if (i < end && (text[i] == '-' || text[i] == '+'))
        minus = text[i++] == '-';
    while (i < end && text[i] >= '0' && text[i] <= '9')
        m = m * 10 + (text[i++] - '0');
    if (i < end && text[i] == '.')
        for (i++; i < end && text[i] >= '0' && text[i] <= '9'; scale--)
            m = m * 10 + (text[i++] - '0');
    if (i < end && (text[i] | 32) == 'e') {
        i++;
        if (i < end && (text[i] == '-' || text[i] == '+'))
            eminus = text[i++] == '-';
        while (i < end && text[i] >= '0' && text[i] <= '9')
            e = e * 10 + (text[i++] - '0');
    }
    scale += eminus ? -e : e;
    double v = m, p = 10;
    for (uint k = abs(scale); k; k >>= 1, p *= p)
        if (k & 1)
            v = scale < 0 ? v / p : v * p;
    out[get_global_id(0)] = minus ? -v : v;
}

// case minhash64
// 1 << 9, 64, I(48 << 9, 1 << 32, np.uint32), I(2 * 32, 1 << 62, np.uint64), O(32 << 9, np.uint32), S(48)
kernel void minhash64(global const uint *sets, constant ulong *perms, global uint *sig, int n)
{
    int id = get_global_id(0);
    for (int k = 0; k < 32; k++) {
        uint least = UINT_MAX;
        for (int i = 0; i < n; i++) {
            ulong v = perms[2 * k] * sets[id * n + i] + perms[2 * k + 1];
            v = (v >> 61) + (v & 0x1fffffffffffffff);
            least = min(least, (uint)v);
        }
        sig[id * 32 + k] = least;
    }
}

// case postings_vbyte
// 256, 16, row_starts(257, 160), I(160 * 256, 256, np.uint8), O(256, np.uint32), O(256, np.int32)
kernel void postings_vbyte(global const int *starts, global const uchar *bytes, global uint *last, global int *count)
{
    int id = get_global_id(0), n = 0;
    uint doc = 0, sum = 0;
    global const uchar *p = bytes + starts[id], *end = bytes + starts[id + 1];
    while (p != end) {
        uint v = 0;
        uchar c;
        do {
            c = *p++;
            v = v << 7 | (c & 0x7f);
        } while (!(c & 0x80) && p != end);
        doc += v;
        sum ^= doc;
        n++;
    }
    last[id] = sum;
    count[id] = n;
}

// ---- Graphs.

// case sage_mean4
// (16, 1024), (16, 4), row_starts(1025, 16), I(16 * 1024, 1024), F(64 * 1024), O(64 * 1024)
kernel void sage_mean4(global const int *rows, global const int *nbrs, global const float4 *h, global float4 *out)
{
    int f = get_global_id(0), v = get_global_id(1), begin = rows[v], end = rows[v + 1];
    float4 s = 0;
    for (int k = begin; k < end; k++)
        s += h[nbrs[k] * 16 + f];
    out[v * 16 + f] = end > begin ? s / (float)(end - begin) : h[v * 16 + f];
}

// case node2vec_walk
// 1 << 11, 64, row_starts((1 << 11) + 1, 12), sorted_rows(1 << 11, 12), O(16 << 11, np.int32), S(16)
bool linked(global const int *rows, global const int *nbrs, int a, int b)
{
    int lo = rows[a], hi = rows[a + 1];
    while (lo < hi) {
        int m = lo + (hi - lo) / 2;
        if (nbrs[m] == b)
            return true;
        if (nbrs[m] < b)
            lo = m + 1;
        else
            hi = m;
    }
    return false;
}
kernel void node2vec_walk(global const int *rows, global const int *nbrs, global int *walk, int steps)
{
    int id = get_global_id(0), at = id, before = -1;
    ulong s = id * 6364136223846793005ul + 1442695040888963407ul;
    for (int i = 0; i < steps; i++) {
        walk[id * steps + i] = at;
        int degree = rows[at + 1] - rows[at];
        if (degree == 0)
            continue;
        int next;
        for (int tries = 0; tries < 8; tries++) {
            s = s * 6364136223846793005ul + 1442695040888963407ul;
            uint r = (uint)(s >> 33);
            next = nbrs[rows[at] + r % degree];
            s = s * 6364136223846793005ul + 1442695040888963407ul;
            float u = (uint)(s >> 40) * 0x1p-24f;
            if (before < 0 || u < (next == before ? 0.25f : linked(rows, nbrs, before, next) ? 0.5f : 1.0f))
                break;
        }
        before = at;
        at = next;
    }
}

// case louvain_gain
// 1 << 12, 64, row_starts((1 << 12) + 1, 16), I(16 << 12, 1 << 12), I(1 << 12, 64), F(64), O(1 << 12, np.int32), S(0.001, np.float32)
kernel void louvain_gain(global const int *rows, global const int *nbrs, global const int *community, global const float *total,
                         global int *target, float scale)
{
    int v = get_global_id(0), begin = rows[v], end = rows[v + 1], own = community[v], best = own;
    float most = 0;
    for (int k = begin; k < end; k++) {
        int c = community[nbrs[k]], links = 0;
        for (int j = begin; j < end; j++)
            links += community[nbrs[j]] == c;
        float gain = links - scale * total[c] * (end - begin);
        if (gain > most || (gain == most && c < best)) {
            most = gain;
            best = c;
        }
    }
    target[v] = best;
}
