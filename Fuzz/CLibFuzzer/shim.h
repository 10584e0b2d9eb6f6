// SPDX-License-Identifier: Apache-2.0

#include <stddef.h>
#include <stdint.h>

/* libFuzzer as a library, which its toolchain ships without a header. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*input)(const uint8_t *bytes, size_t count));
