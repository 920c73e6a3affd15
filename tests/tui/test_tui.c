/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the browser that need no runs: cells, keys, lines, filters, files. */
#include "tests/unit/unit.h"

#include <locale.h>

#include "analyze/rank/annotations.h"
#include "base/input/input.h"
#include "canvas/canvas.h"
#include "tui/config.h"
#include "tui/filter.h"
#include "tui/keymap.h"
#include "tui/prompt.h"
#include "tui/ranking_layout.h"
#include "tui/viewport.h"

/* --- cells ----------------------------------------------------------------------- */

static void assert_dump(const struct canvas *c, const char *wanted)
{
	struct out *o = out_to_memory();

	canvas_dump(c, o);
	out_char(o, '\0');
	assert_string_equal(out_memory(o).p, wanted);
	out_free(o);
}

static void test_text_is_cut(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 2, 4, &glyphs_unicode);
	assert_int_equal(canvas_text(&c, 0, 2, FACE_PLAIN, STR("abc")), 5);
	assert_int_equal(canvas_text(&c, 9, 0, FACE_PLAIN, STR("lost")), 4);
	assert_dump(&c, "  ab\n\n");
	canvas_release(&c);
}

/* U+4E2D is two columns wide; half of one is not shown. */
static void test_wide_characters(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 1, 5, &glyphs_unicode);
	canvas_text(&c, 0, 0, FACE_PLAIN, STR("中中中"));
	assert_dump(&c, "中中\n");
	canvas_fill(&c, 0, 1, 1, FACE_PLAIN, '|');
	assert_dump(&c, " |中\n");
	canvas_fill(&c, 0, 2, 1, FACE_PLAIN, '|');
	assert_dump(&c, " ||\n");
	canvas_release(&c);
}

/* e and U+0301 are one cell; at most two marks are kept, at the left edge none. */
static void test_combining_characters(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 1, 4, &glyphs_unicode);
	assert_int_equal(canvas_text(&c, 0, 0, FACE_PLAIN, STR("e\u0301x")), 2);
	assert_dump(&c, "e\u0301x\n");
	canvas_text(&c, 0, 0, FACE_PLAIN, STR("e\u0301\u0302\u0303"));
	assert_dump(&c, "e\u0301\u0302x\n");
	canvas_clear(&c);
	canvas_text(&c, 0, 0, FACE_PLAIN, STR("\u0301a"));
	assert_dump(&c, "a\n");
	canvas_release(&c);
}

/* No cell holds what a terminal would obey. */
static void test_no_escape_reaches_a_cell(void **state)
{
	static const char hostile[] = "a\x1b[2J\x07\x9b\xc2\x9b\u202e\xff\n";
	struct canvas c;

	(void)state;
	canvas_init(&c, 1, 80, &glyphs_unicode);
	canvas_text(&c, 0, 0, FACE_PLAIN, (struct str){ hostile, sizeof(hostile) - 1 });
	canvas_name(&c, 0, 50, FACE_PLAIN, 30, (struct str){ hostile, sizeof(hostile) - 1 });
	for (unsigned col = 0; col < 80; col++) {
		uint32_t code = c.cell[col].code[0];

		assert_true(code >= 0x20 && (code < 0x7f || code >= 0xa0) && code != 0x202e);
	}
	canvas_release(&c);
}

static void test_names_keep_their_end(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 3, 20, &glyphs_unicode);
	canvas_name(&c, 0, 0, FACE_PLAIN, 6, STR("ext4_file_read_iter"));
	canvas_name(&c, 1, 0, FACE_PLAIN, 6, STR("read"));
	canvas_name(&c, 2, 0, FACE_PLAIN, 5, STR("中中中中"));
	assert_dump(&c, "…_iter\nread\n…中中\n");
	canvas_release(&c);
	canvas_init(&c, 1, 20, &glyphs_ascii);
	canvas_name(&c, 0, 0, FACE_PLAIN, 20, STR("r\u00e9ad"));
	assert_dump(&c, "r\\u{e9}ad\n");
	canvas_release(&c);
}

static void test_paragraphs(void **state)
{
	struct canvas c;

	(void)state;
	canvas_init(&c, 4, 10, &glyphs_unicode);
	assert_int_equal(canvas_paragraph(&c, 0, 2, FACE_PLAIN, STR("one two three four")), 3);
	assert_dump(&c, "  one two\n  three\n  four\n\n");
	canvas_clear(&c);
	assert_int_equal(canvas_paragraph(&c, 0, 2, FACE_PLAIN, STR("abcdefghijk")), 2);
	assert_dump(&c, "  abcdefgh\n  ijk\n\n\n");
	assert_int_equal(canvas_paragraph(&c, 1, 10, FACE_PLAIN, STR("no room")), 1);
	canvas_release(&c);
}

/* What is drawn into a part stays there. */
static void test_parts(void **state)
{
	struct canvas c, part;

	(void)state;
	canvas_init(&c, 3, 6, &glyphs_unicode);
	part = canvas_part(&c, 1, 2, 1, 3);
	canvas_text(&part, 0, 0, FACE_PLAIN, STR("abcdef"));
	canvas_text(&part, 1, 0, FACE_PLAIN, STR("no"));
	assert_dump(&c, "\n  abc\n\n");
	part = canvas_part(&c, 5, 9, 4, 4);
	assert_int_equal(part.rows, 0);
	assert_int_equal(part.cols, 0);
	canvas_release(&c);
}

/* --- scrolling ------------------------------------------------------------------------ */

static void test_viewport(void **state)
{
	struct viewport p = { 0 };
	struct rng r = rng_start(11);

	(void)state;
	viewport_resize(&p, 10, 3);
	assert_true(viewport_act(&p, ACT_LAST));
	assert_int_equal(p.cursor, 9);
	assert_int_equal(p.top, 7);
	assert_true(viewport_act(&p, ACT_PAGE_UP));
	assert_int_equal(p.cursor, 7);
	assert_false(viewport_act(&p, ACT_QUIT));
	/* The cursor lies in the list and is seen, whatever happens. */
	for (int i = 0; i < 20000; i++) {
		if (rng_below(&r, 4) == 0)
			viewport_resize(&p, rng_below(&r, 40), rng_below(&r, 9));
		else
			(void)viewport_act(&p, (enum action)(ACT_DOWN + rng_below(&r, 8)));
		assert_true(p.n == 0 ? p.cursor == 0 && p.top == 0 : p.cursor < p.n);
		assert_true(p.top <= p.cursor);
		assert_true(p.cursor < p.top + (p.rows > 0 ? p.rows : 1));
		/* No room stays empty below while something is hidden above. */
		assert_true(p.top == 0 || p.top + (p.rows > 0 ? p.rows : 1) <= p.n);
	}
}

static void assert_apart(const struct ranking_layout *l, unsigned rows, unsigned cols)
{
	assert_true(l->list_rows <= rows && l->list_cols <= cols);
	if (l->detail_rows == 0)
		return;
	assert_true(l->detail_row + l->detail_rows <= rows);
	assert_true(l->detail_col + l->detail_cols <= cols);
	assert_true(l->detail_col > l->list_cols || l->detail_row > l->list_rows);
	assert_true(l->words_rows == 0 || l->words_row > l->list_rows);
	assert_true(l->words_row + l->words_rows <= rows);
	/* Below each other both have all columns; beside, neither is narrower than 40. */
	if (l->detail_col == 0)
		assert_int_equal(l->list_cols, cols);
	else
		assert_true(l->list_cols >= 40 && l->detail_cols >= 40);
}

/* List, words and detail never lie on each other, nor outside. */
static void test_layout(void **state)
{
	(void)state;
	for (unsigned rows = 0; rows <= 120; rows++) {
		for (unsigned cols = 0; cols <= 400; cols++) {
			for (size_t n = 0; n < 40; n += 13) {
				struct ranking_layout l = ranking_layout(rows, cols, n);

				assert_apart(&l, rows, cols);
			}
		}
	}
}

/* From 200 columns on they lie side by side, or from 110 when the screen is low; else from 20 rows
 * on one below the other. */
static void test_layout_has_limits(void **state)
{
	(void)state;
	assert_int_equal(ranking_layout(19, 109, 9).detail_rows, 0);
	assert_int_equal(ranking_layout(20, 199, 9).detail_col, 0);
	assert_true(ranking_layout(20, 109, 9).detail_rows > 0);
	assert_int_equal(ranking_layout(9, 110, 9).detail_rows, 0);
	assert_true(ranking_layout(10, 110, 9).detail_col > 0);
	assert_true(ranking_layout(20, 200, 9).detail_col > 0);
	assert_int_equal(ranking_layout(20, 200, 9).words_rows, 0);
	assert_true(ranking_layout(50, 200, 9).words_rows > 0);
}

/* --- keys ----------------------------------------------------------------------------- */

static void test_key_names(void **state)
{
	static const char *const names[] = { "j",     "Ctrl-d", "PageUp", "Space", "Escape",
					     "Enter", "/",	"\u00e9", "F1",	   "Tab" };
	struct out *o = out_to_memory();
	keycode key;

	(void)state;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_true(keycode_parse(str_from(names[i]), &key));
		out_reset(o);
		keycode_name(o, key);
		assert_true(str_eq(out_memory(o), str_from(names[i])));
	}
	assert_true(keycode_parse(STR("Ctrl-A"), &key));
	assert_int_equal(key, 1);
	assert_false(keycode_parse(STR("Ctrl-1"), &key));
	assert_false(keycode_parse(STR("jk"), &key));
	assert_false(keycode_parse(STR(""), &key));
	out_free(o);
}

/* A view's own binding goes before that for all, a later one before an earlier one. */
static void test_keymap(void **state)
{
	struct keymap m;
	keycode key;

	(void)state;
	keymap_init(&m);
	assert_int_equal(keymap_find(&m, "ranking", 'j'), ACT_DOWN);
	assert_int_equal(keymap_find(&m, "histogram", 'j'), ACT_NEXT_OPERATION);
	keymap_bind(&m, "all", 'j', ACT_UP);
	assert_int_equal(keymap_find(&m, "ranking", 'j'), ACT_UP);
	assert_int_equal(keymap_find(&m, "histogram", 'j'), ACT_NEXT_OPERATION);
	keymap_bind(&m, "ranking", 'j', ACT_NONE);
	assert_int_equal(keymap_find(&m, "ranking", 'j'), ACT_NONE);
	keymap_release(&m);
	/* Every default names a key that there is: none was dropped. */
	keymap_init(&m);
#define KEY(where, name, action)                                                                   \
	assert_true(keycode_parse(str_from(name), &key));                                          \
	assert_int_equal(keymap_find(&m, where, key), ACT_##action);
#include "tui/keys.def"
#undef KEY
	keymap_release(&m);
}

static void type(struct prompt *p, const char *text)
{
	for (; *text != '\0'; text++)
		assert_int_equal(prompt_key(p, (keycode)*text), PROMPT_TYPED);
}

static void test_prompt(void **state)
{
	struct prompt p = { 0 };

	(void)state;
	prompt_open(&p, "> ", STR("ab"));
	type(&p, "cd");
	assert_int_equal(prompt_key(&p, KEYCODE_LEFT), PROMPT_IGNORED);
	assert_int_equal(prompt_key(&p, 0xe9), PROMPT_TYPED);
	assert_true(str_eq(prompt_text(&p), STR("abc\u00e9d")));
	assert_int_equal(prompt_key(&p, KEYCODE_BACKSPACE), PROMPT_TYPED);
	assert_true(str_eq(prompt_text(&p), STR("abcd")));
	assert_int_equal(prompt_key(&p, 'u' - 'a' + 1), PROMPT_TYPED);
	assert_true(str_eq(prompt_text(&p), STR("d")));
	/* After the cursor there is text: nothing to take away, and nothing to give up. */
	assert_int_equal(prompt_key(&p, KEYCODE_BACKSPACE), PROMPT_TYPED);
	assert_true(str_eq(prompt_text(&p), STR("d")));
	assert_int_equal(prompt_key(&p, KEYCODE_DELETE), PROMPT_TYPED);
	assert_int_equal(prompt_key(&p, KEYCODE_BACKSPACE), PROMPT_CANCELLED);
	type(&p, "one two ");
	assert_int_equal(prompt_key(&p, 'w' - 'a' + 1), PROMPT_TYPED);
	assert_true(str_eq(prompt_text(&p), STR("one ")));
	assert_int_equal(prompt_key(&p, KEYCODE_ENTER), PROMPT_ACCEPTED);
	prompt_release(&p);
}

/* --- filters ---------------------------------------------------------------------------- */

static struct operation operation_named(const char *name, const char *layer)
{
	return (struct operation){ .name = str_from(name), .layer = str_from(layer) };
}

static bool holds(const char *text, const struct item *i)
{
	struct filter f = { .n = 0 };
	struct study s = { .n = 0 };
	struct str wrong;
	bool result;

	assert_true(filter_parse(&f, str_from(text), &wrong));
	result = filter_holds(&f, &s, i);
	filter_release(&f);
	return result;
}

static void test_filters(void **state)
{
	struct operation op = operation_named("vfs_read", "fs");
	struct annotation annotation = { .note = STR("seen"), .expected = 1U << VERDICT_NEW };
	struct ranked ranked = { .before = &op, .verdict = VERDICT_REGRESSED, .score = 2 };
	struct item item = { .before = &op, .ranked = &ranked, .annotation = &annotation };

	(void)state;
	assert_true(holds("", &item));
	assert_true(holds("read", &item));
	assert_false(holds("write", &item));
	assert_true(holds("!write", &item));
	assert_true(holds("vfs_*", &item));
	assert_false(holds("*write", &item));
	assert_true(holds("layer:fs verdict:regr", &item));
	assert_false(holds("layer:f", &item));
	assert_true(holds("score>1.5 score<2.5", &item));
	assert_false(holds("score>2", &item));
	assert_false(holds("read !verdict:regressed", &item));
	assert_true(holds("is:noted !is:marked !is:reported", &item));
	assert_false(holds("is:expected", &item));
	annotation.expected = 1U << VERDICT_REGRESSED;
	assert_true(holds("is:expected", &item));
	annotation = (struct annotation){ .marked = true, .note = STR("") };
	ranked.reported = true;
	assert_true(holds("is:marked is:reported !is:noted !is:expected", &item));
	item.annotation = NULL;
	assert_true(holds("!is:marked !is:noted !is:expected", &item));
}

static void test_filters_that_are_none(void **state)
{
	static const char *const wrong_ones[] = { "is:odd", "read is:", "!" };
	struct filter f = { .n = 0 };
	struct str wrong;

	(void)state;
	assert_true(filter_parse(&f, STR("kept"), &wrong));
	for (size_t i = 0; i < COUNT_OF(wrong_ones); i++) {
		assert_false(filter_parse(&f, str_from(wrong_ones[i]), &wrong));
		assert_string_equal(f.text, "kept");
	}
	filter_release(&f);
}

/* --- files -------------------------------------------------------------------------------- */

static struct annotations *read_back(const struct annotations *r)
{
	struct diag diag = { .emit = NULL };
	struct out *o = out_to_memory();
	struct annotations *again;
	struct input in;

	annotations_write(r, o);
	input_borrow(&in, "annotations", out_memory(o).p, out_memory(o).n);
	again = annotations_read(&in, &diag);
	input_release(&in);
	out_free(o);
	return again;
}

/* Any bytes a name may have come back. */
static void test_annotations_come_back(void **state)
{
	struct operation plain = operation_named("read", "");
	struct operation odd = { .name = STR_INIT("a\0\"\\\n\xff "),
				 .layer = STR_INIT("in \"x\"") };
	struct annotations *r = annotations_new(), *again;

	(void)state;
	annotations_on(r, &plain)->marked = true;
	annotations_on(r, &plain)->expected = 1U << VERDICT_NEW | 1U << VERDICT_IMPROVED;
	annotation_set_note(r, annotations_on(r, &odd), STR("two\nlines, \"quoted\""));
	again = read_back(r);
	assert_non_null(again);
	assert_true(annotations_find(again, &plain)->marked);
	assert_true(annotation_expects(annotations_find(again, &plain), VERDICT_NEW));
	assert_true(annotation_expects(annotations_find(again, &plain), VERDICT_IMPROVED));
	assert_false(annotation_expects(annotations_find(again, &plain), VERDICT_REGRESSED));
	assert_true(str_eq(annotations_find(again, &odd)->note, STR("two\nlines, \"quoted\"")));
	assert_false(annotations_find(again, &odd)->marked);
	annotations_free(again);
	annotations_free(r);
}

static void assert_bad_annotations(const char *text, size_t line, size_t column)
{
	struct captured captured = { 0 };
	struct diag diag = diag_to(&captured);
	struct input in;

	input_borrow(&in, "annotations", text, strlen(text));
	assert_null(annotations_read(&in, &diag));
	assert_int_equal(captured.code, DIAG_ANNOTATIONS_BAD);
	assert_int_equal(captured.at.line, line);
	assert_int_equal(captured.at.column, column);
	input_release(&in);
}

static void test_bad_annotations(void **state)
{
	(void)state;
	assert_bad_annotations("", 1, 1);
	assert_bad_annotations("# osprof annotations 2\n", 1, 1);
	assert_bad_annotations("# osprof annotations 1\nmark read\n", 2, 6);
	assert_bad_annotations("# osprof annotations 1\nmark \"read\n", 2, 6);
	assert_bad_annotations("# osprof annotations 1\nmark \"read\" x\n", 2, 13);
	assert_bad_annotations("# osprof annotations 1\nexpect \"read\" odd\n", 2, 18);
	assert_bad_annotations("# osprof annotations 1\nnote \"read\" text\n", 2, 13);
}

static void test_config(void **state)
{
	static const char text[] = "# mine\nbind all Ctrl-n down\nbind histogram z zoom-in\n\n"
				   "color before 39 bold\ncolor after default\nset mouse on\n"
				   "set band off\n";
	struct diag diag = { .emit = NULL };
	struct config c;
	struct keymap m;
	struct input in;

	(void)state;
	config_init(&c);
	input_borrow(&in, "browser.conf", text, strlen(text));
	assert_true(config_read(&c, &in, &diag));
	assert_true(c.mouse && c.no_band && !c.ascii && !c.linear);
	assert_int_equal(c.face[FACE_BEFORE].color, 39);
	assert_true(c.face[FACE_BEFORE].bold);
	assert_int_equal(c.face[FACE_AFTER].color, COLOR_OWN);
	assert_int_equal(c.face[FACE_BOTH].color, COLOR_UNSET);
	keymap_init(&m);
	config_bind(&c, &m);
	assert_int_equal(keymap_find(&m, "peaks", 14), ACT_DOWN);
	assert_int_equal(keymap_find(&m, "histogram", 'z'), ACT_ZOOM_IN);
	assert_int_equal(keymap_find(&m, "ranking", 'z'), ACT_NONE);
	keymap_release(&m);
	config_release(&c);
	input_release(&in);
}

static void assert_bad_config(const char *text, size_t line, size_t column)
{
	struct captured captured = { 0 };
	struct diag diag = diag_to(&captured);
	struct config c;
	struct input in;

	config_init(&c);
	input_borrow(&in, "browser.conf", text, strlen(text));
	assert_false(config_read(&c, &in, &diag));
	assert_int_equal(captured.code, DIAG_CONFIG_BAD);
	assert_int_equal(captured.at.line, line);
	assert_int_equal(captured.at.column, column);
	config_release(&c);
	input_release(&in);
}

static void test_bad_config(void **state)
{
	(void)state;
	assert_bad_config("bond all j down\n", 1, 1);
	assert_bad_config("bind nowhere j down\n", 1, 6);
	assert_bad_config("bind all jj down\n", 1, 10);
	assert_bad_config("bind all j fall\n", 1, 12);
	assert_bad_config("bind all j down up\n", 1, 17);
	assert_bad_config("\ncolor before puce\n", 2, 14);
	assert_bad_config("color odd 1\n", 1, 7);
	assert_bad_config("color before 256\n", 1, 14);
	assert_bad_config("set mouse maybe\n", 1, 11);
	assert_bad_config("set sound on\n", 1, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_is_cut),
		cmocka_unit_test(test_wide_characters),
		cmocka_unit_test(test_combining_characters),
		cmocka_unit_test(test_no_escape_reaches_a_cell),
		cmocka_unit_test(test_names_keep_their_end),
		cmocka_unit_test(test_paragraphs),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_viewport),
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_layout_has_limits),
		cmocka_unit_test(test_key_names),
		cmocka_unit_test(test_keymap),
		cmocka_unit_test(test_prompt),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_filters_that_are_none),
		cmocka_unit_test(test_annotations_come_back),
		cmocka_unit_test(test_bad_annotations),
		cmocka_unit_test(test_config),
		cmocka_unit_test(test_bad_config),
	};

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
