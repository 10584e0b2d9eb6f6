// SPDX-License-Identifier: Apache-2.0

/// How one step of a decoder ended.
enum DecoderStep {
    /// It wants more input or more room.
    case more
    /// All input was used, and what it held is complete.
    case finished
    case malformed
}

/// A C library's streaming decoder, driven with whatever input is left and whatever room there is.
protocol StreamDecoder: AnyObject {
    func step(_ input: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>) -> (DecoderStep, read: Int, written: Int)
}
