#pragma once

#include <sys/types.h>

/// Starts a program in a folder with nothing open but its three streams, and with signals as a new process expects them.
///
/// A stream below 0 is /dev/null. Lists end with a null pointer. Answers 0 and the child's number, or an error's number.
int clinux_spawn(const char *program, char *const arguments[], char *const environment[], const char *folder,
                 const int streams[3], pid_t *child);

/// A pipe that no child inherits: what is written into the second end is read from the first. Answers 0, or -1 with errno.
int clinux_pipe(int ends[2]);
