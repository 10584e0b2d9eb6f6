// SPDX-License-Identifier: Apache-2.0

import DocumentStore
package import JSON
package import Platform
package import SignalboxDocumentModel

/// A JSON object of a request about documents: its members by name, with refusals that name the place.
///
///     {"writes": [{"set": "users/u1", "fields": {}}]}   place `writes[0].fields`
package struct DocumentReading {
    private static let mostMembers = 32

    package let tape: JSONTape
    /// The name of the object in refusals; empty for the body.
    package let name: String
    private let members: [(name: String, index: Int)]

    /// Reads a body. Text of other media types is refused by `Call.json`.
    package init(_ body: [UInt8], _ parser: JSONParser) throws(Refusal) {
        let tape: JSONTape
        do throws(JSONError) {
            tape = try parser.withReader { reader throws(JSONError) in try reader.parse(body, limits: NativeJSON.limits) }
        } catch {
            throw DocumentReading.refusal(error)
        }
        try self.init(tape, at: 0, named: "")
    }

    package init(_ tape: JSONTape, at place: Int, named name: String) throws(Refusal) {
        guard tape[place].isObject else { throw DocumentReading.wrong(name, "must be an object", code: "wrong_type") }
        guard tape[place].children <= DocumentReading.mostMembers else {
            throw DocumentReading.wrong(name, "has more than \(DocumentReading.mostMembers) members")
        }
        var members: [(name: String, index: Int)] = []
        var key = place + 1
        for _ in 0..<tape[place].children {
            guard let member = tape.text(tape[key]) else { throw Refusal(.invalidJSON, "A member name in the body is not valid text.") }
            guard !members.contains(where: { $0.name.hasSameBytes(as: member) }) else {
                throw .field(DocumentReading.place(member, in: name), "repeated", "occurs twice")
            }
            members.append((member, tape[key].next))
            key = tape[tape[key].next].next
        }
        (self.tape, self.name, self.members) = (tape, name, members)
    }

    private static func refusal(_ error: JSONError) -> Refusal {
        switch error.reason {
        case .tooLarge, .tooManyTokens, .tooManyMembers: Refusal(.tooLarge, "The body \(error.explanation).", hint: "Send less at once.")
        case .tooDeep: Refusal(.badRequest, "The body \(error.explanation).", hint: "A document has at most 20 levels of maps and arrays.")
        case .noMemory: Refusal(.overloaded, "The body \(error.explanation).", hint: "Send the request again later.", retryAfterSeconds: 1)
        default: Refusal(.invalidJSON, "The body \(error.explanation).", hint: "Send one JSON object in UTF-8.")
        }
    }

    /// - Parameter code: The word for programs, which other bodies have for the same fault.
    package static func wrong(_ name: String, _ problem: String, code: String = "invalid") -> Refusal {
        name.isEmpty ? Refusal(.badRequest, "The body \(problem).") : .field(name, code, problem)
    }

    package func place(_ member: String) -> String { DocumentReading.place(member, in: name) }

    private static func place(_ member: String, in name: String) -> String { name.isEmpty ? shown(member) : "\(name).\(shown(member))" }

    /// A name from outside as refusals show it.
    ///
    ///     ""   →   `""`
    static func shown(_ name: String) -> String {
        if name.isEmpty { return "\"\"" }
        let scalars = name.unicodeScalars
        return scalars.count > 64 ? String(String.UnicodeScalarView(scalars.prefix(64))) + "…" : name
    }

    package func refuse(_ member: String, _ problem: String, code: String = "invalid") -> Refusal {
        DocumentReading.wrong(place(member), problem, code: code)
    }

    package func missing(_ member: String, _ problem: String = "is required") -> Refusal { refuse(member, problem, code: "missing") }

    package func allow(_ names: String...) throws(Refusal) {
        for (member, _) in members where !names.contains(where: { $0.hasSameBytes(as: member) }) {
            throw .field(place(member), "unknown", "is not known here; known are \(names.joined(separator: ", "))")
        }
    }

    package subscript(member: String) -> Int? { members.first { $0.name.hasSameBytes(as: member) }?.index }

    package func text(_ member: String) throws(Refusal) -> String? {
        guard let index = self[member] else { return nil }
        guard tape[index].isString, let text = tape.text(tape[index]) else { throw refuse(member, "must be a string", code: "wrong_type") }
        return text
    }

    package func flag(_ member: String) throws(Refusal) -> Bool? {
        guard let index = self[member] else { return nil }
        switch tape[index].kind {
        case .true: return true
        case .false: return false
        default: throw refuse(member, "must be true or false", code: "wrong_type")
        }
    }

    package func number(_ member: String, _ range: ClosedRange<Int64>) throws(Refusal) -> Int64? {
        guard let index = self[member] else { return nil }
        guard let number = tape[index].integer, range.contains(number) else {
            throw refuse(member, "must be a whole number from \(range.lowerBound) to \(range.upperBound)", code: "out_of_range")
        }
        return number
    }

    /// A stamp: microseconds since 1970.
    package func stamp(_ member: String) throws(Refusal) -> DocumentTime? {
        try number(member, 0...DocumentTime.range.upperBound).flatMap { DocumentTime(microseconds: $0) }
    }

    /// The places of the elements of a list; nil without the member.
    package func elements(_ member: String, atMost limit: Int) throws(Refusal) -> [Int]? {
        guard let index = self[member] else { return nil }
        guard tape[index].kind == .array, tape[index].children <= limit else {
            throw refuse(member, "must be a list of at most \(limit) elements", code: "wrong_type")
        }
        return tape.elements(of: index)
    }

    package func path(_ member: String, isDocument: Bool) throws(Refusal) -> DocumentPath? {
        try self[member].map { index throws(Refusal) in try path(at: index, place(member), isDocument: isDocument) }
    }

    package func path(at index: Int, _ name: String, isDocument: Bool) throws(Refusal) -> DocumentPath {
        let text = tape[index].isString ? tape.text(tape[index]) : nil
        guard let path = text.flatMap({ DocumentPath($0) }), path.isDocument == isDocument else {
            let problem = "must be the path of a \(isDocument ? "document, such as users/u1" : "collection, such as users")"
            throw DocumentReading.wrong(name, problem + (text.flatMap(DocumentReading.refusedID) ?? ""), code: code(at: index))
        }
        return path
    }

    /// Returns what is wrong with the first ID of a path that cannot be one, as the end of a refusal; nil if each ID can.
    ///
    ///     users//o1   →   "; an ID in it is empty"
    private static func refusedID(in path: String) -> String? {
        guard path.utf8.count <= DocumentPath.maximumBytes else { return "; it has more than \(DocumentPath.maximumBytes) bytes" }
        let ids = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard let id = ids.first(where: { PathSegment($0) == nil }) else { return nil }
        if id.isEmpty { return "; an ID in it is empty" }
        if id.utf8.count > PathSegment.maximumBytes { return "; an ID in it has more than \(PathSegment.maximumBytes) bytes" }
        return id.utf8.contains(0) ? "; an ID in it has a NUL" : "; the ID \(shown(id)) is reserved"
    }

    /// The word for a value that must be a text of some form.
    func code(at index: Int) -> String { tape[index].isString ? "invalid" : "wrong_type" }

    package var memberNames: [String] { members.map(\.name) }

    /// Returns what a reader of native JSON returns; its error is named by the place of the member and the names within.
    func native<T>(_ member: String, _ body: () throws(NativeJSONError) -> T) throws(Refusal) -> T {
        try DocumentReading.native(named: place(member), body)
    }

    static func native<T>(named name: String, _ body: () throws(NativeJSONError) -> T) throws(Refusal) -> T {
        do throws(NativeJSONError) { return try body() } catch {
            throw DocumentReading.wrong(([name] + error.path.map(shown)).joined(separator: "."), error.reason.rawValue, code: error.reason.code)
        }
    }
}

extension JSONTape {
    /// The places of the elements of an array.
    package func elements(of array: Int) -> [Int] {
        var place = array + 1
        return (0..<self[array].children).map { _ in
            defer { place = self[place].next }
            return place
        }
    }
}
