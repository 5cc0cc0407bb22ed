// More values that live at once than registers and the margin of a stack hold: there is room for what is spilled.
// WIDTHS: 16
// RUN: heddle run %s --global 16 --arg f32[16]=zeros --arg f32[2000]=fill:1
// CHECK: arg 0: f32[16] = 2, 2, 2, 2
#define ROW(DO, n) DO(n##0) DO(n##1) DO(n##2) DO(n##3) DO(n##4) DO(n##5) DO(n##6) DO(n##7) DO(n##8) DO(n##9) DO(n##a) DO(n##b) DO(n##c) DO(n##d) DO(n##e) DO(n##f)
#define BLOCK(DO, n) ROW(DO, n##0) ROW(DO, n##1) ROW(DO, n##2) ROW(DO, n##3) ROW(DO, n##4) ROW(DO, n##5) ROW(DO, n##6) ROW(DO, n##7) \
    ROW(DO, n##8) ROW(DO, n##9) ROW(DO, n##a) ROW(DO, n##b) ROW(DO, n##c) ROW(DO, n##d) ROW(DO, n##e) ROW(DO, n##f)
#define ALL(DO) BLOCK(DO, 0x0) BLOCK(DO, 0x1) BLOCK(DO, 0x2) BLOCK(DO, 0x3) BLOCK(DO, 0x4) BLOCK(DO, 0x5)

#define LOAD(n) float a##n = x[g * 3 + n];
#define USE(n) s = s * 0.5f + a##n;

kernel void spill(global float *y, global const float *x)
{
    size_t g = get_global_id(0);

    ALL(LOAD)
    for (int k = 0; k < 3; k++) {
        float s = y[g];

        ALL(USE)
        y[g] = s;
    }
}
