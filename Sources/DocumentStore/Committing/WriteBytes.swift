// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The bytes of documents that writes read and make, counted before any document is read.
///
///     stored 900     update of a, 50     reads 900, makes up to 950
///                    update of b, 50     makes up to 1,000
///                    update of a, 20     makes up to 970
///                    set of 200          makes 200
///                    delete              makes 0
///
/// Each document is read once. An update makes the whole document again, whatever it changes.
struct WriteBytes {
    /// The most bytes that a document has after the writes so far.
    private struct Size {
        private(set) var most: Int
        /// The bytes apart from what the masks of updates set.
        private var other: Int
        /// The bytes that the last update with each mask set. It replaced what the update before with the same mask had set.
        private var byMask: [[FieldPath]: Int] = [:]
        private var masked = 0

        init(_ bytes: Int) { (most, other) = (bytes, bytes) }

        mutating func apply(_ write: DocumentWrite) {
            switch write.change {
            case .verify: break
            case .delete: self = Size(0)
            case .set(_, nil): self = Size(write.contentBytes)
            case .set(let fields, let mask?):
                let set = fields.size
                masked += set - (byMask.updateValue(set, forKey: mask) ?? 0)
                other += write.contentBytes - set
                most = min(other + masked, max(most, DocumentLimit.bytes))
            }
        }
    }

    private(set) var count = 0
    private var sizes: [DocumentPath: Size] = [:]

    /// - Parameter stored: Returns the bytes of a document's stored fields; 0 if there is none.
    init(_ writes: [DocumentWrite], stored: (DocumentPath) throws -> Int) rethrows {
        for write in writes {
            var size: Size
            if let known = sizes[write.path] {
                size = known
            } else {
                size = Size(try stored(write.path))
                count += size.most
            }
            size.apply(write)
            sizes[write.path] = size
            if case .set = write.change { count += size.most }
        }
    }
}
