// SPDX-License-Identifier: MIT
kernel void saxpy(global const float *x, global float *y, uint n, float a) {
    uint i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}
