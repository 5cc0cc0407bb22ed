#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Data { uint data[]; };
shared uint tile[8];
void main()
{
    uint i = gl_LocalInvocationIndex, g = gl_GlobalInvocationID.x;
    tile[i] = data[g];
    data[g] = tile[7 - i];
}
