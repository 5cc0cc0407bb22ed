// Loops along private arrays, which are vectors where work-items run alone: shifted down and up by one and by three places, the
// other way round, where each element is made of the one before; in place and from one array to another, sums, and known and
// unknown numbers of elements.
// RUN: heddle run %s windows --global 3 --arg u8[300]=range --arg u32[300]=zeros --arg i32=97
// RUN: heddle run %s spread --global 3 --arg u32[210]=range --arg u32[210]=zeros --arg i32=69
// RUN: heddle run %s between --global 3 --arg i32[240]=range --arg i32[240]=zeros --arg i32=79
// RUN: heddle run %s between --global 3 --arg i32[240]=range --arg i32[240]=zeros --arg i32=3
// WIDTHS: 1 4 8 16 32
kernel void windows(global const uchar *in, global uint *out, int n)
{
    uchar window[70], ahead[70];
    int id = get_global_id(0);

    for (int i = 0; i < 70; i++)
        window[i] = ahead[i] = i * id;
    for (int t = 0; t < n; t++) {
        uint sum = 0;

        for (int i = 69; i > 0; i--)
            window[i] = window[i - 1];
        window[0] = in[id * 100 + t];
        for (int i = 0; i < 67; i++)
            ahead[i] = ahead[i + 3] + window[i];
        for (int i = 0; i < 70; i++)
            sum += ahead[i] ^ window[69 - i];
        out[id * 100 + t] = sum;
    }
}

kernel void spread(global const uint *in, global uint *out, int n)
{
    uint row[70];
    int id = get_global_id(0);

    for (int i = 0; i < 70; i++)
        row[i] = in[id * 70 + i];
    for (int i = 1; i < n; i++)
        row[i] = row[i - 1] * 3 + row[i];
    for (int i = n - 1; i >= 4; i--)
        row[i] -= row[i - 4];
    for (int i = 0; i + 5 < n; i++)
        row[i + 5] ^= row[i];
    for (int i = 0; i < 70; i++)
        out[id * 70 + i] = row[i];
}

kernel void between(global const int *in, global int *out, int n)
{
    int a[80], b[80], id = get_global_id(0), most = 0;

    for (int i = 0; i < 80; i++)
        a[i] = b[i] = in[id * 80 + i] * (i & 3);
    for (int c = n; c >= (a[5] & 15); c--)
        a[c] = max(a[c], b[n - c] + id);
    for (int i = 0; i < n; i++)
        most = max(most, a[i]);
    for (int i = 0; i < 80; i++)
        out[id * 80 + i] = a[i] + most;
}
