// SPDX-License-Identifier: Apache-2.0

import Testing

/// Decodes bodies that the daemon writes by hand into the types of the module API.
///
/// A body fails if it has a member that its type does not have, or lacks a required one. `unseen` then lists the members of the types that
/// no body had: a member that is dropped or renamed is among them, also an optional one.
struct StrictBodies {
    private var members: Set<String> = []
    private var seen: Set<String> = []

    /// The members of the decoded types that were nil or empty in each body, such as `EventResponse.flags`.
    var unseen: Set<String> { members.subtracting(seen) }

    mutating func read(
        _ body: [UInt8], as type: any (Codable & Sendable).Type, embedded: Set<String> = ResponseTypes.embedded,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try ResponseTypes.losses(of: body, as: type, embedded: embedded) == [], sourceLocation: location)
        note(try ResponseTypes.decode(body, as: type))
    }

    mutating func read(_ text: String, as type: any (Codable & Sendable).Type, _ location: SourceLocation = #_sourceLocation) throws {
        try read(Array(text.utf8), as: type, location)
    }

    private mutating func note(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .struct else {
            for child in mirror.children { note(child.value) }
            return
        }
        let type = String(reflecting: mirror.subjectType).split(separator: ".", maxSplits: 1).last ?? ""
        for child in mirror.children {
            guard let label = child.label else { continue }
            members.insert("\(type).\(label)")
            if !StrictBodies.isEmpty(child.value) { seen.insert("\(type).\(label)") }
            note(child.value)
        }
    }

    private static func isEmpty(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { isEmpty($0.value) } ?? true
        case .collection, .dictionary: return mirror.children.isEmpty
        default: return false
        }
    }
}
