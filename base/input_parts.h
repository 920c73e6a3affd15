/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What input.c and input_file.c share. */
#ifndef BASE_INPUT_PARTS_H
#define BASE_INPUT_PARTS_H

#include "base/input.h"

/* What was not read yet; whoever makes one has more of it. */
struct input_rest {
	void (*release)(struct input_rest *r);
};

/* Takes n bytes off the front. */
void input_drop_front(struct input *in, size_t n);
/* Takes off the blank lines before one that is not blank; false when there are none. */
bool input_drop_blank_lines(struct input *in);
/* To be called when the bytes are others: lines are found anew. */
void input_forget_lines(struct input *in);

#endif
