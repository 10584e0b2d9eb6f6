// SPDX-License-Identifier: Apache-2.0

import Compression
import SQLite

/// The stored form of parameters: the JSON text as received, or a compressed blob if it is long.
enum StoredParams {
    /// The length in bytes up to which parameters stay uncompressed.
    private static let threshold = 2_048
    /// Above the limit of every integration, so a blob that claims more is damaged.
    fileprivate static let limit = 8 << 20

    /// Returns the compressed form; nil if the text is at most 2,048 bytes or would not shrink below three quarters.
    static func compressed(_ json: ArraySlice<UInt8>) -> [UInt8]? {
        guard json.count > threshold else { return nil }
        let small = compress(Array(json))
        return small.count < json.count * 3 / 4 ? small : nil
    }
}

extension Row {
    /// Returns the parameters of a column as JSON text, decompressed if necessary.
    package func params(_ column: Int32) throws -> [UInt8] {
        isBlob(column) ? try decompress(bytes(column), limit: StoredParams.limit) : bytes(column)
    }
}
