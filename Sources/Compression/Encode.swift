// SPDX-License-Identifier: Apache-2.0

import CZlib
import CZstd

/// Compresses to one gzip member at zlib's default level.
package func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    defer { stream.deallocate() }
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    let ready = deflateInit2_(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, ZlibDecoder.Format.gzip.rawValue, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    precondition(ready == Z_OK, "zlib could not allocate its state")
    defer { deflateEnd(stream) }
    let bound = Int(deflateBound(stream, UInt(bytes.count)))
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
        bytes.withUnsafeBufferPointer { input in
            // zlib does not write through next_in; its type merely lacks the const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            stream.pointee.next_out = room.baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            deflate(stream, Z_FINISH)
        }
        count = room.count - Int(stream.pointee.avail_out)
    }
}

/// Compresses a blob for our own storage; `decompress` is the inverse.
package func compress(_ bytes: [UInt8]) -> [UInt8] {
    let blob = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { room, count in
        let written = bytes.withUnsafeBufferPointer { ZSTD_compress(room.baseAddress, room.count, $0.baseAddress, $0.count, 1) }
        precondition(ZSTD_isError(written) == 0, "zstd failed although ZSTD_compressBound is sufficient by definition")
        count = written
    }
    // Copied to drop the unused capacity, because queues count the bytes of waiting blobs.
    return blob.withUnsafeBufferPointer { Array($0) }
}

/// Restores a blob of at most `limit` bytes written by `compress`.
package func decompress(_ bytes: [UInt8], limit: Int) throws(DecodeError) -> [UInt8] {
    try decode(bytes, coding: .zstd, limit: limit)
}
