/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libcsv alone: how many fields standard input has. */
#include <csv.h>
#include <stdio.h>

static void take_field(void *bytes, size_t n, void *ctx)
{
	size_t *fields = ctx;

	(void)bytes;
	(void)n;
	++*fields;
}

int main(void)
{
	static char buffer[1 << 18];
	struct csv_parser parser;
	size_t n, fields = 0;

	if (csv_init(&parser, 0) != 0)
		return 1;
	while ((n = fread(buffer, 1, sizeof(buffer), stdin)) > 0) {
		if (csv_parse(&parser, buffer, n, take_field, NULL, &fields) != n)
			return 1;
	}
	(void)csv_fini(&parser, take_field, NULL, &fields);
	csv_free(&parser);
	(void)printf("%zu\n", fields);
	return 0;
}
