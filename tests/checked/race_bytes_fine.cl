// The twin of race_bytes.cl: nothing to find.
// RUN: heddle check %s good --global 16 --local 16 --arg u8[16]
// CHECK-NOT: [check.

kernel void good(global uchar *out)
{
    out[get_global_id(0)] = get_global_id(0);
}
