/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The captures of testdata/ and the options they are read with. */
#ifndef TESTS_FORMATS_CAPTURE_H
#define TESTS_FORMATS_CAPTURE_H

#include "formats/format.h"

enum { CAPTURE_LIMIT = 1 << 28, CAPTURE_PATH = 1024 };

struct capture_settings {
	const struct format *from; /* NULL: to be detected */
	struct read_options read;

	/* Its own. */
	struct input args, names_in;
	char names_path[CAPTURE_PATH];
	struct names *names;
};

/* Those of PATH.args, if that exists. */
void capture_settings(struct capture_settings *s, const char *path);
void capture_settings_release(struct capture_settings *s);

/* Calls `found` for each file that has FILE.expect beside it. */
void captures_walk(const char *folder, void (*found)(const char *path));

#endif
