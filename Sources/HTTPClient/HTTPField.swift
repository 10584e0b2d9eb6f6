// SPDX-License-Identifier: Apache-2.0

/// A field of a request as libcurl takes it: checked once, byte by byte, so that it may go into any number of requests.
///
///     X-Key, a b              X-Key: a b
///     X-Key, a\r\nHost: b     throws
package struct HTTPField: Sendable, Hashable {
    let line: String

    private init(line: String) {
        self.line = line
    }

    /// Throws `invalidRequest` where it would break the request's framing.
    package init(_ name: String, _ value: String) throws {
        guard HTTPField.keepsFraming(name, value) else {
            throw HTTPClientError(.invalidRequest, "a field has a character it must not have")
        }
        // An empty value is written with a semicolon, since "Name:" tells libcurl to leave the field out.
        line = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : "\(name): \(value)"
    }

    /// libcurl sends fields as they are, so a line end in one would be the next field, or the next request.
    private static func keepsFraming(_ name: String, _ value: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x3a && $0 != 0x3b }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }

    /// Keep libcurl from adding two by itself: a wait before larger bodies, and the type of a web form. A type that is given goes out all the same.
    static let unasked = [HTTPField(line: "Expect:"), HTTPField(line: "Content-Type:")]
}
