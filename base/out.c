/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/out.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/c_locale.h"
#include "base/utf8.h"
#include "base/wrap.h"
#include "base/xalloc.h"

enum { FLUSH_AT = 64 * 1024, USUAL_PRINT = 64 };

struct out *out_to_file(FILE *f)
{
	struct out *o = xcalloc(1, sizeof(*o));

	o->file = f;
	o->buf = xgrow(NULL, &o->cap, FLUSH_AT, 1);
	return o;
}

struct out *out_to_memory(void)
{
	return xcalloc(1, sizeof(struct out));
}

static void note_failure(struct out *o)
{
	if (o->error == 0)
		o->error = errno != 0 ? errno : EIO;
}

static void write_to_file(void *ctx, struct str s)
{
	struct out *o = ctx;

	if (s.n > 0 && fwrite(s.p, 1, s.n, o->file) != s.n)
		note_failure(o);
}

/* Returns how many bytes can be written now: whole lines only, where lines are broken. */
static size_t ready_bytes(const struct out *o)
{
	size_t n = o->n;

	while (o->line_width > 0 && n > 0 && o->buf[n - 1] != '\n')
		n--;
	return n;
}

static void flush_bytes(struct out *o, size_t n)
{
	const struct str text = { o->buf, n };

	if (o->file == NULL || n == 0)
		return;
	if (o->line_width > 0)
		wrap_lines(text, o->line_width, write_to_file, o);
	else
		write_to_file(o, text);
	o->n -= n;
	memmove(o->buf, o->buf + n, o->n);
}

void out_set_line_width(struct out *o, unsigned line_width)
{
	flush_bytes(o, o->n);
	o->line_width = line_width;
}

char *out_make_room(struct out *o, size_t n)
{
	flush_bytes(o, ready_bytes(o));
	o->buf = xgrow(o->buf, &o->cap, o->n + n, 1);
	return o->buf + o->n;
}

void out_code_point(struct out *o, uint32_t code)
{
	o->n += utf8_encode(code, out_reserve(o, UTF8_MAX));
}

void out_printf(struct out *o, const char *fmt, ...)
{
	char *room = out_reserve(o, USUAL_PRINT);
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room, USUAL_PRINT, fmt, ap);
	va_end(ap);
	if (n < 0) {
		note_failure(o);
		return;
	}
	if (n >= USUAL_PRINT) {
		room = out_reserve(o, (size_t)n + 1);
		va_start(ap, fmt);
		(void)vsnprintf(room, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	o->n += (size_t)n;
}

static bool out_not_finite(struct out *o, double v)
{
	if (isnan(v))
		out_text(o, "nan");
	else if (isinf(v))
		out_text(o, v > 0 ? "inf" : "-inf");
	else
		return false;
	return true;
}

enum { SHORT_DIGITS = 15, EXACT_POWERS = 23 };

__extension__ typedef unsigned __int128 wide;

static const double power_of_ten[EXACT_POWERS] = {
	1e0,  1e1,  1e2,  1e3,	1e4,  1e5,  1e6,  1e7,	1e8,  1e9,  1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

/* Returns the digits after the point of a number in [2^(exponent-1), 2^exponent) that has so many
 * significant digits; may be one too many. */
static int places_for(int exponent, int digits)
{
	return digits - 1 - (int)floor((exponent - 1) * 0.30102999566398120);
}

/* Rounds v to so many digits, as *ret_digits x 10^-*ret_places; false where that needs
 * powers of ten that a double does not hold exactly. */
static bool scale_to_integer(double v, int digits, uint64_t *ret_digits, int *ret_places)
{
	int exponent, places;

	(void)frexp(v, &exponent);
	places = places_for(exponent, digits);
	for (int tries = 0; tries < 2; tries++, places--) {
		uint64_t scaled;

		if (places < 0 || places >= EXACT_POWERS)
			return false;
		scaled = (uint64_t)llroundl((long double)v * (long double)power_of_ten[places]);
		if ((double)scaled < power_of_ten[digits]) {
			*ret_digits = scaled;
			*ret_places = places;
			return true;
		}
	}
	return false;
}

/* Writes v in front of text[end]; returns the index of the first digit. */
static size_t put_digits(char *text, size_t end, uint64_t v)
{
	size_t n = end;

	for (; v >= 100; v /= 100) {
		unsigned pair = (unsigned)(v % 100);

		text[--n] = (char)('0' + pair % 10);
		text[--n] = (char)('0' + pair / 10);
	}
	if (v >= 10) {
		text[--n] = (char)('0' + v % 10);
		v /= 10;
	}
	text[--n] = (char)('0' + v);
	return n;
}

void out_u64(struct out *o, uint64_t v)
{
	char text[20];
	size_t n = put_digits(text, sizeof(text), v);

	out_bytes(o, (struct str){ text + n, sizeof(text) - n });
}

/* Writes digits x 10^-places. */
static void out_scaled(struct out *o, uint64_t digits, int places)
{
	char text[64];
	size_t n = sizeof(text);

	for (int i = 0; i < places; i++, digits /= 10)
		text[--n] = (char)('0' + digits % 10);
	if (places > 0)
		text[--n] = '.';
	n = put_digits(text, n, digits);
	out_bytes(o, (struct str){ text + n, sizeof(text) - n });
}

/* The same without trailing zeros after the point. */
static void out_fixed(struct out *o, uint64_t digits, int places)
{
	while (places > 0 && digits % 10 == 0) {
		digits /= 10;
		places--;
	}
	out_scaled(o, digits, places);
}

static bool is_small_integer(double v)
{
	const double exact_integers = 9007199254740992.0; /* 2^53 */

	return v == floor(v) && fabs(v) < exact_integers;
}

/* Tries `least` or more digits until they read back as the same double. */
static void out_shortest(struct out *o, double v, int min)
{
	locale_t user = uselocale(c_locale());
	char text[40];

	for (int digits = min;; digits++) {
		(void)snprintf(text, sizeof(text), "%.*g", digits, v);
		if (digits == DBL_DECIMAL_DIG || strtod(text, NULL) == v)
			break;
	}
	(void)uselocale(user);
	out_text(o, text);
}

/* Returns mantissa x 10^places x 2^-shift rounded to an integer, ties to even as printf()
 * does; *ret_same: whether this times 10^-places reads back as the same double. */
static uint64_t round_exactly(uint64_t mantissa, int shift, int places, bool *ret_same)
{
	const wide unit = (wide)power_of_ten[places], one = (wide)1 << shift;
	const wide exact = mantissa * unit, rest = exact & (one - 1);
	const uint64_t below = (uint64_t)(exact >> shift);
	const bool up = rest > one / 2 || (rest == one / 2 && below % 2 != 0);
	const wide twice_off = 2 * (up ? one - rest : rest);

	/* The neighbouring doubles are a unit away: less than half a unit reads back the same. */
	*ret_same = twice_off < unit || (twice_off == unit && mantissa % 2 == 0);
	return below + up;
}

/* Writes digits x 10^-places, of `n` digits, as printf's %g would. */
static void out_general(struct out *o, uint64_t digits, int n, int places)
{
	const int exponent = n - 1 - places;

	if (exponent >= -4) {
		out_fixed(o, digits, places);
		return;
	}
	out_fixed(o, digits, n - 1);
	out_text(o, "e-");
	out_char(o, (char)('0' + -exponent / 10));
	out_char(o, (char)('0' + -exponent % 10));
}

/* Writes the 16 or 17 digits that v needs, by 128-bit integers; where these do not suffice,
 * returns false and writes nothing. */
static bool out_long(struct out *o, double v)
{
	int exponent, shift;
	const uint64_t mantissa = (uint64_t)ldexp(frexp(v, &exponent), DBL_MANT_DIG);

	shift = DBL_MANT_DIG - exponent;
	if (shift < 1 || (mantissa & (mantissa - 1)) == 0) /* doubles are denser below 2^k */
		return false;
	for (int n = SHORT_DIGITS + 1; n <= DBL_DECIMAL_DIG; n++) {
		int places = places_for(exponent, n);
		uint64_t digits;
		bool same;

		if (places < 1 || places >= EXACT_POWERS)
			return false;
		digits = round_exactly(mantissa, shift, places, &same);
		if (digits >= (uint64_t)power_of_ten[n])
			digits = round_exactly(mantissa, shift, --places, &same);
		if (same || n == DBL_DECIMAL_DIG) {
			out_general(o, digits, n, places);
			return true;
		}
	}
	return false;
}

/* Writes integers and what is not finite, and returns true.  Of other numbers writes only the sign,
 * and removes it from *v. */
static bool out_easy(struct out *o, double *v)
{
	if (out_not_finite(o, *v))
		return true;
	if (*v < 0) {
		out_char(o, '-');
		*v = -*v;
	}
	if (!is_small_integer(*v))
		return false;
	out_u64(o, (uint64_t)*v);
	return true;
}

void out_f64(struct out *o, double v)
{
	uint64_t digits;
	int places;

	if (out_easy(o, &v))
		return;
	if (!scale_to_integer(v, SHORT_DIGITS, &digits, &places)) {
		/* Doubles below DBL_MIN may need only one digit; for others, %.15g already gives
		 * the shortest text. */
		out_shortest(o, v, v < DBL_MIN ? 1 : SHORT_DIGITS);
	} else if ((double)digits / power_of_ten[places] == v) {
		/* Both operands are exact, so the quotient is what a reader will get. */
		out_fixed(o, digits, places);
	} else if (!out_long(o, v)) {
		out_shortest(o, v, SHORT_DIGITS + 1);
	}
}

void out_digits(struct out *o, double v, int digits)
{
	uint64_t scaled;
	int places;

	if (out_easy(o, &v))
		return;
	if (scale_to_integer(v, digits, &scaled, &places)) {
		out_fixed(o, scaled, places);
	} else {
		locale_t user = uselocale(c_locale());

		out_printf(o, "%.*g", digits, v);
		(void)uselocale(user);
	}
}

/* Whether the product has at most 53 + 10 bits: a 64-bit long double holds it exactly, and it is
 * rounded only once. */
static bool scaled_exactly(double v, int decimals)
{
	return LDBL_MANT_DIG >= 64 && decimals <= 3 && fabs(v) < 1e15;
}

void out_decimals(struct out *o, double v, int decimals)
{
	if (scaled_exactly(v, decimals)) {
		if (signbit(v))
			out_char(o, '-');
		out_scaled(o,
			   (uint64_t)llrintl((long double)fabs(v) *
					     (long double)power_of_ten[decimals]),
			   decimals);
	} else if (!out_not_finite(o, v)) {
		locale_t user = uselocale(c_locale());

		out_printf(o, "%.*f", decimals, v);
		(void)uselocale(user);
	}
}

void out_reset(struct out *o)
{
	o->n = 0;
}

void out_flush(struct out *o)
{
	flush_bytes(o, o->n);
	if (o->file != NULL && fflush(o->file) != 0)
		note_failure(o);
}

bool out_close(struct out *o)
{
	int error;

	out_flush(o);
	error = o->error;
	out_free(o);
	if (error != 0)
		errno = error;
	return error == 0;
}

void out_free(struct out *o)
{
	if (o == NULL)
		return;
	free(o->buf);
	free(o);
}

bool out_listed(struct out *o, struct str name)
{
	enum { ENOUGH = 120, MAX_OF_NAME = 40 };
	bool fits = name.n < MAX_OF_NAME;

	if (out_memory(o).n >= ENOUGH)
		return false;
	out_text(o, out_memory(o).n > 0 ? ", " : "");
	out_bytes(o, (struct str){ name.p, fits ? name.n : MAX_OF_NAME });
	out_text(o, fits ? "" : "...");
	return true;
}
