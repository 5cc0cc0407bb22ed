// Work-items come into a switch at different cases, and fall through to where others came in; from some cases they leave
// the loop around it, or begin its next round.
// RUN: heddle run %s fall --global 40 --local 20 --arg u32[40]=zeros --arg u32[40]=random:5
// CHECK: arg 0: u32[40] = 85, 24260310, 1714835, 11375989, 8323326, 183555, 10346072, 13866350, 39336067, 47813645, 0, 2089362, 81185, 1326944, 120, 640397, 10158856, 5040, 101737289, 70, 1005, 18785369, 1654315, 1087172, 19140, 3102763, 49680702, 150, 7329342, 4861193, 2255582, 42113831, 978553, 16208615, 2193269, 1800, 28414256, 1061927, 39383390, 3089439
kernel void fall(global uint *out, global const uint *in)
{
    uint i = get_global_id(0), x = in[i], sum = i;

    for (uint r = 0; r < 6; r++) {
        switch (x >> (4 * r) & 7) {
        case 0: sum += 1;
        case 3: sum = sum * 3 + r;
        case 5:
            if (sum & 1)
                continue;
            sum += 100;
            break;
        case 1: sum ^= 0x55;
        case 2:
            if (sum % 5 == 0)
                goto out;
            /* fall through */
        default: sum += r << 8; break;
        case 7: sum -= 7;
        }
        sum ^= sum << 3;
    }
out:
    out[i] = sum;
}
