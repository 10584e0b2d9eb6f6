// SPDX-License-Identifier: Apache-2.0

package import Platform

/// The folders below a prefix and what the files in them take.
///
///     a/1 (5 bytes), a/x/1 (7), a/x/y/2 (1), b (9)
///     prefix ""      →  a/ 13 bytes, 3 files; here 9 bytes, 1 file
///     prefix "a/"    →  a/x/ 8 bytes, 2 files; here 5 bytes, 1 file
package struct FolderSizes: Sendable, Equatable {
    package struct Size: Sendable, Equatable {
        package var bytes: Int64 = 0
        package var files: Int64 = 0
    }

    package struct Folder: Sendable, Equatable {
        package var path: String
        package var size: Size
    }

    /// The largest folders that are kept.
    static let most = 100

    /// The largest first.
    package var folders: [Folder] = []
    /// The files that are in no folder below the prefix.
    package var here = Size()
    /// Whether all files were counted in time.
    package var isComplete = true
    package var at = Timestamp(milliseconds: 0)
}

/// Adds up files that come in the order of their paths. Its memory does not grow with the number of folders.
struct FolderAddition {
    private let prefix: [UInt8]
    private var sizes = FolderSizes()
    /// The folder of the last file.
    private var current: (path: [UInt8], size: FolderSizes.Size)?

    init(_ prefix: String) { self.prefix = Array(prefix.utf8) }

    mutating func add(_ path: [UInt8], _ bytes: Int64) {
        guard let slash = path[prefix.count...].firstIndex(of: UInt8(ascii: "/")) else {
            sizes.here.bytes += bytes
            sizes.here.files += 1
            return
        }
        let folder = path[...slash]
        if current.map({ $0.path.elementsEqual(folder) }) != true {
            close()
            current = (Array(folder), FolderSizes.Size())
        }
        current?.size.bytes += bytes
        current?.size.files += 1
    }

    private mutating func close() {
        guard let closed = current else { return }
        sizes.folders.append(FolderSizes.Folder(path: String(decoding: closed.path, as: UTF8.self), size: closed.size))
        current = nil
        if sizes.folders.count >= 4 * FolderSizes.most { keepLargest() }
    }

    private mutating func keepLargest() {
        sizes.folders.sort { ($1.size.bytes, $0.path) < ($0.size.bytes, $1.path) }
        sizes.folders.removeLast(max(0, sizes.folders.count - FolderSizes.most))
    }

    mutating func finish(isComplete: Bool, at now: Timestamp) -> FolderSizes {
        close()
        keepLargest()
        (sizes.isComplete, sizes.at) = (isComplete, now)
        return sizes
    }
}
