// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
    package func equals(_ text: String) -> Bool {
        count == text.utf8.count && starts(with: text)
    }

    package func starts(with text: String) -> Bool {
        let utf8 = text.utf8
        guard count >= utf8.count else { return false }
        var at = 0
        for byte in utf8 {
            guard self[at] == byte else { return false }
            at += 1
        }
        return true
    }

    /// Whether valid UTF-8 has at most `limit` Unicode scalars. The byte count alone usually decides.
    package func hasScalars(atMost limit: Int) -> Bool {
        if count <= limit { return true }
        var scalars = 0
        for i in 0..<count where self[i] & 0xc0 != 0x80 { scalars += 1 }
        return scalars <= limit
    }

    /// Whether valid UTF-8 contains neither C0 nor C1 control characters.
    package var isPrintable: Bool {
        for i in 0..<count {
            let byte = self[i]
            if byte < 0x20 || byte == 0x7f { return false }
            if byte == 0xc2, i + 1 < count, self[i + 1] < 0xa0 { return false }
        }
        return true
    }
}
