/* tool/progress.c -- how far a launch is, on the terminal.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define AFTER_MS 1000
#define STEP_MS  200

static void *show_progress(void *user)
{
    HdProgress *p = user;
    double start = hd_clock_ms();
    bool is_shown = false;

    pthread_mutex_lock(&p->lock);
    while (!p->is_over) {
        hd_cond_wait_ns(&p->changed, &p->lock, STEP_MS * UINT64_C(1000000));
        if (!p->is_over && hd_clock_ms() - start >= AFTER_MS) {
            uint64_t groups = atomic_load(&p->of.groups), taken = atomic_load(&p->of.taken);

            fprintf(stderr, "\r%5.1f%% of %llu work-groups, %.0f s ",
                    groups > 0 ? 100.0 * (double)taken / (double)groups : 0.0,
                    (unsigned long long)groups, (hd_clock_ms() - start) / 1000);
            is_shown = true;
        }
    }
    pthread_mutex_unlock(&p->lock);
    if (is_shown)
        fputs("\r\033[K", stderr);
    return NULL;
}

void hd_progress_start(HdProgress *p)
{
    if (!isatty(STDERR_FILENO))
        return;
    pthread_mutex_init(&p->lock, NULL);
    p->is_started = pthread_create(&p->thread, NULL, show_progress, p) == 0;
}

void hd_progress_stop(HdProgress *p)
{
    if (!p->is_started)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_over = true;
    hd_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
}
