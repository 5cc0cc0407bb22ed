// Addresses as initial values: clang-22 writes them as chains that count bytes, whatever they point into.
// RUN: heddle run %s --cl -cl-std=CL3.0 --global 1 --arg i32[18]=zeros
// CHECK: arg 0: i32[18] = 4, 7, 2, 99, 8, 1, 2, 16, 3, 2, 77, 104, 119, 3, 2, 11, 1, 1
// WIDTHS: 4
typedef struct {
    int a;
    float b;
    char c[8];
    short s[4];
} Mixed;
typedef struct {
    int a;
    char b, c, d, e, f;
} Bytes; // member 4 is not at byte 4
typedef struct {
    global int *p;
    global float *q;
    int k;
} Pointers;
global Mixed mixed = {1, 2.0f, "abcdefg", {5, 6, 7, 8}};
global Bytes bytes = {10, 11, 12, 13, 14, 15};
global int a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
global int aa[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
global int *p1 = &a[4];
global int *p2 = &aa[1][2];
global float *p3 = &mixed.b;
global char *p4 = &mixed.c[2];
global short *p5 = &mixed.s[3];
global char *p6 = &bytes.b;
global int *pp[3] = {&a[1], &a[2], &aa[3][3]};
global Pointers pointers = {&a[3], &mixed.b, 77};
constant char text[] = "hello";
constant char *word = "world";
constant int numbers[4] = {1, 2, 3, 4};
constant int *constant number = &numbers[2];
global int *global *gpp = &pp[1];
// Null pointers that come from null pointers of the generic address space.
bool flag;
global bool *no_flag;
global char4 *no_vector;

kernel void k(global int *o)
{
    bool none = no_flag == 0 && no_vector == 0;

    o[0] = *p1;
    o[1] = *p2;
    o[2] = *p3;
    o[3] = *p4;
    o[4] = *p5;
    o[5] = *pp[0];
    o[6] = *pp[1];
    o[7] = *pp[2];
    o[8] = *pointers.p;
    o[9] = *pointers.q;
    o[10] = pointers.k;
    o[11] = text[o[17]];
    o[12] = word[o[17]];
    o[13] = *number;
    o[14] = **gpp;
    o[15] = *p6;
    no_flag = &flag;
    *no_flag = none;
    o[16] = flag;
    no_vector = (global char4 *)o;
    p6 = p4 = p4 + 1; // so that none of them is folded away
    p1++, p2++, p3++, p5++, pp[o[17]]++, pointers.p++, pointers.q++, gpp++;
    o[17] = none;
}
