#!/usr/bin/env Rscript
# SPDX-License-Identifier: GPL-3.0-or-later
# Differences of two sides under autoregressive noise, with nlme's gls(): the values
# tests/analyze/test_run_order.c compares with.
#
#	Rscript tests/oracle/run_order.R >tests/oracle/run_order.txt
#
# For each phi gls() gives the difference, its standard error and the restricted likelihood;
# these are averaged, phi = 0 weighing once as much as each of the others, and 40 times, and
# of both the one whose t is smaller is taken.  Lines:
#
#	case SIDES DIFFERENCE ERROR [SLOPE]	in the order of runs, a or b
#	VALUE ...				nan: a run without
#	COVARIATE ...				where there is a SLOPE, that of it
suppressPackageStartupMessages(library(nlme))

phis <- c(0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98)

fit <- function(d, phi) {
	correlation <- corAR1(phi, form = ~ time, fixed = TRUE)
	m <- if (is.null(d$covariate))
		gls(value ~ side, data = d, correlation = correlation, method = "REML")
	else
		gls(value ~ side + covariate, data = d, correlation = correlation, method = "REML")
	c(coef(m)[["sideb"]], sqrt(vcov(m)["sideb", "sideb"]), as.numeric(logLik(m)),
	  if (is.null(d$covariate)) NULL else coef(m)[["covariate"]])
}

averaged <- function(f, independent) {
	w <- exp(f[3, ] - max(f[3, ])) * ifelse(phis == 0, independent, 1)
	w <- w / sum(w)
	difference <- sum(w * f[1, ])
	c(difference, sqrt(sum(w * (f[2, ]^2 + (f[1, ] - difference)^2))),
	  if (nrow(f) > 3) sum(w * f[4, ]))
}

both <- function(sides, value, covariate = NULL) {
	d <- data.frame(value, side = factor(strsplit(sides, "")[[1]]), time = seq_along(value))
	d$covariate <- covariate
	f <- sapply(phis, function(phi) fit(d[!is.na(d$value), ], phi))
	one <- averaged(f, 1)
	many <- averaged(f, 40)
	chosen <- if (abs(one[1] / one[2]) < abs(many[1] / many[2])) one else many
	cat("case", sides, sprintf("%.10g", chosen))
	cat("\n")
	cat(ifelse(is.na(value), "nan", value))
	cat("\n")
	if (!is.null(covariate))
		cat(covariate, sep = " ", fill = 1000)
}

cat("# SPDX-License-Identifier: GPL-3.0-or-later\n# by run_order.R\n")
# 20,000 preads of one page and of two, in turns: the mean octave of their latency, beside two
# busy loops.
both("ababababab", c(10.37950, 10.62978, 10.37986, 10.60286, 10.38030, 10.59882, 10.38456,
	10.66024, 10.38464, 10.63104))
# The same on a quiet machine, whose clock rate changed meanwhile.
both("ababababab", c(10.81180, 11.05684, 10.84306, 11.02775, 10.38609, 10.63204, 10.37877,
	10.63706, 10.38090, 10.60855))
# A machine that gets slower and slower, and one side after the other.
both("aaaaabbbbb", c(8.00, 8.11, 8.19, 8.32, 8.41, 8.49, 8.61, 8.72, 8.80, 8.89))
both("abab", c(10.1, 10.6, 10.3, 10.9))
both("abbaabbabaab", c(5.31, 5.52, 5.44, 5.25, 5.21, 5.49, 5.52, 5.38, 5.61, 5.40, 5.33, 5.59))
# A run that does not call the operation.
both("abababab", c(7.02, 7.31, NA, 7.28, 7.11, 7.44, 7.09, 7.40))
both("bbaaab", c(3.2, 3.3, 3.0, 3.1, 2.9, 3.6))
# Preads again, and how much slower the processor was (log2 of the time of a fixed loop): the
# core was shared at times; beside two busy loops; twice the same program.
both("ababababab", c(10.74907, 11.00855, 10.47590, 10.70676, 10.27830, 10.53288, 10.32343,
	10.75821, 10.69749, 10.69755), c(9.5488, 9.5417, 9.0521, 8.9794, 8.5900, 8.7251, 8.7171,
	9.1387, 9.5430, 9.0745))
both("ababababab", c(10.25763, 10.50981, 10.26026, 10.51140, 10.26005, 10.51136, 10.29224,
	10.50914, 10.31200, 10.51458), c(8.5379, 8.5268, 8.5603, 8.5038, 8.5359, 8.5288, 8.6208,
	8.5327, 8.6677, 8.5463))
both("ababababab", c(10.26806, 10.80594, 10.81399, 10.60434, 10.25500, 10.31793, 10.25372,
	10.25611, 10.26710, 10.27823), c(8.6172, 9.5434, 9.5485, 9.2850, 8.5450, 8.7398, 8.5417,
	8.5443, 8.5673, 8.6123))
both("abbaabab", c(7.02, 7.31, NA, 7.28, 7.11, 7.44, 7.09, 7.40),
     c(0.1, 0.3, 0.2, 0.4, 0.2, 0.3, 0.0, 0.5))
