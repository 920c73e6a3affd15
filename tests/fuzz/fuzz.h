/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libFuzzer calls; tests/fuzz/replay.c calls it for kept inputs. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
