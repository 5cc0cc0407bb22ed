/* interp/room.c -- memory that is passed from group to group.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interp/room.h"

#include "base/memory.h"
#include "interp/state.h"

#define ALIGN 64u
#define LARGE                                                                          \
    (UINT64_C(1) << 20) /* the system's empty pages are cheaper than clearing old ones \
                         */

struct HdInterpRooms {
    const HdInterpProgram *p;
    pthread_mutex_t lock;
    HdRoom *free;
};

static void drop(HdRoom *m, const HdInterpProgram *p)
{
    for (uint32_t i = 0; m->frames != NULL && i < p->m->function_count; i++)
        while (m->frames[i] != NULL) {
            HdInterpFrame *f = m->frames[i];

            m->frames[i] = f->caller;
            hd_free(f);
        }
    for (size_t i = 0; i < m->more.count; i++)
        hd_free(m->more.at[i]);
    HD_ARRAY_FREE(&m->more);
    hd_free(m->frames);
    hd_free(m->block);
    hd_free(m);
}

HdStatus hd_interp_rooms_open(const HdInterpProgram *p, HdInterpRooms **out)
{
    HD_TAKE(*out, hd_alloc_zero(sizeof **out));
    (*out)->p = p;
    pthread_mutex_init(&(*out)->lock, NULL);
    return HD_OK;
}

void hd_interp_rooms_close(HdInterpRooms *rooms)
{
    if (rooms == NULL)
        return;
    while (rooms->free != NULL) {
        HdRoom *m = rooms->free;

        rooms->free = m->next;
        drop(m, rooms->p);
    }
    pthread_mutex_destroy(&rooms->lock);
    hd_free(rooms);
}

HdRoom *hd_room_get(HdInterpRooms *rooms, const HdInterpProgram *p)
{
    HdRoom *m = NULL;

    if (rooms != NULL) {
        pthread_mutex_lock(&rooms->lock);
        m = rooms->free;
        if (m != NULL)
            rooms->free = m->next;
        pthread_mutex_unlock(&rooms->lock);
    }
    if (m != NULL)
        return m;
    m = hd_alloc_zero(sizeof *m);
    if (m == NULL)
        return NULL;
    m->frames = hd_alloc_zero((p->m->function_count + 1) * sizeof *m->frames);
    if (m->frames == NULL) {
        hd_free(m);
        return NULL;
    }
    return m;
}

void hd_room_put(HdInterpRooms *rooms, HdRoom *m, const HdInterpProgram *p)
{
    if (rooms == NULL) {
        drop(m, p);
        return;
    }
    for (size_t i = 0; i < m->more.count; i++)
        hd_free(m->more.at[i]);
    m->more.count = 0;
    if (m->wanted > m->room) { /* next time it is in one piece */
        hd_free(m->block);
        m->block = hd_alloc((size_t)m->wanted + ALIGN);
        m->room = m->block != NULL ? m->wanted : 0;
    }
    m->used = m->wanted = 0;
    pthread_mutex_lock(&rooms->lock);
    m->next = rooms->free;
    rooms->free = m;
    pthread_mutex_unlock(&rooms->lock);
}

void *hd_room_take(HdRoom *m, uint64_t bytes)
{
    uint64_t first = (uint64_t)(uintptr_t)m->block, at = (first + ALIGN - 1) / ALIGN * ALIGN;
    uint64_t take = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    void *more;

    if (bytes > SIZE_MAX / 4)
        return NULL;
    if (take <= LARGE) {
        m->wanted += take;
        if (take <= m->room - m->used) {
            m->used += take;
            return memset((void *)(uintptr_t)(at + m->used - take), 0, (size_t)bytes);
        }
    }
    more = hd_alloc_zero((size_t)take + ALIGN);
    if (more != NULL && !HD_PUSH(NULL, &m->more, more)) {
        hd_free(more);
        more = NULL;
    }
    if (more == NULL)
        return NULL;
    return (void *)(((uintptr_t)more + ALIGN - 1) / ALIGN * ALIGN);
}
