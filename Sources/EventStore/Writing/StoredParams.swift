// SPDX-License-Identifier: Apache-2.0

import Compression
import SQLite

/// Parameters as they are stored: JSON text as it came, or where that is long a compressed blob.
enum StoredParams {
    private static let threshold = 2_048
    /// More than any door lets through, so a blob that says otherwise is damaged.
    fileprivate static let limit = 8 << 20

    /// The compressed form; nil where it is not worth it.
    static func compressed(_ json: ArraySlice<UInt8>) -> [UInt8]? {
        guard json.count > threshold else { return nil }
        let small = compress(Array(json))
        return small.count < json.count * 3 / 4 ? small : nil
    }
}

extension Row {
    package func params(_ column: Int32) throws -> [UInt8] {
        isBlob(column) ? try decompress(bytes(column), limit: StoredParams.limit) : bytes(column)
    }
}
