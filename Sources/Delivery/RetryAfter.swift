// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The `Retry-After` field of RFC 9110, 10.2.3.
///
///     "120"                             →  2 min
///     "Sun, 06 Nov 1994 08:49:37 GMT"   →  the time until then, 0 if it is past
///     "soon"                            →  nil
package enum RetryAfter {
    /// Reads seconds or a date in the preferred form; nil for anything else. A past date is no wait.
    package static func wait(_ text: String, at now: Timestamp) -> Timestamp.Span? {
        let bytes = Array(text.utf8)
        if !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return .seconds(min(Int64(text) ?? .max, longest)) }
        guard let date = date(bytes) else { return nil }
        return max(date - now, .seconds(0))
    }

    /// One year. It avoids overflows.
    private static let longest: Int64 = 366 * 86_400

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func date(_ bytes: [UInt8]) -> Timestamp? {
        guard bytes.count == 29, bytes[3] == UInt8(ascii: ","), bytes[25...].elementsEqual(" GMT".utf8) else { return nil }
        let parts = bytes[..<25].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 5, let month = months.firstIndex(of: parts[2]) else { return nil }
        let text = "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z"
        return Timestamp(rfc3339: Array(text.utf8).span)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
