/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names call sites by debugging information and symbol tables.
 * Object files are read after the recording; a file that has changed since is ignored.
 */
#include "record/sites.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/diag.h"
#include "base/out.h"
#include "base/xalloc.h"
#include "collect/ring.h"
#include "record/debug_info.h"

struct sites {
	const struct ring *ring;
	char *text[RING_SITES]; /* NULL: not looked up yet */
	struct object {
		struct debug_info *info; /* NULL: none */
		bool tried;
	} object[RING_MODULES];
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

static bool is_unchanged(const struct ring_module *m)
{
	struct stat st;

	return m->inode != 0 && stat(m->path, &st) == 0 && S_ISREG(st.st_mode) &&
	       makedev(major(st.st_dev), minor(st.st_dev)) == m->device &&
	       (uint64_t)st.st_ino == m->inode && (uint64_t)st.st_size == m->size &&
	       (int64_t)st.st_mtim.tv_sec == m->seconds;
}

static bool describe_site(struct sites *s, struct out *o, uint32_t module, uint64_t offset)
{
	const struct ring_module m = module_at(s->ring, module);
	struct object *object = &s->object[module];
	struct code_location found;

	if (!object->tried && is_unchanged(&m))
		object->info = debug_info_open(m.path);
	object->tried = true;
	/* The offset is that of the return address; the byte before it belongs to the call. */
	if (object->info == NULL || !debug_info_find(object->info, offset - 1, &found))
		return false;
	if (found.file != NULL)
		out_printf(o, "%s:%d %s", last_part(found.file), found.line, found.function);
	else
		out_printf(o, "%s (%s)", found.function, last_part(m.path));
	free(found.function);
	return true;
}

void sites_check(struct diag *diag)
{
	if (!debug_info_is_read())
		diag_plain(diag, DIAG_SITES_UNNAMED,
			   "this osprof was built without libdw: call sites are addresses");
}

struct sites *sites_new(const struct ring *r)
{
	struct sites *s = xcalloc(1, sizeof(*s));

	s->ring = r;
	return s;
}

void sites_free(struct sites *s)
{
	for (int i = 0; i < RING_MODULES; i++)
		debug_info_free(s->object[i].info);
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
