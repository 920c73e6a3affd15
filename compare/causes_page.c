/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds causes for the page of a comparison of two traces. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "compare/causes_found.h"
#include "load/causes_options.h"
#include "load/load_options.h"
#include "report/report.h"
#include "report/show_options.h"

enum { MAX_OPERATIONS = 3 }; /* each needs a pass over both traces */

struct causes_page {
	struct diag silent;
	struct load_options load;
	struct show_options show;
	struct causes_options options[MAX_OPERATIONS];
	struct causes_found found[MAX_OPERATIONS];
	struct causes_report report[MAX_OPERATIONS];
	const struct causes_report *of[MAX_OPERATIONS];
};

static bool can_be_read_again(const struct load_options *q)
{
	for (size_t i = 0; i < q->n_operands; i++) {
		if (strcmp(q->operand[i], "-") == 0 || memory_operand(q, q->operand[i]) != NULL)
			return false;
	}
	return true;
}

static bool find_causes(struct causes_page *p, size_t i, const struct ranked *r)
{
	struct causes_options *one = &p->options[i];

	one->function = causes_function_of(r->after);
	one->exact = true;
	return causes_found_load(&p->found[i], &p->load, one, &p->silent) &&
	       causes_found_find(&p->found[i]);
}

struct causes_page *causes_page_new(struct comparison *c, const struct load_options *q,
				    const struct causes_options *options)
{
	struct causes_page *p;

	if (!causes_are_reported(&c->before) || !causes_are_reported(&c->after) ||
	    !can_be_read_again(q))
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->load = *q;
	p->load.observer = NULL;
	p->show = show_options_default();
	for (size_t i = 0; i < MAX_OPERATIONS && i < c->ranking->n_reported; i++) {
		const struct ranked *r = &c->ranking->v[i];

		p->options[i] = *options;
		p->options[i].function = NULL;
		if (r->before == NULL || r->after == NULL || !find_causes(p, i, r))
			continue;
		p->report[i] = causes_found_report(&p->found[i], &p->show);
		p->of[i] = &p->report[i];
	}
	c->causes = p->of;
	c->n_causes = MAX_OPERATIONS;
	return p;
}

void causes_page_free(struct causes_page *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < MAX_OPERATIONS; i++) {
		if (p->options[i].function == NULL)
			continue;
		causes_found_release(&p->found[i]);
		free((char *)(uintptr_t)p->options[i].function);
	}
	free(p);
}
