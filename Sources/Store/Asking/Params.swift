import Compression
import SQLite

/// Parameters longer than a page's worth are stored compressed; a text is JSON as it came, a blob is compressed JSON.
enum StoredParams {
    static let compressionThreshold = 2_048
    /// More than any door lets through, so a blob that says otherwise is damaged.
    static let sizeLimit = 8 << 20
}

extension Row {
    func params(_ column: Int32) throws -> [UInt8] {
        bytes(column)
    }
}
