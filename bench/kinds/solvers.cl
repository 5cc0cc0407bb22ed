// solvers.cl -- kinds of kernels: small matrices by the thousand, equations, fields, bodies, prices, rays.
//
// Form: bench/kinds.py.

// case cholesky6
// 1 << 13, 64, F(36 << 13), O(36 << 13)
kernel void cholesky6(global const float *a, global float *l)
{
    int g = get_global_id(0), n = get_global_size(0);
    float m[6][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++)
            m[i][j] = a[(i * 6 + j) * n + g] + (i == j ? 6 : 0);
    for (int j = 0; j < 6; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < 6; i++)
                m[i][j] -= m[i][k] * m[j][k];
        float d = sqrt(m[j][j]);
        for (int i = j; i < 6; i++)
            m[i][j] /= d;
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++)
            l[(i * 6 + j) * n + g] = m[i][j];
}

// case jacobi_eigen4
// 1 << 12, 64, F(16 << 12), O(4 << 12)
kernel void jacobi_eigen4(global const float *in, global float *values)
{
    int g = get_global_id(0);
    float a[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            a[i][j] = in[g * 16 + (i <= j ? i * 4 + j : j * 4 + i)];
    for (int sweep = 0; sweep < 6; sweep++)
        for (int p = 0; p < 3; p++)
            for (int q = p + 1; q < 4; q++) {
                if (fabs(a[p][q]) < 1e-7f)
                    continue;
                float theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                float t = copysign(1.0f, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                float c = rsqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; k++) {
                    float x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y;
                    a[q][k] = s * x + c * y;
                }
                for (int k = 0; k < 4; k++) {
                    float x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y;
                    a[k][q] = s * x + c * y;
                }
            }
    for (int i = 0; i < 4; i++)
        values[g * 4 + i] = a[i][i];
}

// case lu_pivot
// 1 << 11, 64, F(64 << 11), F(8 << 11), O(8 << 11)
kernel void lu_pivot(global const float *in, global const float *rhs, global float *x)
{
    int g = get_global_id(0);
    float a[8][9];
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            a[i][j] = in[g * 64 + i * 8 + j];
        a[i][8] = rhs[g * 8 + i];
    }
    for (int k = 0; k < 8; k++) {
        int p = k;
        for (int i = k + 1; i < 8; i++)
            if (fabs(a[i][k]) > fabs(a[p][k]))
                p = i;
        for (int j = k; j < 9; j++) {
            float t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
        float inv = 1 / a[k][k];
        for (int i = k + 1; i < 8; i++) {
            float f = a[i][k] * inv;
            for (int j = k + 1; j < 9; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    for (int i = 7; i >= 0; i--) {
        float s = a[i][8];
        for (int j = i + 1; j < 8; j++)
            s -= a[i][j] * x[g * 8 + j];
        x[g * 8 + i] = s / a[i][i];
    }
}

// case adaptive_rk
// 4096, 64, F(4096), O(4096), S(0.0001, np.float32)
kernel void adaptive_rk(global const float *start, global float *end, float tolerance)
{
    int g = get_global_id(0);
    float y = start[g] + 0.5f, t = 0, h = 0.05f;
    for (int i = 0; i < 200 && t < 2; i++) {
        h = fmin(h, 2 - t);
        float k1 = y - t * t + 1;
        float u = t + 0.5f * h, k2 = y + 0.5f * h * k1 - u * u + 1;
        u = t + 0.75f * h;
        float k3 = y + 0.75f * h * k2 - u * u + 1;
        float next = y + h * (2 * k1 + 3 * k2 + 4 * k3) / 9;
        u = t + h;
        float k4 = next - u * u + 1;
        float e = fabs(h * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - k4 / 8));
        if (e <= tolerance) {
            t += h;
            y = next;
        }
        h *= clamp(0.9f * cbrt(tolerance / (e + 1e-9f)), 0.2f, 4.0f);
    }
    end[g] = y;
}

// case bond_yield
// 1 << 14, 64, D(1 << 14), O(1 << 14, np.float64)
kernel void bond_yield(global const double *price, global double *yield)
{
    int g = get_global_id(0);
    double y = 0.05, target = 80 + 40 * price[g];
    for (int it = 0; it < 50; it++) {
        double p = 0, d = 0, df = 1, v = 1 / (1 + y * 0.5);
        for (int k = 1; k <= 20; k++) {
            df *= v;
            double cash = k == 20 ? 102.5 : 2.5;
            p += cash * df;
            d -= 0.5 * k * cash * df * v;
        }
        double step = (p - target) / d;
        y -= step;
        if (fabs(step) < 1e-10)
            break;
    }
    yield[g] = y;
}

// case libor_paths
// 2048, 64, F(40 * 2048), F(80), O(2048)
kernel void libor_paths(global const float *z, global const float *lambda, global float *value)
{
    int path = get_global_id(0);
    float l[40];
    for (int i = 0; i < 40; i++)
        l[i] = 0.05f;
    for (int n = 0; n < 20; n++) {
        float root = 0.5f * (z[n * 2048 + path] - 0.5f), v = 0;
        for (int i = n + 1; i < 40; i++) {
            float lam = lambda[i - n - 1] * 0.2f;
            float con = 0.25f * lam;
            v += con * l[i] / (1 + 0.25f * l[i]);
            l[i] *= exp(con * v + lam * (root - 0.5f * con));
        }
    }
    float b = 1, s = 0, sum = 0;
    for (int n = 20; n < 40; n++) {
        b /= 1 + 0.25f * l[n];
        s += 0.25f * b;
        sum += fmax(b + 0.05f * s - 1, 0.0f);
    }
    value[path] = 100 * sum;
}

// case fd8_march
// (128, 32), (32, 4), F(136 * 40 * 40), O(136 * 40 * 40), F(5), S(32)
kernel void fd8_march(global const float *in, global float *out, constant float *c, int depth)
{
    int x = get_global_id(0) + 4, y = get_global_id(1) + 4, row = 136, slice = 136 * 40;
    int at = y * row + x;
    float back[4], front[4], now;
    for (int k = 0; k < 4; k++)
        back[3 - k] = in[at + k * slice];
    now = in[at + 4 * slice];
    for (int k = 0; k < 4; k++)
        front[k] = in[at + (5 + k) * slice];
    for (int z = 4; z < depth + 4; z++) {
        int p = at + z * slice;
        float v = c[0] * now;
        for (int k = 1; k <= 4; k++)
            v += c[k] * (front[k - 1] + back[k - 1] + in[p - k] + in[p + k] + in[p - k * row] + in[p + k * row]);
        out[p] = v;
        for (int k = 3; k > 0; k--)
            back[k] = back[k - 1];
        back[0] = now;
        now = front[0];
        for (int k = 0; k < 3; k++)
            front[k] = front[k + 1];
        front[3] = z < depth + 3 ? in[p + 5 * slice] : 0;
    }
}

// case stencil27
// (64, 64, 32), (64, 2, 1), F(66 * 66 * 34), O(66 * 66 * 34)
kernel void stencil27(global const float *in, global float *out)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, z = get_global_id(2) + 1;
    float corner = 0, edge = 0, face = 0;
    for (int k = -1; k <= 1; k++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                float v = in[((z + k) * 66 + y + j) * 66 + x + i];
                int d = abs(i) + abs(j) + abs(k);
                if (d == 3)
                    corner += v;
                else if (d == 2)
                    edge += v;
                else if (d == 1)
                    face += v;
            }
    out[(z * 66 + y) * 66 + x] = 0.5f * in[(z * 66 + y) * 66 + x] + 0.05f * face + 0.01f * edge + 0.005f * corner;
}

// case weno5
// 1 << 16, 64, F((1 << 16) + 5), O(1 << 16)
kernel void weno5(global const float *u, global float *flux)
{
    int i = get_global_id(0);
    float a = u[i], b = u[i + 1], c = u[i + 2], d = u[i + 3], e = u[i + 4];
    float p0 = (2 * a - 7 * b + 11 * c) / 6, p1 = (-b + 5 * c + 2 * d) / 6, p2 = (2 * c + 5 * d - e) / 6;
    float b0 = 13.0f / 12 * pown(a - 2 * b + c, 2) + 0.25f * pown(a - 4 * b + 3 * c, 2);
    float b1 = 13.0f / 12 * pown(b - 2 * c + d, 2) + 0.25f * pown(b - d, 2);
    float b2 = 13.0f / 12 * pown(c - 2 * d + e, 2) + 0.25f * pown(3 * c - 4 * d + e, 2);
    float w0 = 0.1f / pown(1e-6f + b0, 2), w1 = 0.6f / pown(1e-6f + b1, 2), w2 = 0.3f / pown(1e-6f + b2, 2);
    flux[i] = (w0 * p0 + w1 * p1 + w2 * p2) / (w0 + w1 + w2);
}

// case shallow_water
// (256, 128), (16, 8), F(258 * 130 * 3), O(258 * 130 * 3)
float3 swe_flux(float3 q)
{
    float u = q.y / q.x;
    return (float3)(q.y, q.y * u + 4.905f * q.x * q.x, q.z * u);
}
kernel void shallow_water(global const float *q, global float *out)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, i = y * 258 + x;
    float3 l = vload3(i - 1, q), c = vload3(i, q), r = vload3(i + 1, q), d = vload3(i - 258, q), u = vload3(i + 258, q);
    l.x += 1; c.x += 1; r.x += 1; d.x += 1; u.x += 1;
    float3 fx = swe_flux(r) - swe_flux(l), fy = (swe_flux(u.xzy) - swe_flux(d.xzy)).xzy;
    vstore3(0.25f * (l + r + d + u) - 0.005f * (fx + fy) - (float3)(1, 0, 0), i, out);
}

// case gray_scott
// (256, 128), None, F(256 * 128 * 2), O(256 * 128 * 2)
kernel void gray_scott(global const float2 *in, global float2 *out)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    int l = (x + w - 1) % w, r = (x + 1) % w, d = (y + h - 1) % h, u = (y + 1) % h;
    float2 c = in[y * w + x];
    float2 lap = in[y * w + l] + in[y * w + r] + in[d * w + x] + in[u * w + x] - 4 * c;
    float react = c.x * c.y * c.y;
    out[y * w + x] = c + (float2)(0.16f * lap.x - react + 0.035f * (1 - c.x), 0.08f * lap.y + react - 0.1f * c.y);
}

// case ising_update
// (128, 256), (32, 8), I(256 * 256, 2, np.int8), I(128 * 256, 1 << 30, np.uint32), S(0.4, np.float32)
kernel void ising_update(global char *spin, global uint *state, float beta)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * 128 + x;
    int px = 2 * x + (y & 1);
    uint s = state[at] | 1;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    state[at] = s;
    int mine = spin[y * 256 + px] * 2 - 1;
    int sum = spin[y * 256 + (px + 1 & 255)] + spin[y * 256 + (px + 255 & 255)] + spin[(y + 1 & 255) * 256 + px] +
              spin[(y + 255 & 255) * 256 + px];
    float p = exp(-2 * beta * mine * (2 * sum - 4));
    if ((s >> 8) * 0x1p-24f < p)
        spin[y * 256 + px] = (1 - mine) / 2;
}

// case restrict3d
// (32, 32, 32), None, F(66 * 66 * 66), O(32 * 32 * 32)
kernel void restrict3d(global const float *fine, global float *coarse)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float sum = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                sum += fine[((2 * z + k) * 66 + 2 * y + j) * 66 + 2 * x + i] * (float)(1 << ((i == 1) + (j == 1) + (k == 1)));
    coarse[(z * 32 + y) * 32 + x] = sum * (1.0f / 64);
}

// case fem_tetra
// 1 << 13, 64, F(4 * 2048), I(4 << 13, 2048), O(16 << 13)
kernel void fem_tetra(global const float4 *node, global const int4 *element, global float *stiff)
{
    int e = get_global_id(0);
    int4 n = element[e];
    float3 a = node[n.x].xyz, b = node[n.y].xyz - a, c = node[n.z].xyz - a, d = node[n.w].xyz - a;
    float3 g[4];
    float det = dot(b, cross(c, d)) + 1e-3f;
    g[1] = cross(c, d) / det;
    g[2] = cross(d, b) / det;
    g[3] = cross(b, c) / det;
    g[0] = -g[1] - g[2] - g[3];
    float volume = fabs(det) / 6;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            stiff[e * 16 + i * 4 + j] = volume * dot(g[i], g[j]);
}

// case dihedrals
// 1 << 13, 64, F(4 * 4096), I(4 << 13, 4096), O(1 << 13)
kernel void dihedrals(global const float4 *x, global const int4 *quad, global float *energy)
{
    int i = get_global_id(0);
    int4 q = quad[i];
    float3 b1 = x[q.y].xyz - x[q.x].xyz, b2 = x[q.z].xyz - x[q.y].xyz, b3 = x[q.w].xyz - x[q.z].xyz;
    float3 m = cross(b1, b2), n = cross(b2, b3);
    float phi = atan2(dot(cross(m, n), b2) * rsqrt(dot(b2, b2) + 1e-9f), dot(m, n));
    energy[i] = 2.5f * (1 + cos(3 * phi - 0.5f)) + 0.3f * (1 - cos(2 * phi));
}

// case cell_build
// 1 << 15, 64, F(4 << 15), O(16 * 16 * 16, np.int32), O(16 * 16 * 16 * 32, np.int32), 'unordered'
kernel void cell_build(global const float4 *x, global int *count, global int *list)
{
    int i = get_global_id(0);
    int4 c = convert_int4(x[i] * 16);
    int cell = (c.z * 16 + c.y) * 16 + c.x;
    int slot = atomic_inc(&count[cell]) & 31;
    list[cell * 32 + slot] = i;
}

// case neighbour_list
// 4096, 64, F(4 * 4096), O(4096 * 32, np.int32), O(4096, np.int32), S(0.01, np.float32)
kernel void neighbour_list(global const float4 *x, global int *list, global int *count, float r2)
{
    int i = get_global_id(0), n = 0, first = i & ~255;
    float3 me = x[i].xyz;
    for (int j = first; j < first + 256; j++) {
        float3 d = x[j].xyz - me;
        if (j != i && dot(d, d) < r2 && n < 32)
            list[i * 32 + n++] = j;
    }
    count[i] = n;
}

// case ewald_real
// 2048, 64, F(4 * 2048), O(2048), S(0.9, np.float32)
kernel void ewald_real(global const float4 *x, global float *energy, float alpha)
{
    int i = get_global_id(0);
    float4 me = x[i];
    float e = 0;
    for (int j = 0; j < 256; j++) {
        float4 o = x[j];
        float3 d = me.xyz - o.xyz;
        d -= rint(d);
        float r2 = dot(d, d);
        if (r2 > 1e-6f && r2 < 0.25f) {
            float r = sqrt(r2);
            e += me.w * o.w * erfc(alpha * r) / r;
        }
    }
    energy[i] = e;
}

// case cloth_springs
// (128, 64), (16, 8), F(4 * 128 * 64), F(4 * 128 * 64), O(4 * 128 * 64)
kernel void cloth_springs(global const float4 *pos, global const float4 *vel, global float4 *force)
{
    const int2 step[8] = {(int2)(1, 0), (int2)(-1, 0), (int2)(0, 1), (int2)(0, -1), (int2)(1, 1), (int2)(-1, 1),
                          (int2)(1, -1), (int2)(-1, -1)};
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    float4 p = pos[y * w + x], f = (float4)(0, -9.8f, 0, 0) - 0.1f * vel[y * w + x];
    for (int k = 0; k < 8; k++) {
        int2 q = (int2)(x, y) + step[k];
        if (q.x < 0 || q.x >= w || q.y < 0 || q.y >= h)
            continue;
        float4 d = pos[q.y * w + q.x] - p;
        d.w = 0;
        float len = length(d) + 1e-6f;
        f += d * (50 * (len - 0.1f * length(convert_float2(step[k]))) / len);
    }
    force[y * w + x] = f;
}

// case boids
// 1024, 64, F(4 * 1024), F(4 * 1024), O(4 * 1024)
kernel void boids(global const float4 *pos, global const float4 *vel, global float4 *out)
{
    int i = get_global_id(0), n = get_global_size(0), count = 0;
    float4 me = pos[i], middle = 0, align = 0, apart = 0;
    for (int j = 0; j < n; j++) {
        float4 d = pos[j] - me;
        float r = dot(d, d);
        if (j != i && r < 0.1f) {
            middle += pos[j];
            align += vel[j];
            if (r < 0.02f)
                apart -= d;
            count++;
        }
    }
    if (count > 0) {
        middle = (middle / count - me) * 0.01f;
        align = (align / count - vel[i]) * 0.125f;
    }
    out[i] = vel[i] + middle + align + apart;
}

// case bvh_closest
// (128, 64), (8, 8), F(6 * 1023), O(128 * 64, np.int32)
kernel void bvh_closest(global const float *boxes, global int *hit)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 o = (float3)(x / 128.0f, y / 64.0f, -1), d = normalize((float3)(0.1f, 0.05f, 1)), inv = 1 / d;
    int stack[16], top = 0, found = -1;
    float nearest = 10;
    stack[top++] = 0;
    while (top > 0) {
        int n = stack[--top];
        float3 a = vload3(2 * n, boxes), b = a + vload3(2 * n + 1, boxes) * (n < 31 ? 1.0f : n < 255 ? 0.4f : 0.15f);
        float3 t0 = (a - o) * inv, t1 = (b - o) * inv;
        float3 lo = fmin(t0, t1), hi = fmax(t0, t1);
        float in = fmax(fmax(lo.x, lo.y), lo.z), out = fmin(fmin(hi.x, hi.y), hi.z);
        if (in > out || out < 0 || in > nearest)
            continue;
        if (n >= 511) {
            nearest = in;
            found = n;
        } else {
            stack[top++] = 2 * n + 1;
            stack[top++] = 2 * n + 2;
        }
    }
    hit[y * 128 + x] = found;
}

// case voxel_dda
// (128, 128), (8, 8), I(64 * 64 * 64, 40, np.uint8), O(128 * 128)
kernel void voxel_dda(global const uchar *voxel, global float *depth)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 o = (float3)(x * 0.5f, y * 0.5f, 0.01f), d = normalize((float3)(x * 0.004f - 0.25f, y * 0.004f - 0.25f, 1));
    int3 at = convert_int3(o), step = (int3)(d.x < 0 ? -1 : 1, d.y < 0 ? -1 : 1, d.z < 0 ? -1 : 1);
    float3 delta = fabs(1 / d);
    float3 next = (convert_float3(at + max(step, 0)) - o) / d;
    float t = 0;
    while (at.x >= 0 && at.x < 64 && at.y >= 0 && at.y < 64 && at.z >= 0 && at.z < 64) {
        if (voxel[(at.z * 64 + at.y) * 64 + at.x] == 0)
            break;
        if (next.x < next.y && next.x < next.z) {
            t = next.x;
            next.x += delta.x;
            at.x += step.x;
        } else if (next.y < next.z) {
            t = next.y;
            next.y += delta.y;
            at.y += step.y;
        } else {
            t = next.z;
            next.z += delta.z;
            at.z += step.z;
        }
    }
    depth[y * 128 + x] = t;
}

// case path_tracer
// (64, 64), (8, 8), O(64 * 64 * 4), S(4)
uint next_random(uint *s)
{
    *s = *s * 747796405u + 2891336453u;
    uint w = ((*s >> ((*s >> 28) + 4)) ^ *s) * 277803737u;
    return w >> 22 ^ w;
}
bool hit_ball(float3 c, float r, float3 o, float3 d, float *t)
{
    float3 oc = o - c;
    float b = dot(oc, d), h = b * b - dot(oc, oc) + r * r;
    if (h < 0)
        return false;
    float root = sqrt(h), a = -b - root;
    if (a < 1e-3f)
        a = -b + root;
    if (a < 1e-3f || a > *t)
        return false;
    *t = a;
    return true;
}
kernel void path_tracer(global float4 *out, int samples)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint seed = y * 64 + x + 1;
    float3 sum = 0;
    for (int s = 0; s < samples; s++) {
        float3 o = (float3)(0, 0, -3), d = normalize((float3)(x / 32.0f - 1, y / 32.0f - 1, 1.5f)), weight = 1;
        for (int bounce = 0; bounce < 5; bounce++) {
            float t = 1e20f;
            float3 centre = 0;
            float3 colour = 0;
            for (int b = 0; b < 6; b++) {
                float3 c = (float3)(b * 0.7f - 1.7f, (b & 1) * 0.6f - 0.4f, (b * 5 % 3) * 0.5f);
                if (hit_ball(c, b == 5 ? 0.3f : 0.45f, o, d, &t)) {
                    centre = c;
                    colour = (float3)(0.9f, 0.3f + 0.1f * b, 0.5f);
                }
            }
            if (t > 1e19f) {
                sum += weight * (0.5f + 0.5f * d.y);
                break;
            }
            o += t * d;
            float3 n = normalize(o - centre);
            float u = (next_random(&seed) >> 8) * 0x1p-24f, v = (next_random(&seed) >> 8) * 0x1p-24f;
            float z = 2 * u - 1, r = sqrt(fmax(0.0f, 1 - z * z));
            d = normalize(n + (float3)(r * cos(6.2831853f * v), r * sin(6.2831853f * v), z));
            weight *= colour;
        }
    }
    out[y * 64 + x] = (float4)(sum / samples, 1);
}

// case heightfield
// (128, 64), (8, 8), F(256 * 256), O(128 * 64)
kernel void heightfield(global const float *height, global float *shade)
{
    int x = get_global_id(0), y = get_global_id(1);
    float px = x * 2, py = 10, h = 1.3f, t = 0;
    float dx = (x - 64) * 0.004f, dy = 1, dh = -0.01f - y * 0.0008f;
    for (int i = 0; i < 200; i++) {
        int ix = (int)px & 255, iy = (int)py & 255;
        if (height[iy * 256 + ix] > h) {
            shade[y * 128 + x] = 1 / (1 + 0.05f * t);
            return;
        }
        px += dx;
        py += dy;
        h += dh;
        t += 1;
    }
    shade[y * 128 + x] = 0;
}
