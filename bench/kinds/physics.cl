// Inner kernels of physics codes: cross sections, docking, hydrodynamics, neurons, lattices, plasmas, molecules.

// case xs_lookup
// 1 << 15, 64, ascending(1 << 14), F(12 * 4 << 12), I(12 << 14, 4095), F(1 << 15), O(1 << 15), S(1 << 14)
typedef struct { float total, elastic, absorption, fission; } Cross;
kernel void xs_lookup(global const float *energy, global const Cross *grid, global const int *index, global const float *p, global float *out, int n)
{
    int i = get_global_id(0), low = 0, high = n - 1;
    float e = p[i];
    while (high - low > 1) {
        int mid = (low + high) / 2;
        if (energy[mid] > e)
            high = mid;
        else
            low = mid;
    }
    float f = (energy[high] - e) / (energy[high] - energy[low] + 1e-6f);
    float macro[4] = {0, 0, 0, 0};
    for (int k = 0; k < 12; k++) {
        global const Cross *c = grid + k * 4096 + index[low * 12 + k];
        float density = 1.0f / (k + 1);
        macro[0] += density * (c[1].total - f * (c[1].total - c[0].total));
        macro[1] += density * (c[1].elastic - f * (c[1].elastic - c[0].elastic));
        macro[2] += density * (c[1].absorption - f * (c[1].absorption - c[0].absorption));
        macro[3] += density * (c[1].fission - f * (c[1].fission - c[0].fission));
    }
    out[i] = macro[0] + 2 * macro[1] + 3 * macro[2] + 4 * macro[3];
}

// case multipole
// 1 << 13, 64, D(6 * 8 * 100), I(100, 4), D(1 << 13), I(1 << 13, 100), O(1 << 13, np.float64)
typedef struct { double2 ea, rt, ra; } Pole;
double2 c_div(double2 a, double2 b)
{
    double d = 1 / (b.x * b.x + b.y * b.y);
    return (double2)((a.x * b.x + a.y * b.y) * d, (a.y * b.x - a.x * b.y) * d);
}
double2 c_mul(double2 a, double2 b)
{
    return (double2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
kernel void multipole(global const Pole *poles, global const int *ells, global const double *energy, global const int *window, global double *out)
{
    int i = get_global_id(0), w = window[i];
    double e = energy[i] + 0.1, root = sqrt(e), total = 0, absorb = 0;
    double2 phase[4];
    for (int k = 0; k < 4; k++) {
        double phi = 0.3 * (k + 1) * root;
        if (k == 1)
            phi -= atan(phi);
        else if (k == 2)
            phi -= atan(3 * phi / (3 - phi * phi));
        else if (k == 3)
            phi -= atan(phi * (15 - phi * phi) / (15 - 6 * phi * phi));
        phase[k] = (double2)(cos(2 * phi), -sin(2 * phi));
    }
    for (int k = 0; k < 8; k++) {
        Pole p = poles[w * 8 + k];
        double2 q = c_div((double2)(0, 1), p.ea - (double2)(root, 0));
        total += c_mul(c_mul(q, p.rt), phase[ells[w]]).x;
        absorb += c_mul(q, p.ra).x;
    }
    out[i] = (total + absorb) / e;
}

// case docking
// 1 << 10, 64, F(4 * 26), I(26, 4), F(4 * 300), I(300, 4), F(6 << 10), O(1 << 10), S(26), S(300)
typedef struct { float x, y, z, pad; } Atom;
constant float radius_of[4] = {1.2f, 1.5f, 1.7f, 1.9f}, charge_of[4] = {0.1f, -0.3f, 0.4f, -0.2f}, phobic_of[4] = {0, 1, -1, 0.5f};
kernel void docking(global const Atom *ligand, global const int *lkind, global const Atom *protein, global const int *pkind, global const float *pose, global float *energy, int nl, int np)
{
    int i = get_global_id(0), n = get_global_size(0);
    float sx = sin(pose[i]), cx = cos(pose[i]), sy = sin(pose[n + i]), cy = cos(pose[n + i]), sz = sin(pose[2 * n + i]), cz = cos(pose[2 * n + i]);
    float total = 0;
    for (int l = 0; l < nl; l++) {
        Atom a = ligand[l];
        float x = a.x * cy * cz + a.y * (sx * sy * cz - cx * sz) + a.z * (cx * sy * cz + sx * sz) + pose[3 * n + i];
        float y = a.x * cy * sz + a.y * (sx * sy * sz + cx * cz) + a.z * (cx * sy * sz - sx * cz) + pose[4 * n + i];
        float z = -a.x * sy + a.y * sx * cy + a.z * cx * cy + pose[5 * n + i];
        int lk = lkind[l];
        for (int p = 0; p < np; p++) {
            int pk = pkind[p];
            float dx = x - protein[p].x, dy = y - protein[p].y, dz = z - protein[p].z;
            float d = sqrt(dx * dx + dy * dy + dz * dz), sum = (radius_of[lk] + radius_of[pk]) * 0.2f;
            bool inside = d < sum;
            total += inside ? (sum - d) * 38 : 0;
            float q = charge_of[lk] * charge_of[pk];
            total += d < 1 ? q * (1 - d) : 0;
            if (phobic_of[lk] * phobic_of[pk] > 0 && d < 0.8f)
                total += (inside ? 1 : (0.8f - d)) * phobic_of[lk];
        }
    }
    energy[i] = total;
}

// case short_force
// 1 << 10, 128, F(1 << 10), F(1 << 10), F(1 << 10), F(1 << 10), O(1 << 10), O(1 << 10), O(1 << 10), S(1 << 10)
kernel void short_force(global const float *x, global const float *y, global const float *z, global const float *mass, global float *vx, global float *vy, global float *vz, int n)
{
    int i = get_global_id(0);
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; j++) {
        float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i], r2 = dx * dx + dy * dy + dz * dz;
        float m = r2 < 0.5f ? mass[j] : 0, f = r2 + 0.01f;
        f = m * (1 / (f * sqrt(f)) - (0.27f + r2 * (-0.073f + r2 * (0.01f + r2 * (-0.0007f + r2 * (0.00002f - r2 * 1e-6f))))));
        f = r2 > 0 ? f : 0;
        fx += f * dx;
        fy += f * dy;
        fz += f * dz;
    }
    vx[i] = fx * 0.03f;
    vy[i] = fy * 0.03f;
    vz[i] = fz * 0.03f;
}

// case hourglass
// 8191, None, D(8 * 8191), D(8 * 8191), D(8 * 8191), I(8 * 8191, 8191), O(8191 * 8, np.float64), S(8191)
constant double gamma_of[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1}, {1, -1, -1, 1, -1, 1, 1, -1}, {1, -1, 1, -1, 1, -1, 1, -1}, {-1, 1, -1, 1, 1, -1, 1, -1}};
kernel void hourglass(global const double *x, global const double *dvdx, global const double *v, global const int *nodes, global double *force, int n)
{
    int e = get_global_id(0);
    if (e >= n)
        return;
    double xl[8], vl[8], shape[8][4];
    for (int k = 0; k < 8; k++) {
        int node = nodes[e * 8 + k];
        xl[k] = x[node];
        vl[k] = v[node];
    }
    for (int m = 0; m < 4; m++) {
        double s = 0;
        for (int k = 0; k < 8; k++)
            s += xl[k] * gamma_of[m][k];
        for (int k = 0; k < 8; k++)
            shape[k][m] = gamma_of[m][k] - 0.125 * dvdx[e * 8 + k] * s;
    }
    double h[4];
    for (int m = 0; m < 4; m++) {
        h[m] = 0;
        for (int k = 0; k < 8; k++)
            h[m] += shape[k][m] * vl[k];
    }
    for (int k = 0; k < 8; k++)
        force[e * 8 + k] = -0.03 * (shape[k][0] * h[0] + shape[k][1] * h[1] + shape[k][2] * h[2] + shape[k][3] * h[3]);
}

// case soil_water
// (61, 37, 21), None, F(61 * 37 * 21), F(61 * 37 * 21), O(61 * 37 * 21), O(61 * 37 * 21), O(61 * 37 * 21)
kernel void soil_water(global const float *psi, global const float *sat, global float *theta, global float *k, global float *c)
{
    int i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    float alpha = 0.02f, ths = 0.3f + 0.2f * sat[i], thr = 0.05f, n = 1.8f, ks = 0.01f, m = 1 - 1 / n;
    float h = psi[i] * 200 - 100, th;
    if (h < 0)
        th = (ths - thr) / pow(1 + pow(alpha * -h, n), m) + thr;
    else
        th = ths;
    theta[i] = th;
    float se = (th - thr) / (ths - thr), t = 1 - pow(1 - pow(se, 1 / m), m);
    k[i] = ks * sqrt(se) * t * t;
    c[i] = h > 0 ? 0 : 100 * alpha * n * (1 / n - 1) * pow(alpha * -h, n - 1) * (thr - ths) * pow(pow(alpha * -h, n) + 1, 1 / n - 2);
}

// case phase_field
// (33, 31, 29), None, F(35 * 33 * 31), F(35 * 33 * 31), O(35 * 33 * 31), S(35), S(33)
#define AT(f, a, b, c) f[((z + c) * ny + y + b) * nx + x + a]
kernel void phase_field(global const float *phi, global const float *u, global float *next, int nx, int ny)
{
    int x = get_global_id(0) + 1, y = get_global_id(1) + 1, z = get_global_id(2) + 1;
    float gx = (AT(phi, 1, 0, 0) - AT(phi, -1, 0, 0)) * 0.5f, gy = (AT(phi, 0, 1, 0) - AT(phi, 0, -1, 0)) * 0.5f, gz = (AT(phi, 0, 0, 1) - AT(phi, 0, 0, -1)) * 0.5f;
    float g2 = gx * gx + gy * gy + gz * gz, w = 1;
    if (g2 > 1e-4f) {
        float g4 = gx * gx * gx * gx + gy * gy * gy * gy + gz * gz * gz * gz;
        w = 0.85f * (1 + 0.2f * g4 / (g2 * g2));
    }
    float p = AT(phi, 0, 0, 0), lap = AT(phi, 1, 0, 0) + AT(phi, -1, 0, 0) + AT(phi, 0, 1, 0) + AT(phi, 0, -1, 0) + AT(phi, 0, 0, 1) + AT(phi, 0, 0, -1) - 6 * p;
    float drive = (p - 3 * AT(u, 0, 0, 0) * (1 - p * p)) * (1 - p * p);
    AT(next, 0, 0, 0) = p + 0.01f * (w * w * lap + drive) / (w * w);
}

// case leaky_neurons
// 1 << 14, 256, F(1 << 14), I(1 << 14, 16), F(1 << 14), O(1 << 14), O(1 << 14, np.int32), S(50)
kernel void leaky_neurons(global const float *v0, global const int *rest0, global const float *drive, global float *v1, global int *spikes, int steps)
{
    int i = get_global_id(0), rest = rest0[i], count = 0;
    float v = v0[i];
    for (int t = 0; t < steps; t++) {
        if (rest > 0) {
            rest--;
            v = 0;
        } else {
            v += 0.05f * (1.6f * drive[i] - v);
            if (v >= 1) {
                count++;
                v = 0;
                rest = 8;
            }
        }
    }
    v1[i] = v;
    spikes[i] = count;
}

// case gate_step
// 1 << 14, 64, F(1 << 14), F(3 << 14), O(3 << 14), S(1 << 14)
kernel void gate_step(global const float *volt, global const float *state, global float *next, int n)
{
    int i = get_global_id(0);
    float v = volt[i] * 120 - 80;
    float am = 0.32f * (v + 47.13f) / (1 - exp(-0.1f * (v + 47.13f)) + 1e-6f), bm = 0.08f * exp(-v / 11), ah, bh, aj, bj;
    if (v >= -40) {
        ah = aj = 0;
        bh = 1 / (0.13f * (1 + exp((v + 10.66f) / -11.1f)));
        bj = 0.3f * exp(-2.535e-7f * v) / (1 + exp(-0.1f * (v + 32)));
    } else {
        ah = 0.135f * exp((80 + v) / -6.8f);
        bh = 3.56f * exp(0.079f * v) + 3.1e5f * exp(0.35f * v);
        aj = (-1.2714e5f * exp(0.2444f * v) - 3.474e-5f * exp(-0.04391f * v)) * (v + 37.78f) / (1 + exp(0.311f * (v + 79.23f)));
        bj = 0.1212f * exp(-0.01052f * v) / (1 + exp(-0.1378f * (v + 40.14f)));
    }
    float a[3] = {am, ah, aj}, b[3] = {bm, bh, bj};
    for (int k = 0; k < 3; k++) {
        float tau = 1 / (a[k] + b[k]), inf = a[k] * tau;
        next[k * n + i] = inf - (inf - state[k * n + i]) * exp(-0.02f / tau);
    }
}

// case sweep_cells
// (64, 16), (16, 4), F(64 * 64 * 16), F(64), O(64 * 64 * 16), S(64)
kernel void sweep_cells(global const float *source, global const float *mu, global float *flux, int n)
{
    int y = get_global_id(0), a = get_global_id(1);
    float in = 1, left = 0.5f;
    for (int x = 0; x < n; x++) {
        int i = (a * n + x) * 64 + y;
        float psi = (source[i] + mu[a] * in + 0.3f * left) / (1 + mu[a] + 0.3f);
        in = 2 * psi - in;
        in = in < 0 ? 0 : in;
        left = 2 * psi - left;
        left = left < 0 ? 0 : left;
        flux[i] = psi;
    }
}

// case hypterm
// (30, 30, 14), (30, 2, 2), D(38 * 38 * 22 * 4), O(30 * 30 * 14 * 3, np.float64)
#define Q(c, a, b, d) q[(((c) * 22 + k + d) * 38 + j + b) * 38 + i + a]
#define DX(c) (0.8 * (Q(c, 1, 0, 0) - Q(c, -1, 0, 0)) - 0.2 * (Q(c, 2, 0, 0) - Q(c, -2, 0, 0)) + 0.038 * (Q(c, 3, 0, 0) - Q(c, -3, 0, 0)) - 0.0035 * (Q(c, 4, 0, 0) - Q(c, -4, 0, 0)))
#define DY(c) (0.8 * (Q(c, 0, 1, 0) - Q(c, 0, -1, 0)) - 0.2 * (Q(c, 0, 2, 0) - Q(c, 0, -2, 0)) + 0.038 * (Q(c, 0, 3, 0) - Q(c, 0, -3, 0)) - 0.0035 * (Q(c, 0, 4, 0) - Q(c, 0, -4, 0)))
#define DZ(c) (0.8 * (Q(c, 0, 0, 1) - Q(c, 0, 0, -1)) - 0.2 * (Q(c, 0, 0, 2) - Q(c, 0, 0, -2)) + 0.038 * (Q(c, 0, 0, 3) - Q(c, 0, 0, -3)) - 0.0035 * (Q(c, 0, 0, 4) - Q(c, 0, 0, -4)))
kernel void hypterm(global const double *q, global double *flux)
{
    int i = get_global_id(0) + 4, j = get_global_id(1) + 4, k = get_global_id(2) + 4;
    int o = ((k - 4) * 30 + j - 4) * 30 + i - 4, n = 30 * 30 * 14;
    flux[o] = -(DX(0) + DY(1) + DZ(2));
    flux[n + o] = -(Q(3, 0, 0, 0) * DX(1) + DY(3) + DZ(0));
    flux[2 * n + o] = -(DX(3) * Q(2, 0, 0, 0) + DY(2) + DZ(1) * Q(0, 0, 0, 0));
}

// case ewald_spread
// 1 << 12, 64, F(4 << 12), O(32 * 32 * 32), 'unordered'
void add_float(volatile global float *p, float v)
{
    union { uint u; float f; } old, now;
    do {
        old.f = *p;
        now.f = old.f + v;
    } while (atomic_cmpxchg((volatile global uint *)p, old.u, now.u) != old.u);
}
kernel void ewald_spread(global const float4 *atoms, volatile global float *grid)
{
    float4 a = atoms[get_global_id(0)];
    float3 p = a.xyz * 28.0f;
    int3 c = convert_int3(p);
    float3 d = p - convert_float3(c);
    float w[3][4];
    for (int k = 0; k < 3; k++) {
        float t = k == 0 ? d.x : k == 1 ? d.y : d.z, s = 1 - t;
        w[k][0] = s * s * s / 6;
        w[k][1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
        w[k][2] = (4 - 6 * s * s + 3 * s * s * s) / 6;
        w[k][3] = t * t * t / 6;
    }
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                add_float(&grid[((c.z + z) * 32 + c.y + y) * 32 + c.x + x], a.w * w[2][z] * w[1][y] * w[0][x]);
}

// case cooling_curve
// 1 << 15, None, D(1 << 15), D(1 << 15), ascending(64), O(1 << 15, np.float64)
kernel void cooling_curve(global const double *rho, global const double *temp, global const float *table, global double *out)
{
    size_t i = get_global_id(0);
    double t = log10(temp[i] * 1e7 + 10), n = rho[i], rate;
    if (t < 4)
        rate = 0;
    else if (t < 5.9) {
        int k = (int)((t - 4) * 20);
        rate = table[k] + (table[k + 1] - table[k]) * ((t - 4) * 20 - k);
    } else if (t < 7.4)
        rate = exp10(1.7 - 0.3 * t);
    else
        rate = 0.1 * sqrt(temp[i]);
    out[i] = n * n * rate;
}
