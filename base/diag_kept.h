/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of one thread among several, kept until it is their turn. */
#ifndef BASE_DIAG_KEPT_H
#define BASE_DIAG_KEPT_H

#include "base/diag.h"

/* The messages that one thread reported, in order; copies that it owns. */
struct diag_kept {
	struct diag_msg *msg; /* rendered */
	size_t n, cap;
};

/* For struct diag: .emit, with a struct diag_kept for .ctx. */
void diag_keep(void *kept, const struct diag_msg *msg);
/* Gives all to `diag`, which counts them, and forgets them. */
void diag_hand_on(struct diag_kept *k, struct diag *diag);
/* Forgets them. */
void diag_kept_release(struct diag_kept *k);

#endif
