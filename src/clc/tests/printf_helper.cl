// A function that prints and is not static: clang-22's back end takes its format for one in other memory than it is.
// RUN: heddle run %s --global 1 --arg u32[1]=7
// RUN: heddle run %s --cl -g --global 1 --arg u32[1]=7
// RUN: heddle run %s --cl -cl-opt-disable --global 1 --arg u32[1]=7
// CHECK: x=7 of 2
void print(global uint *a, int n)
{
    printf("x=%d of %d\n", a[0], n);
}

kernel void prints(global uint *a)
{
    print(a, 2);
}
