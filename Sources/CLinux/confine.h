// SPDX-License-Identifier: Apache-2.0

#pragma once

/// Whether Landlock works in this process.
int clinux_has_landlock(void);

/// Restricts the files of this process with Landlock. Returns 0 or an error number.
int clinux_landlock(char *const readable[], char *const executable[]);

/// Restricts the files of a worker with Landlock; it may use the network. Returns 0 or an error number.
int clinux_landlock_worker(char *const readable[], char *const writable[], char *const devices[]);

/// Whether Landlock of this kernel governs truncation by path.
int clinux_landlock_restricts_truncation(void);

/// Whether filters of system calls work in this process.
int clinux_has_filters(void);

/// Restricts the system calls of this process, with or without executing programs. Returns 0 or an error number.
int clinux_filter(int mayExecute);

/// Restricts the system calls of a worker. Returns 0 or an error number.
int clinux_filter_worker(int parent);
