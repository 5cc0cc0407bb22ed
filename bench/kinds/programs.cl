// Phases of the programs of benchmark suites and of simulations, as these write them, that the other files do not have.

// case backprop_adjust
// (16, 4096), (16, 16), F(17), F(4097), F(17 * 4097), F(17 * 4097)
#define ETA 0.3f
#define MOMENTUM 0.3f
kernel void backprop_adjust(global const float *delta, global const float *ly, global float *w, global float *oldw)
{
    int hid = 16;
    int by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int index = (hid + 1) * 16 * by + (hid + 1) * ty + tx + 1 + (hid + 1);
    int index_y = 16 * by + ty + 1;
    int index_x = tx + 1;
    w[index] += ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index])) * 0.001f;
    oldw[index] = ((ETA * delta[index_x] * ly[index_y]) + (MOMENTUM * oldw[index]));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ty == 0 && by == 0) {
        w[index_x] += ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x])) * 0.001f;
        oldw[index_x] = ((ETA * delta[index_x]) + (MOMENTUM * oldw[index_x]));
    }
}

// case hotspot_pyramid
// (688, 688), (16, 16), S(2), F(512 * 512), F(512 * 512), O(512 * 512), S(512), S(512), S(2), S(2)
#define BLOCK_SIZE 16
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
kernel void hotspot_pyramid(int iteration, global const float *power, global const float *temp_src, global float *temp_dst,
                            int grid_cols, int grid_rows, int border_cols, int border_rows)
{
    local float temp_on[BLOCK_SIZE][BLOCK_SIZE];
    local float power_on[BLOCK_SIZE][BLOCK_SIZE];
    local float temp_t[BLOCK_SIZE][BLOCK_SIZE];
    float amb_temp = 80.0f, step_div_Cap = 0.01f, Rx_1 = 0.1f, Ry_1 = 0.12f, Rz_1 = 0.05f;
    int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int small_block_rows = BLOCK_SIZE - iteration * 2, small_block_cols = BLOCK_SIZE - iteration * 2;
    int blkY = small_block_rows * by - border_rows, blkX = small_block_cols * bx - border_cols;
    int blkYmax = blkY + BLOCK_SIZE - 1, blkXmax = blkX + BLOCK_SIZE - 1;
    int yidx = blkY + ty, xidx = blkX + tx;
    int index = grid_cols * yidx + xidx;

    if (IN_RANGE(yidx, 0, grid_rows - 1) && IN_RANGE(xidx, 0, grid_cols - 1)) {
        temp_on[ty][tx] = temp_src[index];
        power_on[ty][tx] = power[index];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int validYmin = (blkY < 0) ? -blkY : 0;
    int validYmax = (blkYmax > grid_rows - 1) ? BLOCK_SIZE - 1 - (blkYmax - grid_rows + 1) : BLOCK_SIZE - 1;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > grid_cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - grid_cols + 1) : BLOCK_SIZE - 1;
    int N = ty - 1, S = ty + 1, W = tx - 1, E = tx + 1;
    N = (N < validYmin) ? validYmin : N;
    S = (S > validYmax) ? validYmax : S;
    W = (W < validXmin) ? validXmin : W;
    E = (E > validXmax) ? validXmax : E;
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && IN_RANGE(ty, i + 1, BLOCK_SIZE - i - 2) &&
            IN_RANGE(tx, validXmin, validXmax) && IN_RANGE(ty, validYmin, validYmax)) {
            computed = true;
            temp_t[ty][tx] = temp_on[ty][tx] + step_div_Cap * (power_on[ty][tx] +
                (temp_on[S][tx] + temp_on[N][tx] - 2.0f * temp_on[ty][tx]) * Ry_1 +
                (temp_on[ty][E] + temp_on[ty][W] - 2.0f * temp_on[ty][tx]) * Rx_1 +
                (amb_temp - temp_on[ty][tx]) * Rz_1);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == iteration - 1)
            break;
        if (computed)
            temp_on[ty][tx] = temp_t[ty][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        temp_dst[index] = temp_t[ty][tx];
}

// case srad_reduce
// 1 << 16, 256, F(1 << 16), F(1 << 16), O(256), O(256), S(1 << 16)
#define NUMBER_THREADS 256
kernel void srad_reduce(global const float *sums, global const float *sums2, global float *out, global float *out2, int ne)
{
    local float psum[NUMBER_THREADS], psum2[NUMBER_THREADS];
    int bx = get_group_id(0), tx = get_local_id(0), ei = bx * NUMBER_THREADS + tx;
    if (ei < ne) {
        psum[tx] = sums[ei];
        psum2[tx] = sums2[ei];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 2; i <= NUMBER_THREADS; i = 2 * i) {
        if ((tx + 1) % i == 0) {
            psum[tx] = psum[tx] + psum[tx - i / 2];
            psum2[tx] = psum2[tx] + psum2[tx - i / 2];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tx == NUMBER_THREADS - 1) {
        out[bx] = psum[tx];
        out2[bx] = psum2[tx];
    }
}

// case srad_update
// 1 << 16, 256, F(1 << 16), F(1 << 16), F(1 << 16), F(1 << 16), F(1 << 16), near(256, 1), near(256, 1), O(1 << 16), S(256), S(256)
kernel void srad_update(global const float *dN, global const float *dS, global const float *dE, global const float *dW,
                        global const float *c, global const int *iS, global const int *jE, global float *I, int nr, int nc)
{
    int ei = get_group_id(0) * 256 + get_local_id(0);
    int row = (ei + 1) % nr - 1;
    int col = (ei + 1) / nr + 1 - 1;
    if ((ei + 1) % nr == 0) {
        row = nr - 1;
        col = col - 1;
    }
    if (ei < nr * nc) {
        float cN = c[ei], cS = c[iS[row] + nr * col], cW = c[ei], cE = c[row + nr * jE[col]];
        float d = cN * dN[ei] + cS * dS[ei] + cW * dW[ei] + cE * dE[ei];
        I[ei] = dN[ei] + 0.25f * 0.5f * d;
    }
}

// case pf_likelihood
// 4096, 128, F(4096), F(4096), I(69, 4), I(200 * 200, 255, np.uint8), O(4096), S(200), S(4096)
kernel void pf_likelihood(global const float *xs, global const float *ys, constant int *offsets, global const uchar *frame,
                          global float *likelihood, int dim, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < 34; k++) {
        int x = (int)rint(xs[i] * 190) + offsets[2 * k], y = (int)rint(ys[i] * 190) + offsets[2 * k + 1];
        int index = abs(x * dim + y);
        if (index >= dim * dim)
            index = 0;
        float p = frame[index];
        sum += ((p - 100) * (p - 100) - (p - 228) * (p - 228)) / 50.0f;
    }
    likelihood[i] = sum / 34;
}

// case pgain
// 1 << 14, 128, F(1 << 14), F(32 * (1 << 14)), I(1 << 14, 16), I(16, 5), O((1 << 14) * 6), O(1 << 14, np.int32), S(1 << 14), S(32)
kernel void pgain(global const float *cost, global const float *coord, global const int *assign, global const int *center_table,
                  global float *work_mem, global int *switched, int num, int dim)
{
    int tid = get_global_id(0);
    local float x_coord[64];
    int lid = get_local_id(0);
    if (lid == 0)
        for (int i = 0; i < dim; i++)
            x_coord[i] = coord[i * num + 77];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < num) {
        float x_cost = 0;
        for (int i = 0; i < dim; i++)
            x_cost += (coord[i * num + tid] - x_coord[i]) * (coord[i * num + tid] - x_coord[i]);
        float current = cost[tid] * 5.6f;
        int base = tid * 6;
        if (x_cost < current) {
            switched[tid] = 1;
            work_mem[base + 5] = x_cost - current;
        } else
            work_mem[base + center_table[assign[tid]]] = current - x_cost;
    }
}

// case btree_find
// 512 * 64, 64, sorted_rows(512, 65), I(512 * 65, 512), I(512, 512), O(512, np.int32), S(3)
kernel void btree_find(global const int *keys, global const int *indices, global const int *wanted, global int *answers, int height)
{
    int thid = get_local_id(0), bid = get_group_id(0);
    local int current, found;
    if (thid == 0) {
        current = 0;
        found = -1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < height; i++) {
        int at = current;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (keys[at * 65 + thid] <= wanted[bid] && keys[at * 65 + thid + 1] > wanted[bid])
            current = indices[at * 65 + thid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (keys[current * 65 + thid] == wanted[bid])
        atomic_max(&found, indices[current * 65 + thid]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (thid == 0)
        answers[bid] = found;
}

// case cfd_step_factor
// 1 << 16, 64, F(5 << 16), F(1 << 16), O(1 << 16), S(1 << 16)
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_DENSITY_ENERGY 4
typedef struct {
    float x, y, z;
} FLOAT3;
float pressure_of(float density, float density_energy, float speed_sqd)
{
    return (1.4f - 1.0f) * (density_energy + 0.5f * density * speed_sqd);
}
kernel void cfd_step_factor(global const float *variables, global const float *areas, global float *step_factors, int nelr)
{
    const int i = get_global_id(0);
    if (i >= nelr)
        return;
    float density = variables[i + VAR_DENSITY * nelr] + 1;
    FLOAT3 momentum, velocity;
    momentum.x = variables[i + (VAR_MOMENTUM + 0) * nelr];
    momentum.y = variables[i + (VAR_MOMENTUM + 1) * nelr];
    momentum.z = variables[i + (VAR_MOMENTUM + 2) * nelr];
    float density_energy = variables[i + VAR_DENSITY_ENERGY * nelr];
    velocity.x = momentum.x / density;
    velocity.y = momentum.y / density;
    velocity.z = momentum.z / density;
    float speed_sqd = velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z;
    float pressure = pressure_of(density, density_energy, speed_sqd);
    float speed_of_sound = sqrt(1.4f * pressure / density);
    step_factors[i] = 0.5f / (sqrt(areas[i]) * (sqrt(speed_sqd) + speed_of_sound));
}

// case hodgkin_huxley
// 4096, 64, F(4096), O(4096 * 4), S(60)
kernel void hodgkin_huxley(global const float *current, global float4 *state, int steps)
{
    int i = get_global_id(0);
    float v = -65, m = 0.05f, h = 0.6f, n = 0.32f, dt = 0.02f, in = current[i] * 20;
    for (int s = 0; s < steps; s++) {
        float am = fabs(v + 40) < 1e-4f ? 1 : 0.1f * (v + 40) / (1 - exp(-(v + 40) / 10)), bm = 4 * exp(-(v + 65) / 18);
        float ah = 0.07f * exp(-(v + 65) / 20), bh = 1 / (1 + exp(-(v + 35) / 10));
        float an = fabs(v + 55) < 1e-4f ? 0.1f : 0.01f * (v + 55) / (1 - exp(-(v + 55) / 10)), bn = 0.125f * exp(-(v + 65) / 80);
        m += dt * (am * (1 - m) - bm * m);
        h += dt * (ah * (1 - h) - bh * h);
        n += dt * (an * (1 - n) - bn * n);
        float ina = 120 * pow(m, 3.0f) * h * (v - 50), ik = 36 * pow(n, 4.0f) * (v + 77), il = 0.3f * (v + 54.4f);
        v += dt * (in - ina - ik - il);
    }
    state[i] = (float4)(v, m, h, n);
}

// case heartwall_corr
// 32 * 256, 256, F(32 * 40 * 40), F(32 * 25 * 25), O(32 * 64 * 64), S(25), S(40)
kernel void heartwall_corr(global const float *in2, global const float *in, global float *conv, int in_rows, int in2_rows)
{
    int bx = get_group_id(0), tx = get_local_id(0);
    int rows = in_rows + in2_rows - 1, elem = rows * rows;
    for (int ei_new = tx; ei_new < elem; ei_new += 256) {
        int ic = (ei_new + 1) % rows, jc = (ei_new + 1) / rows + 1;
        if ((ei_new + 1) % rows == 0) {
            ic = rows;
            jc = jc - 1;
        }
        int j = jc, jp1 = j + 1, ja1 = in2_rows < jp1 ? jp1 - in2_rows : 1, ja2 = in_rows < j ? in_rows : j;
        int i = ic, ip1 = i + 1, ia1 = in2_rows < ip1 ? ip1 - in2_rows : 1, ia2 = in_rows < i ? in_rows : i;
        float s = 0;
        for (int ja = ja1; ja <= ja2; ja += 4) {
            int jb = jp1 - ja;
            for (int ia = ia1; ia <= ia2; ia++) {
                int ib = ip1 - ia;
                s = s + in[bx * in_rows * in_rows + in_rows * (ja - 1) + ia - 1] * in2[bx * in2_rows * in2_rows + in2_rows * (jb - 1) + ib - 1];
            }
        }
        conv[bx * 64 * 64 + ei_new] = s;
    }
}

// case leukocyte_dilate
// 256 * 256, 128, F(256 * 256), I(144, 2), O(256 * 256), S(256), S(256), S(12), S(12)
kernel void leukocyte_dilate(global const float *img, constant int *strel, global float *dilated, int img_m, int img_n, int strel_m, int strel_n)
{
    int el_center_i = strel_m / 2, el_center_j = strel_n / 2;
    int thread_id = get_global_id(0), i = thread_id % img_m, j = thread_id / img_m;
    if (j > img_n)
        return;
    float max = 0.0f;
    for (int el_i = 0; el_i < strel_m; el_i++) {
        int y = i - el_center_i + el_i;
        if ((y >= 0) && (y < img_m))
            for (int el_j = 0; el_j < strel_n; el_j++) {
                int x = j - el_center_j + el_j;
                if ((x >= 0) && (x < img_n) && (strel[(el_i * strel_n) + el_j] != 0)) {
                    float temp = img[(x * img_m) + y];
                    if (temp > max)
                        max = temp;
                }
            }
    }
    dilated[(i * img_n) + j] = max;
}

// case leukocyte_mgvf
// 16 * 256, 256, F(16 * 41 * 81), O(16 * 41 * 81), S(41), S(81), S(4)
kernel void leukocyte_mgvf(global const float *inits, global float *out, int m, int n, int iterations)
{
    local float field[41 * 81];
    float next[13];
    int t = get_local_id(0), cell = get_group_id(0), count = m * n;
    for (int k = t; k < count; k += 256)
        field[k] = inits[cell * count + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int it = 0; it < iterations; it++) {
        for (int b = 0; b < 13; b++) {
            int k = b * 256 + t;
            if (k >= count)
                continue;
            int i = k / n, j = k % n;
            int up = i == 0 ? 0 : i - 1, down = i == m - 1 ? m - 1 : i + 1, left = j == 0 ? 0 : j - 1, right = j == n - 1 ? n - 1 : j + 1;
            float old = field[k];
            float u = field[up * n + j] - old, d = field[down * n + j] - old, l = field[i * n + left] - old, r = field[i * n + right] - old;
            float hu = atan(u * 1000) * 0.318f + 0.5f, hd = atan(d * 1000) * 0.318f + 0.5f;
            float hl = atan((l - u) * 1000) * 0.318f + 0.5f, hr = atan((r + d) * 1000) * 0.318f + 0.5f;
            float v = old + 0.1f * (hu * u + hd * d + hl * l + hr * r), in = inits[cell * count + k];
            next[b] = v - 0.05f * in * (v - in);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int b = 0; b < 13; b++)
            if (b * 256 + t < count)
                field[b * 256 + t] = next[b];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = t; k < count; k += 256)
        out[cell * count + k] = field[k];
}

// case lud_perimeter
// 15 * 32 * 8, 32, F(256 * 256 * 8), S(256), O(256 * 256 * 8)
#define BLOCK_SIZE 16
kernel void lud_perimeter(global const float *in, int matrix_dim, global float *m)
{
    local float dia[BLOCK_SIZE * BLOCK_SIZE], peri_row[BLOCK_SIZE * BLOCK_SIZE], peri_col[BLOCK_SIZE * BLOCK_SIZE];
    int i, j, array_offset, idx, bx = get_group_id(0) % 15, tx = get_local_id(0), offset = get_group_id(0) / 15 * 256 * 256;
    in += offset;
    m += offset;
    if (tx < BLOCK_SIZE) {
        idx = tx;
        array_offset = 0;
        for (i = 0; i < BLOCK_SIZE / 2; i++) {
            dia[i * BLOCK_SIZE + idx] = in[array_offset + idx];
            array_offset += matrix_dim;
        }
        array_offset = 0;
        for (i = 0; i < BLOCK_SIZE; i++) {
            peri_row[i * BLOCK_SIZE + idx] = in[array_offset + (bx + 1) * BLOCK_SIZE + idx];
            array_offset += matrix_dim;
        }
    } else {
        idx = tx - BLOCK_SIZE;
        array_offset = (BLOCK_SIZE / 2) * matrix_dim;
        for (i = BLOCK_SIZE / 2; i < BLOCK_SIZE; i++) {
            dia[i * BLOCK_SIZE + idx] = in[array_offset + idx];
            array_offset += matrix_dim;
        }
        array_offset = (bx + 1) * BLOCK_SIZE * matrix_dim;
        for (i = 0; i < BLOCK_SIZE; i++) {
            peri_col[i * BLOCK_SIZE + idx] = in[array_offset + idx];
            array_offset += matrix_dim;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx < BLOCK_SIZE) {
        idx = tx;
        for (i = 1; i < BLOCK_SIZE; i++)
            for (j = 0; j < i; j++)
                peri_row[i * BLOCK_SIZE + idx] -= 0.1f * dia[i * BLOCK_SIZE + j] * peri_row[j * BLOCK_SIZE + idx];
    } else {
        idx = tx - BLOCK_SIZE;
        for (i = 0; i < BLOCK_SIZE; i++) {
            for (j = 0; j < i; j++)
                peri_col[idx * BLOCK_SIZE + i] -= 0.1f * peri_col[idx * BLOCK_SIZE + j] * dia[j * BLOCK_SIZE + i];
            peri_col[idx * BLOCK_SIZE + i] /= dia[i * BLOCK_SIZE + i] + 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx < BLOCK_SIZE) {
        idx = tx;
        array_offset = matrix_dim;
        for (i = 1; i < BLOCK_SIZE; i++) {
            m[array_offset + (bx + 1) * BLOCK_SIZE + idx] = peri_row[i * BLOCK_SIZE + idx];
            array_offset += matrix_dim;
        }
    } else {
        idx = tx - BLOCK_SIZE;
        array_offset = (bx + 1) * BLOCK_SIZE * matrix_dim;
        for (i = 0; i < BLOCK_SIZE; i++) {
            m[array_offset + idx] = peri_col[i * BLOCK_SIZE + idx];
            array_offset += matrix_dim;
        }
    }
}

// case bucket_find
// 1 << 16, 128, F(1 << 16), ascending(1024), O(1 << 16, np.int32), O(1024, np.uint32), S(1 << 16), 'unordered'
kernel void bucket_find(global const float *input, constant float *pivots, global int *indice, global uint *offsets, int size)
{
    int stride = get_global_size(0);
    for (int tid = get_global_id(0); tid < size; tid += stride) {
        float elem = input[tid];
        int idx = 1024 / 2 - 1, jump = 1024 / 4;
        while (jump >= 1) {
            idx = elem < pivots[idx] ? idx - jump : idx + jump;
            jump /= 2;
        }
        idx = elem < pivots[idx] ? idx : idx + 1;
        indice[tid] = (int)(atomic_inc(offsets + idx) << 10) + idx;
    }
}

// case vlc_pack
// 256 * 128, 256, I(256 * 128, 16), I(16, 255, np.uint32), I(16, 9), O(128 * 160, np.uint32), O(128, np.uint32)
kernel void vlc_pack(global const int *symbols, global const uint *codes, global const int *lengths, global uint *out, global uint *sizes)
{
    local uint starts[256], words[160];
    uint k = get_local_id(0), g = get_global_id(0);
    uint symbol = symbols[g], length = lengths[symbol], code = codes[symbol] & ((1u << length) - 1);
    starts[k] = length;
    if (k < 160)
        words[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d *= 2) {
        uint before = k >= d ? starts[k - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        starts[k] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint at = starts[k] - length, word = at / 32, bit = at % 32;
    if (length > 0) {
        if (bit + length <= 32)
            atomic_or(&words[word], code << (32 - bit - length));
        else {
            uint over = bit + length - 32;
            atomic_or(&words[word], code >> over);
            atomic_or(&words[word + 1], code << (32 - over));
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k < 160)
        out[get_group_id(0) * 160 + k] = words[k];
    if (k == 255)
        sizes[get_group_id(0)] = starts[k];
}

// case fm_search
// 4096, 64, I(4096 * 20, 4, np.uint8), I(4 * 1025, 200), I(65536, 4, np.uint8), I(4, 16000), O(4096, np.int32)
kernel void fm_search(global const uchar *pattern, global const int *occ, global const uchar *bwt, constant int *first, global int *hits)
{
    int q = get_global_id(0), low = 0, high = 65535, k = 19;
    while (k >= 0 && low < high) {
        int c = pattern[q * 20 + k], l = 0, h = 0;
        for (int j = low & ~63; j < low; j++)
            l += bwt[j] == c;
        for (int j = high & ~63; j < high; j++)
            h += bwt[j] == c;
        low = first[c] + (occ[c * 1025 + low / 64] & 127) + l;
        high = min(first[c] + (occ[c * 1025 + high / 64] & 127) + h + 40, 65535);
        k--;
    }
    hits[q] = (high - low) * 32 + k;
}

// case lbm_d3q19
// (64, 16, 16), (64, 1, 1), F(19 * 18432), O(19 * 18432), I(18432, 20, np.uint8)
#define AT(q, x, y, z) f[(q) * 18432 + (x) + 64 * (y) + 1024 * (z)]
constant int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
constant int cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, 1, -1, -1, 0, 0, 0, 0, 1, -1, 1, -1};
constant int cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, 1, -1, -1, 1, 1, -1, -1};
constant int opposite[19] = {0, 2, 1, 4, 3, 6, 5, 10, 9, 8, 7, 14, 13, 12, 11, 18, 17, 16, 15};
kernel void lbm_d3q19(global const float *f, global float *g, global const uchar *solid)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    float v[19], rho = 0, ux = 0, uy = 0, uz = 0;
    for (int q = 0; q < 19; q++) {
        int xs = (x - cx[q] + 64) % 64, ys = (y - cy[q] + 16) % 16, zs = (z - cz[q] + 16) % 16;
        v[q] = AT(q, xs, ys, zs);
        rho += v[q];
        ux += cx[q] * v[q];
        uy += cy[q] * v[q];
        uz += cz[q] * v[q];
    }
    ux /= rho, uy /= rho, uz /= rho;
    int here = x + 64 * y + 1024 * z;
    if (solid[here] == 0) {
        for (int q = 0; q < 19; q++)
            g[opposite[q] * 18432 + here] = v[q];
        return;
    }
    float uu = 1 - 1.5f * (ux * ux + uy * uy + uz * uz);
    for (int q = 0; q < 19; q++) {
        float w = q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36, cu = 3 * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
        g[q * 18432 + here] = v[q] - 0.6f * (v[q] - w * rho * (uu + cu + 0.5f * cu * cu));
    }
}

// case sgemm_regtile
// (32, 128), (16, 8), F(256 * 128), S(256), F(256 * 128), S(256), O(256 * 256), S(256), S(128)
kernel void sgemm_regtile(global const float *A, int lda, global const float *B, int ldb, global float *C, int ldc, int k)
{
    local float bs[8][16];
    float c[16];
    for (int i = 0; i < 16; i++)
        c[i] = 0.0f;
    int mid = get_local_id(1) * get_local_size(0) + get_local_id(0);
    int m = get_group_id(0) * 128 + mid, n = get_group_id(1) * 16 + get_local_id(0);
    for (int i = 0; i < k; i += 8) {
        bs[get_local_id(1)][get_local_id(0)] = B[n + (i + get_local_id(1)) * ldb];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; j++) {
            float a = A[m + (i + j) * lda];
            for (int kk = 0; kk < 16; kk++)
                c[kk] += a * bs[j][kk];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int t = ldc * get_group_id(1) * 16 + m;
    for (int i = 0; i < 16; i++)
        C[t + i * ldc] = C[t + i * ldc] * 0.5f + 1.2f * c[i];
}

// case jds_spmv
// 8192, 32, F(8192 * 24), I(8192 * 24, 8192), near(8192, 0), even_starts(24, 8192 * 24), I(8192 // 32, 24), F(8192), O(8192)
kernel void jds_spmv(global const float *data, global const int *index, global const int *perm, constant int *ptr,
                     constant int *nzcnt, global const float *x, global float *out)
{
    int ix = get_global_id(0);
    if (ix < 8192) {
        float sum = 0.0f;
        int bound = nzcnt[ix / 32];
        for (int k = 0; k < bound; k++) {
            int j = ptr[k] + ix;
            sum += data[j] * x[index[j]];
        }
        out[perm[ix]] = sum;
    }
}

// case stencil7_local
// (256, 32, 1), (32, 4, 1), F(256 * 32 * 32), O(256 * 32 * 32), S(256), S(32), S(32)
#define INDEX(x, y, z) ((x) + nx * ((y) + ny * (z)))
kernel void stencil7_local(global const float *A0, global float *Anext, int nx, int ny, int nz)
{
    int i = get_global_id(0), j = get_global_id(1), sx = get_local_id(0), sy = get_local_id(1);
    local float tile[4][32];
    if (i >= nx || j >= ny)
        return;
    float bottom = A0[INDEX(i, j, 0)], current = A0[INDEX(i, j, 1)];
    tile[sy][sx] = current;
    barrier(CLK_LOCAL_MEM_FENCE);
    bool w = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
    for (int k = 1; k < nz - 1; k++) {
        float top = A0[INDEX(i, j, k + 1)];
        if (w) {
            float l = sx == 0 ? A0[INDEX(i - 1, j, k)] : tile[sy][sx - 1];
            float r = sx == 31 ? A0[INDEX(i + 1, j, k)] : tile[sy][sx + 1];
            float u = sy == 0 ? A0[INDEX(i, j - 1, k)] : tile[sy - 1][sx];
            float d = sy == 3 ? A0[INDEX(i, j + 1, k)] : tile[sy + 1][sx];
            Anext[INDEX(i, j, k)] = (top + bottom + u + d + l + r) * 0.1f - current * 0.6f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        bottom = current;
        tile[sy][sx] = top;
        barrier(CLK_LOCAL_MEM_FENCE);
        current = top;
    }
}

// case gridding_gather
// (64, 64), (8, 8), F(4096 * 4), even_starts(1024, 4096), O(64 * 64 * 2)
kernel void gridding_gather(global const float4 *samples, global const int *bins, global float2 *grid)
{
    int x = get_global_id(0), y = get_global_id(1), bx = x / 2, by = y / 2;
    float2 sum = 0;
    for (int j = max(by - 1, 0); j <= min(by + 1, 31); j++)
        for (int i = max(bx - 1, 0); i <= min(bx + 1, 31); i++)
            for (int s = bins[j * 32 + i]; s < bins[j * 32 + i + 1]; s++) {
                float4 p = samples[s];
                float dx = (i + p.x) * 2 - x, dy = (j + p.y) * 2 - y, d = dx * dx + dy * dy;
                if (d < 6.25f) {
                    float w = exp(-1.2f * d);
                    sum += p.zw * w;
                }
            }
    grid[y * 64 + x] = sum;
}

// case gram_norm
// 1, 1, F(256 * 256), O(256 * 256), S(7), S(256), S(256)
kernel void gram_norm(global const float *a, global float *r, int k, int m, int n)
{
    if (get_global_id(0) == 0) {
        float nrm = 0;
        for (int i = 0; i < m; i++)
            nrm += a[i * n + k] * a[i * n + k];
        r[k * n + k] = sqrt(nrm);
    }
}

// case gram_project
// 256, 64, F(256 * 256), O(256 * 256), F(256 * 256), S(7), S(256), S(256), O(256 * 256)
kernel void gram_project(global const float *a, global float *r, global const float *q, int k, int m, int n, global float *out)
{
    int j = get_global_id(0);
    if (j > k && j < n) {
        r[k * n + j] = 0;
        for (int i = 0; i < m; i++)
            r[k * n + j] += q[i * n + k] * a[i * n + j];
        for (int i = 0; i < m; i++)
            out[i * n + j] = a[i * n + j] - q[i * n + k] * r[k * n + j];
    }
}

// case doitgen
// (32, 32), (32, 8), F(32 * 32 * 32), F(32 * 32), O(32 * 32 * 32), S(32), S(5)
kernel void doitgen(global const float *A, global const float *C4, global float *sum, int np, int r)
{
    int p = get_global_id(0), q = get_global_id(1);
    for (int rr = 0; rr < r; rr++) {
        sum[rr * np * np + q * np + p] = 0;
        for (int s = 0; s < np; s++)
            sum[rr * np * np + q * np + p] = sum[rr * np * np + q * np + p] + A[rr * np * np + q * np + s] * C4[s * np + p];
    }
}

// case covar_matrix
// 128, 32, F(128 * 128), O(128 * 128), S(128), S(128)
kernel void covar_matrix(global const float *data, global float *symmat, int m, int n)
{
    int j1 = get_global_id(0);
    if (j1 < m)
        for (int j2 = j1; j2 < m; j2++) {
            symmat[j1 * m + j2] = 0;
            for (int i = 0; i < n; i++)
                symmat[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
            symmat[j2 * m + j1] = symmat[j1 * m + j2];
        }
}

// case std_columns
// 512, 128, F(512), O(512), F(256 * 512), S(512), S(256)
kernel void std_columns(global const float *mean, global float *std, global const float *data, int m, int n)
{
    int j = get_global_id(0);
    if (j < m) {
        std[j] = 0;
        for (int i = 0; i < n; i++)
            std[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
        std[j] /= n;
        std[j] = sqrt(std[j]);
        if (std[j] <= 0.005f)
            std[j] = 1;
    }
}

// case gesummv
// 512, 64, F(512 * 256), F(512 * 256), F(256), O(512), O(512), S(256)
kernel void gesummv(global const float *a, global const float *b, global const float *x, global float *y, global float *tmp, int n)
{
    int i = get_global_id(0);
    tmp[i] = 0;
    y[i] = 0;
    for (int j = 0; j < n; j++) {
        tmp[i] += a[i * n + j] * x[j];
        y[i] += b[i * n + j] * x[j];
    }
    y[i] = 1.5f * tmp[i] + 1.2f * y[i];
}

// case trmm
// (128, 128), (32, 8), F(128 * 128), F(128 * 128), O(128 * 128), S(128)
kernel void trmm(global const float *a, global const float *b, global float *c, int n)
{
    int j = get_global_id(0), i = get_global_id(1);
    float s = b[i * n + j];
    for (int k = i + 1; k < n; k++)
        s += a[k * n + i] * b[k * n + j];
    c[i * n + j] = 1.5f * s;
}

// case adi_columns
// 256, 64, F(256 * 256), F(256 * 256), O(256 * 256), S(256)
kernel void adi_columns(global const float *a, global const float *b, global float *x, int n)
{
    int i2 = get_global_id(0);
    x[i2] = b[i2];
    for (int i1 = 1; i1 < n; i1++)
        x[i1 * n + i2] = b[i1 * n + i2] - x[(i1 - 1) * n + i2] * a[i1 * n + i2] / (b[(i1 - 1) * n + i2] + 2);
}

// case fdtd_apml
// (64, 128), (16, 8), F(64), F(64), F(128), F(128), F(64), F(64), F(129 * 65 * 65), F(129 * 65 * 65), O(129 * 65 * 65), O(129 * 65 * 65)
kernel void fdtd_apml(global const float *czp, global const float *czm, global const float *cyp, global const float *cym,
                      global const float *cxph, global const float *cxmh, global const float *Ex, global const float *Ey,
                      global float *Bza, global float *Hz)
{
    int ix = get_global_id(0), iy = get_global_id(1), w = 65;
    for (int iz = 0; iz < 8; iz++) {
        int at = (iz * 128 + iy) * w + ix;
        float clf = Ex[at] - Ex[at + w] + Ey[at + 1] - Ey[at];
        float tmp = cym[iy] / (cyp[iy] + 1) * Bza[at] - 0.5f / (cyp[iy] + 1) * clf;
        Hz[at] = cxmh[ix] / (cxph[ix] + 1) * Hz[at] + 0.7f * czp[iz] / (cxph[ix] + 1) * tmp - 0.7f * czm[iz] / (cxph[ix] + 1) * Bza[at];
        Bza[at] = tmp;
    }
}

// case deriche_rows
// 256, 64, F(256 * 256), O(256 * 256), O(256 * 256), S(256)
kernel void deriche_rows(global const float *in, global float *y1, global float *out, int w)
{
    int i = get_global_id(0);
    float ym1 = 0, ym2 = 0, xm1 = 0;
    for (int j = 0; j < w; j++) {
        y1[i * w + j] = 0.2f * in[i * w + j] - 0.1f * xm1 + 1.2f * ym1 - 0.4f * ym2;
        xm1 = in[i * w + j];
        ym2 = ym1;
        ym1 = y1[i * w + j];
    }
    float yp1 = 0, yp2 = 0, xp1 = 0, xp2 = 0;
    for (int j = w - 1; j >= 0; j--) {
        float y2 = 0.15f * xp1 - 0.05f * xp2 + 1.2f * yp1 - 0.4f * yp2;
        xp2 = xp1;
        xp1 = in[i * w + j];
        yp2 = yp1;
        yp1 = y2;
        out[i * w + j] = y1[i * w + j] + y2;
    }
}

// case nussinov_diagonal
// 512, 64, I(512 * 512, 40), I(512, 4, np.int8), S(512), S(200)
kernel void nussinov_diagonal(global int *table, global const char *seq, int n, int d)
{
    int i = get_global_id(0), j = i + d;
    if (j >= n)
        return;
    int best = max(table[i * n + j - 1], table[(i + 1) * n + j]);
    int match = seq[i] + seq[j] == 3 ? 1 : 0;
    best = max(best, table[(i + 1) * n + j - 1] + match);
    for (int k = i + 1; k < j; k++)
        best = max(best, table[i * n + k] + table[(k + 1) * n + j]);
    table[i * n + j] = best;
}

// case su3_times_vector
// 1 << 13, 64, F((1 << 13) * 18), F((1 << 13) * 6), I(1 << 13, 1 << 13), O((1 << 13) * 6)
typedef struct {
    float2 e[3][3];
} Su3;
typedef struct {
    float2 c[3];
} Su3Vector;
kernel void su3_times_vector(global const Su3 *links, global const Su3Vector *in, global const int *neighbour, global Su3Vector *out)
{
    int i = get_global_id(0);
    Su3Vector v = in[neighbour[i]], r;
    for (int a = 0; a < 3; a++) {
        float2 s = 0;
        for (int b = 0; b < 3; b++) {
            float2 u = links[i].e[a][b];
            s.x += u.x * v.c[b].x - u.y * v.c[b].y;
            s.y += u.x * v.c[b].y + u.y * v.c[b].x;
        }
        r.c[a] = s;
    }
    out[i] = r;
}

// case shoc_md
// 4096, 128, F(4096 * 4), O(4096 * 4), I(4096 * 32, 4096), S(32), S(0.25, np.float32), S(1.5, np.float32), S(2.0, np.float32), S(4096)
kernel void shoc_md(global const float4 *position, global float4 *force, global const int *neighbours, int count,
                    float cutsq, float lj1, float lj2, int atoms)
{
    uint idx = get_global_id(0);
    float4 ipos = position[idx], f = {0.0f, 0.0f, 0.0f, 0.0f};
    int j = 0;
    while (j < count) {
        int jidx = neighbours[j * atoms + idx];
        float4 jpos = position[jidx];
        float delx = ipos.x - jpos.x, dely = ipos.y - jpos.y, delz = ipos.z - jpos.z;
        float r2inv = delx * delx + dely * dely + delz * delz + 0.05f;
        if (r2inv < cutsq) {
            r2inv = 1.0f / r2inv;
            float r6inv = r2inv * r2inv * r2inv;
            float forceC = r2inv * r6inv * (lj1 * r6inv - lj2) * 1e-9f;
            f.x += delx * forceC;
            f.y += dely * forceC;
            f.z += delz * forceC;
        }
        j++;
    }
    force[idx] = f;
}

// case s3d_rate
// 4096, 64, F(4096), F(22 * 4096), O(12 * 4096)
#define C(q) (c[(q) * 4096 + i] * 1e-3f)
#define RF(q) rf[(q) * 4096 + i]
kernel void s3d_rate(global const float *t, global const float *c, global float *rf)
{
    int i = get_global_id(0);
    float temp = 1000 + t[i] * 1000, tinv = 1 / temp, lt = log(temp);
    RF(0) = exp(23.6f - 1.05f * lt - 8252.2f * tinv) * C(0) * C(1);
    RF(1) = exp(10.7f + 2.67f * lt - 3165.2f * tinv) * C(2) * C(3);
    RF(2) = exp(19.1f + 1.51f * lt * 0.5f - 1726.0f * tinv) * C(4) * C(5) * 1e-3f;
    RF(3) = exp(10.4f + 1.0f * lt + 1061.8f * tinv) * C(6) * C(6) * 1e-3f;
    float ctot = 0;
    for (int k = 0; k < 22; k++)
        ctot += C(k);
    float m = ctot + 1.5f * C(0) + 5 * C(5) + C(9) + 0.75f * C(10);
    RF(4) = exp(20.0f - 1.0f * lt) * m * C(1) * C(1);
    RF(5) = exp(18.0f - 0.6f * lt) * C(0) * C(1) * C(2);
    float pr = exp(5.0f + 0.5f * lt - 500 * tinv) * m;
    float fcent = log10(fmax(0.2f * exp(-temp / 94) + 0.8f * exp(-temp / 1756) + exp(-5182 * tinv), 1e-30f));
    float c1 = -0.4f - 0.67f * fcent, n = 0.75f - 1.27f * fcent, lpr = log10(fmax(pr, 1e-30f));
    float f1 = (lpr + c1) / (n - 0.14f * (lpr + c1));
    RF(6) = pr / (1 + pr) * pow(10.0f, fcent / (1 + f1 * f1)) * C(7);
    RF(7) = exp(24.0f - 0.9f * lt - 200 * tinv) * C(8) * C(9) * 1e-3f;
    for (int k = 8; k < 12; k++)
        RF(k) = native_exp(8.0f + k * 0.3f - 100 * k * tinv) * C(k) * C(k + 1);
}

// case sph_force
// 4096, 64, F(4096 * 4), F(4096 * 4), F(4096), even_starts(512, 4096), O(4096 * 4)
kernel void sph_force(global const float4 *pos, global const float4 *vel, global const float *density, global const int *cells, global float4 *acc)
{
    int i = get_global_id(0), cell = i / 8, cx = cell % 8, cy = cell / 8 % 8, cz = cell / 64;
    float4 p = pos[i], v = vel[i];
    float3 a = 0;
    float h = 0.5f, pi = density[i] + 0.5f;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++) {
                int nx = cx + x, ny = cy + y, nz = cz + z;
                if (nx < 0 || ny < 0 || nz < 0 || nx > 7 || ny > 7 || nz > 7)
                    continue;
                int c = (nz * 8 + ny) * 8 + nx;
                for (int j = cells[c]; j < cells[c + 1]; j++) {
                    if (j == i)
                        continue;
                    float3 d = p.xyz - pos[j].xyz;
                    float r = length(d);
                    if (r < h) {
                        float pj = density[j] + 0.5f;
                        a -= 0.5f * (pi + pj) / pj * (h - r) * (h - r) * d / (r + 1e-2f);
                        a += 0.1f * (vel[j].xyz - v.xyz) / pj * (h - r);
                    }
                }
            }
    acc[i] = (float4)(a, 0);
}

// case fem_scatter
// 8192, 64, I(8192 * 3, 4096), F(4096 * 2), O(4096)
void add_float(volatile global float *p, float v)
{
    uint old = as_uint(*p), seen;
    while ((seen = atomic_cmpxchg((volatile global uint *)p, old, as_uint(as_float(old) + v))) != old)
        old = seen;
}
kernel void fem_scatter(global const int *elements, global const float2 *nodes, global float *out)
{
    int e = get_global_id(0);
    int a = elements[3 * e], b = elements[3 * e + 1], c = elements[3 * e + 2];
    float2 pa = nodes[a], pb = nodes[b], pc = nodes[c];
    float area = fabs((pb.x - pa.x) * (pc.y - pa.y) - (pb.y - pa.y) * (pc.x - pa.x)) * 0.5f * 1e-4f;
    add_float(&out[a], area / 3);
    add_float(&out[b], area / 3);
    add_float(&out[c], area / 3);
}

// case rdf_hist
// 2048, 128, F(2048 * 4), O(64, np.uint32), S(2048)
kernel void rdf_hist(global const float4 *pos, global uint *hist, int n)
{
    local uint bins[64];
    local float4 tile[128];
    int l = get_local_id(0), i = get_global_id(0);
    if (l < 64)
        bins[l] = 0;
    float4 p = pos[i];
    for (int t = 0; t < n; t += 128) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l] = pos[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 128; k++) {
            float4 d = p - tile[k];
            d -= rint(d);
            int b = (int)(sqrt(d.x * d.x + d.y * d.y + d.z * d.z) * 64);
            if (b < 32 && t + k != i)
                atomic_inc(&bins[b]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 64)
        atomic_add(&hist[l], bins[l]);
}

// case pic_deposit
// 1 << 15, 256, F(1 << 15), F(1 << 15), O(64 * 64, np.int32)
kernel void pic_deposit(global const float *x, global const float *y, global int *rho)
{
    int i = get_global_id(0);
    float px = x[i] * 62.99f, py = y[i] * 62.99f;
    int ix = (int)px, iy = (int)py;
    float fx = px - ix, fy = py - iy;
    atomic_add(&rho[iy * 64 + ix], (int)((1 - fx) * (1 - fy) * 1024));
    atomic_add(&rho[iy * 64 + ix + 1], (int)(fx * (1 - fy) * 1024));
    atomic_add(&rho[(iy + 1) * 64 + ix], (int)((1 - fx) * fy * 1024));
    atomic_add(&rho[(iy + 1) * 64 + ix + 1], (int)(fx * fy * 1024));
}

// case boris_push
// 1 << 14, 64, F((1 << 14) * 6), F(32 * 32 * 8), O((1 << 14) * 6)
typedef struct {
    float x, y, z, vx, vy, vz;
} Particle;
kernel void boris_push(global const Particle *in, global const float8 *field, global Particle *out)
{
    int i = get_global_id(0);
    Particle p = in[i];
    int cell = (int)(p.y * 31.9f) * 32 + (int)(p.x * 31.9f);
    float8 f = field[cell];
    float3 e = f.s012 * 0.05f, b = f.s345 * 0.05f, v = (float3)(p.vx, p.vy, p.vz);
    float3 minus = v + e, t = b, prime = minus + cross(minus, t), s = 2 * t / (1 + dot(t, t));
    float3 plus = minus + cross(prime, s);
    v = plus + e;
    p.vx = v.x, p.vy = v.y, p.vz = v.z;
    p.x += 0.01f * v.x, p.y += 0.01f * v.y, p.z += 0.01f * v.z;
    p.x -= floor(p.x), p.y -= floor(p.y), p.z -= floor(p.z);
    out[i] = p;
}

// case hllc_flux
// (128, 64), (32, 4), F(129 * 64 * 4), O(128 * 64 * 4)
kernel void hllc_flux(global const float4 *u, global float4 *flux)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 l = u[y * 129 + x], r = u[y * 129 + x + 1];
    float rl = l.x + 1, rr = r.x + 1, ul = l.y / rl, ur = r.y / rr, vl = l.z / rl, vr = r.z / rr, el = l.w + 2, er = r.w + 2;
    float pl = 0.4f * (el - 0.5f * rl * (ul * ul + vl * vl)), pr = 0.4f * (er - 0.5f * rr * (ur * ur + vr * vr));
    float cl = sqrt(1.4f * pl / rl), cr = sqrt(1.4f * pr / rr);
    float sl = fmin(ul - cl, ur - cr), sr = fmax(ul + cl, ur + cr);
    float sm = (pr - pl + rl * ul * (sl - ul) - rr * ur * (sr - ur)) / (rl * (sl - ul) - rr * (sr - ur));
    float4 fl = (float4)(rl * ul, rl * ul * ul + pl, rl * ul * vl, ul * (el + pl));
    float4 fr = (float4)(rr * ur, rr * ur * ur + pr, rr * ur * vr, ur * (er + pr));
    float4 f;
    if (sl >= 0)
        f = fl;
    else if (sm >= 0) {
        float k = rl * (sl - ul) / (sl - sm);
        float4 star = k * (float4)(1, sm, vl, el / rl + (sm - ul) * (sm + pl / (rl * (sl - ul))));
        f = fl + sl * (star - (float4)(rl, rl * ul, rl * vl, el));
    } else if (sr >= 0) {
        float k = rr * (sr - ur) / (sr - sm);
        float4 star = k * (float4)(1, sm, vr, er / rr + (sm - ur) * (sm + pr / (rr * (sr - ur))));
        f = fr + sr * (star - (float4)(rr, rr * ur, rr * vr, er));
    } else
        f = fr;
    flux[y * 128 + x] = f;
}

// case cg_fused
// 1 << 16, 256, F(1 << 16), F(1 << 16), F(1 << 16), O(1 << 16), O(256), S(0.25, np.float32)
kernel void cg_fused(global const float *p, global const float *ap, global const float *r, global float *x, global float *partial, float alpha)
{
    local float sums[256];
    size_t i = get_global_id(0), l = get_local_id(0);
    x[i] = fma(alpha, p[i], x[i]) * 0.5f;
    float rn = fma(-alpha, ap[i], r[i]);
    sums[l] = rn * rn;
    for (size_t s = get_local_size(0) >> 1; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            sums[l] += sums[l + s];
    }
    if (l == 0)
        partial[get_group_id(0)] = sums[0];
}

// case trsv_levels
// 2048, 64, even_starts(8192, 8192 * 6), I(8192 * 6, 4096), F(8192 * 6), I(2048, 2048), F(8192), F(8192), O(8192)
kernel void trsv_levels(global const int *rows, global const int *cols, global const float *vals, global const int *order,
                        global const float *b, global const float *x, global float *out)
{
    int row = 4096 + order[get_global_id(0)];
    float s = b[row];
    int j = rows[row], end = rows[row + 1] - 1;
    for (; j < end; ++j)
        s -= vals[j] * x[cols[j]];
    out[row] = s / (vals[end] + 1.0f);
}

// case prolong3d
// (64, 32, 32), None, F(33 * 17 * 17), O(64 * 32 * 32)
kernel void prolong3d(global const float *coarse, global float *fine)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int cx = x >> 1, cy = y >> 1, cz = z >> 1;
    float s = 0;
    for (int k = 0; k <= (z & 1); k++)
        for (int j = 0; j <= (y & 1); j++)
            for (int i = 0; i <= (x & 1); i++)
                s += coarse[((cz + k) * 17 + cy + j) * 33 + cx + i];
    int n = (1 + (x & 1)) * (1 + (y & 1)) * (1 + (z & 1));
    fine[(z * 32 + y) * 64 + x] += s / n;
}

// case mc_lookback
// 4096, 64, O(4096), S(64)
typedef struct {
    uint s[4];
} Rng;
uint rng_next(Rng *r)
{
    uint t = r->s[3], s = r->s[0];
    r->s[3] = r->s[2];
    r->s[2] = r->s[1];
    r->s[1] = s;
    t ^= t << 11;
    t ^= t >> 8;
    r->s[0] = t ^ s ^ (s >> 19);
    return r->s[0];
}
float rng_uniform(Rng *r)
{
    return (rng_next(r) >> 8) * (1.0f / 16777216.0f) + 1e-8f;
}
kernel void mc_lookback(global float *price, int steps)
{
    int i = get_global_id(0);
    Rng rng = {{i * 2654435761u + 1, i ^ 362436069u, 521288629u, 88675123u}};
    float s = 100, most = 100;
    for (int k = 0; k < steps; k += 2) {
        float u = rng_uniform(&rng), v = rng_uniform(&rng);
        float r = sqrt(-2 * log(u)), c, n = sincos(6.2831853f * v, &c);
        s *= exp(-0.0001f + 0.02f * r * n);
        most = fmax(most, s);
        s *= exp(-0.0001f + 0.02f * r * c);
        most = fmax(most, s);
    }
    price[i] = most - s;
}

// case ewald_recip
// 1024, 64, F(1024 * 4), F(256 * 4), O(1024 * 4)
kernel void ewald_recip(global const float4 *atoms, global const float4 *kvec, global float4 *force)
{
    int i = get_global_id(0);
    float4 a = atoms[i];
    float fx = 0, fy = 0, fz = 0;
    for (int k = 0; k < 256; k++) {
        float4 v = kvec[k];
        float phase = 6.2831853f * (v.x * a.x + v.y * a.y + v.z * a.z), c;
        float s = sincos(phase, &c);
        float w = a.w * (v.w * s - 0.5f * c);
        fx += w * v.x;
        fy += w * v.y;
        fz += w * v.z;
    }
    force[i] = (float4)(fx, fy, fz, 0);
}

// case maxwell_yee
// (64, 32, 32), (64, 2, 1), F(65 * 33 * 33), F(65 * 33 * 33), F(65 * 33 * 33), O(65 * 33 * 33), O(65 * 33 * 33), O(65 * 33 * 33)
#define IDX(x, y, z) (((z) * 33 + (y)) * 65 + (x))
kernel void maxwell_yee(global const float *ex, global const float *ey, global const float *ez,
                        global float *hx, global float *hy, global float *hz)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2), i = IDX(x, y, z);
    hx[i] -= 0.4f * ((ez[IDX(x, y + 1, z)] - ez[i]) - (ey[IDX(x, y, z + 1)] - ey[i]));
    hy[i] -= 0.4f * ((ex[IDX(x, y, z + 1)] - ex[i]) - (ez[IDX(x + 1, y, z)] - ez[i]));
    hz[i] -= 0.4f * ((ey[IDX(x + 1, y, z)] - ey[i]) - (ex[IDX(x, y + 1, z)] - ex[i]));
}

// case ising_philox
// (128, 64), (32, 4), I(256 * 64, 2, np.int8), O(256 * 64, np.int8), S(7)
kernel void ising_philox(global const char *spin, global char *out, uint sweep)
{
    int j = get_global_id(0), y = get_global_id(1), x = 2 * j + (y & 1);
    uint2 c = (uint2)(y * 128 + j, sweep);
    uint key = 0xCAFE;
    for (int r = 0; r < 7; r++) {
        uint hi = mul_hi(0xD256D193u, c.x), lo = 0xD256D193u * c.x;
        c = (uint2)(hi ^ key ^ c.y, lo);
        key += 0x9E3779B9u;
    }
    int left = (x + 255) & 255, right = (x + 1) & 255, up = (y + 63) & 63, down = (y + 1) & 63;
    int s = 2 * spin[y * 256 + x] - 1;
    int n = 2 * (spin[y * 256 + left] + spin[y * 256 + right] + spin[up * 256 + x] + spin[down * 256 + x]) - 4;
    float p = exp(-0.8f * s * n);
    out[y * 256 + x] = c.x * 2.3283064e-10f < p ? -s : s;
}

// case dem_contact
// 4096, 64, F(4096 * 3), F(4096 * 3), F(4096), I(4096 * 12, 4096), O(4096 * 3)
kernel void dem_contact(global const float *pos, global const float *vel, global const float *radius, global const int *list, global float *force)
{
    int i = get_global_id(0);
    float3 p = vload3(i, pos), v = vload3(i, vel), f = 0;
    float ri = radius[i] * 0.3f;
    for (int k = 0; k < 12; k++) {
        int j = list[i * 12 + k];
        float3 d = vload3(j, pos) - p;
        float dist = length(d), overlap = ri + radius[j] * 0.3f - dist;
        if (overlap > 0 && j != i) {
            float3 n = d / (dist + 0.01f), w = vload3(j, vel) - v;
            float vn = dot(w, n);
            float3 vt = w - vn * n;
            f += (0.2f * vn - 10 * overlap) * n + 0.1f * vt;
        }
    }
    vstore3(f, i, force);
}

// case rtm_order8
// (128, 32), (32, 8), F(136 * 40 * 24), F(136 * 40 * 24), O(136 * 40 * 24)
constant float stencil_c[5] = {-2.84722f, 1.6f, -0.2f, 0.025397f, -0.001786f};
kernel void rtm_order8(global const float *p, global const float *v, global float *next)
{
    local float tile[16][40];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0) + 4, y = get_global_id(1) + 4;
    int plane = 136 * 40, i = y * 136 + x;
    float front[4], behind[4], here;
    for (int k = 0; k < 4; k++)
        behind[3 - k] = p[i + k * plane];
    here = p[i + 4 * plane];
    for (int k = 0; k < 4; k++)
        front[k] = p[i + (5 + k) * plane];
    for (int z = 4; z < 20; z++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int at = i + z * plane;
        tile[ly + 4][lx + 4] = here;
        if (ly < 4) {
            tile[ly][lx + 4] = p[at - 4 * 136];
            tile[ly + 12][lx + 4] = p[at + 8 * 136];
        }
        if (lx < 4) {
            tile[ly + 4][lx] = p[at - 4];
            tile[ly + 4][lx + 36] = p[at + 32];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        float s = 3 * stencil_c[0] * here;
        for (int k = 1; k <= 4; k++)
            s += stencil_c[k] * (front[k - 1] + behind[k - 1] + tile[ly + 4][lx + 4 - k] + tile[ly + 4][lx + 4 + k] +
                                 tile[ly + 4 - k][lx + 4] + tile[ly + 4 + k][lx + 4]);
        next[at] = 2 * here - next[at] * 0.1f + v[at] * s * 0.01f;
        for (int k = 3; k > 0; k--)
            behind[k] = behind[k - 1];
        behind[0] = here;
        here = front[0];
        for (int k = 0; k < 3; k++)
            front[k] = front[k + 1];
        front[3] = z < 19 ? p[at + 5 * plane] : 0;
    }
}
