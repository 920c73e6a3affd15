/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by input.c and input_file.c. */
#ifndef BASE_INPUT_INPUT_PARTS_H
#define BASE_INPUT_INPUT_PARTS_H

#include "base/input/input.h"

/* The unread rest of an input; the base of struct file in input_file.c. */
struct input_rest {
	void (*release)(struct input_rest *r);
};

/* Removes n bytes from the front. */
void input_drop_front(struct input *in, size_t n);
/* Removes leading blank lines; false when there are none, or no other line follows. */
bool input_drop_blank_lines(struct input *in);
/* Discards the known line starts; called when the bytes have changed. */
void input_forget_lines(struct input *in);

#endif
