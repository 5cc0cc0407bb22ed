// Of two ways that whole sub-groups may take the one that gains more has code of its own without masks; lanes that part and
// those that all go the other way still take theirs.
// RUN: heddle run %s --global 40 --local 40 --arg f32[75]=range:1 --arg f32[80]=zeros --arg u32=75 --no-print --expect 1=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,0,0,0,0,0
// RUN: heddle run %s --global 40 --local 10 --arg f32[75]=range:1 --arg f32[80]=zeros --arg u32=75 --no-print --expect 1=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,0,0,0,0,0
kernel void copy(global const float *from, global float *to, uint n)
{
    uint first = (uint)get_global_id(0) * 2;

    if (first + 2 <= n)
        vstore2(vload2(0, from + first), 0, to + first);
    else
        for (uint i = first; i < n; i++)
            to[i] = from[i];
}
