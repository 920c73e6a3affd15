/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/policy_file.h"

#include "base/diag.h"
#include "base/input/input_file.h"

bool policy_load(struct policy_file *ret, const char *path, size_t max_input, struct diag *diag)
{
	*ret = (struct policy_file){ .policy = NULL };
	if (path == NULL)
		return true;
	if (!input_open(&ret->input, path, max_input, diag))
		return false;
	ret->policy = policy_read(&ret->input, diag);
	if (ret->policy != NULL)
		return true;
	input_release(&ret->input);
	return false;
}

void policy_release(struct policy_file *f)
{
	if (f->policy != NULL)
		input_release(&f->input);
	policy_free(f->policy);
}

static void warn_of(struct policy_file *f, const struct policy_part *section,
		    const struct ranking *all, struct diag *diag)
{
	size_t n_matched = 0;

	for (size_t i = 0; i < all->n; i++) {
		const struct operation *op = ranked_operation(&all->v[i]);

		if (!policy_matches(section, op))
			continue;
		if (policy_section(f->policy, op) == section)
			return;
		n_matched++;
	}
	diag_at(diag, DIAG_POLICY_UNUSED, &f->input, section->at, section->len,
		n_matched > 0 ? "lines above it hold for all that it matches"
			      : "no operation of either side has such a name");
}

void policy_warn(struct policy_file *f, const struct ranking *all, struct diag *diag)
{
	for (size_t i = 0; f->policy != NULL && i < f->policy->n; i++)
		warn_of(f, &f->policy->section[i], all, diag);
}
