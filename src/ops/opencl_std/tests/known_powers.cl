// pow and pown with exponents that the program writes give what they give with exponents of the same value that
// nobody knows: to four units in the last place, with the same infinities, zeros, signs and NaNs.
// The first eight numbers are edges; the rest ascends from denormals to what overflows.
// RUN: heddle run %s k --global 24 --local 8 --arg f32[24]=0,-0.0,inf,-inf,nan,-2,1,-1,1e-44,3e-39,2e-23,1e-20,1e-12,0.001,0.3,0.7,1.1,1.9,7,1e5,4e9,1e13,2e19,3e38 --arg f32[11]=0,1,2,3,4,-1,0.5,1.5,-0.5,-1.5,2.5 --arg i32[24]=zeros --expect 2=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0
int far(float a, float b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : abs(as_int(a) - as_int(b)) > 4;
}

int far_double(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) != isnan(b) : abs(as_long(a) - as_long(b)) > 4;
}

#define SAME(k, c) (far(pow(x, c), pow(x, e[k])) | far_double(pow(y, (double)c), pow(y, (double)e[k])))
#define WHOLE(k, n) (far(pown(x, n), pown(x, (int)e[k])) | far_double(pown(y, n), pown(y, (int)e[k])))

kernel void k(global const float *in, global const float *e, global int *wrong)
{
    size_t i = get_global_id(0);
    float x = in[i];
    double y = i < 8 ? x : x * x * (x < 1 ? 1e-180 : 1e80);
    wrong[i] = SAME(0, 0.0f) | SAME(1, 1.0f) | SAME(2, 2.0f) | SAME(3, 3.0f) | SAME(4, 4.0f) | SAME(5, -1.0f) |
               SAME(6, 0.5f) | SAME(7, 1.5f) | SAME(8, -0.5f) | SAME(9, -1.5f) | SAME(10, 2.5f) |
               WHOLE(0, 0) << 1 | WHOLE(1, 1) << 1 | WHOLE(2, 2) << 1 | WHOLE(3, 3) << 1 | WHOLE(4, 4) << 1 |
               WHOLE(5, -1) << 1;
}
