/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/style.h"

#include "base/out.h"

static const char *const sgr[] = {
	[TONE_PLAIN] = "",	     [TONE_STRONG] = "\033[1m",	   [TONE_DIM] = "\033[2m",
	[TONE_WORSE] = "\033[1;33m", [TONE_BETTER] = "\033[1;36m", [TONE_NOTICE] = "\033[1;35m",
};

void tone_begin(struct out *o, const struct style *s, enum tone t)
{
	if (s->color && s->output_format == OUTPUT_FORMAT_TEXT)
		out_text(o, sgr[t]);
}

void tone_end(struct out *o, const struct style *s, enum tone t)
{
	if (s->color && s->output_format == OUTPUT_FORMAT_TEXT && t != TONE_PLAIN)
		out_text(o, "\033[0m");
}
