// The address of an element or member compared with a null pointer: unoptimised, clang-22 gives the address the null's type.
// RUN: heddle run %s k --cl -cl-opt-disable --cl -cl-std=CL3.0 --global 4 --arg u32[4] --arg u8[64]=zeros
// RUN: heddle run %s k --cl -cl-opt-disable --global 4 --arg u32[4] --arg u8[64]=zeros
// RUN: heddle run %s k --global 4 --arg u32[4] --arg u8[64]=zeros
// RUN: heddle check %s k --global 4 --arg u32[4] --arg u8[64]=zeros
// CHECK: arg 0: u32[4] = 27, 27, 27, 27
// CHECK-NOT: repair.
struct S {
    int a;
    uchar *p[2];
    float f;
};

static int tell(struct S *g, local struct S *h, global struct S *x)
{
    int sum = 0;
    if ((void *)0 != &g->p[1])
        sum += 1;
    if ((int *)0 != (int *)&g->f)
        sum += 2;
    if ((uchar *)0 == (uchar *)&g->p[0])
        sum += 4;
    if ((local uchar *)0 != (local uchar *)&h->f)
        sum += 8;
    if ((global void *)0 != &x->p[1])
        sum += 16;
    return sum;
}

kernel void k(global uint *o, global uchar *x)
{
    struct S g;
    local struct S h;
    o[get_global_id(0)] = tell(&g, &h, (global struct S *)x);
}
