/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes between a program that has results and osprof-plugin-host, which has a handler.
 *
 * To the host, frames: a line, and so many bytes.
 *
 *	osprof-frame 1 alarm seq=7 bytes=123
 *
 * The bytes are one line with a flat JSON object, and after it, where the event has one, a
 * profile as text of osprof(5). From the host, lines with one JSON object each:
 *
 *	{"event":"hello","name":"batches"}
 *	{"event":"send","to":"pid:4711","hex":"68656c6c6f"}
 *	{"event":"done","seq":7}
 *	{"event":"refused","message":"..."}
 */
#ifndef PLUGIN_EVENTS_H
#define PLUGIN_EVENTS_H

#include "base/str.h"
#include "plugin/plugin.h"

enum {
	FRAME_LINE = 128,	/* bytes at most of its first line */
	FRAME_BYTES = 64 << 20, /* of what follows */
	HOST_LINE = 2048,	/* bytes of a line from the host */
	SENDS_OF_EVENT = 64,	/* messages */
	MESSAGE_BYTES = 240,
};

/* Their names in frames, by OSPROF_PROFILE ...; NULL: no such event. */
const char *event_name(int kind);
int event_by_name(struct str name); /* 0: none */

#endif
