/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the messages of one of several threads, so that they can be reported in order. */
#ifndef BASE_DIAG_KEPT_H
#define BASE_DIAG_KEPT_H

#include "base/diag.h"

/* Copies of the messages that one thread reported, in order. */
struct diag_kept {
	struct diag_msg *msg; /* rendered */
	size_t n, cap;
};

/* An `emit` function for struct diag, whose ctx is the struct diag_kept. */
void diag_keep(void *kept, const struct diag_msg *msg);
/* Reports all messages to `diag`, which counts them, and removes them here. */
void diag_forward(struct diag_kept *k, struct diag *diag);
/* Frees the messages without reporting them. */
void diag_kept_release(struct diag_kept *k);

#endif
