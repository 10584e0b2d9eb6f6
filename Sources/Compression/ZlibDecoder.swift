// SPDX-License-Identifier: Apache-2.0

import CZlib

/// A decoder of gzip (one or several members), zlib and raw deflate.
///
/// It is a class because zlib keeps a pointer to the stream structure, which therefore must not move.
final class ZlibDecoder: StreamDecoder {
    enum Format: Int32 {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    private let format: Format
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init?(_ format: Format) {
        self.format = format
        stream.initialize(to: z_stream())
        guard inflateInit2_(stream, format.rawValue, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func step(_ input: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> (DecoderStep, read: Int, written: Int) {
        // zlib does not write through next_in; its type merely lacks the const.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(clamping: input.count)
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(clamping: room.count)
        let offered = (stream.pointee.avail_in, stream.pointee.avail_out)
        let status = inflate(stream, Z_NO_FLUSH)
        let read = Int(offered.0 - stream.pointee.avail_in), written = Int(offered.1 - stream.pointee.avail_out)
        return (outcome(of: status, left: input.count - read), read, written)
    }

    private func outcome(of status: Int32, left: Int) -> DecoderStep {
        switch status {
        case Z_STREAM_END where left == 0: .finished
        case Z_STREAM_END where format == .gzip && inflateReset(stream) == Z_OK: .more
        case Z_OK, Z_BUF_ERROR: .more
        default: .malformed
        }
    }
}
