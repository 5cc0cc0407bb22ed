/* tests/prespawn.h -- threads that run only while nothing else does, on machines where something
 * does.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef TESTS_SPARE_H
#define TESTS_SPARE_H

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* Let this process's threads with SCHED_IDLE run like others, if that is permitted, and give them a
 * moment. What waits for them calls this until it has come: how long that takes says nothing. */
static inline void spare_moment(void)
{
    const struct sched_param same = {0};
    DIR *d = opendir("/proc/self/task");

    for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.' && sched_getscheduler(atoi(e->d_name)) == SCHED_IDLE)
            (void)sched_setscheduler(atoi(e->d_name), SCHED_OTHER, &same);
    if (d != NULL)
        closedir(d);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

#endif
