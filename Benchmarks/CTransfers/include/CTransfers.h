// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Continues a CRC-32C with the processor's instruction; begins with 0.
uint32_t transfers_crc32c(uint32_t sum, const void *bytes, size_t count);

/// Serves uploads on 127.0.0.1 without end, one connection after the other: recv, SHA-256, CRC-32C, write and fdatasync of a new file in
/// `folder`, which replaces the one before it. The ceiling of an upload. Returns only on failure.
int transfers_serve(int port, const char *folder);

/// Serves uploads of up to 128 KiB on 127.0.0.1 without end with some threads: each file is hashed, written, synced, renamed, and its folder
/// synced. The ceiling of small uploads without group commit. Returns only on failure.
int transfers_serve_small(int port, const char *folder, int threads);

/// What each connection of a load does again and again.
struct transfers_load {
    int port;
    /// The path of a file to download, or of an upload. A `*` is replaced by a number, another for each request.
    const char *path;
    /// A bearer token; empty for none.
    const char *token;
    int connections;
    /// Requests of each connection.
    int rounds;
    /// Bytes of an upload; 0 for downloads.
    size_t upload_bytes;
    /// Bytes of a range of a download, taken at rising offsets; 0 for the whole file.
    size_t range_bytes;
    size_t file_bytes;
};

/// Runs a load. Downloaded bytes are discarded in the kernel, so that the client costs as little as possible. Returns the seconds that it took,
/// or a negative number if a response was not a success or had another length.
double transfers_run(const struct transfers_load *load);
