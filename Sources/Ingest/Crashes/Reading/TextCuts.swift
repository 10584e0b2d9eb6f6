// SPDX-License-Identifier: Apache-2.0

extension String {
    func prefix(scalars limit: Int) -> String {
        // Nothing has more scalars than bytes.
        guard utf8.count > limit, unicodeScalars.count > limit else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit)))
    }

    /// As many whole characters of Unicode from the beginning as fit.
    func prefix(bytes limit: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
        while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// The same from the end.
    func suffix(bytes limit: Int) -> String {
        var start = utf8.index(endIndex, offsetBy: -limit, limitedBy: startIndex) ?? startIndex
        while start < endIndex, start.samePosition(in: unicodeScalars) == nil { start = utf8.index(after: start) }
        return String(self[start...])
    }
}
