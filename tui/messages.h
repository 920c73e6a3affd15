/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of the browser and the readers, oldest first. */
#ifndef TUI_MESSAGES_H
#define TUI_MESSAGES_H

#include "base/diag.h"
#include "base/str.h"

/* One message. */
struct message {
	enum severity severity;
	char *text; /* on the heap; may have several lines */
};

/* All messages so far; messages_release() frees them. */
struct messages {
	struct message *v;
	size_t n, cap;
	bool fresh; /* no key was pressed since the last message */
};

/* Adds a copy of the text. */
void messages_add(struct messages *m, enum severity severity, struct str text);
/* Frees the messages. */
void messages_release(struct messages *m);

#endif
