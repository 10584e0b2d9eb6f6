// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The bytes of documents that writes read and make, counted before any document is read.
///
///     stored 900     update of 50     reads 900, makes up to 950
///                    update of 50     makes up to 1,000
///                    set of 200       makes 200
///                    delete           makes 0
///
/// Each document is read once. An update makes the whole document again, whatever it changes.
struct WriteBytes {
    private(set) var count = 0
    /// The most bytes that each document has after the writes so far.
    private var sizes: [DocumentPath: Int] = [:]

    /// - Parameter stored: Returns the bytes of a document's stored fields; 0 if there is none.
    init(_ writes: [DocumentWrite], stored: (DocumentPath) throws -> Int) rethrows {
        for write in writes {
            let before: Int
            if let known = sizes[write.path] {
                before = known
            } else {
                before = try stored(write.path)
                count += before
            }
            let after = WriteBytes.size(after: write, of: before)
            sizes[write.path] = after
            if case .set = write.change { count += after }
        }
    }

    private static func size(after write: DocumentWrite, of before: Int) -> Int {
        switch write.change {
        case .verify: before
        case .delete: 0
        case .set(_, let mask): mask == nil ? write.contentBytes : min(before + write.contentBytes, max(before, DocumentLimit.bytes))
        }
    }
}
