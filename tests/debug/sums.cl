// What the debugger's tests step through: calls, a loop, local memory, a barrier, a structure.
struct Pair {
  int a;
  float b[3];
};

float twice(float x, int i) {
  float y = x * 2.0f;
  y += i;
  return y;
}

kernel void sums(global float *out, global const float *in, int n, local float *part) {
  int i = get_global_id(0);
  int l = get_local_id(0);
  struct Pair p = {i, {1, 2, 3}};
  part[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int j = 0; j < 3; j++)
    sum += twice(part[(l + j) % 4], j) + p.b[j];
  if (i < n)
    out[i] = sum;
}

kernel void outside(global int *out) {
  int i = get_global_id(0);
  if (i < 4)
    out[i] = i;
  else
    out[i + 4] = -i;
}

kernel void forever(global volatile int *out) {
  while (out[get_global_id(0)] == 0)
    ;
}
