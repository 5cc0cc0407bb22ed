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
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += STEP_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&p->changed, &p->lock, &until);
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
    pthread_cond_init(&p->changed, NULL);
    p->is_started = pthread_create(&p->thread, NULL, show_progress, p) == 0;
}

void hd_progress_stop(HdProgress *p)
{
    if (!p->is_started)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_over = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
}
