// The twin of dangling.cl: nothing to find.
// RUN: heddle check %s good --global 1 --cl -O0 --arg i32[1]
// CHECK-NOT: [check.

int use(int *p)
{
    return *p;
}

kernel void good(global int *out)
{
    int x = 3;

    out[0] = use(&x);
}
