/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plotting/terminal.h"

#include "base/attr.h"

/* gnuplot's svg takes sizes of fonts as pixels, 96 an inch; its PDF and EPS draw a font of two
 * thirds of its size. */
#define PIXELS_A_POINT (96.0 / 72)
#define CAIRO_FACTOR   1.5

static const struct terminal terminals[] = {
	{ .name = "png",
	  .title = "pixels",
	  .gnuplot = "pngcairo",
	  .units = UNITS_PIXELS,
	  .shown = true },
	{ .name = "svg",
	  .title = "lines that scale, for the web",
	  .gnuplot = "svg",
	  .units = UNITS_PIXELS,
	  .font_factor = PIXELS_A_POINT,
	  .character = 0.7,
	  .background = true,
	  .shown = true },
	{ .name = "pdf",
	  .title = "lines that scale, for print",
	  .gnuplot = "pdfcairo",
	  .units = UNITS_INCHES,
	  .font_factor = CAIRO_FACTOR },
	{ .name = "eps",
	  .title = "the same for older programs",
	  .gnuplot = "epscairo",
	  .units = UNITS_INCHES,
	  .font_factor = CAIRO_FACTOR },
	{ .name = "tikz",
	  .title = "a picture to \\input in LaTeX",
	  .gnuplot = "tikz",
	  .units = UNITS_INCHES,
	  .latex = true },
	{ .name = "text", .title = "characters, for a terminal", .units = UNITS_CHARACTERS },
};

const struct terminal *terminal_at(size_t i)
{
	return i < COUNT_OF(terminals) ? &terminals[i] : NULL;
}

bool terminal_by_name(struct str name, const struct terminal **ret)
{
	struct str same[][2] = { { STR("tex"), STR("tikz") }, { STR("txt"), STR("text") } };

	for (size_t i = 0; i < COUNT_OF(same); i++) {
		if (str_eq_nocase(name, same[i][0]))
			name = same[i][1];
	}
	for (size_t i = 0; i < COUNT_OF(terminals); i++) {
		if (str_eq_nocase(name, str_from(terminals[i].name))) {
			*ret = &terminals[i];
			return true;
		}
	}
	return false;
}

/* --- colours ------------------------------------------------------------------------------ */

/* The palette of Okabe and Ito, which people with any colour vision can distinguish; the first
 * two colours also differ in lightness. */
static const struct colour_look safe[N_COLOURS] = {
	[COLOUR_FIRST] = { 0x0072b2, 0x004c78 },      [COLOUR_SECOND] = { 0xe69f00, 0x8a5f00 },
	[COLOUR_THIRD] = { 0x009e73, 0x00664a },      [COLOUR_FOURTH] = { 0xcc79a7, 0x8c4a6f },
	[COLOUR_FIFTH] = { 0x56b4e9, 0x2d7fae },      [COLOUR_SIXTH] = { 0x8a5a2b, 0x5a3a1a },
	[COLOUR_FIRST_PALE] = { 0xbcd9ea, 0x0072b2 }, [COLOUR_SECOND_PALE] = { 0xf9e3b4, 0x8a5f00 },
	[COLOUR_WORSE] = { 0xd55e00, 0x9a4400 },      [COLOUR_BETTER] = { 0x0072b2, 0x004c78 },
	[COLOUR_DIM] = { 0xc8ccd0, 0x7a8188 },	      [COLOUR_GAP] = { 0xe6e8ea, 0xe6e8ea },
};

static const struct colour_look grey[N_COLOURS] = {
	[COLOUR_FIRST] = { 0xb8b8b8, 0x606060 },      [COLOUR_SECOND] = { 0x303030, 0x000000 },
	[COLOUR_THIRD] = { 0x808080, 0x404040 },      [COLOUR_FOURTH] = { 0xdcdcdc, 0x606060 },
	[COLOUR_FIFTH] = { 0x585858, 0x202020 },      [COLOUR_SIXTH] = { 0x9c9c9c, 0x505050 },
	[COLOUR_FIRST_PALE] = { 0xe4e4e4, 0x808080 }, [COLOUR_SECOND_PALE] = { 0xc4c4c4, 0x000000 },
	[COLOUR_WORSE] = { 0x303030, 0x000000 },      [COLOUR_BETTER] = { 0xb8b8b8, 0x606060 },
	[COLOUR_DIM] = { 0xe8e8e8, 0x909090 },	      [COLOUR_GAP] = { 0xf0f0f0, 0xf0f0f0 },
};

/* White and black bars, as in the OSprof paper. */
static const struct colour_look paper[N_COLOURS] = {
	[COLOUR_FIRST] = { 0xffffff, 0x000000 },      [COLOUR_SECOND] = { 0x000000, 0x000000 },
	[COLOUR_THIRD] = { 0x999999, 0x000000 },      [COLOUR_FOURTH] = { 0xdddddd, 0x000000 },
	[COLOUR_FIFTH] = { 0x555555, 0x000000 },      [COLOUR_SIXTH] = { 0xbbbbbb, 0x000000 },
	[COLOUR_FIRST_PALE] = { 0xe0e0e0, 0x000000 }, [COLOUR_SECOND_PALE] = { 0x707070, 0x000000 },
	[COLOUR_WORSE] = { 0x000000, 0x000000 },      [COLOUR_BETTER] = { 0xffffff, 0x000000 },
	[COLOUR_DIM] = { 0xe8e8e8, 0x808080 },	      [COLOUR_GAP] = { 0xf0f0f0, 0xf0f0f0 },
};

struct colour_look colour_look(enum palette p, enum colour colour)
{
	static const struct colour_look *const palettes[] = {
		[PALETTE_SAFE] = safe, [PALETTE_GREY] = grey, [PALETTE_PAPER] = paper
	};

	return palettes[p][colour];
}

const char *colour_name(enum colour colour)
{
	static const char *const names[N_COLOURS] = {
		"first",      "second",	     "third", "fourth", "fifth", "sixth",
		"first_pale", "second_pale", "worse", "better", "dim",	 "gap",
	};

	return names[colour];
}

/* --- sizes -------------------------------------------------------------------------------- */

/* What a style stands for. */
struct style_look {
	double font_size; /* points */
	double width[2];  /* in pixels, 96 an inch: panels stacked, side by side */
	double panel[2];  /* height of one panel, of several */
	double line_width;
	enum palette palette;
};

/* A paper's column is 85 mm wide, and its page 178 mm. */
static const struct style_look styles[] = {
	[STYLE_SCREEN] = { 11, { 800, 1200 }, { 300, 190 }, 2, PALETTE_SAFE },
	[STYLE_PAPER] = { 7.5, { 321, 673 }, { 150, 112 }, 1, PALETTE_GREY },
	[STYLE_SLIDES] = { 16, { 1280, 1600 }, { 480, 270 }, 3.5, PALETTE_SAFE },
};

enum palette look_palette(const struct look *look)
{
	return look->has_palette ? look->palette : styles[look->style].palette;
}

double look_font_size(const struct look *look)
{
	return look->font_size > 0 ? look->font_size : styles[look->style].font_size;
}

double look_line_width(const struct look *look)
{
	return styles[look->style].line_width;
}

bool look_has_note(const struct look *look)
{
	return look->style != STYLE_PAPER;
}

/* The third and the fourth colour look the same to some people. */
int look_dash(const struct look *look, enum colour colour)
{
	static const int of_safe[] = { 1, 1, 2, 4, 5, 3 }, of_grey[] = { 1, 2, 4, 3, 5, 6 };

	if ((int)colour >= (int)N_RUN_COLOURS)
		return 1;
	return (look_palette(look) == PALETTE_SAFE ? of_safe : of_grey)[colour];
}

static double rows_of(const struct figure *f)
{
	return (double)((f->n_panels + f->n_across - 1) / f->n_across);
}

struct sheet look_canvas(const struct look *look, const struct figure *f)
{
	const struct style_look *style = &styles[look->style];
	double size = look_font_size(look);
	struct figure sized = *f;

	if (!(f->panel_height > 0))
		sized.panel_height = 1;
	return (struct sheet){
		.width = look->width > 0 ? look->width : style->width[f->n_across > 1],
		.height = look->height,
		.panel = style->panel[rows_of(f) > 1] * sized.panel_height,
		.letter = 0.8 * size,
		.line = 1.75 * size,
	};
}
