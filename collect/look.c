/* SPDX-License-Identifier: MIT */
/* Adds up the counters of all threads, and finds what was counted since the last snapshot. */
#include "collect/region.h"

#include <errno.h>
#include <stdlib.h>

/* Working memory: linked lists of the sets with the same label, and of the operations with the
 * same name (two threads may have entered it at once), and two cells. */
struct look {
	int *next_set, *next_op;   /* -1: the last of its list */
	int *first_set, *first_op; /* whether a list begins here */
	struct cell *sum, *copy;
};

static void look_release(struct look *l)
{
	free(l->next_set);
	free(l->next_op);
	free(l->first_set);
	free(l->first_op);
	free(l->sum);
	free(l->copy);
}

static int same_label(const struct capture *p, unsigned a, unsigned b)
{
	return is_used(set_at(p, a)) && is_used(set_at(p, b)) &&
	       strncmp(set_at(p, a)->label, set_at(p, b)->label, LABEL) == 0;
}

static int same_name(const struct capture *p, unsigned a, unsigned b)
{
	return is_ready(&p->name[a]) && is_ready(&p->name[b]) &&
	       is_named(&p->name[a], p->name[b].layer, p->name[b].text);
}

static void chain_sets(const struct capture *p, unsigned n, int *next, int *first,
		       int (*same)(const struct capture *p, unsigned a, unsigned b))
{
	for (unsigned i = 0; i < n; i++) {
		unsigned before = i;

		next[i] = -1;
		first[i] = 0;
		if (!same(p, i, i)) /* not in use */
			continue;
		while (before > 0 && !same(p, before - 1, i))
			before--;
		first[i] = before == 0;
		if (before > 0)
			next[before - 1] = (int)i;
	}
}

static int look_init(struct look *l, const struct capture *p)
{
	*l = (struct look){
		.next_set = malloc(p->n_sets * sizeof(int)),
		.first_set = malloc(p->n_sets * sizeof(int)),
		.next_op = malloc(p->max_ops * sizeof(int)),
		.first_op = malloc(p->max_ops * sizeof(int)),
		.sum = malloc(p->cell_size),
		.copy = malloc(p->cell_size),
	};
	if (l->next_set == NULL || l->first_set == NULL || l->next_op == NULL ||
	    l->first_op == NULL || l->sum == NULL || l->copy == NULL)
		return 0;
	chain_sets(p, p->n_sets, l->next_set, l->first_set, same_label);
	chain_sets(p, p->max_ops, l->next_op, l->first_op, same_name);
	return 1;
}

static const struct cell *cell_at(const struct capture *p, int set, int op)
{
	return cell_of(p, set_at(p, (unsigned)set), (unsigned)op);
}

/* Copies a cell. Returns whether no call was being added meanwhile: the copy is then consistent. */
static int copy_at_rest(const struct capture *p, const struct cell *c, struct cell *copy)
{
	copy->ended = __atomic_load_n(&c->ended, __ATOMIC_ACQUIRE);
	copy->total = __atomic_load_n(&c->total, __ATOMIC_RELAXED);
	copy->n_self = __atomic_load_n(&c->n_self, __ATOMIC_RELAXED);
	copy->self = __atomic_load_n(&c->self, __ATOMIC_RELAXED);
	copy->inclusive = __atomic_load_n(&c->inclusive, __ATOMIC_RELAXED);
	for (size_t k = 0; k < p->n_slots; k++)
		copy->slot[k] = __atomic_load_n(&c->slot[k], __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	copy->begun = __atomic_load_n(&c->begun, __ATOMIC_RELAXED);
	return copy->begun == copy->ended;
}

/* Copies a cell when no call is being added. A thread preempted while it adds one gets time to
 * finish, since on a busy machine that may take long. If the cell is still not at rest, its thread
 * was killed: *stuck remembers `begun`, so that nobody waits for the cell again. */
static void copy_cell(const struct capture *p, const struct cell *c, struct cell *copy,
		      uint64_t *stuck)
{
	enum { TRIES = 100, ROUNDS = 10000 }; /* 2 s or more */
	const struct timespec nap = { .tv_nsec = 200000 };

	if (p->slot < 0) { /* an observer's copy, to which nobody adds */
		(void)copy_at_rest(p, c, copy);
		return;
	}
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < TRIES; i++) {
			if (copy_at_rest(p, c, copy) || copy->begun == *stuck)
				return;
		}
		(void)nanosleep(&nap, NULL);
	}
	*stuck = copy->begun;
}

/* Sums all sets of a label and all entries of a name into l->sum. */
static void add_up(const struct capture *p, const struct look *l, int first_set, int first_op)
{
	memset(l->sum, 0, p->cell_size);
	for (int set = first_set; set >= 0; set = l->next_set[set]) {
		for (int op = first_op; op >= 0; op = l->next_op[op]) {
			if (__atomic_load_n(&cell_at(p, set, op)->begun, __ATOMIC_RELAXED) == 0)
				continue;
			copy_cell(p, cell_at(p, set, op), l->copy,
				  &p->track[(size_t)set * p->max_ops + (size_t)op].stuck);
			l->sum->begun += l->copy->begun;
			l->sum->ended += l->copy->ended;
			l->sum->total += l->copy->total;
			l->sum->n_self += l->copy->n_self;
			l->sum->self += l->copy->self;
			l->sum->inclusive += l->copy->inclusive;
			for (size_t k = 0; k < p->n_slots; k++)
				l->sum->slot[k] += l->copy->slot[k];
		}
	}
}

static int note_span(const struct capture *p, struct track *t, const struct cell *now, uint64_t end)
{
	size_t n = 0;
	struct span *s;

	for (size_t k = 0; k < p->n_slots; k++)
		n += now->slot[k] != t->seen->slot[k];
	s = malloc(sizeof(*s) + n * sizeof(s->row[0]));
	if (s == NULL)
		return 0;
	*s = (struct span){ .start = p->snapped,
			    .end = end,
			    .total = now->total - t->seen->total,
			    .count = now->ended - t->seen->ended };
	for (size_t k = 0; k < p->n_slots; k++) {
		if (now->slot[k] != t->seen->slot[k])
			s->row[s->n_rows++] = (struct row){ k, now->slot[k] - t->seen->slot[k] };
	}
	*(t->last != NULL ? &t->last->next : &t->first) = s;
	t->last = s;
	return 1;
}

/* Brings a track up to date. Returns 0 when out of memory. */
static int follow_track(const struct capture *p, struct track *t, const struct cell *now,
			uint64_t end)
{
	if (t->seen == NULL)
		t->seen = calloc(1, p->cell_size);
	if (t->seen == NULL)
		return 0;
	if (__atomic_load_n(&p->sampled, __ATOMIC_RELAXED) && now->begun != t->seen->begun &&
	    !note_span(p, t, now, end))
		return 0;
	memcpy(t->seen, now, p->cell_size);
	return 1;
}

static int follow_all(struct capture *p)
{
	uint64_t ended = __atomic_load_n(&p->region->ended, __ATOMIC_RELAXED);
	uint64_t end = (ended != 0 ? ended : osprof_nanoseconds()) - p->region->began;
	struct look l;
	int ok;

	if (p->track == NULL)
		p->track = calloc((size_t)p->n_sets * p->max_ops, sizeof(*p->track));
	ok = look_init(&l, p) && p->track != NULL;
	for (unsigned set = 0; ok && set < p->n_sets; set++) {
		for (unsigned op = 0; ok && l.first_set[set] && op < p->max_ops; op++) {
			if (!l.first_op[op])
				continue;
			add_up(p, &l, (int)set, (int)op);
			if (l.sum->begun != 0)
				ok = follow_track(p, &p->track[set * p->max_ops + op], l.sum, end);
		}
	}
	look_release(&l);
	if (ok)
		p->snapped = end;
	return ok;
}

/* If another thread is already at it, there is no need to wait for it. */
int osprof_look(struct capture *p)
{
	int no = 0, ok;

	if (!__atomic_compare_exchange_n(&p->looking, &no, 1, 0, __ATOMIC_ACQUIRE,
					 __ATOMIC_RELAXED))
		return 1;
	ok = follow_all(p);
	__atomic_store_n(&p->looking, 0, __ATOMIC_RELEASE);
	return ok;
}

int osprof_snapshot(struct osprof *open)
{
	struct capture *p = (struct capture *)open;

	__atomic_store_n(&p->sampled, 1, __ATOMIC_RELAXED);
	if (p->region != NULL && osprof_look(p))
		return 0;
	errno = ENOMEM;
	return -1;
}

void osprof_forget(struct capture *p)
{
	for (size_t i = 0; p->track != NULL && i < (size_t)p->n_sets * p->max_ops; i++) {
		struct span *next, *s = p->track[i].first;

		for (; s != NULL; s = next) {
			next = s->next;
			free(s);
		}
		free(p->track[i].seen);
	}
	free(p->track);
}

uint64_t osprof_count(struct osprof *open)
{
	struct capture *p = (struct capture *)open;
	uint64_t count = 0;

	for (unsigned set = 0; p->region != NULL && set < p->n_sets; set++) {
		for (unsigned op = 0; is_used(set_at(p, set)) && op < p->max_ops; op++)
			count += __atomic_load_n(&cell_at(p, (int)set, (int)op)->ended,
						 __ATOMIC_RELAXED);
	}
	return count;
}
