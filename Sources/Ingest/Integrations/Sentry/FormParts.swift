// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The parts of a `multipart/form-data` body.
package struct FormParts {
    package struct Part: Sendable {
        package var name: String
        package var fileName: String?
        package var bytes: [UInt8]
    }

    package private(set) var all: [Part] = []

    /// - Parameter contentType: The whole header field, which contains the boundary.
    package init(_ body: [UInt8], _ contentType: String?, most: Int) throws(Refusal) {
        guard let boundary = contentType.flatMap({ FormParts.value("boundary", in: $0) }), (1...70).contains(boundary.utf8.count) else {
            throw Refusal(.unsupportedMediaType, "This route requires multipart/form-data with a boundary.")
        }
        let mark = Mark(Array("\r\n--\(boundary)".utf8))
        // The first boundary may be at the very beginning, without the preceding line end.
        var at = body.starts(with: mark.bytes.dropFirst(2)) ? mark.bytes.count - 2 : try mark.end(in: body, from: 0)
        while body[at...].starts(with: [0x0d, 0x0a]) {
            guard all.count < most else { throw Refusal(.tooLarge, "A request may have at most \(most) parts.") }
            let head = at..<(try FormParts.headEnd.end(in: body, from: at))
            guard head.count <= FormParts.headBytes else { throw .brokenForm }
            let end = try mark.end(in: body, from: head.upperBound - 2)
            let bytes = head.upperBound <= end - mark.bytes.count ? Array(body[head.upperBound..<end - mark.bytes.count]) : []
            all.append(FormParts.part(String(decoding: body[head], as: UTF8.self), bytes))
            at = end
        }
        guard body[at...].starts(with: [0x2d, 0x2d]) else { throw .brokenForm }
    }

    private static let headEnd = Mark([0x0d, 0x0a, 0x0d, 0x0a])
    /// The limit of a part's header.
    private static let headBytes = 16 << 10

    private static func part(_ head: String, _ bytes: [UInt8]) -> Part {
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-disposition:") } ?? ""
        return Part(name: value("name", in: String(line)) ?? "", fileName: value("filename", in: String(line)), bytes: bytes)
    }

    /// Returns a parameter of a header field, with or without quotes.
    private static func value(_ name: String, in field: String) -> String? {
        for part in field.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmed.lowercased() == name else { continue }
            let text = pair[1].trimmed
            return text.hasPrefix("\"") && text.hasSuffix("\"") && text.count >= 2 ? String(text.dropFirst().dropLast()) : String(text)
        }
        return nil
    }
}

/// A delimiter that begins with CR, searched in one pass: `\r\n--boundary`.
private struct Mark {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the position after its first occurrence at or after `start`.
    ///
    /// After a mismatch, no byte before the current one can begin a delimiter: a boundary contains no CR, and after the second CR of
    /// `\r\n\r\n` only the current byte can.
    func end(in body: [UInt8], from start: Int) throws(Refusal) -> Int {
        var matched = 0
        for at in start..<max(start, body.count) {
            if bytes[matched] != body[at] { matched = 0 }
            if bytes[matched] == body[at] { matched += 1 }
            if matched == bytes.count { return at + 1 }
        }
        throw .brokenForm
    }
}

extension Refusal {
    fileprivate static let brokenForm = Refusal(.badRequest, "The multipart body is malformed.", hint: "Send it as sentry-cli wrote it.")
}
