// SPDX-License-Identifier: Apache-2.0
#ifndef CSIGNALBOXSQLITE_H
#define CSIGNALBOXSQLITE_H

#include <sqlite3.h>

// Binds bytes, which SQLite copies. Swift cannot write the constant SQLITE_TRANSIENT. No bytes bind an empty blob, not NULL.
int sbd_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count);

// Binds UTF-8 text, which SQLite copies.
int sbd_bind_text(sqlite3_stmt *statement, int index, const char *text, int count);

#endif
