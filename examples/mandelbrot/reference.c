/* examples/mandelbrot/reference.c -- the kernel's picture in plain C, one pixel at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

enum { STOPS = 6 };

static const float far = 65536.0f;

static const float palette[STOPS][4] = {
    {0.00f, 0.03f, 0.39f, 0.00f}, {0.13f, 0.42f, 0.80f, 0.16f}, {0.93f, 1.00f, 1.00f, 0.42f},
    {1.00f, 0.67f, 0.00f, 0.64f}, {0.20f, 0.01f, 0.05f, 0.86f}, {0.00f, 0.03f, 0.39f, 1.00f},
};

static void add_colour(float place, float sum[3])
{
    int i = 0;
    float t;

    while (i < STOPS - 2 && place >= palette[i + 1][3])
        i++;
    t = (place - palette[i][3]) / (palette[i + 1][3] - palette[i][3]);
    t = t * t * (3.0f - 2.0f * t);
    for (int k = 0; k < 3; k++)
        sum[k] += palette[i][k] + (palette[i + 1][k] - palette[i][k]) * t;
}

/* Adds the sample's colour; returns the steps it took. */
static uint32_t add_sample(float cx, float cy, uint32_t limit, float sum[3])
{
    float x = 0;
    float y = 0;
    float square = 0;
    uint32_t n = 0;
    float place;

    while (n < limit && square < far) {
        float next = x * x - y * y + cx;

        y = 2.0f * x * y + cy;
        x = next;
        square = x * x + y * y;
        n++;
    }
    if (square >= far) {
        place = 0.8f * log2f((float)n + 4.0f - log2f(log2f(square)));
        add_colour(place - floorf(place), sum);
    }
    return n;
}

static uint64_t reference_pixel(const View *v, uint32_t px, uint32_t py, uint8_t pixel[4])
{
    float sum[3] = {0, 0, 0};
    uint64_t steps = 0;

    for (uint32_t s = 0; s < 4; s++) {
        float dx = (float)px + 0.5f * (float)(s & 1) - 0.5f * (float)v->width;
        float dy = (float)py + 0.5f * (float)(s >> 1) - 0.5f * (float)v->height;

        steps += add_sample(v->centre_x + v->step * dx, v->centre_y - v->step * dy, v->limit, sum);
    }
    for (int k = 0; k < 3; k++)
        pixel[k] = (uint8_t)(sum[k] * (0.25f * 255.0f) + 0.5f);
    pixel[3] = 255;
    return steps;
}

size_t compare_with_reference(const View *view, const uint8_t *picture, int tolerance,
                              uint64_t *iterations)
{
    size_t differ = 0;

    *iterations = 0;
    for (uint32_t py = 0; py < view->height; py++)
        for (uint32_t px = 0; px < view->width; px++) {
            const uint8_t *got = picture + 4 * ((size_t)py * view->width + px);
            uint8_t want[4];
            int worst = 0;

            *iterations += reference_pixel(view, px, py, want);
            for (int k = 0; k < 4; k++)
                worst = abs(got[k] - want[k]) > worst ? abs(got[k] - want[k]) : worst;
            differ += worst > tolerance;
        }
    return differ;
}
