/* SPDX-License-Identifier: MIT */
/*
 * A reader: the made-up format "tally" has one call per line, with its latency in microseconds.
 *
 *	# tally 1
 *	read 512
 *	disk/write 20480
 *
 *	cc -shared -fPIC $(pkg-config --cflags osprof-plugin) -o tally.so tally.c
 *	osprof show --plugin ./tally.so calls.tally
 */
#include <osprof/plugin.h>

#include <string.h>

static const struct osprof_host *osprof;

static const char mark[] = "# tally 1\n";

/* The first line identifies the format; nothing else needs to be checked. */
static int probe(struct osprof_text head)
{
	size_t n = sizeof(mark) - 1;

	return head.size >= n && memcmp(head.bytes, mark, n) == 0 ? OSPROF_MINE : OSPROF_NOT_MINE;
}

/* Splits off what precedes `end`; returns 0 if the text has no `end`. */
static int cut_at(struct osprof_text *rest, char end, struct osprof_text *ret)
{
	const char *at = rest->size > 0 ? memchr(rest->bytes, end, rest->size) : NULL;

	if (at == NULL)
		return 0;
	ret->bytes = rest->bytes;
	ret->size = (size_t)(at - rest->bytes);
	rest->bytes = at + 1;
	rest->size -= ret->size + 1;
	return 1;
}

/* Converts a number that consists of digits only and fits 64 bits; 0: it does not. */
static int read_number(struct osprof_text t, uint64_t *ret)
{
	uint64_t v = 0;

	for (size_t i = 0; i < t.size; i++) {
		unsigned digit = (unsigned)(t.bytes[i] - '0');

		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			return 0;
		v = v * 10 + digit;
	}
	*ret = v;
	return t.size > 0;
}

static int read_line(struct osprof_input *in, struct osprof_text line)
{
	struct osprof_text rest = line, layer = { "", 0 }, name;
	uint64_t us;

	if (line.size == 0 || line.bytes[0] == '#')
		return 1;
	(void)cut_at(&rest, '/', &layer);
	if (!cut_at(&rest, ' ', &name) || name.size == 0)
		return osprof->fail(in, line, "expected NAME LATENCY");
	if (!read_number(rest, &us))
		return osprof->fail(in, rest, "expected microseconds");
	return osprof->latency(in, layer, name, us, 0);
}

static int read_all(struct osprof_input *in)
{
	struct osprof_text line;

	if (!osprof->unit(in, "us"))
		return 0;
	while (osprof->next_line(in, &line)) {
		if (!read_line(in, line))
			return 0;
	}
	return 1;
}

const struct osprof_plugin *osprof_plugin_1(const struct osprof_host *host)
{
	static const struct osprof_plugin plugin = {
		.size = sizeof(plugin),
		.abi = OSPROF_PLUGIN_ABI,
		.name = "tally",
		.title = "one call a line: name, latency in us",
		.probe = probe,
		.read = read_all,
	};

	osprof = host;
	return &plugin;
}
