/* base/crew.c -- work shared by several threads.
 *
 * SPDX-License-Identifier: MIT
 */
#include "base/crew.h"

#include <pthread.h>

#define MOST_OTHERS 255u

void hd_crew_run(unsigned threads, void *(*work)(void *), void *arg)
{
    pthread_t others[MOST_OTHERS];
    unsigned started = 0;

    while (started + 1 < threads && started < MOST_OTHERS &&
           pthread_create(&others[started], NULL, work, arg) == 0)
        started++;
    (void)work(arg);
    for (unsigned i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}
