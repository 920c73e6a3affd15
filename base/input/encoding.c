/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/input/encoding.h"

#include <stdint.h>
#include <string.h>

#include "base/attr.h"
#include "base/utf8.h"
#include "base/xalloc.h"

enum { UNIT = 2, MARK = 0xfeff };

struct decoder {
	struct filter filter; /* first, so that a pointer to it can be cast */
	size_t low;	      /* index of a unit's low byte: 0 or 1 */
	unsigned char cut[UNIT];
	size_t n_cut;	     /* bytes of the current unit seen so far */
	uint32_t high;	     /* a high surrogate that waits for its low one; 0: none */
	bool begun;	     /* a unit was seen: the byte order mark is skipped */
	char made[UTF8_MAX]; /* output that did not fit yet */
	size_t n_made;
};

static bool is_high(uint32_t unit)
{
	return unit >= 0xd800 && unit < 0xdc00;
}

static bool is_low(uint32_t unit)
{
	return unit >= 0xdc00 && unit < 0xe000;
}

/* Decodes a unit; false for an unpaired surrogate. */
static bool take_unit(struct decoder *d, uint32_t unit)
{
	bool begun = d->begun;

	d->begun = true;
	if (!begun && unit == MARK)
		return true;
	if ((d->high != 0) != is_low(unit))
		return false;
	if (is_high(unit)) {
		d->high = unit;
		return true;
	}
	if (is_low(unit))
		unit = 0x10000 + ((d->high - 0xd800) << 10) + (unit - 0xdc00);
	d->high = 0;
	d->n_made = utf8_encode(unit, d->made);
	return true;
}

static size_t give_bytes(struct decoder *d, char *to, size_t room)
{
	size_t n = d->n_made < room ? d->n_made : room;

	memcpy(to, d->made, n);
	memmove(d->made, d->made + n, d->n_made - n);
	d->n_made -= n;
	return n;
}

static enum filtered run(struct filter *f, struct str *from, bool ended, char *to, size_t room,
			 size_t *ret_n)
{
	struct decoder *d = (struct decoder *)f;
	size_t n = 0;

	*ret_n = 0;
	for (;;) {
		n += give_bytes(d, to + n, room - n);
		*ret_n = n;
		if (d->n_made > 0 || from->n == 0)
			break;
		d->cut[d->n_cut++] = (unsigned char)*from->p;
		*from = str_skip(*from, 1);
		if (d->n_cut < UNIT)
			continue;
		d->n_cut = 0;
		if (!take_unit(d, d->cut[d->low] + 256U * d->cut[1 - d->low])) {
			f->why = "half of a surrogate pair";
			return FILTERED_BAD;
		}
	}
	return ended && d->n_made == 0 && d->n_cut == 0 && d->high == 0 ? FILTERED_END
									: FILTERED_PART;
}

static struct filter *decoder_new(size_t low)
{
	struct decoder *d = xcalloc(1, sizeof(*d));

	d->filter = (struct filter){
		.of = "UTF-16 text", .bad = DIAG_ENCODING_BAD, .run = run, .free = filter_free
	};
	d->low = low;
	return &d->filter;
}

struct filter *decoder_for(struct str head)
{
	if (str_has_prefix(head, STR("\xff\xfe")))
		return decoder_new(0);
	if (str_has_prefix(head, STR("\xfe\xff")))
		return decoder_new(1);
	return NULL;
}
