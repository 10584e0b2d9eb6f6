// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

/// Starts a program in a folder with only its three streams open and default signal handling.
///
/// A stream below 0 is /dev/null. Lists end with a null pointer. Returns 0 and the child's ID, or an error number.
int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder,
                 const int streams[3], pid_t *child);

/// Creates a pipe that children do not inherit. Returns 0, or -1 with errno.
int clinux_pipe(int ends[2]);

/// Limits the address space of a process and makes it the first victim of the OOM killer. Failures are ignored.
void clinux_confine(pid_t process, unsigned long long bytes);

/// Limits the processor time of a process, so that it ends even if its parent is gone. Failures are ignored.
void clinux_allow(pid_t process, unsigned seconds);

/// Creates a socket pair that children do not inherit; the first end is non-blocking. Returns 0, or -1 with errno.
int clinux_stream(int ends[2]);

/// Returns a descriptor that becomes readable with the end of a child, or -1 with errno.
int clinux_process_descriptor(pid_t process);

/// Returns the number of bytes in a pipe that were not read yet, or -1 with errno.
int clinux_unread(int descriptor);

/// Makes reads and writes of a descriptor fail instead of waiting. Returns 0, or -1 with errno.
int clinux_never_wait(int descriptor);
