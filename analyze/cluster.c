/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/cluster.h"

#include <math.h>
#include <stdlib.h>

#include "base/xalloc.h"

double cluster_default(enum metric m)
{
	switch (m) {
	case METRIC_EMD:
	case METRIC_MINKOWSKI_L1:
		return 0.5;
	case METRIC_MINKOWSKI_L2:
	case METRIC_KS:
		return 0.25;
	case METRIC_KL:
	case METRIC_JEFFREY:
		return 0.2;
	case METRIC_CHI_SQUARE:
		return NAN;
	default:
		return 0.1;
	}
}

/* Clusters in progress; one of its members stands for each cluster. */
struct groups {
	size_t n;
	double *d;		/* n x n distances between the clusters that are left */
	size_t *size;		/* members; 0 when it joined another cluster */
	size_t *into;		/* member that it joined within the maximum distance, or itself */
	size_t *chain, n_chain; /* nearest-neighbour chain */
};

static double distance_between(const double *distance, size_t n, size_t i, size_t k)
{
	double d = fmax(fabs(distance[i * n + k]), fabs(distance[k * n + i]));

	return isnan(distance[i * n + k]) || isnan(distance[k * n + i]) ? HUGE_VAL : d;
}

static void begin_groups(struct groups *g, const double *distance, size_t n)
{
	*g = (struct groups){ .n = n };
	g->d = xcalloc(n * n, sizeof(*g->d));
	g->size = xcalloc(n, sizeof(*g->size));
	g->into = xcalloc(n, sizeof(*g->into));
	g->chain = xcalloc(n, sizeof(*g->chain));
	for (size_t i = 0; i < n; i++) {
		g->size[i] = 1;
		g->into[i] = i;
		for (size_t k = 0; k < n; k++)
			g->d[i * n + k] = distance_between(distance, n, i, k);
	}
}

static void end_groups(struct groups *g)
{
	free(g->d);
	free(g->size);
	free(g->into);
	free(g->chain);
}

/* The nearest cluster; ties go to `rather`, so that a chain ends. */
static size_t nearest_group(const struct groups *g, size_t i, size_t rather)
{
	size_t best = rather;

	for (size_t k = 0; k < g->n; k++) {
		if (k == i || g->size[k] == 0)
			continue;
		if (best == CLUSTER_NONE || g->d[i * g->n + k] < g->d[i * g->n + best])
			best = k;
	}
	return best;
}

/* Joins b to a, in `into` only when they are near enough.  Farther joins need no undoing, because
 * with average linkage later joins of a cluster are never nearer. */
static void join_groups(struct groups *g, size_t a, size_t b, double max)
{
	double na = (double)g->size[a], nb = (double)g->size[b];

	if (g->d[a * g->n + b] <= max)
		g->into[b] = a;
	for (size_t k = 0; k < g->n; k++) {
		double mean = (na * g->d[a * g->n + k] + nb * g->d[b * g->n + k]) / (na + nb);

		g->d[a * g->n + k] = g->d[k * g->n + a] = mean;
	}
	g->size[a] += g->size[b];
	g->size[b] = 0;
}

static void join_all(struct groups *g, double max)
{
	size_t start = 0;

	for (size_t left = g->n; left > 1;) {
		size_t top, near, below;

		while (g->n_chain == 0 && g->size[start] == 0)
			start++;
		if (g->n_chain == 0)
			g->chain[g->n_chain++] = start;
		top = g->chain[g->n_chain - 1];
		below = g->n_chain > 1 ? g->chain[g->n_chain - 2] : CLUSTER_NONE;
		near = nearest_group(g, top, below);
		if (near != below) {
			g->chain[g->n_chain++] = near;
			continue;
		}
		g->n_chain -= 2;
		join_groups(g, top < near ? top : near, top < near ? near : top, max);
		left--;
	}
}

static size_t root_of(const struct groups *g, size_t i)
{
	while (g->into[i] != i)
		i = g->into[i];
	return i;
}

size_t cluster(const double *distance, size_t n, double max, size_t *ret_cluster)
{
	struct groups g;
	size_t n_clusters = 0;

	begin_groups(&g, distance, n);
	join_all(&g, max);
	for (size_t i = 0; i < n; i++)
		ret_cluster[i] = CLUSTER_NONE;
	for (size_t i = 0; i < n; i++) {
		size_t root = root_of(&g, i);

		if (root == i)
			continue;
		/* The root has the lowest number of its cluster. */
		if (ret_cluster[root] == CLUSTER_NONE)
			ret_cluster[root] = n;
	}
	for (size_t i = 0; i < n; i++) {
		if (ret_cluster[i] == n)
			ret_cluster[i] = n_clusters++;
		else if (root_of(&g, i) != i)
			ret_cluster[i] = ret_cluster[root_of(&g, i)];
	}
	end_groups(&g);
	return n_clusters;
}
