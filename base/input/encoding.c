/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/encoding.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

#include "base/attr.h"
#include "base/utf8.h"
#include "base/xalloc.h"

enum { LONGEST_CHARACTER = 4 }; /* bytes, in UTF-16 and UTF-32 */

struct decoder {
	struct filter filter; /* first, so that a pointer to it can be cast */
	iconv_t converter;
	size_t mark; /* bytes of the byte order mark that are still to be skipped */
	/* A character that is not whole yet, or whose output did not fit. */
	char cut[LONGEST_CHARACTER];
	size_t n_cut;
	char made[UTF8_MAX];
	size_t n_made;
};

static size_t give_bytes(struct decoder *d, char *to, size_t room)
{
	size_t n = d->n_made < room ? d->n_made : room;

	memcpy(to, d->made, n);
	memmove(d->made, d->made + n, d->n_made - n);
	d->n_made -= n;
	return n;
}

/* Converts as much of a text as is whole and fits; false for what is no character. */
static bool convert_text(struct decoder *d, struct str *from, char **to, size_t *room)
{
	char *p = (char *)(uintptr_t)from->p;
	bool ok = from->n == 0 || iconv(d->converter, &p, &from->n, to, room) != (size_t)-1 ||
		  errno != EILSEQ;

	from->p = p;
	return ok;
}

/* Takes one byte of a character; false if it is none. */
static bool take_byte(struct decoder *d, struct str *from)
{
	struct str cut = { d->cut, ++d->n_cut };
	char *to = d->made;
	size_t room = sizeof(d->made);

	d->cut[d->n_cut - 1] = *from->p;
	*from = str_skip(*from, 1);
	if (!convert_text(d, &cut, &to, &room))
		return false;
	d->n_made = sizeof(d->made) - room;
	d->n_cut = cut.n;
	return true;
}

static void skip_mark(struct decoder *d, struct str *from)
{
	size_t n = d->mark < from->n ? d->mark : from->n;

	*from = str_skip(*from, n);
	d->mark -= n;
}

static enum filtered run(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			 size_t *ret_n)
{
	struct decoder *d = (struct decoder *)f;
	char *end = to + room, *start = to;
	bool ok = d->converter != (iconv_t)-1;

	skip_mark(d, from);
	while (ok && to < end && (d->n_made > 0 || from->n > 0)) {
		to += give_bytes(d, to, (size_t)(end - to));
		room = (size_t)(end - to);
		if (d->n_cut == 0)
			ok = convert_text(d, from, &to, &room);
		if (ok && d->n_made == 0 && from->n > 0)
			ok = take_byte(d, from);
	}
	*ret_n = (size_t)(to - start);
	if (!ok)
		return FILTERED_BAD;
	return ended && d->n_made == 0 && d->n_cut == 0 && d->mark == 0 ? FILTERED_END
									: FILTERED_PART;
}

static void decoder_free(struct filter *f)
{
	struct decoder *d = (struct decoder *)f;

	if (d->converter != (iconv_t)-1)
		(void)iconv_close(d->converter);
	free(d);
}

static struct filter *decoder_new(const char *name, size_t mark)
{
	struct decoder *d = xcalloc(1, sizeof(*d));

	d->converter = iconv_open("UTF-8", name);
	d->mark = mark;
	d->filter = (struct filter){
		.of = "UTF-16 or UTF-32 text",
		.bad = DIAG_ENCODING_BAD,
		.why = d->converter != (iconv_t)-1 ? "not a character"
						   : "the C library has no converter for it",
		.run = run,
		.free = decoder_free,
	};
	return &d->filter;
}

struct filter *decoder_for(struct str head)
{
	static const struct {
		struct str mark;
		const char *name;
	} known[] = {
		/* That of UTF-32 begins with one of UTF-16. */
		{ STR_INIT("\xff\xfe\0\0"), "UTF-32LE" },
		{ STR_INIT("\0\0\xfe\xff"), "UTF-32BE" },
		{ STR_INIT("\xff\xfe"), "UTF-16LE" },
		{ STR_INIT("\xfe\xff"), "UTF-16BE" },
	};

	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (str_has_prefix(head, known[i].mark))
			return decoder_new(known[i].name, known[i].mark.n);
	}
	return NULL;
}
