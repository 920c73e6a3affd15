/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/watch_usage.h"

#include <string.h>

#include "base/diag.h"
#include "program/option_list.h"

/* Options that have no effect without another one. */
static const struct {
	const char *option, *needs, *why;
} needed[] = {
	{ "calibrate", "replay", "tries thresholds on what was kept" },
	{ "keep-size", "keep", "limits the folder of --keep" },
	{ "tiers", "keep", "merges the intervals of --keep" },
	{ "zoom", "keep", "writes to the folder of --keep" },
	{ "sender", "forward", "is the name that --forward sends" },
	{ "spool", "forward", "keeps what --forward sends" },
};

/* All options that a replay uses: it only judges and prints, and its files are osprof(5). */
static const char *const of_replays[] = {
	"replay",   "calibrate",      "every",	    "reference", "false-alarms", "threshold-factor",
	"any-load", "max-operations", "min-effect", "min-calls", "exit-code",	 "format",
	"color",    "ascii",	      "quiet",	    "help",
};

static bool is_of_replays(const struct option_row *row)
{
	for (size_t i = 0; i < COUNT_OF(of_replays); i++) {
		if (strcmp(row->name, of_replays[i]) == 0)
			return true;
	}
	return false;
}

static bool check_replay(const struct settings *s, struct diag *diag)
{
	for (size_t i = 0; i < s->n_given; i++) {
		if (is_of_replays(s->given[i].row))
			continue;
		diag_plain(diag, DIAG_USAGE,
			   "--%s has no effect with --replay, which only judges what was kept; "
			   "remove it",
			   s->given[i].row->name);
		return false;
	}
	if (settings_has(s, "calibrate") && settings_has(s, "exit-code")) {
		diag_plain(diag, DIAG_USAGE,
			   "--exit-code has no effect with --calibrate, in which alarms are "
			   "expected; remove it");
		return false;
	}
	return true;
}

static bool check_sources(const struct settings *s, struct diag *diag)
{
	if (!s->watch.trust_network)
		return true;
	for (size_t i = 0; i < s->options.load.n_operands; i++) {
		if (strncmp(s->options.load.operand[i], "frames:tcp:", 11) == 0)
			return true;
	}
	diag_plain(
		diag, DIAG_USAGE,
		"--trust-network has no effect without a source frames:tcp:HOST:PORT; remove it");
	return false;
}

bool watch_usage_check(const struct settings *s, struct diag *diag)
{
	bool replay = s->watch.replay != NULL;

	for (size_t i = 0; i < COUNT_OF(needed); i++) {
		if (!settings_has(s, needed[i].option) || settings_has(s, needed[i].needs))
			continue;
		diag_plain(diag, DIAG_USAGE, "--%s %s; use --%s", needed[i].option, needed[i].why,
			   needed[i].needs);
		return false;
	}
	if (replay == (s->options.load.n_operands > 0)) {
		diag_plain(diag, DIAG_USAGE,
			   "expected sources, or --replay FOLDER [--calibrate] and none");
		return false;
	}
	return replay ? check_replay(s, diag) : check_sources(s, diag);
}
