// science.cl -- kinds of kernels: simulations, tiles in local memory, sums over neighbours, as in suites of benchmarks.
//
// Form: bench/kinds.py.
//
// SPDX-License-Identifier: MIT

// case lud_diagonal
// 16 << 9, 16, F(256 << 9), O(256 << 9)
kernel void lud_diagonal(global const float *m, global float *o)
{
    local float shadow[16][16];
    int tx = get_local_id(0);
    int base = get_group_id(0) * 256;
    for (int i = 0; i < 16; i++)
        shadow[i][tx] = m[base + i * 16 + tx] + (i == tx ? 16.0f : 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 15; i++) {
        if (tx > i) {
            for (int j = 0; j < i; j++)
                shadow[tx][i] -= shadow[tx][j] * shadow[j][i];
            shadow[tx][i] /= shadow[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tx > i)
            for (int j = 0; j < i + 1; j++)
                shadow[i + 1][tx] -= shadow[i + 1][j] * shadow[j][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 16; i++)
        o[base + i * 16 + tx] = shadow[i][tx];
}

// case lud_internal
// (496, 496), (16, 16), F(512 * 512), O(512 * 512), S(512), S(0)
kernel void lud_internal(global const float *m, global float *o, int dim, int offset)
{
    local float row[16 * 16], col[16 * 16];
    int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int grow = offset + (by + 1) * 16, gcol = offset + (bx + 1) * 16;
    row[ty * 16 + tx] = m[(offset + ty) * dim + gcol + tx];
    col[ty * 16 + tx] = m[(grow + ty) * dim + offset + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += col[ty * 16 + i] * row[i * 16 + tx];
    o[(grow + ty) * dim + gcol + tx] = m[(grow + ty) * dim + gcol + tx] - sum;
}

// case srad
// 1 << 17, 256, F(1 << 17), near(512, -1), near(512, 1), near(256, -1), near(256, 1), O(1 << 17), O(1 << 17), S(512), S(256), S(0.05, np.float32)
kernel void srad(global const float *image, global const int *north, global const int *south,
                 global const int *west, global const int *east, global float *diffusion,
                 global float *north_slope, int rows, int columns, float q0sqr)
{
    int ei = get_group_id(0) * 256 + get_local_id(0);
    int row = (ei + 1) % rows - 1;
    int col = (ei + 1) / rows + 1 - 1;
    if ((ei + 1) % rows == 0) {
        row = rows - 1;
        col = col - 1;
    }
    if (ei < rows * columns) {
        float jc = image[ei] + 0.5f;
        float dn = image[north[row] + rows * col] + 0.5f - jc;
        float ds = image[south[row] + rows * col] + 0.5f - jc;
        float dw = image[row + rows * west[col]] + 0.5f - jc;
        float de = image[row + rows * east[col]] + 0.5f - jc;
        float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (jc * jc);
        float l = (dn + ds + dw + de) / jc;
        float num = (0.5f * g2) - ((1.0f / 16.0f) * (l * l));
        float den = 1 + (0.25f * l);
        float qsqr = num / (den * den);
        den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
        float c = 1.0f / (1.0f + den);
        diffusion[ei] = c < 0 ? 0 : c > 1 ? 1 : c;
        north_slope[ei] = dn;
    }
}

// case hotspot3d
// (256, 128), (64, 4), F(256 * 128 * 8), F(256 * 128 * 8), O(256 * 128 * 8), S(256), S(128), S(8)
kernel void hotspot3d(global const float *power, global const float *in, global float *out, int nx, int ny, int nz)
{
    const float ce = 0.03f, cw = 0.03f, cn = 0.03f, cs = 0.03f, ct = 0.1f, cb = 0.1f, amb = 80, step = 0.01f;
    float cc = 1.0f - (2.0f * ce + 2.0f * cn + 3.0f * ct);
    int i = get_global_id(0), j = get_global_id(1);
    int c = i + j * nx, xy = nx * ny;
    int w = i == 0 ? c : c - 1, e = i == nx - 1 ? c : c + 1;
    int n = j == 0 ? c : c - nx, s = j == ny - 1 ? c : c + nx;
    float t1, t2, t3;
    t1 = t2 = in[c];
    t3 = in[c + xy];
    out[c] = cc * t2 + cw * in[w] + ce * in[e] + cs * in[s] + cn * in[n] + cb * t1 + ct * t3 + step * power[c] + ct * amb;
    c += xy, w += xy, e += xy, n += xy, s += xy;
    for (int k = 1; k < nz - 1; ++k) {
        t1 = t2;
        t2 = t3;
        t3 = in[c + xy];
        out[c] = cc * t2 + cw * in[w] + ce * in[e] + cs * in[s] + cn * in[n] + cb * t1 + ct * t3 + step * power[c] + ct * amb;
        c += xy, w += xy, e += xy, n += xy, s += xy;
    }
    t1 = t2;
    t2 = t3;
    out[c] = cc * t2 + cw * in[w] + ce * in[e] + cs * in[s] + cn * in[n] + cb * t1 + ct * t3 + step * power[c] + ct * amb;
}

// case pathfinder
// 256 * 64, 256, I(20 * 16384, 10), I(16384, 10), O(16384, np.int32), S(20), S(16384), S(20), L(256, np.int32), L(256, np.int32)
kernel void pathfinder(global const int *wall, global const int *src, global int *results, int iteration, int cols,
                       int border, local int *prev, local int *result)
{
    int bx = get_group_id(0), tx = get_local_id(0);
    int small = 256 - iteration * 2;
    int blkx = small * bx - border, blkmax = blkx + 255;
    int xidx = blkx + tx;
    int low = blkx < 0 ? -blkx : 0;
    int high = blkmax > cols - 1 ? 255 - (blkmax - cols + 1) : 255;
    int w = tx - 1 < low ? low : tx - 1;
    int e = tx + 1 > high ? high : tx + 1;
    bool valid = tx >= low && tx <= high;
    if (xidx >= 0 && xidx <= cols - 1)
        prev[tx] = src[xidx];
    barrier(CLK_LOCAL_MEM_FENCE);
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (tx >= i + 1 && tx <= 254 - i && valid) {
            computed = true;
            int left = prev[w], up = prev[tx], right = prev[e];
            int shortest = min(min(left, up), right);
            result[tx] = shortest + wall[cols * i + xidx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1)
            break;
        if (computed)
            prev[tx] = result[tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        results[xidx] = result[tx];
}

// case nw_tile
// 16 << 9, 16, I(17 * 17 << 9, 20), I(256 << 9, 10), O(256 << 9, np.int32), S(10)
kernel void nw_tile(global const int *edge, global const int *reference, global int *o, int penalty)
{
    local int in[17][17], ref[16][16];
    int b = get_group_id(0), tid = get_local_id(0);
    for (int ty = 0; ty < 16; ty++)
        ref[ty][tid] = reference[b * 256 + ty * 16 + tid];
    if (tid == 0)
        in[0][0] = edge[b * 289];
    in[tid + 1][0] = edge[b * 289 + 17 * (tid + 1)];
    in[0][tid + 1] = edge[b * 289 + tid + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int m = 0; m < 16; m++) {
        if (tid <= m) {
            int x = tid + 1, y = m - tid + 1;
            in[y][x] = max(max(in[y - 1][x - 1] + ref[y - 1][x - 1], in[y][x - 1] - penalty), in[y - 1][x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int m = 14; m >= 0; m--) {
        if (tid <= m) {
            int x = tid + 16 - m, y = 16 - tid;
            in[y][x] = max(max(in[y - 1][x - 1] + ref[y - 1][x - 1], in[y][x - 1] - penalty), in[y - 1][x] - penalty);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int ty = 0; ty < 16; ty++)
        o[b * 256 + ty * 16 + tid] = in[ty + 1][tid + 1];
}

// case layerforward
// (16, 16 << 8), (16, 16), F(16 << 8), F(17 * 16 << 8), O(17 * 16 << 8), O(16 << 8), L(16), L(256)
kernel void layerforward(global const float *input, global const float *weights, global float *hidden,
                         global float *partial, local float *node, local float *m)
{
    int by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int index = 17 * 16 * by + 17 * ty + tx + 1;
    if (tx == 0)
        node[ty] = input[16 * by + ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    m[ty * 16 + tx] = weights[index - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    m[ty * 16 + tx] = m[ty * 16 + tx] * node[ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 1; i <= 4; i++) {
        int power = 1 << i;
        if (ty % power == 0)
            m[ty * 16 + tx] = m[ty * 16 + tx] + m[(ty + power / 2) * 16 + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    hidden[index - 1] = m[ty * 16 + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx == 0)
        partial[by * 16 + ty] = m[tx * 16 + ty];
}

// case cfd_flux
// 1 << 14, 64, I(4 << 14, 1 << 14), F(12 << 14), F(5 << 14), O(5 << 14), S(1 << 14)
typedef struct {
    float x, y, z;
} Float3;
void contribution(Float3 *fx, Float3 *fy, Float3 *fz, Float3 *fe, Float3 m, float energy, float pressure, Float3 v)
{
    fx->x = v.x * m.x + pressure;
    fx->y = v.x * m.y;
    fx->z = v.x * m.z;
    fy->x = fx->y;
    fy->y = v.y * m.y + pressure;
    fy->z = v.y * m.z;
    fz->x = fx->z;
    fz->y = fy->z;
    fz->z = v.z * m.z + pressure;
    float de = energy + pressure;
    fe->x = v.x * de;
    fe->y = v.y * de;
    fe->z = v.z * de;
}
kernel void cfd_flux(global const int *neighbours, global const float *normals, global const float *variables,
                     global float *fluxes, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float density = variables[i] + 1;
    Float3 mo = {variables[i + n], variables[i + 2 * n], variables[i + 3 * n]};
    float energy = variables[i + 4 * n] + 4;
    Float3 v = {mo.x / density, mo.y / density, mo.z / density};
    float speed2 = v.x * v.x + v.y * v.y + v.z * v.z;
    float pressure = 0.4f * (energy - 0.5f * density * speed2);
    float sound = sqrt(1.4f * pressure / density);
    Float3 fx, fy, fz, fe;
    contribution(&fx, &fy, &fz, &fe, mo, energy, pressure, v);
    float flux_density = 0, flux_energy = 0;
    Float3 flux = {0, 0, 0};
    for (int j = 0; j < 4; j++) {
        int nb = neighbours[i + j * n];
        Float3 normal = {normals[i + (j + 0) * n], normals[i + (j + 4) * n], normals[i + (j + 8) * n]};
        float length = sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
        if ((nb & 31) != 0) {
            float dn = variables[nb] + 1;
            Float3 mn = {variables[nb + n], variables[nb + 2 * n], variables[nb + 3 * n]};
            float en = variables[nb + 4 * n] + 4;
            Float3 vn = {mn.x / dn, mn.y / dn, mn.z / dn};
            float sn = vn.x * vn.x + vn.y * vn.y + vn.z * vn.z;
            float pn = 0.4f * (en - 0.5f * dn * sn);
            Float3 gx, gy, gz, ge;
            contribution(&gx, &gy, &gz, &ge, mn, en, pn, vn);
            float factor = -length * 0.2f * 0.5f * (speed2 + sqrt(sn) + sound + sqrt(1.4f * pn / dn));
            flux_density += factor * (density - dn);
            flux_energy += factor * (energy - en);
            flux.x += factor * (mo.x - mn.x);
            flux.y += factor * (mo.y - mn.y);
            flux.z += factor * (mo.z - mn.z);
            factor = 0.5f * normal.x;
            flux_density += factor * (mn.x + mo.x);
            flux_energy += factor * (ge.x + fe.x);
            flux.x += factor * (gx.x + fx.x);
            flux.y += factor * (gy.x + fy.x);
            flux.z += factor * (gz.x + fz.x);
        } else {
            flux.x += normal.x * pressure;
            flux.y += normal.y * pressure;
            flux.z += normal.z * pressure;
        }
    }
    fluxes[i] = flux_density;
    fluxes[i + n] = flux.x;
    fluxes[i + 2 * n] = flux.y;
    fluxes[i + 3 * n] = flux.z;
    fluxes[i + 4 * n] = flux_energy;
}

// case lavamd
// 128 << 5, 128, F(4 * 100 << 5), F(100 << 5), I(8 << 5, 1 << 5), O(4 * 100 << 5), S(0.5, np.float32)
kernel void lavamd(global const float4 *rv, global const float *qv, global const int *boxes, global float4 *fv, float alpha)
{
    local float4 ra[100], rb[100];
    local float qb[100];
    int bx = get_group_id(0), tx = get_local_id(0);
    float a2 = 2 * alpha * alpha;
    for (int w = tx; w < 100; w += 128)
        ra[w] = rv[bx * 100 + w];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; k++) {
        int first = boxes[bx * 8 + k] * 100;
        for (int w = tx; w < 100; w += 128) {
            rb[w] = rv[first + w];
            qb[w] = qv[first + w];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int w = tx; w < 100; w += 128) {
            float4 f = 0;
            for (int j = 0; j < 100; j++) {
                float r2 = ra[w].w + rb[j].w - (ra[w].x * rb[j].x + ra[w].y * rb[j].y + ra[w].z * rb[j].z);
                float vij = exp(-(a2 * r2));
                float fs = 2 * vij;
                f.w += qb[j] * vij;
                f.x += qb[j] * fs * (ra[w].x - rb[j].x);
                f.y += qb[j] * fs * (ra[w].y - rb[j].y);
                f.z += qb[j] * fs * (ra[w].z - rb[j].z);
            }
            fv[bx * 100 + w] = k == 0 ? f : fv[bx * 100 + w] + f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case gicov
// 1 << 14, 64, F(1 << 17), F(1 << 17), F(150), F(150), O(1 << 14), S(256)
kernel void gicov(global const float *gx, global const float *gy, constant float *sines, constant float *cosines,
                  global float *out, int width)
{
    int g = get_global_id(0);
    int i = g / 128 + 22, j = g % 128 + 22;
    float most = 0;
    for (int k = 0; k < 7; k++) {
        float sum = 0, m2 = 0, mean = 0;
        for (int n = 0; n < 50; n++) {
            int x = (int)(cosines[n] * (k + 4)) + i, y = (int)(sines[n] * (k + 4)) + j;
            int at = x * width + y;
            float p = gx[at] * cosines[n] + gy[at] * sines[n];
            sum += p;
            float delta = p - mean;
            mean = mean + delta / (float)(n + 1);
            m2 = m2 + delta * (p - mean);
        }
        mean = sum / 50;
        float var = m2 / 49;
        if (mean * mean / var > most)
            most = mean * mean / var;
    }
    out[g] = most;
}

// case stream_dist
// 1 << 14, 256, F(32 << 14), F(2 << 14), I(1 << 14, 64), O(64 << 14), O(1 << 14), S(1 << 14), S(32), L(32), I(1 << 14, 2, np.int8)
typedef struct {
    float weight, cost;
} Point;
kernel void stream_dist(global const float *coord, global const Point *points, global const int *table,
                        global float *work, global float *lower, int num, int dim, local float *centre,
                        global char *switched)
{
    int tid = get_global_id(0), lid = get_local_id(0);
    if (lid == 0)
        for (int i = 0; i < dim; i++)
            centre[i] = coord[i * num + 77];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < num) {
        float cost = 0;
        for (int i = 0; i < dim; i++)
            cost += (coord[i * num + tid] - centre[i]) * (coord[i * num + tid] - centre[i]);
        cost *= points[tid].weight;
        float now = points[tid].cost * 16;
        if (cost < now) {
            switched[tid] = 1;
            lower[tid] = cost - now;
        } else {
            work[tid * 64 + table[tid]] = now - cost;
        }
    }
}

// case mriq
// 1 << 12, 256, F(1 << 12), F(1 << 12), F(1 << 12), F(4 * 256), O(1 << 12), O(1 << 12), S(256)
typedef struct {
    float kx, ky, kz, phi;
} Value;
kernel void mriq(global const float *x, global const float *y, global const float *z, constant Value *ks,
                 global float *re, global float *im, int n)
{
    int i = get_global_id(0);
    float sx = x[i], sy = y[i], sz = z[i], qr = 0, qi = 0;
    for (int k = 0; k < n; k++) {
        float arg = 6.2831853071795864769252867665590058f * (ks[k].kx * sx + ks[k].ky * sy + ks[k].kz * sz);
        qr += ks[k].phi * cos(arg);
        qi += ks[k].phi * sin(arg);
    }
    re[i] = qr;
    im[i] = qi;
}

// case cutcp
// (128, 128), (16, 8), F(4 * 8 * 64), O(128 * 128), S(0.3, np.float32), S(1 / 128, np.float32)
kernel void cutcp(global const float4 *atoms, global float *grid, float cutoff, float h)
{
    local float4 bin[8];
    int lid = get_local_id(0) + 16 * get_local_id(1);
    float x = get_global_id(0) * h, y = get_global_id(1) * h, z = 0.5f, energy = 0;
    float inv = 1 / (cutoff * cutoff);
    for (int b = 0; b < 64; b++) {
        if (lid < 8)
            bin[lid] = atoms[b * 8 + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int a = 0; a < 8; a++) {
            float dx = bin[a].x - x, dy = bin[a].y - y, dz = bin[a].z - z;
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < cutoff * cutoff) {
                float s = 1.0f - r2 * inv;
                energy += bin[a].w * rsqrt(r2) * s * s;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    grid[get_global_id(1) * 128 + get_global_id(0)] = energy;
}

// case tpacf
// 1 << 12, 128, F(3 << 12), F(3 * 256), ascending(21), O(32 * 20, np.uint32), S(1 << 12), S(256)
kernel void tpacf(global const float *data, global const float *random, constant float *binb, global uint *hists,
                  int n, int m)
{
    local uint hist[20];
    int i = get_global_id(0), lid = get_local_id(0);
    if (lid < 20)
        hist[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = data[i] - 0.5f, y = data[i + n] - 0.5f, z = data[i + 2 * n] - 0.5f;
    for (int j = 0; j < m; j++) {
        float dot = 1.3f * (x * (random[j] - 0.5f) + y * (random[j + m] - 0.5f) + z * (random[j + 2 * m] - 0.5f)) + 0.5f;
        int lo = 0, hi = 20;
        while (hi > lo + 1) {
            int k = (lo + hi) / 2;
            if (dot >= binb[k])
                hi = k;
            else
                lo = k;
        }
        atomic_inc(&hist[lo]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 20)
        hists[get_group_id(0) * 20 + lid] = hist[lid];
}

// case stencil_halo
// (128, 64), (32, 8), F(128 * 64 * 16), O(128 * 64 * 16), S(128), S(64), S(16)
kernel void stencil_halo(global const float *a, global float *out, int nx, int ny, int nz)
{
    local float tile[10][34];
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
    int at = y * nx + x, plane = nx * ny;
    bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
    float below = a[at], here = a[at + plane], above;
    for (int k = 1; k < nz - 1; k++) {
        above = a[at + (k + 1) * plane];
        tile[ly][lx] = here;
        if (ly == 1 && y > 0)
            tile[0][lx] = a[at + k * plane - nx];
        if (ly == 8 && y < ny - 1)
            tile[9][lx] = a[at + k * plane + nx];
        if (lx == 1 && x > 0)
            tile[ly][0] = a[at + k * plane - 1];
        if (lx == 32 && x < nx - 1)
            tile[ly][33] = a[at + k * plane + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (inside)
            out[at + k * plane] = (tile[ly][lx - 1] + tile[ly][lx + 1] + tile[ly - 1][lx] + tile[ly + 1][lx] +
                                   below + above) * 0.1f - here * 0.6f;
        below = here;
        here = above;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// case find_index
// 1 << 12, 128, F(256), F(256), ascending(256), F(1 << 12), O(1 << 12), O(1 << 12), S(256)
kernel void find_index(global const float *px, global const float *py, global const float *cdf, global const float *u,
                       global float *xj, global float *yj, int n)
{
    int i = get_global_id(0);
    int index = -1;
    for (int x = 0; x < n; x++)
        if (cdf[x] >= u[i]) {
            index = x;
            break;
        }
    if (index == -1)
        index = n - 1;
    xj[i] = px[index];
    yj[i] = py[index];
}

// case correlation
// 192, 64, F(192 * 64), O(192 * 192), S(192), S(64)
kernel void correlation(global const float *data, global float *sym, int m, int n)
{
    int j1 = get_global_id(0);
    if (j1 < m - 1) {
        sym[j1 * m + j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < m; j2++) {
            sym[j1 * m + j2] = 0;
            for (int i = 0; i < n; i++)
                sym[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
            sym[j2 * m + j1] = sym[j1 * m + j2];
        }
    }
}

// case syr2k
// (128, 128), (32, 8), F(1 << 14), F(1 << 14), O(1 << 14), S(0.7, np.float32), S(0.2, np.float32), S(128), S(128)
kernel void syr2k(global float *a, global float *b, global float *c, float alpha, float beta, int m, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        c[i * n + j] *= beta;
        for (int k = 0; k < m; k++)
            c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
    }
}

// case fdtd_ey
// (512, 256), (32, 8), F(500), O(1 << 17), F(1 << 17), S(3), S(256), S(512)
kernel void fdtd_ey(global float *fict, global float *ey, global float *hz, int t, int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < nx && j < ny) {
        if (i == 0)
            ey[i * ny + j] = fict[t];
        else
            ey[i * ny + j] = ey[i * ny + j] * 0.5f - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    }
}

// case adi_rows
// 512, 64, F(512 * 128), O(512 * 128), O(512 * 128), S(128)
kernel void adi_rows(global const float *u, global float *p, global float *v, int n)
{
    int i = get_global_id(0);
    const float a = -0.3f, b = 1.6f, c = -0.3f;
    p[i * n] = 0;
    v[i * n] = 1;
    for (int j = 1; j < n - 1; j++) {
        p[i * n + j] = -c / (a * p[i * n + j - 1] + b);
        v[i * n + j] = (u[i * n + j] - a * v[i * n + j - 1]) / (a * p[i * n + j - 1] + b);
    }
    for (int j = n - 2; j >= 1; j--)
        v[i * n + j] = p[i * n + j] * v[i * n + j + 1] + v[i * n + j];
}

// case sturm
// 1 << 11, 64, F(128), F(128), O(1 << 11), S(128)
kernel void sturm(global const float *diagonal, global const float *off, global float *eigenvalue, int n)
{
    int id = get_global_id(0);
    float low = -2, high = 4;
    uint want = id % n;
    for (int it = 0; it < 12; it++) {
        float mid = (low + high) * 0.5f;
        uint count = 0;
        float prev = diagonal[0] - mid;
        count += prev < 0;
        for (int i = 1; i < n; i++) {
            float diff = (diagonal[i] - mid) - (off[i - 1] * off[i - 1]) / prev;
            count += diff < 0;
            prev = diff;
        }
        if (count <= want)
            low = mid;
        else
            high = mid;
    }
    eigenvalue[id] = (low + high) * 0.5f;
}

// case heston
// 1 << 11, 64, O(1 << 11, np.float64), S(64)
double uniform_of(ulong *s)
{
    *s ^= *s >> 12;
    *s ^= *s << 25;
    *s ^= *s >> 27;
    return ((*s * 2685821657736338717UL >> 11) + 0.5) * (1.0 / 9007199254740992.0);
}
kernel void heston(global double *out, int steps)
{
    int i = get_global_id(0);
    ulong seed = (i + 1) * 0x9e3779b97f4a7c15UL;
    double s = 100, v = 0.04, dt = 1.0 / steps;
    for (int k = 0; k < steps; k++) {
        double u1 = uniform_of(&seed), u2 = uniform_of(&seed);
        double r = sqrt(-2 * log(u1)), z1 = r * cos(2 * M_PI * u2), z2 = -0.7 * z1 + 0.714 * r * sin(2 * M_PI * u2);
        double vp = fmax(v, 0.0);
        s *= exp((0.03 - 0.5 * vp) * dt + sqrt(vp * dt) * z1);
        v += 1.5 * (0.04 - vp) * dt + 0.3 * sqrt(vp * dt) * z2;
    }
    out[i] = fmax(s - 100, 0.0);
}

// case implied_vol
// 1 << 12, 64, D(1 << 12), O(1 << 12, np.float64)
double price(double s, double k, double t, double sigma)
{
    double d1 = (log(s / k) + 0.5 * sigma * sigma * t) / (sigma * sqrt(t)), d2 = d1 - sigma * sqrt(t);
    return s * 0.5 * erfc(-d1 * M_SQRT1_2) - k * 0.5 * erfc(-d2 * M_SQRT1_2);
}
kernel void implied_vol(global const double *quotes, global double *o)
{
    int i = get_global_id(0);
    double target = 5 + 20 * quotes[i], lo = 1e-4, hi = 4;
    int rounds = 0;
    while (hi - lo > 1e-8 && rounds++ < 60) {
        double mid = 0.5 * (lo + hi);
        if (price(100, 105, 0.75, mid) > target)
            hi = mid;
        else
            lo = mid;
    }
    o[i] = 0.5 * (lo + hi);
}

// case trinomial
// 1 << 11, 64, F(1 << 11), O(1 << 11)
kernel void trinomial(global const float *strike, global float *o)
{
    int i = get_global_id(0);
    float v[65];
    float k = 80 + 40 * strike[i];
    for (int j = 0; j <= 64; j++)
        v[j] = fmax(k - 100 * exp((j - 32) * 0.05f), 0.0f);
    for (int step = 31; step >= 0; step--)
        for (int j = 0; j <= 2 * step; j++)
            v[j] = fmax(0.999f * (0.3f * v[j] + 0.4f * v[j + 1] + 0.3f * v[j + 2]), 0.0f);
    o[i] = v[0];
}

// case rigid_body
// 1 << 14, 64, F(13 << 14), O(13 << 14), S(0.01, np.float32), V(0, -9.81, 0)
typedef struct {
    float p[3], v[3], w[3], q[4];
} Body;
typedef struct {
    float x, y, z;
} Gravity;
kernel void rigid_body(global const Body *in, global Body *out, float dt, Gravity g)
{
    int i = get_global_id(0);
    Body b = in[i];
    b.v[0] += g.x * dt;
    b.v[1] += g.y * dt;
    b.v[2] += g.z * dt;
    for (int k = 0; k < 3; k++)
        b.p[k] += b.v[k] * dt;
    float x = b.w[0], y = b.w[1], z = b.w[2], h = 0.5f * dt;
    float q0 = b.q[0] - h * (x * b.q[1] + y * b.q[2] + z * b.q[3]);
    float q1 = b.q[1] + h * (x * b.q[0] + z * b.q[2] - y * b.q[3]);
    float q2 = b.q[2] + h * (y * b.q[0] - z * b.q[1] + x * b.q[3]);
    float q3 = b.q[3] + h * (z * b.q[0] + y * b.q[1] - x * b.q[2]);
    float n = rsqrt(q0 * q0 + q1 * q1 + q2 * q2 + q3 * q3);
    b.q[0] = q0 * n, b.q[1] = q1 * n, b.q[2] = q2 * n, b.q[3] = q3 * n;
    if (b.p[1] < 0) {
        b.p[1] = -b.p[1];
        b.v[1] *= -0.5f;
    }
    out[i] = b;
}

// case advect
// (256, 256), (16, 16), F(2 << 16), F(1 << 16), O(1 << 16), S(256), S(0.9, np.float32)
float sample_at(global const float *f, float2 p, int n)
{
    p = clamp(p, (float2)(0), (float2)(n - 1.001f));
    int2 i = convert_int2(p);
    float2 t = p - convert_float2(i);
    int at = i.y * n + i.x;
    return mix(mix(f[at], f[at + 1], t.x), mix(f[at + n], f[at + n + 1], t.x), t.y);
}
kernel void advect(global const float2 *velocity, global const float *in, global float *out, int n, float dt)
{
    int2 g = (int2)(get_global_id(0), get_global_id(1));
    float2 v = velocity[g.y * n + g.x] - 0.5f;
    float2 half_way = convert_float2(g) - 0.5f * dt * 8 * v;
    float2 from = convert_float2(g) - dt * 8 * v;
    out[g.y * n + g.x] = 0.25f * sample_at(in, half_way, n) + 0.75f * sample_at(in, from, n);
}

// case cubes_classify
// 1 << 17, 128, F(65 * 64 * 33), I(256, 13, np.uint32), O(1 << 17, np.uint32), O(1 << 17, np.uint32), S(0.5, np.float32)
kernel void cubes_classify(global const float *volume, global const uint *vertices, global uint *count,
                           global uint *occupied, float iso)
{
    uint i = get_global_id(0);
    uint x = i & 63, y = (i >> 6) & 63, z = i >> 12;
    uint at = z * 64 * 65 + y * 64 + x;
    float f[8];
    f[0] = volume[at];
    f[1] = volume[at + 1];
    f[2] = volume[at + 65];
    f[3] = volume[at + 64];
    f[4] = volume[at + 64 * 65];
    f[5] = volume[at + 64 * 65 + 1];
    f[6] = volume[at + 64 * 65 + 65];
    f[7] = volume[at + 64 * 65 + 64];
    uint cube = 0;
    for (int k = 0; k < 8; k++)
        cube += (uint)(f[k] < iso) << k;
    count[i] = vertices[cube];
    occupied[i] = vertices[cube] > 0;
}
