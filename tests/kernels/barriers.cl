/* Barriers wherever the language allows them: in nested loops whose lengths come from memory,
 * behind conditions that are the same for the whole group, in a function, in a switch, with
 * work between them that differs from work-item to work-item.
 * SPDX-License-Identifier: MIT */

/* Every work-item adds what its neighbour has. */
void mix_with_neighbour(__local uint *room, uint step)
{
    uint lid = get_local_id(0);
    uint other = room[(lid + step) % get_local_size(0)];

    barrier(CLK_LOCAL_MEM_FENCE);
    room[lid] = room[lid] * 3 + other;
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void barriers(__global const uint *rounds, __global uint *out, __local uint *room)
{
    uint lid = get_local_id(0), size = get_local_size(0), group = get_group_id(0);
    uint turns = rounds[group];
    uint kept = lid; /* lives across all barriers */

    room[lid] = lid * 7 + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint turn = 0; turn < turns; turn++) {
        for (uint inner = 0; inner <= turn % 3; inner++) {
            mix_with_neighbour(room, inner + 1);
            if (turns & 1) {
                for (uint spin = 0; spin < lid % 5; spin++)
                    kept = kept * 5 + spin;
                barrier(CLK_LOCAL_MEM_FENCE);
                room[lid] ^= kept;
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
        if (room[0] % 7 == 3)
            break;
        kept += room[size - 1];
    }
    switch (turns) {
    case 0:
    case 3:
    case 7:
        mix_with_neighbour(room, 2);
        break;
    case 1:
    case 5:
        barrier(CLK_LOCAL_MEM_FENCE);
        kept += room[size - 1 - lid]; /* falls through */
    default:
        barrier(CLK_LOCAL_MEM_FENCE);
        kept ^= room[(lid * 3) % size];
    }
    out[get_global_id(0)] = room[lid] + kept;
}
