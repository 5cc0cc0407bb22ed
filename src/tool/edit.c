/* tool/edit.c -- libedit, by the functions that it has in common with readline.
 *
 * Its completion is asked for a word without a word of ours, so the list of words is the one thing
 * that has to be where that function finds it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "tool/edit.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/strbuf.h"

#define MOST_LINES 1000

struct HdEdit {
    void *library;
    char *(*read)(const char *prompt);
    int (*add)(const char *line);
    int (*write)(const char *path);
    void (*prepare_terminal)(int meta);
    char **(*matches)(const char *text, char *(*next)(const char *text, int state));
    HdStrbuf path; /* of the history; empty: none is kept */
    char *last;
    const char *(*words)(unsigned i);
    bool (*wait)(void);
    unsigned at; /* word that completion tries next */
};

/* The editor of this process: there is one terminal. */
static HdEdit *editor;

/* The C library's memory, as readline has it. */
static char *next_word(const char *text, int state)
{
    size_t len = strlen(text);
    const char *word;

    if (state == 0)
        editor->at = 0;
    while ((word = editor->words(editor->at)) != NULL) {
        editor->at++;
        if (strncmp(word, text, len) == 0)
            return strdup(word);
    }
    return NULL;
}

/* Only the first word is ours; of others files are offered. */
static char **complete(const char *text, int start, int end)
{
    (void)end;
    return start == 0 ? editor->matches(text, next_word) : NULL;
}

/* The next byte. The library itself would wait in read(): a signal just before that would be seen
 * at the next key. */
static int next_byte(FILE *from)
{
    unsigned char byte;

    if (!editor->wait() || read(fileno(from), &byte, 1) != 1)
        return EOF;
    return byte;
}

/* Before the prompt. The library itself asks for single keys once the prompt is out: Ctrl-D between
 * the two would end a line for the terminal's driver and never come here. */
static int take_terminal(void)
{
    editor->prepare_terminal(1);
    return 0;
}

/* A function of the library into a pointer. */
static bool take(void *library, const char *name, void *into)
{
    void *found = dlsym(library, name);

    memcpy(into, &found, sizeof found);
    return found != NULL;
}

static bool take_all(HdEdit *e)
{
    char **(**completion)(const char *, int, int);
    int (**getc_function)(FILE *);
    int (**pre_input_hook)(void);
    void (*stifle)(int);
    int (*read_history)(const char *);
    const char **name;
    const char *home = getenv("HOME");

    if (!take(e->library, "readline", &e->read) || !take(e->library, "add_history", &e->add) ||
        !take(e->library, "rl_completion_matches", &e->matches) ||
        !take(e->library, "write_history", &e->write) ||
        !take(e->library, "read_history", &read_history) ||
        !take(e->library, "stifle_history", &stifle) ||
        !take(e->library, "rl_attempted_completion_function", &completion) ||
        !take(e->library, "rl_getc_function", &getc_function) ||
        !take(e->library, "rl_pre_input_hook", &pre_input_hook) ||
        !take(e->library, "rl_prep_terminal", &e->prepare_terminal) ||
        !take(e->library, "rl_readline_name", &name))
        return false;
    *name = "heddle";
    *completion = complete;
    *getc_function = next_byte;
    *pre_input_hook = take_terminal;
    if (home != NULL && *home != '\0')
        hd_strbuf_printf(&e->path, "%s/.heddle_history", home);
    if (e->path.count != 0)
        (void)read_history(hd_strbuf_text(&e->path)); /* there is none at first */
    stifle(MOST_LINES);
    return true;
}

HdEdit *hd_edit_open(const char *(*words)(unsigned i), bool (*wait)(void))
{
    HdEdit *e = hd_alloc_zero(sizeof *e);

    if (e == NULL)
        return NULL;
    e->words = words;
    e->wait = wait;
    e->library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (e->library == NULL)
        e->library = dlopen("libedit.so.0", RTLD_NOW | RTLD_LOCAL); /* other distributions */
    editor = e;
    if (e->library != NULL && take_all(e))
        return e;
    hd_edit_close(e);
    return NULL;
}

void hd_edit_close(HdEdit *e)
{
    if (e == NULL)
        return;
    if (e->last != NULL && e->path.count != 0)
        (void)e->write(hd_strbuf_text(&e->path));
    hd_strbuf_free(&e->path);
    hd_free(e->last);
    hd_free(e); /* the library stays: it has handlers of its own */
    editor = NULL;
}

char *hd_edit_read(HdEdit *e, const char *prompt)
{
    char *line = e->read(prompt), *own = line != NULL ? hd_strdup(line) : NULL;

    free(line); /* the C library's */
    if (own != NULL && *own != '\0' && (e->last == NULL || strcmp(own, e->last) != 0)) {
        (void)e->add(own);
        hd_free(e->last);
        e->last = hd_strdup(own);
    }
    return own;
}
