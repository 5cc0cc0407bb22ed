/* interp/room.h -- memory that groups of one launch reuse.
 *
 * All groups of a launch need much the same memory, so a thread that has run one passes its memory
 * to the next: nothing is returned to the system in between.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_INTERP_ROOM_H
#define HD_INTERP_ROOM_H

#include "base/array.h"
#include "interp/interp.h"

struct HdInterpFrame;

typedef struct HdRoom {
    struct HdRoom *next;
    unsigned char *block; /* what most is taken from … */
    uint64_t room, used;
    uint64_t wanted; /* … and how large it should have been */
    HD_ARRAY(void *) more;
    struct HdInterpFrame **frames; /* [function_count] that have been left */
    uint64_t frame_bytes;          /* of all frames, left or not */
} HdRoom;

/* Get a room for a group, and return it. rooms == NULL: a new one. NULL: no memory. */
HdRoom *hd_room_get(HdInterpRooms *rooms, const HdInterpProgram *p);
void hd_room_put(HdInterpRooms *rooms, HdRoom *m, const HdInterpProgram *p);
/* Memory until the room is given back: zeroed, 64-byte aligned; NULL when there is none. */
void *hd_room_take(HdRoom *m, uint64_t bytes);

#endif
