/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * task.txt has the session of each task, sid-ID.map the addresses at which a session's files are
 * mapped, NAME.sym the functions of a file, by addresses relative to the mapping.
 *
 *	SESS timestamp=1795.286431028 pid=22981 sid=ff37b9b4817474b0 exename="/tmp/t1"
 *	TASK timestamp=1795.287187425 tid=22981 pid=22981
 *	FORK timestamp=1795.290000000 pid=22990 ppid=22981
 *	DLOP timestamp=1795.290000000 tid=22981 sid=ff37b9b4817474b0 base=7f00 libname="/a.so"
 *	562d09f02000-562d09f07000 r-xp 00000000 00:00 0    /tmp/t1 build-id:ff4b
 *	0000000000001263 T main
 */
#include "formats/programs/uftrace_symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/scan.h"
#include "base/xalloc.h"
#include "formats/programs/cxx_name.h"
#include "formats/text.h"

enum { LARGEST_FILE = 256 << 20 };

struct symbol {
	uint64_t at;
	struct str name;
	struct str plain; /* demangled name; empty: not computed yet */
};

struct image {
	struct str path;
	struct symbol *symbol;
	size_t n;
};

struct mapping {
	uint64_t start, end;
	size_t image;
};

struct session {
	struct str id;
	uint64_t pid, ns;
	struct mapping *map;
	size_t n, cap;
};

struct task {
	uint64_t tid, pid; /* pid: its process, or the one that it was forked from */
};

struct uftrace_symbols {
	struct arena *arena;
	const char *folder;
	struct session *session;
	size_t n_sessions, cap_sessions;
	struct task *task;
	size_t n_tasks, cap_tasks;
	struct image *image;
	size_t n_images, cap_images;
	uint64_t unnamed;
	struct str lost_map;
};

/* Reads a small file of the folder into the arena; empty if there is none. */
static struct str read_small_file(struct arena *a, const char *folder, const char *name)
{
	int fd = open(arena_printf(a, "%s/%s", folder, name).p, O_RDONLY | O_CLOEXEC);
	struct str s = { "", 0 };
	struct stat st;
	char *bytes;

	if (fd < 0)
		return s;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size <= LARGEST_FILE) {
		ssize_t got;

		bytes = arena_room(a, (size_t)st.st_size, 1);
		s.p = bytes;
		while (s.n < (size_t)st.st_size &&
		       ((got = read(fd, bytes + s.n, (size_t)st.st_size - s.n)) > 0 ||
			(got < 0 && errno == EINTR)))
			s.n += got > 0 ? (size_t)got : 0;
	}
	(void)close(fd);
	return s;
}

static bool take_hex(struct str *s, uint64_t *ret)
{
	size_t n = 0;

	*ret = 0;
	for (; n < s->n && n < 16; n++) {
		char c = s->p[n];
		unsigned digit;

		if (c >= '0' && c <= '9')
			digit = (unsigned)(c - '0');
		else if (c >= 'a' && c <= 'f')
			digit = (unsigned)(c - 'a') + 10;
		else
			break;
		*ret = *ret << 4 | digit;
	}
	*s = str_skip(*s, n);
	return n > 0;
}

/* --- tasks and sessions ------------------------------------------------------------------ */

/* Returns the value after "key=" on a line, up to a blank or between quotes. */
static struct str field_value(struct str line, const char *key)
{
	struct str k = str_from(key), rest = line;
	size_t at;

	while ((at = str_find(rest, k)) < rest.n) {
		bool begins = at == 0 || rest.p[at - 1] == ' ';

		rest = str_skip(rest, at + k.n);
		if (!begins)
			continue;
		if (rest.n > 0 && rest.p[0] == '"') {
			rest = str_skip(rest, 1);
			rest.n = str_find(rest, STR("\""));
		} else {
			rest.n = str_find(rest, STR(" "));
		}
		return rest;
	}
	return (struct str){ line.p, 0 };
}

static uint64_t number_field(struct str line, const char *key)
{
	uint64_t v;

	return number_u64(field_value(line, key), &v) == NUMBER_OK ? v : 0;
}

/* Parses "1795.286431028" to ns. */
static uint64_t time_field(struct str line)
{
	struct str text = field_value(line, "timestamp="), seconds, rest;
	uint64_t s, ns;

	if (!str_cut(text, '.', &seconds, &rest) || rest.n != 9 ||
	    number_u64(seconds, &s) != NUMBER_OK || number_u64(rest, &ns) != NUMBER_OK)
		return 0;
	return s * 1000000000 + ns;
}

/* Reads the symbols of a file from NAME.sym, where NAME is the last component of its path. */
static void read_symbols(struct uftrace_symbols *s, struct image *image)
{
	size_t slash = str_find_last(image->path, STR("/"));
	struct str base = str_skip(image->path, slash < image->path.n ? slash + 1 : 0);
	struct str text = read_small_file(s->arena, s->folder,
					  arena_printf(s->arena, "%.*s.sym", STR_ARG(base)).p);
	struct str line;
	size_t cap = 0;

	while (text_next(&text, &line)) {
		struct symbol one = { .at = 0 };
		uint64_t size;
		struct str rest = line;

		if (line.n == 0 || line.p[0] == '#' || !take_hex(&rest, &one.at))
			continue;
		rest = str_trim(rest);
		if (rest.n > 2 && rest.p[1] != ' ' && take_hex(&rest, &size))
			rest = str_trim(rest);
		if (rest.n < 3 || rest.p[1] != ' ')
			continue;
		one.name = rest.p[0] == '?' ? STR("") : str_trim(str_skip(rest, 2));
		image->symbol =
			arena_grow(s->arena, image->symbol, &cap, image->n + 1, sizeof(one));
		image->symbol[image->n++] = one;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static size_t image_of(struct uftrace_symbols *s, struct str path)
{
	for (size_t i = 0; i < s->n_images; i++) {
		if (str_eq(s->image[i].path, path))
			return i;
	}
	s->image =
		arena_grow(s->arena, s->image, &s->cap_images, s->n_images + 1, sizeof(*s->image));
	s->image[s->n_images] = (struct image){ .path = path };
	read_symbols(s, &s->image[s->n_images]);
	if (s->image[s->n_images].n > 0)
		qsort(s->image[s->n_images].symbol, s->image[s->n_images].n, sizeof(struct symbol),
		      by_address);
	return s->n_images++;
}

static void add_mapping(struct uftrace_symbols *s, struct session *to, struct mapping m)
{
	to->map = arena_grow(s->arena, to->map, &to->cap, to->n + 1, sizeof(m));
	to->map[to->n++] = m;
}

/* Reads "562d09f02000-562d09f07000 r-xp 00000000 00:00 0   /tmp/t1 build-id:ff4b". */
static void read_map_line(struct uftrace_symbols *s, struct session *to, struct str line)
{
	size_t slash = str_find(line, STR("/"));
	struct str path = str_skip(line, slash);
	struct mapping m;

	if (!take_hex(&line, &m.start) || line.n == 0 || line.p[0] != '-')
		return;
	line = str_skip(line, 1);
	if (!take_hex(&line, &m.end) || path.n == 0)
		return;
	path.n = str_find(path, STR(" build-id:"));
	m.image = image_of(s, str_trim(path));
	/* A file may have several mappings: addresses are relative to the first. */
	for (size_t i = 0; i < to->n; i++) {
		if (to->map[i].image == m.image) {
			if (m.end > to->map[i].end)
				to->map[i].end = m.end;
			return;
		}
	}
	add_mapping(s, to, m);
}

static void read_session(struct uftrace_symbols *s, struct str line)
{
	struct session one = { .id = field_value(line, "sid="),
			       .pid = number_field(line, "pid="),
			       .ns = time_field(line) };
	struct str name = arena_printf(s->arena, "sid-%.*s.map", STR_ARG(one.id)), text, row;

	if (str_contains(one.id, STR("/")))
		return;
	text = read_small_file(s->arena, s->folder, name.p);
	if (text.n == 0)
		s->lost_map = name;
	while (text_next(&text, &row))
		read_map_line(s, &one, row);
	s->session =
		arena_grow(s->arena, s->session, &s->cap_sessions, s->n_sessions + 1, sizeof(one));
	s->session[s->n_sessions++] = one;
}

static void read_library(struct uftrace_symbols *s, struct str line)
{
	struct str id = field_value(line, "sid="), base = field_value(line, "base=");
	struct mapping m;

	for (size_t i = 0; i < s->n_sessions; i++) {
		const struct image *image;

		if (!str_eq(s->session[i].id, id) || !take_hex(&base, &m.start))
			continue;
		m.image = image_of(s, field_value(line, "libname="));
		image = &s->image[m.image];
		m.end = m.start + (image->n > 0 ? image->symbol[image->n - 1].at : 0) + (1 << 16);
		add_mapping(s, &s->session[i], m);
		return;
	}
}

static void add_task(struct uftrace_symbols *s, uint64_t tid, uint64_t pid)
{
	s->task = arena_grow(s->arena, s->task, &s->cap_tasks, s->n_tasks + 1, sizeof(*s->task));
	s->task[s->n_tasks++] = (struct task){ tid, pid };
}

struct uftrace_symbols *uftrace_symbols_read(const char *folder)
{
	struct uftrace_symbols *s = xcalloc(1, sizeof(*s));
	struct str text, line;

	s->arena = arena_new();
	s->folder = folder;
	text = read_small_file(s->arena, folder, "task.txt");
	s->lost_map = text.n == 0 ? STR("task.txt") : STR("");
	while (text_next(&text, &line)) {
		if (str_has_prefix(line, STR("SESS ")))
			read_session(s, line);
		else if (str_has_prefix(line, STR("TASK ")))
			add_task(s, number_field(line, "tid="), number_field(line, "pid="));
		else if (str_has_prefix(line, STR("FORK ")))
			add_task(s, number_field(line, "pid="), number_field(line, "ppid="));
		else if (str_has_prefix(line, STR("DLOP ")))
			read_library(s, line);
	}
	return s;
}

void uftrace_symbols_free(struct uftrace_symbols *s)
{
	if (s == NULL)
		return;
	arena_free(s->arena);
	free(s);
}

uint64_t uftrace_unnamed(const struct uftrace_symbols *s)
{
	return s->unnamed;
}

struct str uftrace_lost_map(const struct uftrace_symbols *s)
{
	return s->lost_map;
}

/* --- looking up ---------------------------------------------------------------------------- */

static uint64_t parent_of(const struct uftrace_symbols *s, uint64_t id)
{
	for (size_t i = 0; i < s->n_tasks; i++) {
		if (s->task[i].tid == id && s->task[i].pid != id)
			return s->task[i].pid;
	}
	return 0;
}

size_t uftrace_session(const struct uftrace_symbols *s, uint64_t tid, uint64_t ns,
		       uint64_t *ret_until)
{
	size_t best = s->n_sessions;

	*ret_until = UINT64_MAX;
	for (size_t steps = 0; tid != 0 && best == s->n_sessions && steps <= s->n_tasks; steps++) {
		for (size_t i = 0; i < s->n_sessions; i++) {
			const struct session *one = &s->session[i];

			if (one->pid != tid)
				continue;
			if (one->ns <= ns &&
			    (best == s->n_sessions || one->ns >= s->session[best].ns))
				best = i;
			else if (one->ns > ns && one->ns < *ret_until)
				*ret_until = one->ns;
		}
		tid = parent_of(s, tid);
	}
	return best < s->n_sessions ? best : 0;
}

/* Returns the symbol at an address; NULL if there is none, or one that only marks an end. */
static struct symbol *symbol_at(const struct image *image, uint64_t at)
{
	size_t low = 0, high = image->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (image->symbol[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && image->symbol[low - 1].name.n > 0 ? &image->symbol[low - 1] : NULL;
}

struct str uftrace_symbol(struct uftrace_symbols *s, size_t session, uint64_t address,
			  struct str *ret_symbol)
{
	const struct session *in = session < s->n_sessions ? &s->session[session] : NULL;
	struct symbol *found = NULL;

	for (size_t i = 0; in != NULL && i < in->n; i++) {
		if (address >= in->map[i].start && address < in->map[i].end)
			found = symbol_at(&s->image[in->map[i].image], address - in->map[i].start);
	}
	if (found == NULL) {
		s->unnamed++;
		*ret_symbol = arena_printf(s->arena, "<%llx>", (unsigned long long)address);
		return *ret_symbol;
	}
	if (found->plain.n == 0)
		found->plain = cxx_name(s->arena, found->name);
	*ret_symbol = found->name;
	return found->plain;
}
