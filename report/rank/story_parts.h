/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the text of osprof explain that know nothing of its operations. */
#ifndef REPORT_RANK_STORY_PARTS_H
#define REPORT_RANK_STORY_PARTS_H

#include <stdbool.h>

#include "base/str.h"

struct out;
struct story;

/* Writes lines as paragraphs of Markdown; those that are indented are items of a list, and `item`
 * begins the others. */
void put_story_markdown(struct out *o, struct str text, const char *item);
/* Says which options would add information. */
void say_lacks(struct out *o, const struct story *story, bool lacks_elapsed);

#endif
