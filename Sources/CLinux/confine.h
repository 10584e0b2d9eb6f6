// SPDX-License-Identifier: Apache-2.0

#pragma once

/// Whether Landlock works in this process.
int clinux_has_landlock(void);

/// Restricts the files of this process with Landlock. Returns 0 or an error number.
int clinux_landlock(char *const readable[], char *const executable[]);

/// Whether filters of system calls work in this process.
int clinux_has_filters(void);

/// Restricts the system calls of this process, with or without executing programs. Returns 0 or an error number.
int clinux_filter(int mayExecute);
