// A race is known by both of its sides: a read that lacks two barriers is two findings.
// RUN: heddle check %s reader --global 64 --local 64 --arg i32[64]=fill:1 --arg i32[64]
// CHECK: written in reader at {{.*}}race_pairs.cl:13:
// CHECK: written in reader at {{.*}}race_pairs.cl:17:
// CHECK: check.race                   2 places
// EXIT: 1
// WIDTHS: 1 8
kernel void reader(global int *a, global int *b)
{
    local int s[64];
    int i = get_local_id(0);

    s[i] = a[i];
    for (int n = 0; n < 2; n++) {
        b[i] += s[63 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[i] = n;
    }
}
