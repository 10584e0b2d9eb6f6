// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <sqlite3.h>

// A GNU function, which Swift's Glibc module does not declare. Its time grows with the sum of the two lengths.
void *memmem(const void *text, size_t length, const void *sought, size_t soughtLength);

// Keeps a closing connection from checkpointing. A wrapper, because Swift cannot call variadic functions.
static inline int signalbox_no_checkpoint_on_close(sqlite3 *db) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Rejects SQL that could damage the file (writable_schema, shadow tables). A wrapper of a variadic function.
static inline int signalbox_defensive(sqlite3 *db) {
    return sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

// Reads and replaces SQLite's allocator; replacing it must precede every other call. Wrappers of a variadic function.
static inline int signalbox_memory(sqlite3_mem_methods *own) {
    return sqlite3_config(SQLITE_CONFIG_GETMALLOC, own);
}
static inline int signalbox_take_memory_from(sqlite3_mem_methods *other) {
    return sqlite3_config(SQLITE_CONFIG_MALLOC, other);
}

// The two destructor constants are casts that Swift does not import.
static inline int signalbox_bind_text(sqlite3_stmt *s, int i, const char *p, int n) {
    return sqlite3_bind_text(s, i, p, n, SQLITE_TRANSIENT);
}
static inline int signalbox_bind_blob(sqlite3_stmt *s, int i, const void *p, int n) {
    return n == 0 ? sqlite3_bind_zeroblob(s, i, 0) : sqlite3_bind_blob(s, i, p, n, SQLITE_TRANSIENT);
}
static inline void signalbox_result_text_borrowed(sqlite3_context *c, const char *p, int n) {
    sqlite3_result_text(c, p, n, SQLITE_STATIC);
}
static inline void signalbox_result_blob_borrowed(sqlite3_context *c, const void *p, int n) {
    sqlite3_result_blob(c, p, n, SQLITE_STATIC);
}
static inline void signalbox_result_blob(sqlite3_context *c, const void *p, int n) {
    sqlite3_result_blob(c, p, n, SQLITE_TRANSIENT);
}
static inline void signalbox_result_text(sqlite3_context *c, const char *p, int n) {
    sqlite3_result_text(c, p, n, SQLITE_TRANSIENT);
}
static inline int signalbox_bind_blob_borrowed(sqlite3_stmt *s, int i, const void *p, int n) {
    return sqlite3_bind_blob(s, i, p, n, SQLITE_STATIC);
}
static inline int signalbox_bind_text_borrowed(sqlite3_stmt *s, int i, const char *p, int n) {
    return sqlite3_bind_text(s, i, p, n, SQLITE_STATIC);
}
