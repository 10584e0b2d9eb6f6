// SPDX-License-Identifier: Apache-2.0

package import DocumentStore
import JSON
package import Platform
package import SignalboxDocumentModel

/// A line of an import.
package enum ImportedLine: Sendable {
    package enum Setting: Sendable {
        case indexes(IndexDeclaration)
        case expiry([ExpiryField])
        case persons([PersonPattern])
        case rules(String)
    }

    case document(DocumentWrite)
    case setting(Setting)
    /// The first or last line of an export.
    case other
}

extension DocumentReading {
    /// The largest source of security rules, as Firestore has it.
    package static let ruleSourceBytes = 256 << 10

    package func importedLine() throws(Refusal) -> ImportedLine {
        if self["export"] != nil || self["end"] != nil { return .other }
        if let name = try text("setting") {
            guard let place = self["value"] else { throw missing("value") }
            return .setting(try DocumentReading(tape, at: place, named: "value").importedSetting(name))
        }
        try allow("path", "fields", "created", "version")
        guard let path = try path("path", isDocument: true) else { throw missing("path") }
        let write = try set(path, .whole)
        if case .set(let fields, _) = write.change {
            do throws(DocumentFault) { try fields.validate(as: path) } catch { throw .ofFields(error) }
        }
        return .document(write)
    }

    private func rulesSource() throws(Refusal) -> String {
        try allow("source")
        guard let source = try text("source"), source.utf8.count <= DocumentReading.ruleSourceBytes else {
            throw refuse("source", "must be a text of at most \(DocumentReading.ruleSourceBytes) bytes")
        }
        return source
    }

    private func importedSetting(_ name: String) throws(Refusal) -> ImportedLine.Setting {
        switch name {
        case "indexes": .indexes(try indexDeclaration())
        case "ttl": .expiry(try expiryFields())
        case "persons": .persons(try personPatterns())
        case "rules": .rules(try rulesSource())
        default: throw .field("setting", "unknown", "must be indexes, ttl, persons or rules")
        }
    }
}
