// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>

/// Returns the demangled name, which the caller frees; null if it is not a mangled Swift or C++ name.
///
/// A hostile name can expand without limit, so only a disposable child process calls this.
char *demangle_name(const char *mangled);
