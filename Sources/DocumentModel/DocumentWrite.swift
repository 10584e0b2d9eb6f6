// SPDX-License-Identifier: Apache-2.0

/// A change of one document.
package struct DocumentWrite: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        /// Replaces the fields of the mask, or all fields without one. A field that the mask names and `fields` lacks is removed.
        ///
        ///     {a: 1, b: 2}   set {a: 3}                   →   {a: 3}
        ///     {a: 1, b: 2}   set {a: 3}, mask [a]         →   {a: 3, b: 2}
        ///     {a: 1, b: 2}   set {}, mask [a]             →   {b: 2}
        case set(DocumentFields, mask: [FieldPath]?)
        case delete
        /// Checks the precondition only.
        case verify
    }

    package struct Transformed: Hashable, Sendable {
        package let field: FieldPath
        package let transform: FieldTransform

        package init(_ field: FieldPath, _ transform: FieldTransform) {
            (self.field, self.transform) = (field, transform)
        }
    }

    package enum Precondition: Hashable, Sendable {
        case exists(Bool)
        /// The document exists and was last changed then.
        case changed(DocumentTime)
    }

    package let path: DocumentPath
    package let change: Change
    /// Applied in order, after the fields are set.
    package let transforms: [Transformed]
    package let precondition: Precondition?

    package init(_ path: DocumentPath, _ change: Change, transforms: [Transformed] = [], if precondition: Precondition? = nil) {
        (self.path, self.change, self.transforms, self.precondition) = (path, change, transforms, precondition)
    }
}

extension DocumentWrite {
    /// Whether the write leaves no more data than there is: it deletes a document, checks one, or removes fields of one that must exist.
    package var onlyRemoves: Bool {
        guard transforms.isEmpty else { return false }
        return switch change {
        case .delete, .verify: true
        case .set(let fields, let mask): mask != nil && fields.isEmpty && mustExist
        }
    }

    private var mustExist: Bool {
        switch precondition {
        case .exists(true)?, .changed?: true
        case .exists(false)?, nil: false
        }
    }
}

/// Why a write is refused.
package enum WriteFault: Error, Hashable {
    /// The document exists and must not.
    case exists
    case missing
    /// The document was changed since the time of the precondition.
    case changed
    /// The time of the precondition is after the document's last change, so no client can have read it.
    case notYet
    case transformOfName
    /// A field and a field within it are transformed by one write.
    case overlappingTransforms(FieldPath)
}

extension DocumentWrite {
    /// The result of a write.
    package struct Outcome: Hashable, Sendable {
        /// The fields afterwards; nil if there is no document.
        package let fields: DocumentFields?
        /// A result for each transform.
        package let results: [DocumentValue]
    }

    /// Applies the write to a document's fields.
    ///
    /// - Parameters:
    ///   - old: The fields; nil if there is no document.
    ///   - version: When the document was last changed.
    ///   - commit: The time of the commit, the same for all its writes.
    package func apply(to old: DocumentFields?, version: DocumentTime?, at commit: DocumentTime) throws(WriteFault) -> Outcome {
        try validateTransforms()
        try checkPrecondition(on: old, version: version)
        switch change {
        case .delete: return Outcome(fields: nil, results: [])
        case .verify: return Outcome(fields: old, results: [])
        case .set(let fields, let mask):
            var new = DocumentWrite.merged(old, fields, mask)
            let results = transform(&new, at: commit)
            return Outcome(fields: new, results: results)
        }
    }

    /// Applies the transforms and returns their results. Transforms of one array change it in memory and set the field once.
    private func transform(_ fields: inout DocumentFields, at commit: DocumentTime) -> [DocumentValue] {
        var arrays: [FieldPath: TransformedArray] = [:]
        var results: [DocumentValue] = []
        for transformed in transforms {
            let (field, transform) = (transformed.field, transformed.transform)
            switch transform {
            case .union, .remove:
                if arrays[field] == nil { arrays[field] = TransformedArray(fields[field]) }
                arrays[field]?.apply(transform)
                results.append(transform.result(.null))
            case .now, .increment, .maximum, .minimum:
                if let array = arrays.removeValue(forKey: field) { fields[field] = .array(array.elements) }
                let value = transform.apply(to: fields[field], at: commit)
                fields[field] = value
                results.append(transform.result(value))
            }
        }
        for (field, array) in arrays { fields[field] = .array(array.elements) }
        return results
    }

    /// Throws unless the precondition holds.
    ///
    /// - Parameters:
    ///   - old: The fields; nil if there is no document.
    ///   - version: When the document was last changed.
    package func checkPrecondition(on old: DocumentFields?, version: DocumentTime?) throws(WriteFault) {
        switch precondition {
        case .exists(true)? where old == nil: throw .missing
        case .exists(false)? where old != nil: throw .exists
        case .changed? where old == nil: throw .missing
        case .changed(let time)? where version != time: throw version.map { $0 < time } ?? false ? .notYet : .changed
        default: break
        }
    }

    /// Throws if transforms can be applied to no document.
    package func validateTransforms() throws(WriteFault) {
        // In order, a field is next to those within it.
        let fields = transforms.map(\.field).sorted { $0.names.lexicographicallyPrecedes($1.names) }
        if fields.contains(where: \.isName) { throw .transformOfName }
        for (field, next) in zip(fields, fields.dropFirst()) where next != field && next.starts(with: field) { throw .overlappingTransforms(field) }
    }

    private static func merged(_ old: DocumentFields?, _ fields: DocumentFields, _ mask: [FieldPath]?) -> DocumentFields {
        guard let mask else { return fields }
        var new = old ?? DocumentFields()
        new.set(mask.map { (path: $0.names[...], value: fields[$0]) })
        return new
    }
}
