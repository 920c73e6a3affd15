/* SPDX-License-Identifier: MIT */
/*
 * Profiles functions of programs compiled with -finstrument-functions.
 *
 * What FoSgen did to the source of file systems (OSprof section 4) the compiler does
 * here, gcc as well as clang, and no source is touched: each function calls a hook when
 * it begins and when it ends. libc has empty hooks, so that such a program also runs
 * without us; these replace them when the library is preloaded.
 *
 * Which functions count is decided once for each, when it is first called, by the
 * patterns of choose_functions().
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/nesting.h"
#include "collect/preload.h"
#include "collect/region.h"
#include "collect/slots.h"

enum {
	KINDS = 2048,	 /* operations that may be called from one call */
	DEEPEST = 65536, /* chosen functions within each other; deeper ones are lost */
	LONGEST = 256,	 /* of a name */
	NOT_CHOSEN = -2,
	UNKNOWN = -3,
};

static const char *chosen; /* patterns; NULL: nothing is profiled */
int functions_are_chosen;

static struct slot slots[N_SLOTS]; /* of functions; an operation - UNKNOWN */

/* The chosen functions that a thread is in. Not in thread-local memory, which is taken
 * from the stacks of threads, and some are small. */
struct frames {
	int depth;
	struct frame {
		const void *function;
		uint64_t start;
		int op;
		int has_called;	 /* `called` is in use */
		uint64_t inside; /* latency of the calls directly within it */
		uint64_t called[KINDS / 64];
	} frame[DEEPEST];
};
static __thread struct frames *within; /* NULL: it has called none yet */
static pthread_key_t at_thread_end;

static void free_frames(void *frames)
{
	within = NULL;
	nesting_end();
	(void)munmap(frames, sizeof(struct frames));
}

void choose_functions(const char *patterns)
{
	if (patterns != NULL && pthread_key_create(&at_thread_end, free_frames) == 0)
		chosen = patterns;
	functions_are_chosen = chosen != NULL;
}

/* --- names -------------------------------------------------------------------------- */

/* Copies the name of the function at `address` within a mapped object file, by its symbol
 * table, which static functions are in, too. 0 when it is not there. */
static int copy_name_in(char *name, const char *file, size_t size, ElfW(Addr) address)
{
	const ElfW(Ehdr) *head = (const void *)file;
	const ElfW(Shdr) *section = (const void *)(file + head->e_shoff);

	if (size < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
	    head->e_shoff > size || (size - head->e_shoff) / sizeof(*section) < head->e_shnum)
		return 0;
	for (int i = 0; i < head->e_shnum; i++) {
		const ElfW(Shdr) *symbols = &section[i], *names = &section[symbols->sh_link];
		const ElfW(Sym) *symbol = (const void *)(file + symbols->sh_offset);

		if (symbols->sh_type != SHT_SYMTAB || symbols->sh_link >= head->e_shnum ||
		    symbols->sh_offset > size || symbols->sh_size > size - symbols->sh_offset ||
		    names->sh_offset > size || names->sh_size > size - names->sh_offset)
			continue;
		for (size_t k = 0; k < symbols->sh_size / sizeof(*symbol); k++) {
			size_t at = symbol[k].st_name;

			if (symbol[k].st_value != address ||
			    (symbol[k].st_info & 0xf) != STT_FUNC || at >= names->sh_size)
				continue;
			(void)snprintf(name, LONGEST, "%.*s", (int)(names->sh_size - at),
				       file + names->sh_offset + at);
			return 1;
		}
	}
	return 0;
}

static int copy_static_name(char *name, const Dl_info *info, const void *function)
{
	int fd = open(info->dli_fname, O_RDONLY | O_CLOEXEC), found;
	struct stat st;
	const char *file;

	if (fd < 0)
		return 0;
	file = fstat(fd, &st) == 0 && st.st_size > 0
		       ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
		       : MAP_FAILED;
	(void)close(fd);
	if (file == MAP_FAILED)
		return 0;
	/* A program that is not position-independent has absolute addresses. */
	found = copy_name_in(
			name, file, (size_t)st.st_size,
			(ElfW(Addr))((const char *)function - (const char *)info->dli_fbase)) ||
		copy_name_in(name, file, (size_t)st.st_size, (ElfW(Addr))(uintptr_t)function);
	(void)munmap((void *)(uintptr_t)file, (size_t)st.st_size);
	return found;
}

/* As C++ programs write it, whose library brings what turns names back. */
static void demangle(char *name)
{
	char *(*turn)(const char *, char *, size_t *, int *);
	int status = -1;
	char *text;

	*(void **)&turn = dlsym(RTLD_DEFAULT, "__cxa_demangle");
	text = turn != NULL && strncmp(name, "_Z", 2) == 0 ? turn(name, NULL, NULL, &status) : NULL;
	if (text != NULL && status == 0)
		(void)snprintf(name, LONGEST, "%s", text);
	free(text);
}

static void name_of(const void *function, char *name)
{
	Dl_info info = { .dli_fname = NULL };

	if (dladdr(function, &info) == 0 || info.dli_fname == NULL) {
		(void)snprintf(name, LONGEST, "%p", (void *)(uintptr_t)function);
		return;
	}
	if (info.dli_sname != NULL && info.dli_saddr == function)
		(void)snprintf(name, LONGEST, "%s", info.dli_sname);
	else if (!copy_static_name(name, &info, function))
		(void)snprintf(name, LONGEST, "%s+0x%zx",
			       strrchr(info.dli_fname, '/') != NULL
				       ? strrchr(info.dli_fname, '/') + 1
				       : info.dli_fname,
			       (size_t)((const char *)function - (const char *)info.dli_fbase));
	demangle(name);
}

/* The last pattern that matches decides; a list that begins with '!' leaves out of all. */
static int is_chosen(const char *name)
{
	int yes = chosen[0] == '!';
	char pattern[LONGEST];

	for (const char *p = chosen; *p != '\0';) {
		size_t n = strcspn(p, ",");

		if (n > 0 && n < sizeof(pattern)) {
			const char *bare = pattern + (p[0] == '!');

			memcpy(pattern, p, n);
			pattern[n] = '\0';
			if (fnmatch(bare, name, 0) == 0)
				yes = p[0] != '!';
		}
		p += n + (p[n] == ',');
	}
	return yes;
}

/* --- hooks ---------------------------------------------------------------------------- */

static int __attribute__((noinline, cold)) decide(const void *function)
{
	char name[LONGEST];
	int saved = errno, op;

	name_of(function, name);
	op = is_chosen(name) ? osprof_op(recording, "function", name) : NOT_CHOSEN;
	errno = saved;
	return op;
}

/* What is stored is shifted so that a new place, all 0, is UNKNOWN. */
static inline int op_of(const void *function)
{
	struct slot *slot = slot_of(slots, function);
	int op;

	if (slot == NULL)
		return NOT_CHOSEN;
	op = __atomic_load_n(&slot->number, __ATOMIC_RELAXED) + UNKNOWN;
	if (!LIKELY(op != UNKNOWN)) {
		op = decide(function);
		__atomic_store_n(&slot->number, op - UNKNOWN, __ATOMIC_RELAXED);
	}
	return op;
}

__attribute__((visibility("default"))) void __cyg_profile_func_enter(void *function, void *site);
__attribute__((visibility("default"))) void __cyg_profile_func_exit(void *function, void *site);

/* NULL: there is no memory for any. */
static struct frames *frames_of_thread(void)
{
	void *m;

	if (LIKELY(within != NULL))
		return within;
	m = mmap(NULL, sizeof(struct frames), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m == MAP_FAILED)
		return NULL;
	within = m;
	(void)pthread_setspecific(at_thread_end, m);
	return within;
}

/* Whether this is the first call of its kind in that one, which is known from then on. */
static int is_first(struct frame *f, int op)
{
	uint64_t bit = UINT64_C(1) << (op % 64);
	int first;

	if (op < 0 || op >= KINDS)
		return 0;
	if (!f->has_called)
		memset(f->called, 0, sizeof(f->called));
	f->has_called = 1;
	first = (f->called[op / 64] & bit) == 0;
	f->called[op / 64] |= bit;
	return first;
}

/* A call that ended lies in the innermost function of the thread. */
static void count_within(struct frames *f, int op, uint64_t latency)
{
	struct frame *upper;

	if (f == NULL || f->depth == 0)
		return;
	upper = &f->frame[f->depth - 1];
	upper->inside += latency;
	osprof_add_pair(recording, upper->op, op, is_first(upper, op), latency);
}

void call_in_function(int op, uint64_t latency)
{
	osprof_add_self(recording, op, latency, latency);
	count_within(within, op, latency);
}

static int is_open(const struct frames *f, int op)
{
	int i = f->depth;

	while (i > 0 && f->frame[i - 1].op != op)
		i--;
	return i > 0;
}

void __cyg_profile_func_enter(void *function, void *site)
{
	struct frames *f;
	int op;

	(void)site;
	if (chosen == NULL || recording == NULL)
		return;
	op = op_of(function);
	if (op == NOT_CHOSEN)
		return;
	f = frames_of_thread();
	if (f == NULL || f->depth == DEEPEST) {
		osprof_add(recording, -1, 0);
		return;
	}
	f->frame[f->depth].function = function;
	f->frame[f->depth].op = op;
	f->frame[f->depth].has_called = 0;
	f->frame[f->depth].inside = 0;
	f->frame[f->depth].start = osprof_start(recording);
	f->depth++;
	if (!LIKELY(nesting.head == NULL))
		nesting_enter(op, f->frame[f->depth - 1].start, f->depth);
}

/* Functions that a longjmp left never end: what lies above the one that does is dropped. */
void __cyg_profile_func_exit(void *function, void *site)
{
	struct frames *f = within;
	int i = f != NULL ? f->depth : 0;
	uint64_t now, latency, inside = 0;

	(void)site;
	if (recording == NULL)
		return;
	while (i > 0 && f->frame[i - 1].function != function)
		i--;
	if (i == 0)
		return;
	now = osprof_start(recording);
	for (int k = f->depth; !LIKELY(nesting.head == NULL) && k >= i; k--)
		nesting_leave(f->frame[k - 1].op, now, k);
	for (int k = i - 1; k < f->depth; k++)
		inside += f->frame[k].inside;
	f->depth = i - 1;
	latency = osprof_stop_at(recording, f->frame[i - 1].op, f->frame[i - 1].start, now);
	osprof_add_self(recording, f->frame[i - 1].op, latency > inside ? latency - inside : 0,
			is_open(f, f->frame[i - 1].op) ? 0 : latency);
	count_within(f, f->frame[i - 1].op, latency);
}
