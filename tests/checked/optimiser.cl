// What an optimiser takes out, since it may take undefined values for any: it is looked at all the same.
// RUN: heddle check %s bad --global 4 --arg f32[4]=range --arg f32[4] --arg i32=3
// EXIT: 1
// CHECK: optimiser.cl:19:{{.*}}: error: the host reads byte 0 of buffer 1, where this kernel stored an undefined value [check.uninitialised]
// CHECK: variable: sum
// CHECK: the value comes from memory that nobody wrote, in bad at {{.*}}optimiser.cl:18:
// CHECK: OpLoad %float %sum
// CHECK: check: 1 error, 0 notes in 1 launch

kernel void bad(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    float sum;

    if (n > 100)
        sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[i];
    out[i] = sum;
}

kernel void good(global const float *in, global float *out, int n)
{
    int i = get_global_id(0);
    float sum;

    if (n > 0)
        sum = 0;
    for (int k = 0; k < n; k++) {
        float part;

        part = in[i];
        sum += part;
    }
    out[i] = sum;
}
