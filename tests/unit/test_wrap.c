/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines broken for a terminal: by hand, and by what must hold of any text. */
#include "base/wrap.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/out.h"
#include "tests/unit/unit.h"

static void add(void *ctx, struct str piece)
{
	out_bytes(ctx, piece);
}

static void expect(const char *text, size_t columns, const char *expected)
{
	struct out *o = out_to_memory();

	wrap_lines(str_from(text), columns, add, o);
	out_char(o, '\0');
	assert_string_equal(out_memory(o).p, expected);
	out_free(o);
}

static void lines_are_broken_at_blanks(void **state)
{
	(void)state;
	expect("", 10, "");
	expect("\n\n", 10, "\n\n");
	expect("as wide as", 10, "as wide as");
	expect("as wide as\nthis one is not\n", 10, "as wide as\nthis one\n  is not\n");
	expect("one  two   three", 8, "one  two\n  three");
	expect("a toolongword b", 8, "a\n  toolongword\n  b");
	expect("toolongword", 4, "toolongword");
	expect("  below both its indent", 12, "  below both\n    its\n    indent");
	expect("        too deep for it", 12, "        too\ndeep for it");
	expect("-o  in its own column", 12, "-o  in its\n    own\n    column");
	expect("option  too far right", 12, "option  too\n  far right");
	expect("         a bb ccccccccc", 10, "         a\nbb\nccccccccc");
	expect("ends in a blank ", 15, "ends in a blank\n");
}

static void what_colours_takes_no_column(void **state)
{
	(void)state;
	expect("\x1b[1mred\x1b[0m and \x1b[38;5;4mblue\x1b[0m", 12,
	       "\x1b[1mred\x1b[0m and \x1b[38;5;4mblue\x1b[0m");
	expect("\x1b[1mred\x1b[0m and \x1b[38;5;4mblue\x1b[0m", 11,
	       "\x1b[1mred\x1b[0m and\n  \x1b[38;5;4mblue\x1b[0m");
	expect("cut \x1b[", 3, "cut\n\x1b[");
}

static void characters_count_not_bytes(void **state)
{
	(void)state;
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		skip();
	expect("\u2588\u2587\u2585 \u2192 \u00b5s", 8, "\u2588\u2587\u2585 \u2192 \u00b5s");
	expect("\u2588\u2587\u2585 \u2192 \u00b5s", 7, "\u2588\u2587\u2585 \u2192\n  \u00b5s");
	expect("\xff\xff \xff", 4, "\xff\xff \xff");
	(void)setlocale(LC_CTYPE, "C");
}

/* --- any text -------------------------------------------------------------------------- */

/* The next word of either text is the same. */
static struct str take_word(struct str *rest)
{
	struct str word = *rest;

	while (rest->n > 0 && rest->p[0] != ' ' && rest->p[0] != '\n')
		*rest = str_skip(*rest, 1);
	word.n -= rest->n;
	return word;
}

static size_t blanks_before(struct str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] == ' ')
		n++;
	return n;
}

/* Of a text without indents and gaps: words stay, in order; a line ends where the text's does, or
 * where the next word has no room, and no line is too wide but for one of a single word.  The rest of
 * a broken line is indented by two, if that is at most half of the columns. */
static void check(struct str text, struct str broken, size_t columns)
{
	size_t filled = 0;

	while (text.n > 0) {
		size_t gap = blanks_before(text);
		struct str word, copy;

		text = str_skip(text, gap);
		word = take_word(&text);
		if (filled > 0 && filled + gap + word.n > columns) {
			assert_true(broken.n > 0 && broken.p[0] == '\n');
			broken = str_skip(broken, 1);
			filled = 0;
			gap = columns >= 4 ? 2 : 0;
		}
		assert_int_equal(blanks_before(broken), gap);
		broken = str_skip(broken, gap);
		copy = take_word(&broken);
		assert_true(str_eq(copy, word));
		filled += gap + word.n;
		if (text.n > 0 && text.p[0] == '\n') {
			assert_true(broken.n > 0 && broken.p[0] == '\n');
			text = str_skip(text, 1);
			broken = str_skip(broken, 1);
			filled = 0;
		}
	}
	assert_int_equal(broken.n, 0);
}

/* Letters, single blanks and newlines; no line begins or ends with a blank. */
static size_t random_text(struct rng *r, char *text, size_t max)
{
	static const char letters[] = "abcdef   \n";
	size_t n = (size_t)rng_below(r, max);

	for (size_t i = 0; i < n; i++) {
		text[i] = letters[rng_below(r, sizeof(letters) - 1)];
		if (text[i] == ' ' && (i == 0 || text[i - 1] == '\n' || text[i - 1] == ' '))
			text[i] = 'x';
		else if (text[i] == '\n' && i > 0 && text[i - 1] == ' ')
			text[i] = 'x';
	}
	if (n > 0 && text[n - 1] == ' ')
		text[n - 1] = 'x';
	return n;
}

static void words_stay_and_lines_are_full(void **state)
{
	enum { ROUNDS = 20000, MAX = 60 };
	struct rng r = rng_start(3);
	char text[MAX];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		size_t columns = 1 + (size_t)rng_below(&r, 20), n = random_text(&r, text, MAX);
		struct out *o = out_to_memory();

		wrap_lines((struct str){ text, n }, columns, add, o);
		check((struct str){ text, n }, out_memory(o), columns);
		out_free(o);
	}
}

/* --- on its way out ---------------------------------------------------------------------- */

/* Written piece by piece, more than is held at once. */
static void pieces_are_broken_as_the_whole(void **state)
{
	enum { BYTES = 300000, COLUMNS = 30 };
	char *text = malloc(BYTES), *got = malloc(2 * BYTES);
	struct rng r = rng_start(4);
	struct out *whole = out_to_memory(), *pieces;
	size_t n = 0;
	FILE *f = tmpfile();

	(void)state;
	assert_non_null(f);
	while (n < BYTES - 100)
		n += random_text(&r, text + n, 100);
	pieces = out_to_file(f);
	out_set_line_width(pieces, COLUMNS);
	for (size_t at = 0, piece; at < n; at += piece) {
		piece = 1 + (size_t)rng_below(&r, 5000);
		piece = piece < n - at ? piece : n - at;
		out_bytes(pieces, (struct str){ text + at, piece });
	}
	assert_true(out_close(pieces));
	wrap_lines((struct str){ text, n }, COLUMNS, add, whole);
	rewind(f);
	n = fread(got, 1, 2 * BYTES, f);
	assert_int_equal(n, out_memory(whole).n);
	assert_memory_equal(got, out_memory(whole).p, n);
	(void)fclose(f);
	out_free(whole);
	free(text);
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_broken_at_blanks),
		cmocka_unit_test(what_colours_takes_no_column),
		cmocka_unit_test(characters_count_not_bytes),
		cmocka_unit_test(words_stay_and_lines_are_full),
		cmocka_unit_test(pieces_are_broken_as_the_whole),
	};

	return cmocka_run_group_tests_name("wrap", tests, NULL, NULL);
}
