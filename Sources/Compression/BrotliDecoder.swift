// SPDX-License-Identifier: Apache-2.0

import CBrotli

/// A decoder of brotli with the standard window of at most 16 MiB. The large-window extension is disabled.
final class BrotliDecoder: StreamDecoder {
    private let state: OpaquePointer

    init?() {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    func step(_ input: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> (DecoderStep, read: Int, written: Int) {
        var left = input.count, free = room.count
        var next = input.baseAddress, out = room.baseAddress
        let result = BrotliDecoderDecompressStream(state, &left, &next, &free, &out, nil)
        let step: DecoderStep =
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS: left == 0 ? .finished : .malformed
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: .more
            default: .malformed
            }
        return (step, input.count - left, room.count - free)
    }
}
