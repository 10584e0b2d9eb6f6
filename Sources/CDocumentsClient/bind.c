// SPDX-License-Identifier: Apache-2.0
#include "CSignalboxSQLite.h"

int sbd_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0) : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

int sbd_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}
