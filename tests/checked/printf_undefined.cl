// What nobody set is printed.
// RUN: heddle check %s bad --global 1 --arg i32[1]
// EXIT: 1
// CHECK: printf prints a value that is undefined [check.uninitialised]

kernel void bad(global int *out)
{
    int x;

    printf("%d\n", x);
    out[0] = 1;
}
