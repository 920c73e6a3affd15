/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/views/view.h"

#include "base/attr.h"

static const struct view_class *const classes[] = {
	&view_ranking, &view_histogram, &view_peaks,  &view_distances, &view_timeline,
	&view_layers,  &view_similar,	&view_runs,   &view_explain,   &view_causes,
	&view_values,  &view_functions, &view_by_run, &view_messages,  &view_help,
};

const struct view_class *view_class_at(size_t i)
{
	return i < COUNT_OF(classes) ? classes[i] : NULL;
}
