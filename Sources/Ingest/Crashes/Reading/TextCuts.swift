// SPDX-License-Identifier: Apache-2.0

extension String {
    func prefix(scalars limit: Int) -> String {
        // A text never has more scalars than bytes.
        guard utf8.count > limit, unicodeScalars.count > limit else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
    }

    /// Returns the longest prefix of whole characters within `limit` bytes.
    func prefix(bytes limit: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// Returns the longest suffix of whole characters within `limit` bytes.
    func suffix(bytes limit: Int) -> String {
        var start = utf8.index(endIndex, offsetBy: -limit, limitedBy: startIndex) ?? startIndex
        while start < endIndex, start.samePosition(in: unicodeScalars) == nil { start = utf8.index(after: start) }
        return String(self[start...])
    }
}
