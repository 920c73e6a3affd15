/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/page/document.h"

#include <string.h>

#include "base/escape.h"
#include "base/out.h"
#include "report/page/page_script.h"

static const char css[] =
	":root{color-scheme:light dark;--text:#1f2328;--dim:#5d646b;--line:#d0d7de;--page:#fff;"
	"--band:#f3f5f7}\n"
	"@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--dim:#9aa4ae;--line:#3d444d;"
	"--page:#0d1117;--band:#161b22}}\n"
	"body{font:15px/1.5 system-ui,sans-serif;color:var(--text);background:var(--page);margin:0 "
	"auto;"
	"max-width:75rem;padding:1rem;overflow-wrap:anywhere}\n"
	"h1{font-size:1.3rem}h2{font-size:1.1rem;margin-top:2rem}\n"
	"li.below{margin-left:1.5rem;color:var(--dim)}\n"
	".wide{overflow-x:auto;margin:1rem 0}\n"
	"table{border-collapse:collapse;font-variant-numeric:tabular-nums;overflow-wrap:normal}\n"
	"th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
	"vertical-align:top}\n"
	"th{color:var(--dim);font-weight:600}\n"
	"td.n,th.n{text-align:right;white-space:nowrap}td.s{font-family:monospace;white-space:pre}"
	"\n"
	"td:first-child{max-width:24rem;overflow-wrap:anywhere}\n"
	"tbody tr:nth-child(even){background:var(--band)}\n"
	"th button{all:unset;cursor:pointer}th button:focus-visible{outline:2px solid}\n"
	"input{font:inherit;padding:.2rem .4rem;max-width:100%;box-sizing:border-box}\n"
	"@media print{.wide{overflow:visible}table{font-size:7pt}input{display:none}"
	"th,td,td.n,th.n{padding:.1rem .25rem;white-space:normal;overflow-wrap:anywhere}}\n";

enum { MAX_CELLS = 64 };

/* --- words ----------------------------------------------------------------------------------- */

/* Markdown of reports has these entities, for characters of names. */
static size_t entity_length(struct str s)
{
	return str_has_prefix(s, STR("&lt;")) ? 4 : str_has_prefix(s, STR("&amp;")) ? 5 : 0;
}

/* Whether a plain run of characters ends at s. */
static bool is_special(struct str s)
{
	return s.p[0] == '\\' || s.p[0] == '&' || str_has_prefix(s, STR("**"));
}

static void put_words(struct out *o, struct str s)
{
	bool strong = false;

	while (s.n > 0) {
		size_t n = entity_length(s);

		if (n > 0) {
			out_bytes(o, (struct str){ s.p, n });
		} else if (str_has_prefix(s, STR("**"))) {
			out_text(o, strong ? "</strong>" : "<strong>");
			strong = !strong;
			n = 2;
		} else if (s.p[0] == '\\' && s.n > 1) {
			escape_html(o, (struct str){ s.p + 1, 1 });
			n = 2;
		} else {
			n = 1;
			while (n < s.n && !is_special(str_skip(s, n)))
				n++;
			escape_html(o, (struct str){ s.p, n });
		}
		s = str_skip(s, n);
	}
	out_text(o, strong ? "</strong>" : "");
}

/* --- tables ---------------------------------------------------------------------------------- */

/* The cells of a line "| a | b |". */
struct row {
	struct str cell[MAX_CELLS];
	size_t n;
};

static bool is_row(struct str line)
{
	return line.n > 2 && line.p[0] == '|' && line.p[line.n - 1] == '|';
}

static struct row row_of(struct str line)
{
	struct row r = { .n = 0 };
	size_t start = 2;

	for (size_t i = 2; i + 1 < line.n + 1 && r.n < MAX_CELLS; i++) {
		if (line.p[i - 1] == '\\' || line.p[i] != '|')
			continue;
		r.cell[r.n++] = (struct str){ line.p + start, i > start ? i - 1 - start : 0 };
		start = i + 2;
		if (i + 1 >= line.n)
			break;
	}
	return r;
}

static bool ends_with(struct str s, char c)
{
	return s.n > 0 && s.p[s.n - 1] == c;
}

/* Small bar charts of block characters keep their blanks. */
static bool is_chart(struct str s)
{
	for (size_t i = 0; i + 2 < s.n; i++) {
		if ((unsigned char)s.p[i] == 0xe2 && (unsigned char)s.p[i + 1] == 0x96)
			return true;
	}
	return false;
}

/* Returns what a code span holds. */
static struct str without_marks(struct str s)
{
	bool span = s.n > 1 && s.p[0] == '`' && s.p[s.n - 1] == '`';

	return span ? (struct str){ s.p + 1, s.n - 2 } : s;
}

static void put_row(struct out *o, const struct row *r, const struct row *align, const char *tag)
{
	out_text(o, "<tr>");
	for (size_t i = 0; i < r->n; i++) {
		bool right = i < align->n && ends_with(align->cell[i], ':');
		const char *kind = r->cell[i].n > 0 ? tag : "td"; /* a heading has words */

		out_printf(o, "<%s%s>", kind,
			   right		  ? " class=\"n\""
			   : is_chart(r->cell[i]) ? " class=\"s\""
						  : "");
		put_words(o, is_chart(r->cell[i]) ? without_marks(r->cell[i]) : r->cell[i]);
		out_printf(o, "</%s>", kind);
	}
	out_text(o, "</tr>\n");
}

/* --- blocks ---------------------------------------------------------------------------------- */

enum block { BLOCK_NONE, BLOCK_PARAGRAPH, BLOCK_LIST, BLOCK_HEAD, BLOCK_TABLE };

/* The page that is being written, and the kind of block that is open. */
struct document {
	struct out *o;
	enum block block;
	struct row head, align;
	bool has_title;
};

static void open_block(struct document *d, enum block block)
{
	static const char *const ends[] = { "", "</p>\n", "</ul>\n", "",
					    "</tbody></table></div>\n" };
	static const char *const begins[] = { "", "<p>", "<ul>\n", "", "" };

	if (d->block == block)
		return;
	/* A row without rows below is no table. */
	if (d->block == BLOCK_HEAD && block != BLOCK_TABLE)
		put_row(d->o, &d->head, &d->align, "td");
	out_text(d->o, ends[d->block]);
	out_text(d->o, begins[block]);
	d->block = block;
}

static void put_heading(struct document *d, struct str line)
{
	const char *tag = d->has_title ? "h2" : "h1";

	open_block(d, BLOCK_NONE);
	while (line.n > 0 && (line.p[0] == '#' || line.p[0] == ' '))
		line = str_skip(line, 1);
	out_printf(d->o, "<%s>", tag);
	put_words(d->o, line);
	out_printf(d->o, "</%s>\n", tag);
	d->has_title = true;
}

static void put_table_line(struct document *d, struct str line)
{
	struct row r = row_of(line);

	if (d->block == BLOCK_TABLE) {
		put_row(d->o, &r, &d->align, "td");
	} else if (d->block == BLOCK_HEAD) {
		d->align = r;
		open_block(d, BLOCK_TABLE);
		out_text(d->o, "<div class=\"wide\" role=\"group\" aria-label=\"table\" "
			       "tabindex=\"0\"><table><thead>\n");
		put_row(d->o, &d->head, &d->align, "th");
		out_text(d->o, "</thead><tbody>\n");
	} else {
		open_block(d, BLOCK_NONE);
		d->head = r;
		d->align.n = 0;
		d->block = BLOCK_HEAD;
	}
}

static void put_line(struct document *d, struct str line)
{
	if (line.n == 0) {
		open_block(d, BLOCK_NONE);
	} else if (line.p[0] == '#') {
		put_heading(d, line);
	} else if (is_row(line)) {
		put_table_line(d, line);
	} else if (str_has_prefix(line, STR("- ")) || str_has_prefix(line, STR("  - "))) {
		open_block(d, BLOCK_LIST);
		out_text(d->o, line.p[0] == ' ' ? "<li class=\"below\">" : "<li>");
		put_words(d->o, str_skip(line, line.p[0] == ' ' ? 4 : 2));
		out_text(d->o, "</li>\n");
	} else {
		if (d->block == BLOCK_PARAGRAPH)
			out_text(d->o, "<br/>\n");
		open_block(d, BLOCK_PARAGRAPH);
		put_words(d->o, line);
	}
}

void document_html(struct out *o, struct str title, struct str markdown)
{
	struct document d = { .o = o };
	struct str line, rest = markdown;

	out_text(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
		    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"/>\n"
		    "<title>");
	escape_html(o, title);
	out_printf(o, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", css);
	if (!str_has_prefix(markdown, STR("#"))) {
		out_text(o, "<h1>");
		escape_html(o, title);
		out_text(o, "</h1>\n");
		d.has_title = true;
	}
	while (rest.n > 0) {
		if (!str_cut(rest, '\n', &line, &rest)) {
			line = rest;
			rest.n = 0;
		}
		put_line(&d, line);
	}
	open_block(&d, BLOCK_NONE);
	out_printf(o, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", page_tables_script);
}
