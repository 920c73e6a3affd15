/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The captures of testdata/ and the options they are read with. */
#ifndef TESTS_FORMATS_CAPTURE_H
#define TESTS_FORMATS_CAPTURE_H

#include "base/out.h"
#include "base/scan.h"
#include "formats/format.h"

#define CAPTURES_EXPECT "captures.expect" /* one in each folder of captures */

enum { CAPTURE_LIMIT = 1 << 28, CAPTURE_PATH = 1024 };

/*
 * What captures.expect of a folder says of one of its files:
 *
 *	bad-row.csv (from csv, unit ns): 3:1 csv-bad
 *	good.csv:
 *		! 0:0 unit-guessed
 *		osprof 1
 *
 * The name, the options it is read with, and either the messages of a file that is
 * refused or, indented, messages and profile. Entries stand in the order of names; a file may
 * have several with other options.
 *
 * A capture, `capture` below, is named by the path of the file and the options as they stand
 * in the heading: "testdata/csv/bad-row.csv (from csv, unit ns)". Without options it is the
 * first entry of that file.
 */
struct expectation {
	struct str name;
	struct str options; /* "from csv, unit ns"; empty: none */
	struct str entry;   /* all its lines */
};

/* Takes the next entry off `c`; false at the end. */
MUST_CHECK bool expectation_next(struct cursor *c, struct expectation *ret);

/*
 * Finds the entry of a capture. It borrows from *ret_in, which the caller releases in any
 * case; false: there is none.
 */
MUST_CHECK bool expectation_of(const char *capture, struct input *ret_in, struct expectation *ret);

/* Writes an entry; `got` is the messages, "! LINE:COLUMN code" a line, then the profile. */
void expectation_write(struct out *o, struct str name, struct str options, struct str got);

struct capture_settings {
	const struct format *from; /* NULL: to be detected */
	struct read_options read;

	char path[CAPTURE_PATH]; /* of the file */

	/* Its own. */
	struct input expected, names_in;
	char names_path[CAPTURE_PATH];
	struct names *names;
};

/* Those that captures.expect has for a capture; without any, the defaults. */
void capture_settings(struct capture_settings *s, const char *capture);
void capture_settings_release(struct capture_settings *s);

/* Calls `found` for each entry of each captures.expect in the folder and below. */
void captures_walk(const char *folder, void (*found)(const char *capture));

#endif
