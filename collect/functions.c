/* SPDX-License-Identifier: MIT */
/*
 * Profiles functions of programs compiled with -finstrument-functions.
 *
 * FoSgen instrumented the source of file systems (OSprof section 4); here the compiler, gcc or
 * clang, does it without changing the source: each function calls a hook when it begins and
 * when it ends. libc has empty hooks, so that such a program also runs alone; the hooks here
 * replace them when the library is preloaded.
 *
 * Whether a function is profiled is decided once, at its first call, by the patterns of
 * choose_functions().
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
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/nesting.h"
#include "collect/preload.h"
#include "collect/region.h"
#include "collect/slots.h"
#include "collect/stack.h"

enum {
	KINDS = 2048,	 /* operations that a frame can mark as called */
	DEEPEST = 65536, /* nested calls of chosen functions; deeper ones are lost */
	LONGEST = 256,	 /* size of a name */
	SEARCHED = 8192, /* bytes of stack searched for a return address */
	NOT_CHOSEN = -2,
	UNKNOWN = -3,
};

static const char *chosen; /* patterns; NULL: nothing is profiled */

static struct slot slots[N_SLOTS]; /* by function; number: the operation - UNKNOWN */

/* What a hook receives about a call. */
struct call {
	const void *function;
	const void *site; /* the function's return address */
	const void *hook; /* the hook's return address */
	uintptr_t at;	  /* the position on the stack */
};

/* The chosen functions that a thread is in. Not in thread-local memory, which is taken from the
 * threads' stacks: some are small. */
struct frames {
	int depth;
	struct stack_home home;
	struct frame {
		struct call call;
		uint64_t start;
		int op;
		int has_called;	 /* `called` is in use */
		uint64_t inside; /* total latency of the calls directly within it */
		uint64_t called[KINDS / 64];
	} frame[DEEPEST];
};
static __thread struct frames *within; /* NULL: no chosen function called yet */
static pthread_key_t at_thread_end;

/* mmap() past the wrapper, which would count the recorder's own call. */
static void *map_uncounted(size_t size, int protection, int flags, int fd)
{
#ifdef SYS_mmap2
	long number = SYS_mmap2;
#else
	long number = SYS_mmap;
#endif

	return (void *)syscall(number, NULL, size, protection, flags, fd, 0);
}

static void unmap_uncounted(const void *m, size_t size)
{
	(void)syscall(SYS_munmap, m, size);
}

static void free_frames(void *frames)
{
	within = NULL;
	nesting_end();
	unmap_uncounted(frames, sizeof(struct frames));
}

void choose_functions(const char *patterns)
{
	if (patterns != NULL && pthread_key_create(&at_thread_end, free_frames) == 0)
		chosen = patterns;
	recording.functions_are_chosen = chosen != NULL;
}

/* --- names -------------------------------------------------------------------------- */

/* Copies the name of the function at `address` from the symbol table of a mapped object file,
 * which also has static functions. Returns 0 when it is not there. */
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
	int fd = (int)syscall(SYS_openat, AT_FDCWD, info->dli_fname, O_RDONLY | O_CLOEXEC), found;
	const char *file = MAP_FAILED;
	long size;

	if (fd < 0)
		return 0;
	size = syscall(SYS_lseek, fd, 0, SEEK_END);
	if (size > 0)
		file = map_uncounted((size_t)size, PROT_READ, MAP_PRIVATE, fd);
	(void)syscall(SYS_close, fd);
	if (file == MAP_FAILED)
		return 0;
	/* A program that is not position-independent has absolute addresses. */
	found = copy_name_in(
			name, file, (size_t)size,
			(ElfW(Addr))((const char *)function - (const char *)info->dli_fbase)) ||
		copy_name_in(name, file, (size_t)size, (ElfW(Addr))(uintptr_t)function);
	unmap_uncounted(file, (size_t)size);
	return found;
}

/* Uses the demangler of the C++ library, if the program has it loaded. */
static void demangle_name(char *name)
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
	demangle_name(name);
}

/* The last pattern that matches decides. A list that begins with '!' starts from all functions. */
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

static int __attribute__((noinline, cold)) decide_function(const void *function)
{
	char name[LONGEST];
	int saved = errno, op;

	name_of(function, name);
	op = is_chosen(name) ? osprof_op(recording.profile, "function", name) : NOT_CHOSEN;
	errno = saved;
	return op;
}

/* The stored number is op - UNKNOWN, so that a new slot, all 0, is UNKNOWN. */
static inline int op_of(const void *function)
{
	struct slot *slot = slot_of(slots, function);
	int op;

	if (slot == NULL)
		return NOT_CHOSEN;
	op = __atomic_load_n(&slot->number, __ATOMIC_RELAXED) + UNKNOWN;
	if (!LIKELY(op != UNKNOWN)) {
		op = decide_function(function);
		__atomic_store_n(&slot->number, op - UNKNOWN, __ATOMIC_RELAXED);
	}
	return op;
}

__attribute__((visibility("default"))) void __cyg_profile_func_enter(void *function, void *site);
__attribute__((visibility("default"))) void __cyg_profile_func_exit(void *function, void *site);

/* Returns NULL when out of memory. */
static struct frames *frames_of_thread(void)
{
	void *m;

	if (LIKELY(within != NULL))
		return within;
	m = map_uncounted(sizeof(struct frames), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
	if (m == MAP_FAILED)
		return NULL;
	within = m;
	(void)pthread_setspecific(at_thread_end, m);
	return within;
}

/* Whether this is the first call of `op` from the call in frame f; marks it as called. */
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

/* Adds a call that ended to the innermost function of the thread. */
static void count_within(struct frames *f, int op, uint64_t latency)
{
	struct frame *upper;

	if (f == NULL || f->depth == 0)
		return;
	upper = &f->frame[f->depth - 1];
	upper->inside += latency;
	osprof_add_pair(recording.profile, upper->op, op, is_first(upper, op), latency);
}

void call_in_function(int op, uint64_t latency)
{
	osprof_add_self(recording.profile, op, latency, latency);
	count_within(within, op, latency);
}

static int is_open(const struct frames *f, int op)
{
	int i = f->depth;

	while (i > 0 && f->frame[i - 1].op != op)
		i--;
	return i > 0;
}

/* --- calls that were left without returning ---------------------------------------------- */

/* All functions deeper than `depth` have been left. The calls made in them count as made by the
 * function at `depth`. */
static void leave_deeper(struct frames *f, int depth, uint64_t now)
{
	uint64_t inside = 0;

	for (int k = f->depth; k > depth; k--) {
		if (!LIKELY(nesting.head == NULL))
			nesting_leave(f->frame[k - 1].op, now, k, 1);
		inside += f->frame[k - 1].inside;
	}
	if (depth > 0)
		f->frame[depth - 1].inside += inside;
	f->depth = depth;
}

/* Returns how many functions are still open when the thread is at this stack position: not those
 * at lower addresses. */
static int depth_at(struct frames *f, uintptr_t at)
{
	int k = f->depth;

	while (STACK_TELLS && k > 0 && f->frame[k - 1].call.at < at &&
	       stack_left(&f->home, f->frame[k - 1].call.at, at))
		k--;
	return k;
}

/* Whether the compiler inlined the called function into `outer`: the hook is then called from
 * outer's code, and not from the function's own. */
static int is_inlined(const void *outer, const struct call *call)
{
	uintptr_t own = (uintptr_t)call->function, around = (uintptr_t)outer;
	uintptr_t hook = (uintptr_t)call->hook;

	return own == around || own > hook || (around > own && around <= hook);
}

/* The functions from `first` on have the same call site as this one: they are around it if it was
 * inlined there, and have been left otherwise. */
static int depth_at_site(const struct frames *f, int first, int depth, const struct call *call)
{
	for (int i = first; i < depth; i++) {
		if (f->frame[i].call.hook == call->hook)
			return i;
	}
	return is_inlined(f->frame[first].call.function, call) ? depth : first;
}

/* Returns how many of the open functions are around this call. Its return address lies deeper on
 * the stack than they do, but not deeper than functions that its caller called before. */
static int depth_around(struct frames *f, const struct call *call)
{
	int known = depth_at(f, call->at), depth = known;
	uintptr_t at = call->at;

	while (STACK_TELLS && depth > 0) {
		uintptr_t upper = f->frame[depth - 1].call.at;
		int first = depth - 1;

		if (upper - call->at > SEARCHED)
			return known;
		for (; at < upper; at += sizeof(at)) {
			if (*(const void *const *)at == call->site)
				return depth;
		}
		while (first > 0 && f->frame[first - 1].call.at == upper)
			first--;
		if (f->frame[first].call.site == call->site)
			return depth_at_site(f, first, depth, call);
		if (!stack_left(&f->home, upper, call->at))
			return known;
		depth = first;
	}
	return depth;
}

void calls_left_at(uintptr_t at, uint64_t now)
{
	struct frames *f = within;
	int depth;

	if (f == NULL || f->depth == 0)
		return;
	depth = depth_at(f, at);
	if (!LIKELY(depth == f->depth))
		leave_deeper(f, depth, now);
}

/* Returns the index of the call that ends, counted from 1; 0: none. If the function ends with a
 * jump to the hook (a tail call), the hook returns to the caller and has its stack position. */
static int find_ending(const struct frames *f, const struct call *call)
{
	int jumps = call->hook == call->site, found = 0;

	for (int i = f->depth; i > 0 && (!jumps || f->frame[i - 1].call.at < call->at); i--) {
		const struct call *one = &f->frame[i - 1].call;

		if (one->function != call->function || one->site != call->site ||
		    (!jumps && one->at < call->at))
			continue;
		found = i;
		if (!jumps)
			break;
	}
	for (int i = f->depth; found == 0 && i > 0; i--) {
		if (f->frame[i - 1].call.function == call->function)
			found = i;
	}
	return found;
}

/* Initializes a struct call in a hook. */
#define CALL_OF_HOOK(function, site)                                                               \
	{                                                                                          \
		(function), (site), __builtin_return_address(0), STACK_POSITION()                  \
	}

void __cyg_profile_func_enter(void *function, void *site)
{
	const struct call call = CALL_OF_HOOK(function, site);
	struct frames *f;
	struct frame *begins;
	uint64_t now;
	int op, depth;

	if (chosen == NULL || recording.profile == NULL)
		return;
	op = op_of(function);
	if (op == NOT_CHOSEN)
		return;
	f = frames_of_thread();
	if (f == NULL) {
		osprof_add(recording.profile, -1, 0);
		return;
	}
	if (!LIKELY(f->home.first != 0))
		f->home.first = call.at;
	depth = depth_around(f, &call);
	now = osprof_start(recording.profile);
	if (!LIKELY(depth == f->depth))
		leave_deeper(f, depth, now);
	if (f->depth == DEEPEST) {
		osprof_add(recording.profile, -1, 0);
		return;
	}
	begins = &f->frame[f->depth];
	begins->call = call;
	begins->op = op;
	begins->has_called = 0;
	begins->inside = 0;
	begins->start = now;
	f->depth++;
	if (!LIKELY(nesting.head == NULL))
		nesting_enter(op, now, f->depth);
}

void __cyg_profile_func_exit(void *function, void *site)
{
	const struct call call = CALL_OF_HOOK(function, site);
	struct frames *f = within;
	struct frame *ends;
	uint64_t now, latency;
	int i;

	if (recording.profile == NULL || f == NULL)
		return;
	i = find_ending(f, &call);
	if (i == 0)
		return;
	now = osprof_start(recording.profile);
	if (!LIKELY(i == f->depth))
		leave_deeper(f, i, now);
	ends = &f->frame[i - 1];
	f->depth = i - 1;
	if (!LIKELY(nesting.head == NULL))
		nesting_leave(ends->op, now, i, 0);
	latency = osprof_stop_at(recording.profile, ends->op, ends->start, now);
	osprof_add_self(recording.profile, ends->op,
			latency > ends->inside ? latency - ends->inside : 0,
			is_open(f, ends->op) ? 0 : latency);
	count_within(f, ends->op, latency);
}
