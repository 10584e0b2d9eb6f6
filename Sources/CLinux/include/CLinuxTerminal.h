// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>

/// Puts a terminal into raw mode (no echo, line buffering or key signals) and writes `enter`.
///
/// A process in the background stops first, until the shell continues it in the foreground.
///
/// The terminal is restored, with `leave` and its settings, when a signal, a fault or a stop ends or stops the process, and taken over again when
/// the process continues. A byte is written to `wake`, a non-blocking pipe, whenever the size may have changed or the screen was taken over
/// again. Texts are copied. Returns 0, or -1 with errno.
int clinux_terminal_enter(int terminal, int wake, const char *enter, const char *leave);

/// Restores the terminal; does nothing if it was not taken over.
void clinux_terminal_leave(void);

/// Whether the terminal may be written to: not between a stop and continuing in the foreground.
int clinux_terminal_is_taken(void);

/// Restores the terminal and stops the process group, like Ctrl-Z. It may return before the stop.
void clinux_terminal_suspend(void);

/// Reads columns and rows; returns 0, or -1 if unknown.
int clinux_terminal_size(int terminal, int *columns, int *rows);

/// Turns echo off or on without changing line input. Returns 0, or -1 with errno.
int clinux_terminal_set_echo(int terminal, int on);
