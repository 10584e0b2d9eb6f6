// SPDX-License-Identifier: Apache-2.0

/// Firestore's limits of a document.
package enum DocumentLimit {
    package static let bytes = 1_048_576
    package static let depth = 20
    /// The bytes of a field's name, and of its path through maps.
    package static let fieldNameBytes = 1_500
    /// The bytes of a text, and of bytes.
    package static let valueBytes = 1_048_487
    package static let vectorLength = 2_048
    package static let transforms = 500
    package static let indexEntries = 40_000
}

/// Why a document cannot be stored.
package enum DocumentFault: Error, Hashable {
    case tooLarge(bytes: Int)
    case tooDeep
    case arrayInArray(FieldPath?)
    case emptyFieldName
    case reservedFieldName(String)
    /// The name, or the path of the field through maps, is too long.
    case fieldNameTooLong(String)
    case valueTooLong(bytes: Int)
    case vector
}

extension DocumentValue {
    /// The size that Firestore charges for a value.
    package var size: Int {
        switch self {
        case .null, .bool: 1
        case .integer, .double, .time: 8
        case .text(let text): text.bytes.count + 1
        case .bytes(let bytes): bytes.count
        case .reference(let reference): reference.path.size
        case .place: 16
        case .array(let values): values.reduce(0) { $0 + $1.size }
        case .vector(let numbers): numbers.count * 8 + 40
        case .map(let fields): fields.size
        }
    }

    /// Throws if no field may have the value.
    package func validate() throws(DocumentFault) { try validate(depth: 1, pathBytes: -1) }

    /// Throws if a value is too long, maps and arrays are nested too deeply, an array is directly in an array, or a name cannot be one.
    ///
    /// - Parameter pathBytes: The bytes of the path of the field, if the value is in maps only.
    fileprivate func validate(depth: Int, pathBytes: Int) throws(DocumentFault) {
        switch self {
        case .text(let text): try DocumentValue.validate(bytes: text.bytes.count)
        case .bytes(let bytes): try DocumentValue.validate(bytes: bytes.count)
        case .array(let values):
            if depth > DocumentLimit.depth { throw .tooDeep }
            for value in values {
                if case .array = value { throw .arrayInArray(nil) }
                // Elements have no paths.
                try value.validate(depth: depth + 1, pathBytes: -1)
            }
        case .map(let fields):
            if depth > DocumentLimit.depth { throw .tooDeep }
            for field in fields.all {
                let bytes = pathBytes + 1 + field.name.bytes.count
                try DocumentFields.validate(name: field.name, pathBytes: bytes)
                try field.value.validate(depth: depth + 1, pathBytes: bytes)
            }
        case .vector(let numbers):
            if !(1...DocumentLimit.vectorLength).contains(numbers.count) { throw .vector }
        default: break
        }
    }

    private static func validate(bytes: Int) throws(DocumentFault) {
        if bytes > DocumentLimit.valueBytes { throw .valueTooLong(bytes: bytes) }
    }
}

extension DocumentFields {
    package var size: Int { all.reduce(0) { $0 + $1.name.bytes.count + 1 + $1.value.size } }

    /// Throws if a document of this name cannot have these fields.
    package func validate(as path: DocumentPath) throws(DocumentFault) {
        for field in all {
            try DocumentFields.validate(name: field.name, pathBytes: field.name.bytes.count)
            try field.value.validate(depth: 1, pathBytes: field.name.bytes.count)
        }
        let bytes = path.size + size + 32
        if bytes > DocumentLimit.bytes { throw .tooLarge(bytes: bytes) }
    }

    fileprivate static func validate(name: ExactName, pathBytes: Int) throws(DocumentFault) {
        let bytes = name.bytes
        if bytes.isEmpty { throw .emptyFieldName }
        if pathBytes > DocumentLimit.fieldNameBytes { throw .fieldNameTooLong(name.text) }
        let isReserved = bytes.count >= 4 && bytes.starts(with: "__".utf8) && bytes.suffix(2).elementsEqual("__".utf8)
        if isReserved { throw .reservedFieldName(name.text) }
    }
}

extension DocumentPath {
    /// The size that Firestore charges for a name.
    package var size: Int { segments.reduce(16) { $0 + ($1.number == nil ? $1.text.bytes.count + 1 : 8) } }
}
