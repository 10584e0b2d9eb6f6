// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The writes of a commit to one document, as far as they are known.
///
/// Firestore makes them as one write. Only the precondition of the first is about what is stored; those of later writes must hold for what the
/// earlier ones leave, or the commit is invalid whatever is stored:
///
///     set a, update a if it exists        the precondition holds
///     set a, create a                     invalid
///     delete a, update a if it exists     invalid
private struct WriteSequence {
    private enum Kind: String { case upsert, insert, update, delete }

    /// The write that those so far amount to.
    private var kind: Kind
    /// The kind of a set, given the precondition of the first write.
    private let kindOfSet: Kind
    private let time: DocumentTime?
    let isVerify: Bool

    init(_ write: DocumentWrite) {
        kindOfSet =
            switch write.precondition {
            case .exists(false): .insert
            case .exists(true): .update
            case .changed: write.change == .delete ? .upsert : .update
            case nil: .upsert
            }
        kind = write.change == .delete ? .delete : kindOfSet
        (time, isVerify) = (write.time, write.change == .verify)
    }

    /// Adds a write. Returns it without its precondition, which holds.
    mutating func add(_ write: DocumentWrite) throws(FirestoreFault) -> DocumentWrite {
        let isDelete = write.change == .delete
        let wants: Kind = isDelete ? .delete : write.precondition == .exists(false) ? .insert : .update
        let isThere: Bool? =
            switch write.precondition {
            case .exists(let isThere): isThere
            case .changed: isDelete ? nil : true
            case nil: nil
            }
        if let isThere, isThere == (kind == .delete) {
            throw .invalid("Cannot \(kind.rawValue) then \(wants.rawValue) an entity in the same request.")
        }
        if let other = write.time, other != time {
            throw .invalid("Cannot collapse mutations with different version preconditions.")
        }
        kind = isDelete ? .delete : kindOfSet
        return DocumentWrite(write.path, write.change, transforms: write.transforms)
    }
}

extension DocumentWrite {
    fileprivate var time: DocumentTime? { if case .changed(let time)? = precondition { time } else { nil } }
}

extension FirestoreCommit {
    /// Returns the writes of a commit with preconditions about what is stored only. Throws if they contradict each other.
    static func checked(_ writes: [DocumentWrite]) throws(FirestoreFault) -> [DocumentWrite] {
        if writes.count < 2 { return writes }
        var sequences: [DocumentPath: WriteSequence] = [:]
        var checked: [DocumentWrite] = []
        for write in writes {
            guard var sequence = sequences.updateValue(WriteSequence(write), forKey: write.path) else {
                checked.append(write)
                continue
            }
            switch (sequence.isVerify, write.change == .verify) {
            case (true, true): throw .invalid("the same document cannot be verified more than once in a single request")
            case (true, false): throw .invalid("the same document cannot be verified and then written in a single request")
            case (false, true): throw .invalid("the same document cannot be written and then verified in a single request")
            case (false, false): checked.append(try sequence.add(write))
            }
            sequences[write.path] = sequence
        }
        return checked
    }
}
