// SPDX-License-Identifier: Apache-2.0

package import Platform
package import SignalboxDocumentModel

extension Refusal {
    /// The refusal of fields that make no document.
    package static func ofFields(_ fault: DocumentFault, _ name: String = "fields") -> Refusal {
        switch fault {
        case .tooLarge(let bytes):
            .field(name, "too_large", "makes a document of \(bytes) bytes; \(DocumentLimit.bytes) are allowed")
        case .tooDeep: .field(name, "too_deep", "nests maps and arrays more than \(DocumentLimit.depth) deep")
        case .arrayInArray: .field(name, "invalid", "has an array directly in an array")
        case .emptyFieldName: .field(name, "invalid", "has a field with an empty name")
        case .reservedFieldName(let field): .field(name, "invalid", "has a field with a reserved name: \(DocumentReading.shown(field))")
        case .fieldNameTooLong(let field):
            .field(
                name, "invalid",
                "has a field whose name, or path through maps, has more than \(DocumentLimit.fieldNameBytes) bytes: \(DocumentReading.shown(field))")
        case .valueTooLong(let bytes):
            .field(name, "too_large", "has a text or bytes of \(bytes) bytes; \(DocumentLimit.valueBytes) are allowed")
        case .vector: .field(name, "invalid", "has a vector without numbers, or with more than \(DocumentLimit.vectorLength)")
        }
    }
}
