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

/// The limits of a worker: a program of the operator's.
struct clinux_worker {
    /// Paths that it may read and execute, and those that it may change. Lists end with a null pointer, and missing paths are skipped.
    char *const *readable;
    char *const *writable;
    char *const *devices;
    /// Private memory of a process, descriptors of a process, processes and threads of the user, and the size of a file that is written.
    unsigned long long memory, descriptors, processes, file_size;
    /// Whether it fails where the kernel has no Landlock; otherwise its files are not restricted.
    int needs_landlock;
};

/// Restricts this process, and programs that it executes: a group of its own that it cannot leave, no Unix sockets, no privileges, limits,
/// and death with the parent. The group dies with its leader. Returns 0 or an error number.
int clinux_confine_worker(const struct clinux_worker *worker);
