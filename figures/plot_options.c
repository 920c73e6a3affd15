/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "figures/plot_options.h"

#include <math.h>
#include <string.h>

#include "base/scan.h"

const struct plot_options plot_options_none = {
	.x_from = { NAN, UNIT_UNKNOWN },
	.x_to = { NAN, UNIT_UNKNOWN },
	.y_from = { NAN, UNIT_UNKNOWN },
	.y_to = { NAN, UNIT_UNKNOWN },
};

const char *take_size(struct plot_options *w, const char *arg)
{
	static const char expected[] = "WIDTHxHEIGHT, 20x10 to 20000x20000, such as 800x480";
	struct str width, height;
	double x, y;

	if (!str_cut(str_from(arg), 'x', &width, &height) || number_f64(width, &x) != NUMBER_OK ||
	    number_f64(height, &y) != NUMBER_OK)
		return expected;
	if (!(x >= 20 && x <= 20000 && y >= 10 && y <= 20000))
		return expected;
	w->look.width = floor(x);
	w->look.height = floor(y);
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
