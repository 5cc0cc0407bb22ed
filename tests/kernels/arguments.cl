/* Arguments of every kind by value; each work-item writes all it got.
 * SPDX-License-Identifier: MIT */
typedef struct {
    uchar tag;
    ushort value;
} Part;

typedef struct {
    float4 vector;
    int number;
    Part parts[3];
    long big;
    uchar3 colour;
} Parameters;

#define WORDS 40

__kernel void arguments(char c, ushort s, uchar3 colour, Parameters p, ulong2 longs, float3 f,
                        int16 wide, short2 pair, __global uint *out, uint n)
{
    uint i = get_global_id(0);

    if (i >= n)
        return;
    __global uint *w = out + i * WORDS;
    w[0] = i;
    w[1] = (uint)(int)c;
    w[2] = s;
    w[3] = colour.x, w[4] = colour.y, w[5] = colour.z;
    vstore4(as_uint4(p.vector), 0, w + 6);
    w[10] = as_uint(p.number);
    for (uint k = 0; k < 3; k++) {
        uint at = (k + i) % 3; /* not a constant: the structure needs an address */

        w[11 + 2 * at] = p.parts[at].tag;
        w[12 + 2 * at] = p.parts[at].value;
    }
    vstore2(as_uint2(p.big), 0, w + 17);
    w[19] = p.colour.x, w[20] = p.colour.y, w[21] = p.colour.z;
    vstore4(as_uint4(longs), 0, w + 22);
    vstore3(as_uint3(f), 0, w + 26);
    w[29] = (uint)(int)pair.x, w[30] = (uint)(int)pair.y;
    w[31] = as_uint(wide.s0), w[32] = as_uint(wide.s7), w[33] = as_uint(wide.sf);
    wide += (int)i;
    w[34] = as_uint(wide.s3);
    w[35] = sizeof(Parameters), w[36] = sizeof(Part), w[37] = sizeof(float3);
    p.number += (int)i; /* a work-item's copy is its own */
    w[38] = as_uint(p.number);
    w[39] = n;
}
