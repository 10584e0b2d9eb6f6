// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The parts of a `multipart/form-data` body. The work is proportional to the body, and nothing of it is copied.
///
///     --b
///     Content-Disposition: form-data; name="upload_file_minidump"; filename="a.dmp"
///
///     MDMP…
///     --b--
package struct FormParts {
    package struct Part: Sendable {
        package var name: String
        package var fileName: String?
        /// The content, in the memory of the body.
        package var bytes: ArraySlice<UInt8>
    }

    package private(set) var all: [Part] = []

    /// - Parameter contentType: The whole header field, which contains the boundary.
    package init(_ body: [UInt8], _ contentType: String?, most: Int) throws(Refusal) {
        guard let boundary = contentType.flatMap({ FormParts.value("boundary", in: Array($0.utf8)[...]) }), (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ $0 >= 0x20 })
        else {
            throw Refusal(.unsupportedMediaType, "This route requires multipart/form-data with a boundary.")
        }
        let mark = Mark(Array("\r\n--\(boundary)".utf8))
        // The first boundary may be at the very beginning, without the preceding line end.
        var at = body.starts(with: mark.bytes.dropFirst(2)) ? mark.bytes.count - 2 : try mark.end(in: body, from: 0)
        while let line = FormParts.lineEnd(in: body, from: at) {
            guard all.count < most else { throw Refusal(.tooLarge, "A request may have at most \(most) parts.") }
            let head = line..<(try FormParts.headEnd.end(in: body, from: line))
            guard head.count <= FormParts.headBytes else { throw .brokenForm }
            let end = try mark.end(in: body, from: head.upperBound - 2)
            let content = head.upperBound <= end - mark.bytes.count ? head.upperBound..<end - mark.bytes.count : head.upperBound..<head.upperBound
            all.append(FormParts.part(body[head], body[content]))
            at = end
        }
        guard body[at...].starts(with: [0x2d, 0x2d]) else { throw .brokenForm }
    }

    package subscript(name: String) -> Part? { all.first { $0.name == name } }

    private static let headEnd = Mark([0x0d, 0x0a, 0x0d, 0x0a])
    /// The limit of a part's header.
    private static let headBytes = 16 << 10

    /// Returns the position of the line end after a boundary. Spaces may precede it.
    private static func lineEnd(in body: [UInt8], from start: Int) -> Int? {
        let rest = body[start...].prefix(256).drop { $0 == 0x20 || $0 == 0x09 }
        return rest.starts(with: [0x0d, 0x0a]) ? rest.startIndex : nil
    }

    private static func part(_ head: ArraySlice<UInt8>, _ bytes: ArraySlice<UInt8>) -> Part {
        let line = head.split(separator: 0x0a).first { isDisposition($0) } ?? []
        return Part(name: value("name", in: line) ?? "", fileName: value("filename", in: line), bytes: bytes)
    }

    private static let disposition = Array("content-disposition:".utf8)

    private static func isDisposition(_ line: ArraySlice<UInt8>) -> Bool {
        line.prefix(disposition.count).lazy.map(\.lowercased).elementsEqual(disposition)
    }

    /// Returns a parameter of a header field, with or without quotes: `a` in `form-data; name="a"; filename="b;c"`.
    private static func value(_ name: StaticString, in field: ArraySlice<UInt8>) -> String? {
        var rest = field.drop { $0 != UInt8(ascii: ";") }
        while rest.first == UInt8(ascii: ";") {
            rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
            let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(key.count)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst()
            let value = takeValue(from: &rest)
            if String(decoding: key, as: UTF8.self).lowercased() == "\(name)" { return String(decoding: value, as: UTF8.self) }
        }
        return nil
    }

    /// Takes a token or a quoted text, and what follows it up to the next semicolon.
    private static func takeValue(from rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var value: [UInt8] = []
        if rest.first == UInt8(ascii: "\"") {
            rest = rest.dropFirst()
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                // Only a quote is escaped; old clients send Windows paths as they are.
                let isEscape = byte == UInt8(ascii: "\\") && rest.first == UInt8(ascii: "\"")
                value.append(isEscape ? UInt8(ascii: "\"") : byte)
                if isEscape { rest = rest.dropFirst() }
            }
            rest = rest.drop { $0 != UInt8(ascii: ";") }
        } else {
            value = Array(rest.prefix { $0 != UInt8(ascii: ";") && $0 != 0x0d })
            rest = rest.dropFirst(value.count)
            while value.last == 0x20 || value.last == 0x09 { value.removeLast() }
        }
        return value
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
    fileprivate static let brokenForm = Refusal(.badRequest, "The multipart body is malformed.", hint: "Send it as the client wrote it.")
}
