// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>

/// What `mangled` stands for, to be freed; null where it is no name of Swift or C++. A name may be made to unfold to any size: not for a process with
/// anything to lose.
char *demangle_name(const char *mangled);
