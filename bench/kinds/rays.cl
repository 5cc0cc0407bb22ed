// Rays, scenes, surfaces and water.

// case bsdf_bounce
// 1 << 12, 64, F(4 * 24), I(1 << 12), O(4 << 12), S(24)
typedef struct { uint s; } Rng;
float next(Rng *r)
{
    r->s ^= r->s << 13;
    r->s ^= r->s >> 17;
    r->s ^= r->s << 5;
    return (r->s >> 8) * (1.0f / 16777216);
}
float3 fresnel(float3 f0, float c)
{
    return f0 + (1 - f0) * pow(1 - c, 5.0f);
}
kernel void bsdf_bounce(global const float4 *sphere, global const uint *seed, global float4 *out, int n)
{
    Rng r = {seed[get_global_id(0)] | 1};
    float3 o = (float3)(0.5f, 0.5f, -1), d = normalize((float3)(next(&r) - 0.5f, next(&r) - 0.5f, 1)), weight = 1, light = 0;
    for (int bounce = 0; bounce < 4; bounce++) {
        float near = 1e20f;
        int hit = -1;
        for (int k = 0; k < n; k++) {
            float3 c = sphere[k].xyz - o;
            float rad = 0.05f + 0.1f * sphere[k].w, b = dot(c, d), q = b * b - dot(c, c) + rad * rad;
            if (q > 0) {
                float t = b - sqrt(q);
                if (t > 1e-3f && t < near) {
                    near = t;
                    hit = k;
                }
            }
        }
        if (hit < 0) {
            light += weight * (0.5f + 0.5f * d.y);
            break;
        }
        o += near * d;
        float3 nrm = normalize(o - sphere[hit].xyz), base = sphere[hit].yzw;
        float c = fabs(dot(nrm, d));
        float3 f = fresnel(base * 0.5f, c);
        if (next(&r) < (f.x + f.y + f.z) / 3)
            d = normalize(d - 2 * dot(nrm, d) * nrm);
        else {
            float a = 6.2831853f * next(&r), z = 2 * next(&r) - 1, s = sqrt(1 - z * z);
            d = normalize(nrm * 1.001f + (float3)(s * cos(a), s * sin(a), z));
            weight *= base;
        }
    }
    out[get_global_id(0)] = (float4)(light, 1);
}

// case principled_lobes
// 1 << 13, 64, F(16 << 13), O(4 << 13)
typedef struct { float3 n, v, l; float rough, metal, sheen, clear; } Shade;
kernel void principled_lobes(global const Shade *in, global float4 *out)
{
    global const Shade *s = in + get_global_id(0);
    float3 n = normalize(s->n), v = normalize(s->v), l = normalize(s->l), h = normalize(v + l);
    float nl = fmax(dot(n, l), 1e-3f), nv = fmax(dot(n, v), 1e-3f), nh = dot(n, h), lh = dot(l, h);
    float a = s->rough * s->rough + 0.01f, t = 1 + (a * a - 1) * nh * nh, d = a * a / (M_PI_F * t * t);
    float k = a / 2, g = 1 / ((nl * (1 - k) + k) * (nv * (1 - k) + k)), f = mix(0.04f, 1.0f, pow(1 - lh, 5.0f));
    float fd = 0.5f + 2 * lh * lh * s->rough, diffuse = (1 + (fd - 1) * pow(1 - nl, 5.0f)) * (1 + (fd - 1) * pow(1 - nv, 5.0f)) / M_PI_F * (1 - s->metal);
    float coat = s->clear > 0.5f ? 0.25f * s->clear * pow(nh, 40.0f) : 0, sheen = s->sheen * pow(1 - lh, 5.0f);
    out[get_global_id(0)] = (float4)(diffuse + sheen, d * g * f * 0.25f, coat, nl) * nl;
}

// case octree_march
// (64, 48), (8, 8), I(8 * 512, 600), F(4 * 64 * 48), O(64 * 48)
kernel void octree_march(global const int *child, global const float4 *ray, global float *out)
{
    int i = get_global_id(1) * 64 + get_global_id(0);
    float3 p = ray[i].xyz * 0.5f, d = normalize(ray[i].zwx + 0.1f);
    float sum = 0;
    for (int step = 0; step < 40; step++) {
        if (any(p >= 1.0f) || any(p < 0.0f))
            break;
        int node = 0, depth = 0;
        float3 low = 0;
        float size = 1;
        do {
            size *= 0.5f;
            int3 up = p >= low + size;
            int k = (up.x & 1) | (up.y & 2) | (up.z & 4);
            low += select((float3)0, (float3)size, up);
            node = child[node * 8 + k];
            depth++;
        } while (node < 512 && depth < 6);
        if (node >= 512)
            sum += size;
        float3 t = (low + size - p) / d;
        p += d * (fmin(fmin(t.x, t.y), t.z) + 1e-4f);
    }
    out[i] = sum;
}

// case isosurface_ray
// (80, 60), (16, 4), F(32 * 32 * 32), O(80 * 60), S(0.72, np.float32)
float field(global const float *v, float3 p)
{
    p = clamp(p, 0.0f, 30.99f);
    int x = (int)p.x, y = (int)p.y, z = (int)p.z;
    float fx = p.x - x, fy = p.y - y, fz = p.z - z;
    global const float *c = v + (z * 32 + y) * 32 + x;
    float a = mix(mix(c[0], c[1], fx), mix(c[32], c[33], fx), fy), b = mix(mix(c[1024], c[1025], fx), mix(c[1056], c[1057], fx), fy);
    return mix(a, b, fz);
}
kernel void isosurface_ray(global const float *v, global float *out, float level)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 p = (float3)(x * 0.35f + 1, y * 0.45f + 1, 0.5f), d = (float3)(0.02f, 0.03f, 0.31f);
    float depth = 0, before = field(v, p);
    for (int k = 0; k < 90; k++) {
        p += d;
        float now = field(v, p);
        if (before < level && now >= level) {
            float3 a = p - d, b = p;
            for (int r = 0; r < 5; r++) {
                float3 m = (a + b) * 0.5f;
                if (field(v, m) < level)
                    a = m;
                else
                    b = m;
            }
            depth = a.z;
            break;
        }
        before = now;
    }
    out[y * 80 + x] = depth;
}

// case menger_march
// (64, 40), None, O(64 * 40), S(0.3, np.float32)
float sponge(float3 p)
{
    float d = fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z)) - 1, s = 1;
    for (int k = 0; k < 3; k++) {
        float3 a = p * s - 2 * floor(p * s * 0.5f) - 1;
        s *= 3;
        float3 r = fabs(1 - 3 * fabs(a));
        d = fmax(d, (fmin(fmin(fmax(r.x, r.y), fmax(r.y, r.z)), fmax(r.z, r.x)) - 1) / s);
    }
    return d;
}
kernel void menger_march(global float *out, float turn)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 d = normalize((float3)((x - 32) * 0.02f, (y - 20) * 0.02f, 1)), o = (float3)(0.2f, 0.1f, -2.5f);
    d = (float3)(d.x * cos(turn) - d.z * sin(turn), d.y, d.x * sin(turn) + d.z * cos(turn));
    o.x += 0.8f * turn;
    float t = 0;
    for (int k = 0; k < 48; k++) {
        float s = sponge(o + t * d);
        if (s < 0.002f || t > 6)
            break;
        t += s;
    }
    out[y * 64 + x] = fmin(t, 6.0f);
}

// case ocean_spectrum
// (128, 128), (16, 16), F(2 * 129 * 129), O(2 * 128 * 128), O(4 * 128 * 128), S(1.7, np.float32)
kernel void ocean_spectrum(global const float2 *h0, global float2 *height, global float4 *slope, float time)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 128 + x;
    float2 k = (float2)(x - 64, y - 64) * 0.06f;
    float len = length(k), w = sqrt(9.81f * len), c, s = sincos(w * time, &c);
    float2 a = h0[y * 129 + x], b = h0[(128 - y) * 129 + 128 - x];
    float2 h = (float2)((a.x + b.x) * c - (a.y + b.y) * s, (a.x - b.x) * s + (a.y - b.y) * c);
    height[i] = h;
    slope[i] = len > 1e-4f ? (float4)(-h.y * k.x, h.x * k.x, -h.y * k.y, h.x * k.y) / len : (float4)(0);
}

// case wave_normals
// (255, 255), None, F(256 * 256), O(3 * 255 * 255)
kernel void wave_normals(global const float *h, global float *normal)
{
    int x = get_global_id(0), y = get_global_id(1);
    float3 a = (float3)(0.1f, h[y * 256 + x + 1] - h[y * 256 + x], 0), b = (float3)(0, h[(y + 1) * 256 + x] - h[y * 256 + x], 0.1f);
    vstore3(normalize(cross(b, a)), y * 255 + x, normal);
}

// case cloth_verlet
// (64, 64), (16, 16), F(4 * 64 * 64), F(4 * 64 * 64), O(4 * 64 * 64), S(0.1, np.float32)
kernel void cloth_verlet(global const float4 *now, global const float4 *before, global float4 *after, float rest)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * 64 + x;
    float4 p = now[i], force = (float4)(0, -0.1f, 0, 0);
    for (int j = -2; j <= 2; j++)
        for (int k = -2; k <= 2; k++) {
            int u = x + k, v = y + j, far = j * j + k * k;
            if (far == 0 || far == 5 || far == 8 || u < 0 || v < 0 || u >= 64 || v >= 64)
                continue;
            float4 d = now[v * 64 + u] - p;
            d.w = 0;
            float len = fast_length(d) + 1e-5f;
            force += d * (0.4f * (len - rest * native_sqrt((float)far)) / len);
        }
    float4 q = p + (p - before[i]) * 0.98f + force * 0.02f;
    q.y = fmax(q.y, 0.01f);
    if (y == 0)
        q = p;
    after[i] = q;
}

// case skin_vertices
// 10007, None, F(3 * 10007), I(4 * 10007, 40, np.uint8), I(4 * 10007, 256, np.uint8), F(12 * 40), O(3 * 10007)
kernel void skin_vertices(global const float *in, global const uchar4 *bone, global const uchar4 *weight, constant float4 *rows, global float *out)
{
    size_t i = get_global_id(0);
    float4 p = (float4)(vload3(i, in), 1), w = convert_float4(weight[i]) / 255;
    int4 b = convert_int4(bone[i]) * 3;
    float4 m[3];
    for (int r = 0; r < 3; r++)
        m[r] = w.x * rows[b.x + r] + w.y * rows[b.y + r] + w.z * rows[b.z + r] + w.w * rows[b.w + r];
    vstore3((float3)(dot(m[0], p), dot(m[1], p), dot(m[2], p)), i, out);
}

// case surface_nets
// (31, 31, 31), None, F(32 * 32 * 32), O(4 * 31 * 31 * 31), S(0.5, np.float32)
kernel void surface_nets(global const float *v, global float4 *out, float level)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), edges = 0;
    float c[8];
    float3 sum = 0;
    for (int k = 0; k < 8; k++)
        c[k] = v[((z + (k >> 2)) * 32 + y + (k >> 1 & 1)) * 32 + x + (k & 1)] - level;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 8; k++) {
            int b = k | 1 << a;
            if (b == k || (c[k] < 0) == (c[b] < 0))
                continue;
            float t = c[k] / (c[k] - c[b]);
            float3 p = (float3)(k & 1, k >> 1 & 1, k >> 2);
            if (a == 0)
                p.x += t;
            else if (a == 1)
                p.y += t;
            else
                p.z += t;
            sum += p;
            edges++;
        }
    out[(z * 31 + y) * 31 + x] = edges ? (float4)(sum / edges, edges) : (float4)(0);
}

// case radix_tree_bvh
// 4095, None, I(4096, 1 << 30, np.uint32), O(2 * 4095, np.int32), S(4096)
int shared_bits(global const uint *code, int n, int i, int j)
{
    if (j < 0 || j >= n)
        return -1;
    return code[i] == code[j] ? 32 + clz(i ^ j) : clz(code[i] ^ code[j]);
}
kernel void radix_tree_bvh(global const uint *code, global int2 *node, int n)
{
    int i = get_global_id(0), d = shared_bits(code, n, i, i + 1) > shared_bits(code, n, i, i - 1) ? 1 : -1;
    int least = shared_bits(code, n, i, i - d), most = 2;
    while (most < 4096 && shared_bits(code, n, i, i + most * d) > least)
        most *= 2;
    int len = 0;
    for (int t = most / 2; t; t /= 2)
        if (shared_bits(code, n, i, i + (len + t) * d) > least)
            len += t;
    int j = i + len * d, here = shared_bits(code, n, i, j), s = 0, t = len;
    do {
        t = (t + 1) / 2;
        if (shared_bits(code, n, i, i + (s + t) * d) > here)
            s += t;
    } while (t > 1);
    node[i] = (int2)(j, i + s * d + min(d, 0));
}
