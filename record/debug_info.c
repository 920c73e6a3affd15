/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A header of the C library may wrap a function in an inline one, as glibc does with read() under
 * _FORTIFY_SOURCE. Such a wrapper has the attribute artificial, so that its instructions count as
 * those of the call. The line table does not show that: it has the line of the wrapper (gcc) or
 * none (clang). The tree of scopes does: subprograms, inlined calls, and blocks, where an inlined
 * call has the place of the call, and its origin says whether it is artificial.
 */
#include "record/debug_info.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/out.h"
#include "base/str.h"
#include "base/xalloc.h"

struct debug_info {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf_Addr bias;
};

/* Uses debugging information in the file itself or installed by build id; downloads nothing. */
static bool open_module(struct debug_info *d, const char *path)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_build_id_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};

	d->dwfl = dwfl_begin(&callbacks);
	if (d->dwfl == NULL)
		return false;
	d->module = dwfl_report_offline(d->dwfl, path, path, -1);
	(void)dwfl_report_end(d->dwfl, NULL, NULL);
	return d->module != NULL && dwfl_module_getelf(d->module, &d->bias) != NULL;
}

bool debug_info_is_read(void)
{
	return true;
}

struct debug_info *debug_info_open(const char *path)
{
	struct debug_info *d = xcalloc(1, sizeof(*d));

	if (open_module(d, path))
		return d;
	debug_info_free(d);
	return NULL;
}

void debug_info_free(struct debug_info *d)
{
	if (d == NULL)
		return;
	if (d->dwfl != NULL)
		dwfl_end(d->dwfl);
	free(d);
}

/* Demangles a C++ symbol with libstdc++, if it is installed. Returns NULL if it cannot. */
static char *demangled_symbol(const char *symbol)
{
	char *(*demangle)(const char *, char *, size_t *, int *) = NULL;
	void *library;
	char *plain = NULL;

	if (symbol == NULL || strncmp(symbol, "_Z", 2) != 0)
		return NULL;
	library = dlopen("libstdc++.so.6", RTLD_LAZY);
	if (library == NULL)
		return NULL;
	*(void **)&demangle = dlsym(library, "__cxa_demangle");
	if (demangle != NULL)
		plain = demangle(symbol, NULL, NULL, NULL);
	(void)dlclose(library);
	return plain;
}

/* Returns the compilation unit of an address. In it, addresses are less by *ret_bias. */
static Dwarf_Die *unit_at(const struct debug_info *d, Dwarf_Addr address, Dwarf_Addr *ret_bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(d->module, address, ret_bias);

	if (unit != NULL)
		return unit;
	/* Before 0.191, libdw looks only into .debug_aranges, which clang does not write. */
	do
		unit = dwfl_module_nextcu(d->module, unit, ret_bias);
	while (unit != NULL && dwarf_haspc(unit, address - *ret_bias) <= 0);
	return unit;
}

static bool has_flag(Dwarf_Die *function, unsigned int name)
{
	Dwarf_Attribute attribute;
	bool flag = false;

	return dwarf_formflag(dwarf_attr_integrate(function, name, &attribute), &flag) == 0 && flag;
}

/* Returns the name that the linker knows a function by, if that is stated and another. */
static const char *linkage_name(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
}

/* Returns the C library itself: a sanitizer's library has functions of the same names before it. */
static void *c_library(void)
{
	Dl_info library;
	void *function = dlsym(RTLD_DEFAULT, "sysconf"), *handle = NULL;

	if (function != NULL && dladdr(function, &library) != 0)
		handle = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	return handle != NULL ? handle : RTLD_DEFAULT;
}

/* Says whether the C library exports a function of this name. */
static bool is_library_function(const char *name)
{
	return name != NULL && dlsym(c_library(), name) != NULL;
}

/* Says whether an inlined function is a wrapper of a header. gcc's link-time optimization loses
 * the attribute, so an inlined function of the C library's names is one, too. Members of classes
 * are none: gcc marks the bodies of lambdas as artificial. */
static bool is_wrapper(Dwarf_Die *inlined)
{
	Dwarf_Attribute attribute;
	const char *name = linkage_name(inlined);

	if (dwarf_attr_integrate(inlined, DW_AT_object_pointer, &attribute) != NULL)
		return false;
	return has_flag(inlined, DW_AT_artificial) ||
	       (has_flag(inlined, DW_AT_external) &&
		is_library_function(name != NULL ? name : dwarf_diename(inlined)));
}

/* Returns an attribute of an inlined function that is a number, or 0. */
static Dwarf_Word number_of(Dwarf_Die *inlined, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word number = 0;

	(void)dwarf_formudata(dwarf_attr(inlined, name, &attribute), &number);
	return number;
}

/* Moves the location to where the inlined function is called. */
static void step_out(Dwarf_Die *inlined, struct code_location *location)
{
	Dwarf_Word line = number_of(inlined, DW_AT_call_line);
	Dwarf_Die unit;
	Dwarf_Files *files;
	size_t n;

	if (line == 0 || dwarf_diecu(inlined, &unit, NULL, NULL) == NULL ||
	    dwarf_getsrcfiles(&unit, &files, &n) != 0)
		return;
	location->file = dwarf_filesrc(files, number_of(inlined, DW_AT_call_file), NULL, NULL);
	location->line = (int)line;
}

/* Returns where a function is declared: for a member, that is in its class. */
static Dwarf_Die declaration_of(Dwarf_Die *function)
{
	static const unsigned int links[] = { DW_AT_abstract_origin, DW_AT_specification };
	Dwarf_Attribute attribute;
	Dwarf_Die found = *function;

	for (size_t i = 0; i < COUNT_OF(links); i++)
		(void)dwarf_formref_die(dwarf_attr(&found, links[i], &attribute), &found);
	return found;
}

/* Prints the classes and namespaces around a scope, the outermost first. */
static void print_outer(struct out *o, Dwarf_Die *scopes, int n)
{
	for (int i = n - 1; i > 0; i--) {
		int tag = dwarf_tag(&scopes[i]);
		const char *name = dwarf_diename(&scopes[i]);

		if (tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
		    tag == DW_TAG_structure_type || tag == DW_TAG_union_type)
			out_printf(o, "%s::",
				   name != NULL		     ? name
				   : tag == DW_TAG_namespace ? "(anonymous namespace)"
							     : "(anonymous)");
	}
}

/* Returns the name of a function that has no linkage name: one of C, or of its unit only. */
static char *qualified_name(Dwarf_Die *function)
{
	struct out *o = out_to_memory();
	Dwarf_Die declaration = declaration_of(function), *scopes = NULL;
	const char *name = dwarf_diename(function);
	char *text = NULL;
	int n = dwarf_getscopes_die(&declaration, &scopes);

	print_outer(o, scopes, n);
	if (name != NULL) {
		out_text(o, name);
		text = xmemdup(out_memory(o).p, out_memory(o).n);
	}
	free(scopes);
	out_free(o);
	return text;
}

/* Returns the name of a function; NULL if it has none. A symbol is only taken where it has more of
 * the name, since the compiler may have cloned the function under another. */
static char *function_name(Dwarf_Die *function, const char *symbol)
{
	char *plain = demangled_symbol(linkage_name(function)), *clone;

	if (plain == NULL && dwarf_tag(function) == DW_TAG_subprogram)
		plain = demangled_symbol(symbol);
	if (plain == NULL)
		return qualified_name(function);
	clone = strstr(plain, " [clone ");
	if (clone != NULL)
		*clone = '\0';
	return plain;
}

static bool may_have_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
	       tag == DW_TAG_catch_block || tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* Takes a scope in which the address is: the name of a function, or the way out of it. */
static void use_scope(Dwarf_Die *scope, const char *symbol, struct code_location *location)
{
	int tag = dwarf_tag(scope);

	if (tag == DW_TAG_inlined_subroutine && is_wrapper(scope))
		step_out(scope, location);
	else if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram)
		location->function = function_name(scope, symbol);
}

/* Finds the innermost function that is no wrapper, and where in it the address is.
 * dwarf_getscopes() does not do: it finds no inlined function whose origin is in another unit,
 * which is so with gcc's link-time optimization. */
static void find_function(Dwarf_Die *scope, Dwarf_Addr address, const char *symbol,
			  struct code_location *location)
{
	Dwarf_Die inner;

	if (dwarf_child(scope, &inner) != 0)
		return;
	do {
		if (!may_have_code(dwarf_tag(&inner)))
			continue;
		find_function(&inner, address, symbol, location);
		if (location->function == NULL && dwarf_haspc(&inner, address) > 0)
			use_scope(&inner, symbol, location);
	} while (location->function == NULL && dwarf_siblingof(&inner, &inner) == 0);
}

/* Returns the unit with the scopes: -gsplit-dwarf puts them into a file of their own. */
static Dwarf_Die scopes_of(Dwarf_Die *unit)
{
	Dwarf_Die split;
	uint8_t type = 0;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 &&
	    type == DW_UT_skeleton && dwarf_tag(&split) != DW_TAG_invalid)
		return split;
	return *unit;
}

/* Finds the line by the line table and the scopes of a unit. */
static void find_source(Dwarf_Die *unit, Dwarf_Addr address, const char *symbol,
			struct code_location *location)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	Dwarf_Die scopes = scopes_of(unit);

	if (line != NULL && dwarf_lineno(line, &location->line) == 0)
		location->file = dwarf_linesrc(line, NULL, NULL);
	find_function(&scopes, address, symbol, location);
	if (location->line == 0)
		location->file = NULL;
}

static char *symbol_name(const char *symbol)
{
	char *plain = demangled_symbol(symbol);

	return plain != NULL ? plain : xstrdup(symbol);
}

bool debug_info_find(struct debug_info *d, uint64_t offset, struct code_location *ret)
{
	struct code_location found = { NULL, NULL, 0 };
	Dwarf_Addr address = d->bias + offset, bias;
	const char *symbol = dwfl_module_addrname(d->module, address);
	Dwarf_Die *unit = unit_at(d, address, &bias);

	if (unit != NULL)
		find_source(unit, address - bias, symbol, &found);
	if (found.function == NULL && symbol != NULL)
		found.function = symbol_name(symbol);
	*ret = found;
	return found.function != NULL;
}
