// SPDX-License-Identifier: Apache-2.0

/// The result of one step of a decoder.
enum DecoderStep {
    /// It needs more input or more space.
    case more
    /// All input was used and the output is complete.
    case finished
    case malformed
}

/// A streaming decoder of a C library. Each step takes the remaining input and the available space.
protocol StreamDecoder: AnyObject {
    func step(_ input: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> (DecoderStep, read: Int, written: Int)
}
