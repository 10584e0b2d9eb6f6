// SPDX-License-Identifier: Apache-2.0

#include "CSignalbox.h"
#include <string.h>
#include <zlib.h>

static const int gzip_window = MAX_WBITS + 16;
static const size_t gzip_frame = 32;

size_t csignalbox_gzip_bound(size_t count) { return compressBound((uLong)count) + gzip_frame; }

size_t csignalbox_gzip(const uint8_t *bytes, size_t count, uint8_t *room, size_t size) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)count;
    stream.next_out = room;
    stream.avail_out = (uInt)size;
    int end = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return end == Z_STREAM_END ? size - stream.avail_out : 0;
}

uint32_t csignalbox_checksum(const uint8_t *bytes, size_t count) { return (uint32_t)crc32(0, bytes, (uInt)count); }
