// SPDX-License-Identifier: Apache-2.0

/// A part of a file, which is never empty and lies inside the file.
package struct FileRange: Sendable, Equatable {
    package let offset: Int
    package let length: Int

    package init(offset: Int, length: Int) {
        precondition(offset >= 0 && length > 0, "a range has a first byte")
        (self.offset, self.length) = (offset, length)
    }

    /// The value of `Content-Range` for a file of `size` bytes: `bytes 0-99/1000`.
    package func contentRange(of size: Int) -> String { "bytes \(offset)-\(offset + length - 1)/\(size)" }

    /// The value of `Content-Range` of a response with status 416: `bytes */1000`.
    package static func unsatisfied(size: Int) -> String { "bytes */\(size)" }
}

/// The part of a file that a `Range` field asks for (RFC 9110, 14.2).
///
/// Examples for a file of 10 bytes: `bytes=2-5` is 4 bytes at 2, `bytes=2-` is 8 bytes at 2, `bytes=-3` is 3 bytes at 7, and `bytes=10-` is
/// unsatisfiable. Several ranges, other units and malformed values select the whole file, as the standard allows.
package enum RangeSelection: Sendable, Equatable {
    case whole
    case part(FileRange)
    /// No byte of the file is in the range: 416.
    case unsatisfiable

    package init(_ field: String, size: Int) {
        precondition(size >= 0, "a file has a size")
        let bytes = Array(field.utf8)
        guard let equals = bytes.firstIndex(of: 0x3d), bytes.equalsIgnoringCase(0..<equals, "bytes") else {
            self = .whole
            return
        }
        self = RangeSelection(bytes[bytes.trimmed((equals + 1)..<bytes.count)], size: size)
    }

    /// Reads `first-last`, `first-` or `-suffix`.
    private init(_ specifier: ArraySlice<UInt8>, size: Int) {
        guard let hyphen = specifier.firstIndex(of: 0x2d) else {
            self = .whole
            return
        }
        let (before, after) = (specifier[..<hyphen], specifier[(hyphen + 1)...])
        let (first, last) = (number(before), number(after))
        switch (first, last) {
        case (let first?, let last?): self = first > last ? .whole : RangeSelection(from: first, through: last, size: size)
        case (let first?, nil) where after.isEmpty: self = RangeSelection(from: first, through: .max, size: size)
        case (nil, let suffix?) where before.isEmpty: self = RangeSelection(suffix: suffix, size: size)
        default: self = .whole
        }
    }

    private init(from first: Int, through last: Int, size: Int) {
        self = first < size ? .part(FileRange(offset: first, length: min(last, size - 1) - first + 1)) : .unsatisfiable
    }

    /// The end of an empty file is the whole of it, because `Content-Range` cannot name a range without bytes.
    private init(suffix: Int, size: Int) {
        guard suffix > 0 else {
            self = .unsatisfiable
            return
        }
        let length = min(suffix, size)
        self = length > 0 ? .part(FileRange(offset: size - length, length: length)) : .whole
    }
}

/// Parses digits; a number beyond `Int` becomes the largest one. Returns `nil` for anything else, also for no digits.
private func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
        guard (0x30...0x39).contains(digit) else { return nil }
        let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Int(digit - 0x30))
        value = overflow || carry ? .max : sum
    }
    return value
}
