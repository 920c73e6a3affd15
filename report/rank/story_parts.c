/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rank/story_parts.h"

#include "base/escape.h"
#include "base/out.h"
#include "report/parts.h"
#include "report/rank/story_json.h"
#include "report/report.h"

/* Writes lines as paragraphs; those that are indented are items of a list, and `item` begins the
 * others. */
void put_story_markdown(struct out *o, struct str text, const char *item)
{
	bool in_list = item[0] != '\0';
	struct str line;

	while (text.n > 0) {
		if (!str_cut(text, '\n', &line, &text)) {
			line = text;
			text.n = 0;
		}
		if (str_has_prefix(line, STR("  ")) && !in_list)
			out_char(o, '\n');
		in_list = in_list || str_has_prefix(line, STR("  "));
		out_text(o, str_has_prefix(line, STR("      ")) ? "  - "
			    : str_has_prefix(line, STR("  "))	? "- "
			    : line.n > 0			? item
								: "");
		escape_markdown(o, str_trim(line));
		out_char(o, '\n');
	}
}

/* Says which options would add information. */
void say_lacks(struct out *o, const struct story *story, bool lacks_elapsed)
{
	const char *option = story_lacks(story->comparison->before.profile);

	if (option != NULL)
		out_printf(o,
			   "Characteristic times need latencies in a unit of time: %s gives it.\n",
			   option);
	if (lacks_elapsed)
		out_text(o, "How often the events of a rare peak come needs the time that a run "
			    "took: --elapsed gives it.\n");
}
