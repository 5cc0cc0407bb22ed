/* The Mandelbrot set with smooth colours, four samples a pixel.
 *
 * Contraction is off, so that the host can follow every orbit to the last bit; only the colours
 * go through log2, whose last bits are the device's own.
 *
 * Intel's runtime 2026.22 draws stripes from the module that clang-22 makes of this at -O0, unless
 * it is told not to vectorise (CL_CONFIG_CPU_VECTORIZER_MODE=1); from -O1 on it is right.
 *
 * SPDX-License-Identifier: MIT */
#pragma OPENCL FP_CONTRACT OFF

#define STOPS 6 /* the last stop is the first one again */
#define FAR 65536.0f

__constant float4 palette[STOPS] = {
    (float4)(0.00f, 0.03f, 0.39f, 0.00f), /* red, green, blue, place */
    (float4)(0.13f, 0.42f, 0.80f, 0.16f),
    (float4)(0.93f, 1.00f, 1.00f, 0.42f),
    (float4)(1.00f, 0.67f, 0.00f, 0.64f),
    (float4)(0.20f, 0.01f, 0.05f, 0.86f),
    (float4)(0.00f, 0.03f, 0.39f, 1.00f),
};

/* The colour at `place`, from 0 to 1 around the palette. */
float3 colour_at(float place)
{
    int i = 0;

    while (i < STOPS - 2 && place >= palette[i + 1].w)
        i++;
    float t = (place - palette[i].w) / (palette[i + 1].w - palette[i].w);

    return mix(palette[i].xyz, palette[i + 1].xyz, t * t * (3.0f - 2.0f * t));
}

/* The colour of the point c: black inside the set, else by the number of steps to escape, made
 * continuous by how far beyond the border the last step went. */
float3 sample(float cx, float cy, uint limit)
{
    float x = 0.0f, y = 0.0f, square = 0.0f;
    uint n = 0;

    while (n < limit && square < FAR) {
        float next = x * x - y * y + cx;

        y = 2.0f * x * y + cy;
        x = next;
        square = x * x + y * y;
        n++;
    }
    if (square < FAR)
        return (float3)(0.0f);
    float steps = (float)n + 4.0f - log2(log2(square));
    float place = 0.8f * log2(steps);

    return colour_at(place - floor(place));
}

__kernel void mandelbrot(__global uchar4 *picture, uint width, uint height, float centre_x,
                         float centre_y, float step, uint limit)
{
    uint px = get_global_id(0), py = get_global_id(1);
    float3 sum = (float3)(0.0f);

    if (px >= width || py >= height)
        return;
    for (uint s = 0; s < 4; s++) {
        float dx = (float)px + 0.5f * (float)(s & 1) - 0.5f * (float)width;
        float dy = (float)py + 0.5f * (float)(s >> 1) - 0.5f * (float)height;

        sum += sample(centre_x + step * dx, centre_y - step * dy, limit);
    }
    sum = sum * (0.25f * 255.0f) + 0.5f;
    picture[py * width + px] = (uchar4)((uchar)sum.x, (uchar)sum.y, (uchar)sum.z, 255);
}
