// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled pattern of RE2. It may be used by several threads at once. */
typedef struct sbre_pattern sbre_pattern;

/* Compiles a pattern within a budget of memory. Returns NULL if the pattern is invalid or too large. */
sbre_pattern *sbre_compile(const char *pattern, size_t length, int64_t memory);
void sbre_free(sbre_pattern *pattern);

/* Whether the whole text matches. */
int sbre_matches(const sbre_pattern *pattern, const char *text, size_t length);

/* The number of groups in parentheses. */
int sbre_groups(const sbre_pattern *pattern);

/* The number of instructions, by which the time for a byte of text is bounded. */
int sbre_size(const sbre_pattern *pattern);

/* Finds the first match at or behind `start`. `bounds` gets start and end of the match and of its groups, `count` pairs; -1 for a group that
   took no part. Returns 0 if there is no match. */
int sbre_find(const sbre_pattern *pattern, const char *text, size_t length, size_t start, long *bounds, int count);

#ifdef __cplusplus
}
#endif
