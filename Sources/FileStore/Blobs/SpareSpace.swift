// SPDX-License-Identifier: Apache-2.0

import Database
import Platform

/// Space of the disk that is kept for deletions: they are written down before the bytes of a file leave the disk, and on a full disk there
/// would be no room for that.
///
///     disk full   a deletion fails   →   the spare file is removed   →   the deletion is made again
///     later       the disk has room  →   the spare file is made again
struct SpareSpace: Sendable {
    static let bytes: Int64 = 1 << 20
    /// The free space without which the file is not made, so that a small disk is left to others.
    private static let leastFree = 16 * bytes

    private let path: String
    private let folder: String

    init(_ paths: StorePaths) { (path, folder) = (paths.spareSpace, paths.root) }

    /// Makes the file, if it is missing and the disk has room. Without it, deletions are made as long as they find room.
    func keep() {
        if Folder.size(of: path) != SpareSpace.bytes { allocate() }
    }

    /// Takes the space of the file if the disk has room, also if a copy of the data folder has a hole instead.
    func allocate() {
        guard (try? Folder.freeBytes(at: folder)) ?? 0 >= SpareSpace.leastFree else { return }
        do { try File(path, .keep).allocate(SpareSpace.bytes) } catch { release() }
    }

    /// Removes the file.
    func release() { try? Folder.remove(path) }
}
