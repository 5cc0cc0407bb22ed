// Addresses as integers at program scope: of variables and of parts, in tables, structures and alone, in every address space.
// RUN: heddle run %s k --cl -cl-std=CL2.0 --global 8 --arg i32[12]
// RUN: heddle run %s k --cl -cl-std=CL3.0 --cl -cl-opt-disable --global 8 --arg i32[12]
// RUN: heddle run %s k --cl -cl-std=CL3.0 --engine interpreted --global 8 --arg i32[12]
// RUN: heddle check %s k --cl -cl-std=CLC++2021 --global 1 --arg i32[12]
// CHECK-NOT: {{byte [0-9]|warning}}
// CHECK: arg 0: i32[12] = 3, 4, 7, 3, 4, 6, 6, 5, 4, 6, 4, 9
constant int x = 3;
constant int y[4] = {8, 8, 9, 8};
constant ulong end[] = {(ulong)(y + 2), (ulong)(y + 4)};
global int g = 4;
global int h[3] = {5, 6, 7};
constant ulong t[] = {(ulong)&x, (ulong)&g, (ulong)(h + 2)};
global ulong u[] = {(ulong)&x, (ulong)&g, (ulong)(h + 1), (ulong)&t[1]};
global uint *gp = (global uint *)((ulong)h + 4);
constant struct { ulong a; int b; uintptr_t c[2]; } s = {(ulong)h, 3, {(ulong)&g, (ulong)&u[1]}};
global ulong lone = (ulong)(h + 1);
kernel void k(global int *o)
{
    int i = get_global_id(0) >> 8;
    o[0] = *(constant int *)t[i];
    o[1] = *(global int *)t[i + 1];
    o[2] = *(global int *)t[i + 2];
    o[3] = *(constant int *)u[i];
    o[4] = *(global int *)u[i + 1];
    o[5] = *(global int *)u[i + 2];
    o[6] = *gp;
    o[7] = *(global int *)s.a;
    o[8] = *(global int *)s.c[i];
    o[9] = *(global int *)lone;
    o[10] = *(global int *)*(global ulong *)s.c[i + 1];

    o[11] = end[1] - end[0] == 8 ? *(constant int *)end[i] : 0;
}
