// SPDX-License-Identifier: Apache-2.0

#include "CDemangle.h"
#include <stdint.h>
#include <string.h>

// Exported by libswiftCore and libstdc++, which every program here links. Neither has a C header.
extern char *swift_demangle(const char *mangled, size_t length, char *out, size_t *room, uint32_t flags);
extern char *__cxa_demangle(const char *mangled, char *out, size_t *room, int *status);

char *demangle_name(const char *mangled) {
    if (strncmp(mangled, "_Z", 2) == 0) return __cxa_demangle(mangled, NULL, NULL, NULL);
    return swift_demangle(mangled, strlen(mangled), NULL, NULL, 0);
}
