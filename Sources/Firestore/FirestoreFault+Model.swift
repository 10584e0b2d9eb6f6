// SPDX-License-Identifier: Apache-2.0

import Platform
package import SignalboxDocumentModel

/// Errors of the model in the words that clients of Firestore match.
extension FirestoreFault {
    package init(_ fault: WriteFault, of name: String) {
        switch fault {
        case .exists: self.init(.alreadyExists, "Document already exists: \(name)")
        case .missing: self.init(.notFound, "No document to update: \(name)")
        case .changed: self.init(.failedPrecondition, "the stored version of \(name) does not match the required base version")
        case .notYet: self = .invalid("Invalid base version, it is greater than the stored version: \(name)")
        case .transformOfName: self = .invalid("Cannot transform __name__.")
        case .overlappingTransforms(let field): self = .invalid("Field transforms overlap at \(field).")
        }
    }

    /// Throws if no document has these fields.
    static func valid(_ fields: DocumentFields, as path: DocumentPath) throws(FirestoreFault) {
        do throws(DocumentFault) { try fields.validate(as: path) } catch { throw FirestoreFault(error) }
    }

    package init(_ fault: DocumentFault) {
        switch fault {
        case .tooLarge(let bytes):
            self = .invalid("Document exceeds the maximum allowed size of \(DocumentLimit.bytes) bytes: it has \(bytes) bytes.")
        case .tooDeep: self = .invalid("Property contains an invalid nested entity: the depth exceeds \(DocumentLimit.depth).")
        case .arrayInArray: self = .invalid("Cannot convert an array value in an array value.")
        case .emptyFieldName: self = .invalid("A field name is empty.")
        case .reservedFieldName(let name): self = .invalid("Field name \"\(ProtoReader.shown(name))\" is reserved.")
        case .fieldNameTooLong(let name):
            self = .invalid("Field name \"\(ProtoReader.shown(name))\", or its path, is longer than \(DocumentLimit.fieldNameBytes) bytes.")
        case .valueTooLong(let bytes): self = .invalid("A value is longer than \(DocumentLimit.valueBytes) bytes: it has \(bytes) bytes.")
        case .vector: self = .invalid("Vectors have from 1 to \(DocumentLimit.vectorLength) dimensions.")
        }
    }

    package init(_ fault: QueryFault) {
        switch fault {
        case .tooManyDisjunctions: self = .invalid("Query cannot have more than \(Filter.maximumDisjunctions) disjunctions in its normal form.")
        case .tooManyConditions: self = .invalid("Query cannot have more than 100 filters and orders.")
        case .emptyList(let comparison): self = .invalid("'\(comparison.protoName)' requires an non-empty ArrayValue.")
        case .notAList(let comparison): self = .invalid("'\(comparison.protoName)' requires an ArrayValue.")
        case .tooManyExcluded: self = .invalid("'NOT_IN' supports up to 10 comparison values.")
        case .severalExclusions:
            self = .invalid("Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query.")
        case .exclusionWithDisjunction: self = .invalid("'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
        case .containsTwice: self = .invalid("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
        case .tooManyInequalityFields: self = .invalid("Query cannot have inequality filters on more than 10 fields.")
        case .cursorTooLong: self = .invalid("Cursor has too many values.")
        case .orderTwice(let field): self = .invalid("order by clause cannot contain duplicate fields \(field)")
        case .invalidOperand, .elementsOfName: self = .invalid("__key__ filter value must be a Key")
        case .negative(let name): self = .invalid("\(name) is negative")
        }
    }
}
