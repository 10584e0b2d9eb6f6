// SPDX-License-Identifier: Apache-2.0

import Platform

/// Space of the disk that is kept for removals: they are written to a log before anything leaves the disk, and on a full disk there would be
/// no room for that.
///
///     disk full   a removal fails    →   the spare file is removed   →   the removal is made again
///     later       the disk has room  →   the spare file is made again
///
/// The stores of a data folder share it. Operations that remove data run in `forRemoval`, which marks the changes that they make. A log that
/// such a change has made longer is truncated at once while the file is missing, or the other stores would find nothing of the space.
package struct SpareSpace: Sendable {
    /// Enough for the deletion of the largest document, or for the pages of some hundred small removals.
    package static let bytes: Int64 = 4 << 20
    /// The free space without which the file is not made, so that a small disk is left to others.
    private static let leastFree = 4 * bytes
    /// Whether the task runs an operation that removes data.
    @TaskLocal package static var isForRemoval = false

    private let path: String
    private let folder: String

    package init(_ paths: StorePaths) { (path, folder) = (paths.spareSpace, paths.root) }

    /// Runs an operation whose changes get the space on a full disk.
    ///
    /// - Parameter removes: Whether the operation removes data; otherwise it runs as it is.
    package static func forRemoval<T>(if removes: Bool = true, _ operation: () async throws -> T) async rethrows -> T {
        try await $isForRemoval.withValue(removes || isForRemoval) { try await operation() }
    }

    /// Removes rows in pieces until none is left. Where a full disk has no room for the pages of a piece, those after it are smaller.
    ///
    /// - Parameters:
    ///   - limit: The most rows of a piece.
    ///   - removeSome: Removes at most so many rows, and returns how many it found.
    package static func inPieces(atMost limit: Int, _ removeSome: (Int) async throws -> Int) async throws {
        var limit = limit
        while true {
            do {
                if try await removeSome(limit) == 0 { return }
            } catch  where limit > 1 && Refusal.isFullDisk(error) {
                limit = max(1, limit / 8)
            }
        }
    }

    /// Makes the file, if it is missing and the disk has room. Without it, removals are made as long as they find room.
    package func keep() {
        if Folder.size(of: path) != SpareSpace.bytes { allocate() }
    }

    /// Takes the space of the file if the disk has room, also if a copy of the data folder has a hole instead.
    package func allocate() {
        guard (try? Folder.freeBytes(at: folder)) ?? 0 >= SpareSpace.leastFree else { return }
        do { try File(path, .keep).allocate(SpareSpace.bytes) } catch { release() }
    }

    /// Whether removals have the space now: the file is missing, and the disk has no room for it.
    package var isInUse: Bool { !Folder.exists(path) && (try? Folder.freeBytes(at: folder)) ?? .max < SpareSpace.leastFree }

    /// Whether the disk has room for so many bytes now.
    func hasRoom(for bytes: Int64) -> Bool { (try? Folder.space(at: folder).writable) ?? .max >= bytes }

    /// Removes the file.
    package func release() { try? Folder.remove(path) }
}
