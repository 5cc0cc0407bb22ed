// The lengths of size_t and ptrdiff_t.
// RUN: heddle run %s --cl -cl-std=CL3.0 --global 1 --arg u64[1]=5000000000
// CHECK: 5000000000 12a05f200 -5000000000| 10|
// WIDTHS: 1 4
kernel void k(global ulong *x)
{
    size_t s = x[0];
    ptrdiff_t d = -(long)x[0];

    printf("%zu %zx %td|%3zd|\n", s, s, d, (size_t)10);
}
