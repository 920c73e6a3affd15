/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of one source, for who reports it. */
#ifndef WATCH_SOURCES_SOURCE_STATUS_H
#define WATCH_SOURCES_SOURCE_STATUS_H

#include "watch/intake.h"

enum source_state { SOURCE_OPEN, SOURCE_WAITING, SOURCE_ENDED, SOURCE_FAILED };

struct source_status {
	const char *name; /* as the user typed it */
	enum source_state state;
	const struct intake *intake; /* with its ledger */
	uint64_t restarts;
};

#endif
