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
        case .fieldName(let field):
            .field(
                name, "invalid", "has a field whose name is empty, longer than \(DocumentLimit.fieldNameBytes) bytes or reserved: \(field.prefix(64))"
            )
        case .valueTooLong(let bytes):
            .field(name, "too_large", "has a text or bytes of \(bytes) bytes; \(DocumentLimit.valueBytes) are allowed")
        case .vector: .field(name, "invalid", "has a vector without numbers, or with more than \(DocumentLimit.vectorLength)")
        }
    }
}
