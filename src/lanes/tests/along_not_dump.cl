// Rounds that wait for each other (their rows in half sub-groups on Zen 4), and what neighbours reach side by side, stay with lanes.
// RUN: heddle run %s prefix --global 64 --local 64 --arg f32[64]=zeros --arg f32[64]=zeros --arg i32=1 --dump lanes
// RUN: heddle run %s columns --global 64 --local 64 --arg f32[64]=zeros --arg f32[64]=zeros --arg i32=1 --dump lanes
// CPU: znver4
// WIDTHS: 16
// ENGINES: compiled
// CHECK: () -> () width {{8|16|32}} {
kernel void prefix(global float *out, global const float *in, int n)
{
    int row = get_global_id(0) * n;
    float s = 0;

    for (int j = 0; j < n; j++) {
        s += in[row + j];
        out[row + j] = s;
    }
}

kernel void columns(global float *out, global const float *in, int n)
{
    int column = get_global_id(0), width = get_global_size(0);

    for (int j = 0; j < n; j++)
        out[j * width + column] = in[j * width + column] * 2;
}
