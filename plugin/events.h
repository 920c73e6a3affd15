/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The protocol between a program that has results and osprof-plugin-host, which runs a handler.
 *
 * The program sends frames: a line, and as many bytes as it says.
 *
 *	osprof-frame 1 alarm seq=7 bytes=123
 *
 * The bytes are one line with a flat JSON object, followed by the profile as text of osprof(5) if
 * the event has one. The host answers with lines of one JSON object each:
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
	FRAME_LINE = 128,	/* maximum bytes of the frame's line */
	FRAME_BYTES = 64 << 20, /* maximum bytes after it */
	HOST_LINE = 2048,	/* maximum bytes of a line from the host */
	SENDS_OF_EVENT = 64,	/* maximum messages sent during one event */
	MESSAGE_BYTES = 240,	/* maximum bytes of a message */
};

/* Names of OSPROF_PROFILE ... in frames. NULL: no such event. */
const char *event_name(int kind);
int event_by_name(struct str name); /* 0: none */

#endif
