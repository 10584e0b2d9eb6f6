// SPDX-License-Identifier: Apache-2.0

import CZstd

/// A decoder of Zstandard frames, one or several, with a window of at most 8 MiB, which RFC 8878 requires of every decoder.
final class ZstdDecoder: StreamDecoder {
    private static let windowLog: Int32 = 23
    private let context: OpaquePointer

    init?() {
        guard let context = ZSTD_createDCtx() else { return nil }
        self.context = context
        ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, ZstdDecoder.windowLog)
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    func step(_ input: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> (DecoderStep, read: Int, written: Int) {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
        let status = ZSTD_decompressStream(context, &target, &source)
        let step: DecoderStep =
            if ZSTD_isError(status) != 0 { .malformed } else if status == 0 && source.pos == input.count { .finished } else { .more }
        return (step, source.pos, target.pos)
    }
}
