/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Demangles function names of C++ by the Itanium ABI, without parameter and return types, which
 * are skipped.
 */
#include "formats/programs/cxx_name.h"

#include <string.h>

#include "base/arena.h"
#include "base/out.h"

enum { MAX_SYMBOL = 4096, MAX_LOCAL = 16 };

struct symbol {
	const char *at, *end;
	struct out *name;
	struct str last; /* last part of the name: a class, whose constructor may follow */
};

static char peek_char(const struct symbol *s, size_t ahead)
{
	return (size_t)(s->end - s->at) > ahead ? s->at[ahead] : '\0';
}

static bool take_char(struct symbol *s, char c)
{
	if (peek_char(s, 0) != c || s->at == s->end)
		return false;
	s->at++;
	return true;
}

/* Takes "3foo". */
static bool take_source(struct symbol *s, struct str *ret)
{
	size_t n = 0;

	if (!is_digit(peek_char(s, 0)))
		return false;
	while (is_digit(peek_char(s, 0)) && n < MAX_SYMBOL)
		n = n * 10 + (size_t)(*s->at++ - '0');
	if (n == 0 || n > (size_t)(s->end - s->at))
		return false;
	*ret = (struct str){ s->at, n };
	s->at += n;
	return true;
}

/* Skips the rest of "S_", "T0_" after the letter. */
static bool pass_number(struct symbol *s)
{
	while (is_digit(peek_char(s, 0)) || (peek_char(s, 0) >= 'A' && peek_char(s, 0) <= 'Z'))
		s->at++;
	return take_char(s, '_');
}

/* Skips "Li5E" after the L; the type is one letter, or a name. */
static bool pass_literal(struct symbol *s)
{
	struct str name;

	if (is_digit(peek_char(s, 0)) ? !take_source(s, &name) : !(peek_char(s, 0) >= 'a'))
		return false;
	while (s->at < s->end && *s->at != 'E')
		s->at++;
	return take_char(s, 'E');
}

/* Skips a letter of types or arguments; *depth counts the levels that an E closes. */
static bool pass_letter(struct symbol *s, unsigned *depth)
{
	struct str name;
	char c = peek_char(s, 0);

	if (is_digit(c))
		return take_source(s, &name);
	s->at++;
	if (c == 'E') {
		--*depth;
		return true;
	}
	if (c != '\0' && strchr("INFJX", c) != NULL) {
		++*depth;
		return true;
	}
	if (c == 'L')
		return pass_literal(s);
	if (c == 'T' || (c == 'S' && (peek_char(s, 0) < 'a' || peek_char(s, 0) > 'z')))
		return pass_number(s);
	if (c == 'A') {
		while (is_digit(peek_char(s, 0)))
			s->at++;
		return take_char(s, '_');
	}
	if (c == 'S' ||
	    (c == 'D' && peek_char(s, 0) != '\0' && strchr("vTt", peek_char(s, 0)) == NULL)) {
		s->at++;
		return true;
	}
	return (c >= 'a' && c <= 'z') || (c != '\0' && strchr("PROKVMGCYB", c) != NULL);
}

/* Skips everything up to the E that closes the current level. */
static bool pass_all(struct symbol *s)
{
	unsigned depth = 1;

	while (depth > 0) {
		if (s->at == s->end || !pass_letter(s, &depth))
			return false;
	}
	return true;
}

static void add_part(struct symbol *s, struct str part)
{
	if (out_memory(s->name).n > 0)
		out_text(s->name, "::");
	out_bytes(s->name, part);
	s->last = part;
}

static const struct {
	char code[3];
	const char *name;
} operators[] = {
	{ "nw", " new" }, { "na", " new[]" }, { "dl", " delete" }, { "da", " delete[]" },
	{ "ps", "+" },	  { "ng", "-" },      { "ad", "&" },	   { "de", "*" },
	{ "co", "~" },	  { "pl", "+" },      { "mi", "-" },	   { "ml", "*" },
	{ "dv", "/" },	  { "rm", "%" },      { "an", "&" },	   { "or", "|" },
	{ "eo", "^" },	  { "aS", "=" },      { "pL", "+=" },	   { "mI", "-=" },
	{ "mL", "*=" },	  { "dV", "/=" },     { "rM", "%=" },	   { "aN", "&=" },
	{ "oR", "|=" },	  { "eO", "^=" },     { "ls", "<<" },	   { "rs", ">>" },
	{ "lS", "<<=" },  { "rS", ">>=" },    { "eq", "==" },	   { "ne", "!=" },
	{ "lt", "<" },	  { "gt", ">" },      { "le", "<=" },	   { "ge", ">=" },
	{ "ss", "<=>" },  { "nt", "!" },      { "aa", "&&" },	   { "oo", "||" },
	{ "pp", "++" },	  { "mm", "--" },     { "cm", "," },	   { "pm", "->*" },
	{ "pt", "->" },	  { "cl", "()" },     { "ix", "[]" },
};

static bool take_operator(struct symbol *s)
{
	struct out *name;

	for (size_t i = 0; i < COUNT_OF(operators); i++) {
		if (peek_char(s, 0) != operators[i].code[0] ||
		    peek_char(s, 1) != operators[i].code[1])
			continue;
		s->at += 2;
		name = out_to_memory();
		out_printf(name, "operator%s", operators[i].name);
		add_part(s, out_memory(name));
		out_free(name);
		s->last = STR("");
		return true;
	}
	return false;
}

/* Takes "C2", "D0": a constructor or destructor of the preceding class. */
static bool take_constructor(struct symbol *s)
{
	char what = peek_char(s, 0), kind = peek_char(s, 1);
	struct str class = s->last;

	if ((what != 'C' && what != 'D') || kind < '0' || kind > '5' || class.n == 0)
		return false;
	s->at += 2;
	out_text(s->name, what == 'C' ? "::" : "::~");
	out_bytes(s->name, class);
	return true;
}

/* Takes "UliE0_", a lambda. */
static bool take_lambda(struct symbol *s)
{
	unsigned number = 0;

	if (peek_char(s, 0) != 'U' || peek_char(s, 1) != 'l')
		return false;
	s->at += 2;
	if (!pass_all(s))
		return false;
	if (is_digit(peek_char(s, 0))) {
		while (is_digit(peek_char(s, 0)) && number < 100000)
			number = number * 10 + (unsigned)(*s->at++ - '0');
		number++;
	}
	if (out_memory(s->name).n > 0)
		out_text(s->name, "::");
	out_printf(s->name, "$_%u", number);
	s->last = STR("");
	return take_char(s, '_');
}

/* Takes "3foo", "pl", "C1", and template arguments after it. */
static bool take_part(struct symbol *s)
{
	struct str name;

	if (peek_char(s, 0) == 'L' && is_digit(peek_char(s, 1)))
		s->at++;
	if (is_digit(peek_char(s, 0))) {
		if (!take_source(s, &name))
			return false;
		add_part(s, name);
	} else if (!take_constructor(s) && !take_lambda(s) && !take_operator(s)) {
		return false;
	}
	while (take_char(s, 'B')) {
		if (!take_source(s, &name))
			return false;
	}
	return !take_char(s, 'I') || pass_all(s);
}

/* Takes "St", "Ss": abbreviations of standard names. */
static bool take_standard(struct symbol *s)
{
	static const struct {
		char letter;
		struct str class;
	} known[] = {
		{ 'a', STR_INIT("allocator") }, { 'b', STR_INIT("basic_string") },
		{ 's', STR_INIT("string") },	{ 'i', STR_INIT("istream") },
		{ 'o', STR_INIT("ostream") },	{ 'd', STR_INIT("iostream") },
	};

	if (peek_char(s, 0) != 'S' || peek_char(s, 1) < 'a' || peek_char(s, 1) > 'z')
		return false;
	s->at += 2;
	add_part(s, STR("std"));
	if (s->at[-1] == 't')
		return true;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		if (known[i].letter == s->at[-1]) {
			add_part(s, known[i].class);
			return !take_char(s, 'I') || pass_all(s);
		}
	}
	return false;
}

/* Takes "N4shop5StoreIiE3putE" after the N. */
static bool take_nested(struct symbol *s)
{
	while (peek_char(s, 0) != '\0' && strchr("rVKRO", peek_char(s, 0)) != NULL)
		s->at++;
	if (peek_char(s, 0) == 'S' && !take_standard(s))
		return false;
	while (!take_char(s, 'E')) {
		if (peek_char(s, 0) == 'c' &&
		    peek_char(s, 1) == 'v') { /* a type follows up to the end */
			out_text(s->name, "::operator(cast)");
			return true;
		}
		if (!take_part(s))
			return false;
	}
	return true;
}

/* Takes the name after _Z; the names of local entities are nested in those of functions. */
static bool take_name(struct symbol *s)
{
	for (unsigned local = 0; local < MAX_LOCAL; local++) {
		bool outer = take_char(s, 'Z');

		if (outer)
			continue;
		if (take_char(s, 'N')
			    ? !take_nested(s)
			    : (peek_char(s, 0) == 'S' && !take_standard(s)) || !take_part(s))
			return false;
		for (; local > 0; local--) {
			if (!pass_all(s) || !(take_char(s, 'N') ? take_nested(s) : take_part(s)))
				return false;
		}
		return true;
	}
	return false;
}

struct str cxx_name(struct arena *a, struct str symbol)
{
	struct symbol s = { .at = symbol.p + 2, .end = symbol.p + symbol.n, .last = STR("") };
	struct str name = symbol;

	if (!str_has_prefix(symbol, STR("_Z")) || symbol.n > MAX_SYMBOL)
		return symbol;
	s.name = out_to_memory();
	if (take_name(&s) && out_memory(s.name).n > 0)
		name = arena_str(a, out_memory(s.name));
	out_free(s.name);
	return name;
}
