// SPDX-License-Identifier: Apache-2.0

#include "counters.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The linker (`--wrap`) leads calls of these functions here. Each counts the bytes that the library took and gave.
 * The declarations repeat only what is needed of the libraries' own, so that this target depends on none of them.
 */

typedef struct {
    int status;
    ptrdiff_t at;
    size_t count;
} scan_result;

scan_result __real_sbj_scan(void *parser, const uint8_t *bytes, size_t start, size_t end);
scan_result __wrap_sbj_scan(void *parser, const uint8_t *bytes, size_t start, size_t end) {
    work_counted_bytes += end - start;
    return __real_sbj_scan(parser, bytes, start, end);
}

/* The beginning of zlib's `z_stream`. */
typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
} zlib_stream;

static int zlib(zlib_stream *stream, int flush, int (*run)(zlib_stream *, int)) {
    size_t before = (size_t)stream->avail_in + stream->avail_out;
    int status = run(stream, flush);
    work_counted_bytes += before - stream->avail_in - stream->avail_out;
    return status;
}

int __real_inflate(zlib_stream *stream, int flush);
int __wrap_inflate(zlib_stream *stream, int flush) { return zlib(stream, flush, __real_inflate); }

int __real_deflate(zlib_stream *stream, int flush);
int __wrap_deflate(zlib_stream *stream, int flush) { return zlib(stream, flush, __real_deflate); }

int __real_BrotliDecoderDecompressStream(void *state, size_t *in, const uint8_t **next, size_t *out, uint8_t **room, size_t *total);
int __wrap_BrotliDecoderDecompressStream(void *state, size_t *in, const uint8_t **next, size_t *out, uint8_t **room, size_t *total) {
    size_t before = *in + *out;
    int status = __real_BrotliDecoderDecompressStream(state, in, next, out, room, total);
    work_counted_bytes += before - *in - *out;
    return status;
}

/* Both of zstd's buffers. */
typedef struct {
    void *bytes;
    size_t size, position;
} zstd_buffer;

size_t __real_ZSTD_decompressStream(void *context, zstd_buffer *out, zstd_buffer *in);
size_t __wrap_ZSTD_decompressStream(void *context, zstd_buffer *out, zstd_buffer *in) {
    size_t before = out->position + in->position;
    size_t status = __real_ZSTD_decompressStream(context, out, in);
    work_counted_bytes += out->position + in->position - before;
    return status;
}

size_t __real_ZSTD_compress(void *out, size_t room, const void *in, size_t count, int level);
size_t __wrap_ZSTD_compress(void *out, size_t room, const void *in, size_t count, int level) {
    size_t written = __real_ZSTD_compress(out, room, in, count, level);
    work_counted_bytes += count;
    return written;
}

int __real_EVP_DigestUpdate(void *context, const void *bytes, size_t count);
int __wrap_EVP_DigestUpdate(void *context, const void *bytes, size_t count) {
    work_counted_bytes += count;
    return __real_EVP_DigestUpdate(context, bytes, count);
}
