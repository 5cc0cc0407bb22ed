// A table of names for printf, in a constant array and through a structure.
// RUN: heddle run %s k --global 1 --arg i32[1]
// RUN: heddle run %s k --cl -cl-opt-disable --global 1 --arg i32[1]
// RUN: heddle run %s k --cl -cl-std=CL3.0 --global 1 --arg i32[1]
// WIDTHS: 4
// CHECK: 0: fine, second of three: -1
// CHECK-NEXT: 1: too small, third: -22
// CHECK-NEXT: 2: bad, x: -5
typedef struct {
    int code;
    constant char *text;
} Error;

constant char *constant names[] = {"fine", "too small", "bad"};
constant Error errors[] = {{-1, "second of three"}, {-22, "third"}, {-5, "x"}};

kernel void k(global int *o)
{
    for (int i = 0; i < 3; i++)
        printf("%d: %s, %s: %d\n", i, names[i], errors[i].text, errors[i].code);
}
