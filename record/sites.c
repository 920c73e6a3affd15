/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names call sites by debugging information and symbol tables, with libdw if it is available.
 * Object files are read after the recording; a file that has changed since is ignored.
 */
#include "record/sites.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/out.h"
#include "base/xalloc.h"
#include "collect/ring.h"

#ifdef OSPROF_LIBDW
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#endif

struct sites {
	const struct ring *ring;
	char *text[RING_SITES]; /* NULL: not looked up yet */
#ifdef OSPROF_LIBDW
	char *(*demangle)(const char *, char *, size_t *, int *);
	bool demangle_tried;
	struct object {
		Dwfl *dwfl;
		Dwfl_Module *module;
		Dwarf_Addr bias;
		bool tried;
	} object[RING_MODULES];
#endif
};

/* Copies a module from the shared memory, and ends its path with NUL. */
static struct ring_module module_at(const struct ring *r, uint32_t i)
{
	struct ring_module m = r->module[i];

	m.path[sizeof(m.path) - 1] = '\0';
	return m;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

#ifdef OSPROF_LIBDW

static bool is_unchanged(const struct ring_module *m)
{
	struct stat st;

	return m->inode != 0 && stat(m->path, &st) == 0 && S_ISREG(st.st_mode) &&
	       makedev(major(st.st_dev), minor(st.st_dev)) == m->device &&
	       (uint64_t)st.st_ino == m->inode && (uint64_t)st.st_size == m->size &&
	       (int64_t)st.st_mtim.tv_sec == m->seconds;
}

/* Uses debugging information in the file itself or installed by build id; downloads nothing. */
static void open_object(struct object *o, const struct ring_module *m)
{
	static const Dwfl_Callbacks callbacks = {
		.find_debuginfo = dwfl_build_id_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};

	o->tried = true;
	if (!is_unchanged(m))
		return;
	o->dwfl = dwfl_begin(&callbacks);
	if (o->dwfl == NULL)
		return;
	o->module = dwfl_report_offline(o->dwfl, m->path, m->path, -1);
	(void)dwfl_report_end(o->dwfl, NULL, NULL);
	if (o->module != NULL && dwfl_module_getelf(o->module, &o->bias) == NULL)
		o->module = NULL;
}

/* Demangles a C++ symbol with libstdc++, if it is installed. Returns NULL if it cannot. */
static char *demangled(struct sites *s, const char *symbol)
{
	if (strncmp(symbol, "_Z", 2) != 0)
		return NULL;
	if (!s->demangle_tried) {
		void *library = dlopen("libstdc++.so.6", RTLD_LAZY);

		if (library != NULL)
			*(void **)&s->demangle = dlsym(library, "__cxa_demangle");
		s->demangle_tried = true;
	}
	return s->demangle != NULL ? s->demangle(symbol, NULL, NULL, NULL) : NULL;
}

/* Looks up the byte before the return address, which belongs to the call. */
static bool describe(struct sites *s, struct out *o, const struct object *object, const char *name,
		     uint64_t offset)
{
	Dwarf_Addr address = object->bias + offset - 1;
	const char *symbol, *file = NULL;
	char *plain;
	GElf_Off into;
	GElf_Sym found;
	Dwfl_Line *line;
	int number = 0;

	symbol = dwfl_module_addrinfo(object->module, address, &into, &found, NULL, NULL, NULL);
	if (symbol == NULL)
		return false;
	line = dwfl_module_getsrc(object->module, address);
	if (line != NULL)
		file = dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
	plain = demangled(s, symbol);
	if (plain != NULL)
		symbol = plain;
	if (file != NULL && number > 0)
		out_printf(o, "%s:%d %s", last_part(file), number, symbol);
	else
		out_printf(o, "%s (%s)", symbol, name);
	free(plain);
	return true;
}

static bool describe_site(struct sites *s, struct out *o, uint32_t module, uint64_t offset)
{
	const struct ring_module m = module_at(s->ring, module);
	struct object *object = &s->object[module];

	if (!object->tried)
		open_object(object, &m);
	return object->module != NULL && describe(s, o, object, last_part(m.path), offset);
}

static void close_objects(struct sites *s)
{
	for (int i = 0; i < RING_MODULES; i++) {
		if (s->object[i].dwfl != NULL)
			dwfl_end(s->object[i].dwfl);
	}
}

#else

static bool describe_site(struct sites *s, struct out *o, uint32_t module, uint64_t offset)
{
	(void)s, (void)o, (void)module, (void)offset;
	return false;
}

static void close_objects(struct sites *s)
{
	(void)s;
}

#endif

struct sites *sites_new(const struct ring *r)
{
	struct sites *s = xcalloc(1, sizeof(*s));

	s->ring = r;
	return s;
}

void sites_free(struct sites *s)
{
	close_objects(s);
	for (int i = 0; i < RING_SITES; i++)
		free(s->text[i]);
	free(s);
}

static char *look_up(struct sites *s, const struct ring_site *site)
{
	struct out *o = out_to_memory();
	uint32_t module = site->module;
	uint64_t offset = site->offset;
	char *text;

	if (module < RING_MODULES && !describe_site(s, o, module, offset))
		out_printf(o, "%s+0x%llx", last_part(module_at(s->ring, module).path),
			   (unsigned long long)offset);
	text = xcalloc(out_memory(o).n + 1, 1);
	memcpy(text, out_memory(o).p, out_memory(o).n);
	out_free(o);
	return text;
}

const char *site_text(struct sites *s, uint32_t site)
{
	if (site == 0 || site > RING_SITES)
		return "";
	if (s->text[site - 1] == NULL)
		s->text[site - 1] = look_up(s, &s->ring->site[site - 1]);
	return s->text[site - 1];
}
