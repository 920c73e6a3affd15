/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A browser without a terminal: runs loaded, keys in, a canvas out. */
#ifndef TESTS_TUI_STAGE_H
#define TESTS_TUI_STAGE_H

#include "browse/load.h"
#include "program/settings.h"
#include "tui/tui.h"

enum { STAGE_WORDS = 32 };

struct stage {
	struct settings settings;
	struct opening opening;
	struct opened *opened;
	struct tui_host host;
	struct tui *tui;
	struct canvas canvas;
	char line[512]; /* the command line, cut into words */
	char *word[STAGE_WORDS + 1];
};

/* `run` is what stands after osprof-tui on a command line.  False, with the readers'
 * messages printed, when it cannot be opened. */
bool stage_open(struct stage *s, const char *run, unsigned rows, unsigned cols,
		const struct glyphs *glyphs);
void stage_close(struct stage *s);
void stage_resize(struct stage *s, unsigned rows, unsigned cols);

/* Keys by name, text in double quotes, and clicks at a row and a column (from 1), between
 * blanks: `2 s / "read" Enter @4,20`.  False for a key that is none. */
bool stage_play(struct stage *s, const char *keys);
/* What is seen now, in a canvas that goes with the stage. */
struct str stage_screen(struct stage *s, struct out *o);

#endif
