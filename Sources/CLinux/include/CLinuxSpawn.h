// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <sys/types.h>

/// Starts a program in a folder with nothing open but its three streams, and with signals as a new process expects them.
///
/// A stream below 0 is /dev/null. Lists end with a null pointer. Answers 0 and the child's number, or an error's number.
int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder,
                 const int streams[3], pid_t *child);

/// A pipe that no child inherits: what is written into the second end is read from the first. Answers 0, or -1 with errno.
int clinux_pipe(int ends[2]);

/// Lets a process have so many bytes of address space from now on, and makes it the first to go where the machine's memory ends. What cannot be set stays.
void clinux_confine(pid_t process, unsigned long long bytes);

/// Lets a process compute for so many seconds more, so that it does not go on for ever where nobody is left to end it. What cannot be set stays.
void clinux_allow(pid_t process, unsigned seconds);

/// Two ends of a stream, neither of which a child inherits; the first does not block. Answers 0, or -1 with errno.
int clinux_stream(int ends[2]);
