/* SPDX-License-Identifier: MIT */
/* Writes a profile as text of osprof(5). */
#include "collect/region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_quoted(FILE *to, const char *s, size_t n)
{
	(void)fputc('"', to);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			(void)fprintf(to, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			(void)fprintf(to, "\\x%02x", c);
		else
			(void)fputc(c, to);
	}
	(void)fputc('"', to);
}

/* Quotes a name only where osprof(5) would not read it back unchanged. */
static void print_name(FILE *to, const char *s, size_t max)
{
	size_t n = strnlen(s, max);
	int plain = n > 0 && s[0] != '"' && s[0] != ' ' && s[n - 1] != ' ';

	for (size_t i = 0; i < n; i++)
		plain &= (unsigned char)s[i] >= ' ' && s[i] != 0x7f;
	if (plain)
		(void)fprintf(to, "%.*s", (int)n, s);
	else
		print_quoted(to, s, n);
	(void)fputc('\n', to);
}

static void print_layer(const struct capture *p, FILE *to, unsigned set, const char *layer)
{
	const char *label = set_at(p, set)->label;
	char both[LABEL + sizeof(p->name->layer) + 1];

	/* Threads that share the last set are not distinguished. */
	if (p->region->by != OSPROF_TOGETHER && label[0] == '\0')
		label = "(others)";
	(void)snprintf(both, sizeof(both), "%.*s%s%.*s", LABEL, label,
		       label[0] != '\0' && layer[0] != '\0' ? "/" : "", (int)sizeof(p->name->layer),
		       layer);
	(void)fprintf(to, "layer ");
	print_name(to, both, sizeof(both));
}

static void print_seconds(FILE *to, uint64_t ns)
{
	(void)fprintf(to, " %llu.%09llu", (unsigned long long)(ns / 1000000000u),
		      (unsigned long long)(ns % 1000000000u));
}

static void print_row(FILE *to, size_t slot, uint64_t count)
{
	if (slot == 0)
		(void)fprintf(to, "zero %llu\n", (unsigned long long)count);
	else
		(void)fprintf(to, "%zu %llu\n", slot - 1, (unsigned long long)count);
}

static void print_track(const struct capture *p, FILE *to, unsigned op, const struct track *t)
{
	const struct name *n = &p->name[op];
	const char *unit = p->open.has_counter ? "cycles" : "ns";

	(void)fprintf(to, "op ");
	print_name(to, n->text, sizeof(n->text));
	(void)fprintf(to, "unit %s\ntotal %llu\ncount %llu\n", n->plain ? "plain" : unit,
		      (unsigned long long)t->seen->total, (unsigned long long)t->seen->ended);
	if (t->seen->n_self == t->seen->ended) {
		(void)fprintf(to, "self %llu\n", (unsigned long long)t->seen->self);
		if (t->seen->inclusive != t->seen->total)
			(void)fprintf(to, "inclusive %llu\n",
				      (unsigned long long)t->seen->inclusive);
	}
	if (t->seen->begun != t->seen->ended)
		(void)fprintf(to, "lost %llu\n",
			      (unsigned long long)(t->seen->begun - t->seen->ended));
	for (size_t k = 0; k < p->n_slots; k++) {
		if (t->seen->slot[k] != 0)
			print_row(to, k, t->seen->slot[k]);
	}
	for (const struct span *s = t->first; s != NULL; s = s->next) {
		(void)fprintf(to, "interval");
		print_seconds(to, s->start);
		print_seconds(to, s->end);
		(void)fprintf(to, "\ntotal %llu\ncount %llu\n", (unsigned long long)s->total,
			      (unsigned long long)s->count);
		for (size_t k = 0; k < s->n_rows; k++)
			print_row(to, s->row[k].slot, s->row[k].count);
	}
}

static void print_end(const struct capture *p, FILE *to, uint64_t op)
{
	const struct name *n = &p->name[op];

	print_quoted(to, n->layer, strnlen(n->layer, sizeof(n->layer)));
	(void)fputc('/', to);
	print_quoted(to, n->text, strnlen(n->text, sizeof(n->text)));
}

/* Prints which operation calls which; known for the whole profile, not per program or thread. */
static void print_pairs(const struct capture *p, FILE *to)
{
	if (p->region->by != OSPROF_TOGETHER)
		return;
	for (size_t i = 0; i < PAIRS; i++) {
		const struct pair *pair = &p->pair[i];
		uint64_t upper = (pair->key >> 32) - 1, lower = (pair->key & UINT32_MAX) - 1;

		/* Key 0 is a free entry; other values may be corrupt. */
		if (upper >= p->max_ops || lower >= p->max_ops)
			continue;
		(void)fprintf(to, "nest ");
		print_end(p, to, upper);
		(void)fprintf(to, " > ");
		print_end(p, to, lower);
		(void)fprintf(to, "\nnested %llu %llu %llu\n", (unsigned long long)pair->reached,
			      (unsigned long long)pair->calls, (unsigned long long)pair->total);
	}
}

static void print_head(const struct capture *p, FILE *to)
{
	const struct region *r = p->region;

	(void)fprintf(to, "osprof 1\nends\n# reading the clock adds %llu %s to each latency%s\n",
		      (unsigned long long)r->overhead, p->open.has_counter ? "cycles" : "ns",
		      r->subtracted != 0 ? "; subtracted" : "");
	(void)fprintf(to, "unit %s\n", p->open.has_counter ? "cycles" : "ns");
	if (p->open.has_counter)
		(void)fprintf(to, "hz %llu\n", (unsigned long long)r->hz);
	(void)fprintf(to, "elapsed");
	print_seconds(to, p->snapped);
	(void)fprintf(to, "\nbuckets log2 %u\n", p->resolution);
	if (r->lost != 0)
		(void)fprintf(to, "lost %llu\n", (unsigned long long)r->lost);
	print_pairs(p, to);
}

int osprof_print(struct osprof *open, FILE *to)
{
	struct capture *p = (struct capture *)open;
	size_t n_ops = 0;

	if (p->region == NULL || !osprof_look(p)) {
		errno = ENOMEM;
		return -1;
	}
	print_head(p, to);
	for (unsigned set = 0; set < p->n_sets; set++) {
		const char *layer = NULL;

		for (unsigned op = 0; op < p->max_ops; op++) {
			const struct track *t = &p->track[set * p->max_ops + op];

			if (t->seen == NULL)
				continue;
			if (layer == NULL ||
			    strncmp(layer, p->name[op].layer, sizeof(p->name->layer)) != 0)
				print_layer(p, to, set, layer = p->name[op].layer);
			print_track(p, to, op, t);
			n_ops++;
		}
	}
	(void)fprintf(to, "end %zu\n", n_ops);
	return fflush(to) == 0 && !ferror(to) ? 0 : -1;
}

int osprof_save(struct osprof *open, const char *path)
{
	char temporary[4096];
	int fd, n = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path), saved;
	FILE *f = NULL;

	if (n < 0 || (size_t)n >= sizeof(temporary)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return -1;
	(void)fchmod(fd, 0644);
	f = fdopen(fd, "w");
	n = f != NULL ? osprof_print(open, f) : -1;
	saved = errno;
	if (f != NULL ? fclose(f) != 0 : close(fd) != 0)
		n = -1;
	if (n == 0 && rename(temporary, path) == 0)
		return 0;
	saved = n == 0 ? errno : saved;
	(void)unlink(temporary);
	errno = saved;
	return -1;
}
