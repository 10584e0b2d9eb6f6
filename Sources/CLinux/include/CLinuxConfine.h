// SPDX-License-Identifier: Apache-2.0

#pragma once

/// Kinds of confinement that the kernel and the process's filters support; the values are bits.
enum {
    CLINUX_CONFINES_FILES = 1,
    CLINUX_CONFINES_CALLS = 2,
};

/// Returns the parts of `clinux_confine_self` that work. Changes nothing.
int clinux_confinement_support(void);

/// Restricts this process, and programs that it executes, to reading the files at and beneath some paths, and to calls that neither reach the
/// network nor other processes, nor change files.
///
/// Only `executable` files may be executed. Missing paths are skipped. Lists end with a null pointer. The parts that are not supported are left
/// out. Returns 0 or an error number.
int clinux_confine_self(char *const readable[], char *const executable[]);
