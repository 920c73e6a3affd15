/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Screens: keys in, screen out, for each file of a folder.
 *
 *	run: --unit ns testdata/runs/randread-1 testdata/runs/randread-2
 *	size: 24 80
 *	glyphs: unicode		or ascii
 *	keys: 2 s / "read" Enter @4,20
 *	----
 *	the screen
 *
 * usage: test_screens ROOT FOLDER
 * OSPROF_UPDATE=1 writes what is seen after the line; read it before you keep it.
 */
#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/input/input.h"
#include "base/input/input_file.h"
#include "base/out.h"
#include "base/scan.h"
#include "tests/tui/stage.h"

struct scene {
	char run[512], keys[512];
	unsigned rows, cols;
	const struct glyphs *glyphs;
	struct str head, screen; /* what stands above and below the line */
};

/* "24 80". */
static bool take_extent(struct str value, unsigned *ret_rows, unsigned *ret_cols)
{
	struct str rows, cols;
	uint64_t r, c;

	if (!str_cut(value, ' ', &rows, &cols) || number_u64(rows, &r) != NUMBER_OK ||
	    number_u64(str_trim(cols), &c) != NUMBER_OK)
		return false;
	*ret_rows = (unsigned)r;
	*ret_cols = (unsigned)c;
	return true;
}

static bool take_line(struct scene *s, struct str line)
{
	struct str name, value;

	if (!str_cut(line, ':', &name, &value))
		return false;
	value = str_trim(value);
	if (str_eq(name, STR("run")))
		(void)snprintf(s->run, sizeof(s->run), "%.*s", STR_ARG(value));
	else if (str_eq(name, STR("keys")))
		(void)snprintf(s->keys, sizeof(s->keys), "%.*s", STR_ARG(value));
	else if (str_eq(name, STR("glyphs")))
		s->glyphs = str_eq(value, STR("ascii")) ? &glyphs_ascii : &glyphs_unicode;
	else if (str_eq(name, STR("size")))
		return take_extent(value, &s->rows, &s->cols);
	else
		return false;
	return true;
}

static bool read_scene(struct input *in, struct scene *ret)
{
	struct cursor c = cursor_on(in), line;

	*ret = (struct scene){ .rows = 24, .cols = 80, .glyphs = &glyphs_unicode };
	while (scan_line(&c, &line)) {
		struct str text = cursor_rest(&line);

		if (str_eq(text, STR("----"))) {
			ret->head = (struct str){ in->bytes.p, c.at };
			ret->screen = cursor_rest(&c);
			return true;
		}
		if (!take_line(ret, text))
			return false;
	}
	return false;
}

static bool play(const struct scene *scene, struct out *seen)
{
	struct stage stage;
	bool ok = stage_open(&stage, scene->run, scene->rows, scene->cols, scene->glyphs) &&
		  stage_play(&stage, scene->keys);

	if (ok)
		(void)stage_screen(&stage, seen);
	stage_close(&stage);
	return ok;
}

static bool update(const char *path, struct str head, struct str seen)
{
	FILE *f = fopen(path, "w");
	bool ok = f != NULL && fwrite(head.p, 1, head.n, f) == head.n &&
		  fwrite(seen.p, 1, seen.n, f) == seen.n;

	return f != NULL && fclose(f) == 0 && ok;
}

/* The first line that differs. */
static void report_difference(const char *path, struct str wanted, struct str seen)
{
	struct str a, b;
	unsigned row = 0;

	while (str_cut(wanted, '\n', &a, &wanted) && str_cut(seen, '\n', &b, &seen) && str_eq(a, b))
		row++;
	(void)printf("%s: row %u\n  expected %.*s\n  seen     %.*s\n", path, row, STR_ARG(a),
		     STR_ARG(b));
}

static bool test_one(const char *path)
{
	struct diag diag = { .emit = NULL };
	struct out *seen = out_to_memory();
	struct scene scene;
	struct input in;
	bool ok;

	if (!input_open(&in, path, 1 << 20, &diag))
		return false;
	ok = read_scene(&in, &scene);
	if (!ok)
		(void)printf("%s: not a scene\n", path);
	ok = ok && play(&scene, seen);
	if (ok && !str_eq(out_memory(seen), scene.screen)) {
		if (getenv("OSPROF_UPDATE") != NULL) {
			ok = update(path, scene.head, out_memory(seen));
		} else {
			report_difference(path, scene.screen, out_memory(seen));
			ok = false;
		}
	}
	out_free(seen);
	input_release(&in);
	return ok;
}

static int is_scene(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **entry;
	unsigned passed = 0, failed = 0;
	int n;

	(void)setlocale(LC_CTYPE, "C.UTF-8");
	if (argc < 3 || chdir(argv[1]) != 0)
		return 2;
	n = scandir(argv[2], &entry, is_scene, alphasort);
	for (int i = 0; i < n; i++) {
		char path[512];
		bool ok;

		(void)snprintf(path, sizeof(path), "%s/%s", argv[2], entry[i]->d_name);
		ok = test_one(path);
		passed += ok;
		failed += !ok;
		if (!ok)
			(void)printf("FAILED: %s\n", entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	(void)printf("%u passed, %u failed\n", passed, failed);
	return failed > 0 || passed == 0;
}
