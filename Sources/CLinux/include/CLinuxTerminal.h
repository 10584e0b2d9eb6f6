// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>

/// Takes a terminal over for a full screen: no echo, no lines, no signals by keys, and `enter` written to it.
///
/// From then on the terminal is given back, with `leave` and its old settings, by whatever ends or stops the process: a signal that ends it, a fault, or a
/// stop. When the process goes on after a stop, the screen is taken again. Each time when the size may be another, or the screen was taken again, a byte is
/// written to `wake`, a pipe that does not block. Texts are copied. Answers 0, or -1 with errno.
int clinux_terminal_enter(int terminal, int wake, const char *enter, const char *leave);

/// Gives the terminal back; does nothing where it is not taken.
void clinux_terminal_leave(void);

/// Whether the terminal is ours to write to: not between a stop and going on in front again.
int clinux_terminal_is_taken(void);

/// Gives the terminal back and stops the process and those it was started with, as ctrl-Z does everywhere. It may return before the stop.
void clinux_terminal_suspend(void);

/// Columns and rows; answers 0, or -1 where nobody knows.
int clinux_terminal_size(int terminal, int *columns, int *rows);

/// Turns the echo of what is typed off or on, line by line input staying as it is. Answers 0, or -1 with errno.
int clinux_terminal_set_echo(int terminal, int on);
