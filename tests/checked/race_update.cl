// A histogram without atomics: updates are lost, also where all write the same value, and a barrier does not help.
// RUN: heddle check %s bad --global 8 --local 8 --arg u8[8]=3,3,3,3,5,5,5,5 --arg u32[8]=zeros
// RUN: heddle check %s brief --global 8 --local 8 --arg u8[8]=3,3,3,3,5,5,5,5 --arg u32[8]=zeros
// EXIT: 1
// CHECK: error: a write of 4 bytes races with a read by another work-item of the work-group [check.race]
// CHECK: hint: one update is lost
// CHECK-NOT: check.race-same-value

kernel void bad(global const uchar *in, global uint *bins)
{
    int i = get_global_id(0);

    bins[in[i]] = bins[in[i]] + 1;
}

kernel void brief(global const uchar *in, global uint *bins)
{
    bins[in[get_global_id(0)]]++;
}
