/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/commands/plot_options.h"

#include <math.h>
#include <string.h>

#include "base/scan.h"

const struct plot_options plot_options_none = {
	.x_from = { NAN, UNIT_UNKNOWN },
	.x_to = { NAN, UNIT_UNKNOWN },
	.y_from = { NAN, UNIT_UNKNOWN },
	.y_to = { NAN, UNIT_UNKNOWN },
};

/* Parses a length in pixels, or with a unit, into pixels, 96 an inch; 0 when it is none. */
static double length_of(struct str s)
{
	static const struct {
		struct str unit;
		double pixels;
	} units[] = { { STR_INIT("mm"), 96 / 25.4 },
		      { STR_INIT("cm"), 96 / 2.54 },
		      { STR_INIT("in"), 96 },
		      { STR_INIT("pt"), 96 / 72.0 } };
	double v, pixels = 1;

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		if (s.n > 2 && memcmp(s.p + s.n - 2, units[i].unit.p, 2) == 0) {
			pixels = units[i].pixels;
			s.n -= 2;
			break;
		}
	}
	return number_f64(s, &v) == NUMBER_OK ? v * pixels : 0;
}

const char *take_size(struct plot_options *w, const char *arg)
{
	static const char expected[] =
		"WIDTHxHEIGHT or WIDTH, 20x10 to 20000x20000 pixels, such as "
		"800x480 or 85mm";
	struct str width = str_from(arg), height = STR("");
	bool both = str_cut(width, 'x', &width, &height);
	double x, y;

	x = length_of(width);
	y = both ? length_of(height) : 10;
	if (!(x >= 20 && x <= 20000 && y >= 10 && y <= 20000))
		return expected;
	w->look.width = floor(x);
	w->look.height = both ? floor(y) : 0;
	return NULL;
}

const char *take_font(struct plot_options *w, const char *arg)
{
	static const char expected[] = "NAME[,POINTS], such as Helvetica,12";
	struct str name = str_from(arg), rest;
	double points = 0;

	if (str_cut(name, ',', &name, &rest) &&
	    (number_f64(rest, &points) != NUMBER_OK || !(points >= 1 && points <= 200)))
		return expected;
	if (name.n >= sizeof(w->font))
		return expected;
	memcpy(w->font, name.p, name.n);
	w->font[name.n] = '\0';
	w->look.font_size = points;
	return NULL;
}

const char *take_range(struct amount *from, struct amount *to, const char *arg)
{
	struct str low, high;

	if (str_cut(str_from(arg), ':', &low, &high) && amount_parse(low, from) &&
	    amount_parse(high, to))
		return NULL;
	return "FROM:TO, either of which may be missing, such as 1us:10ms";
}
