/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/utf8.h"

#include <wchar.h>

bool utf8_decode(struct str s, uint32_t *ret_code, size_t *ret_n)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead;
	uint32_t code;
	size_t n;

	if (s.n == 0)
		return false;
	lead = (unsigned char)s.p[0];
	n = lead < 0x80	  ? 1
	    : lead < 0xc2 ? 0
	    : lead < 0xe0 ? 2
	    : lead < 0xf0 ? 3
	    : lead < 0xf5 ? 4
			  : 0;
	if (n == 0 || n > s.n)
		return false;
	code = n == 1 ? lead : lead & (0xffU >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		unsigned char next = (unsigned char)s.p[i];

		if ((next & 0xc0) != 0x80)
			return false;
		code = code << 6 | (next & 0x3f);
	}
	if (code < smallest[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return false;
	*ret_code = code;
	*ret_n = n;
	return true;
}

size_t utf8_encode(uint32_t code, char ret[UTF8_MAX])
{
	static const unsigned lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = n; i > 1; i--) {
		ret[i - 1] = (char)(0x80 | (code & 0x3f));
		code >>= 6;
	}
	ret[0] = (char)(lead[n] | code);
	return n;
}

size_t utf8_width(uint32_t code)
{
	int width = wcwidth((wchar_t)code);

	return width < 0 ? 1 : (size_t)width;
}
