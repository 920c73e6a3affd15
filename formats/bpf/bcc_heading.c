/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/bpf/bcc_heading.h"

#include "formats/bcc_line.h"
#include "formats/report/template.h"
#include "formats/text.h"

/* What has been seen since the last table. */
struct above {
	struct str heading;
	bool keyed, in_table;
};

/* Takes a line that is no head of a table. */
static void look_at(struct above *a, struct str line)
{
	struct str key, value;
	double seconds;
	bool bracket;

	if (line.n == 0 || bcc_row(line, a->in_table))
		return;
	a->in_table = false;
	if (bcc_section(line, &key, &value))
		a->keyed = true;
	else if (a->heading.n == 0 && !bcc_stamp(line, &seconds, &bracket) && !bcc_banner(line) &&
		 !bcc_farewell(line) && !str_has_prefix(line, STR("avg = ")))
		a->heading = line;
}

bool bcc_headings_differ(struct str text)
{
	struct above a = { .keyed = false };
	struct str line, unit, first = STR("");
	bool differ = false;
	size_t blanks;

	while (text_line(&text, &line)) {
		if (!bcc_header(line, &unit, &blanks)) {
			look_at(&a, line);
			continue;
		}
		if (!a.keyed && a.heading.n == 0)
			return false;
		if (!a.keyed) {
			struct str name = bcc_heading_name(a.heading);

			differ |= name.n < a.heading.n || (first.n > 0 && !str_eq(first, name));
			first = name;
		}
		a = (struct above){ .in_table = true };
	}
	return differ;
}

struct str bcc_heading_name(struct str heading)
{
	heading.n = str_find(heading, STR(" contended "));
	return str_trim(heading);
}

bool bcc_heading_push(const struct lines *l, struct str heading, enum unit unit)
{
	const struct printed *calls, *mean;
	struct captures c;
	uint64_t count;

	if (!template_match("{name} contended {calls} times, {mean} avg {unit} "
			    "[max: {max}, min {min}]",
			    heading, false, &c) ||
	    c.of[3].value.ns != unit_nanoseconds(unit))
		return true;
	calls = &c.of[1].value;
	mean = &c.of[2].value;
	count = (uint64_t)(calls->number.billionths / 1000000000);
	build_max(l->to, decimal_f64(c.of[4].value.number));
	build_min(l->to, decimal_f64(c.of[5].value.number));
	return build_count(l->to, count, heading) &&
	       lines_push_mean(l, mean->number, count, heading, "mean times calls");
}
