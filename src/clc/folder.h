/* clc/folder.h -- the private folder of one compilation.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef HD_CLC_FOLDER_H
#define HD_CLC_FOLDER_H

#include <stdbool.h>

#define HD_CLC_FOLDER_ROOM 2304

typedef struct HdClcFolder {
    char path[HD_CLC_FOLDER_ROOM]; /* "": none */
    int lock;                      /* held while the folder is used */
    bool is_alone;                 /* not in the folder of all */
} HdClcFolder;

/* Where folders are made: TMPDIR or /tmp. Valid until the environment changes. */
const char *hd_clc_folder_parent(void);
/* Make an empty folder there that only this user can look into. What processes left
 * that were killed meanwhile is removed. False when it cannot be made: errno says why.
 * Threads: re-entrant. */
bool hd_clc_folder_open(HdClcFolder *f);
/* Remove it with all that is in it. */
void hd_clc_folder_close(HdClcFolder *f);

#endif
