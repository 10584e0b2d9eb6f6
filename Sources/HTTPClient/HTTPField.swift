// SPDX-License-Identifier: Apache-2.0

/// A validated header field in libcurl's form, usable in many requests.
///
///     X-Key, a b              X-Key: a b
///     X-Key, a\r\nHost: b     throws
package struct HTTPField: Sendable, Hashable {
    let line: String

    private init(line: String) {
        self.line = line
    }

    /// Throws `invalidRequest` if the field would break the request's framing.
    package init(_ name: String, _ value: String) throws {
        guard HTTPField.keepsFraming(name, value) else {
            throw HTTPClientError(.invalidRequest, "a header field contains an invalid character")
        }
        // An empty value is written with a semicolon, because "Name:" makes libcurl omit the field.
        line = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : "\(name): \(value)"
    }

    /// Rejects line ends: libcurl sends fields as they are, so one could add a field or a request.
    private static func keepsFraming(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x3a && $0 != 0x3b }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }

    /// Fields that stop libcurl from adding `Expect` and a form `Content-Type`. A given `Content-Type` is still sent.
    static let unasked = [HTTPField(line: "Expect:"), HTTPField(line: "Content-Type:")]
}
