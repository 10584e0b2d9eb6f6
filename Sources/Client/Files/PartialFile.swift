// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a download so far, in a hidden file beside the target whose name has the version: `.photo.jpg.1795741200000000.part`.
final class PartialFile {
    private let url: URL
    private let handle: FileHandle
    private(set) var size: Int64

    init(for file: URL, _ details: FileMetadata) throws(FilesError) {
        url = file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).\(details.generation).part")
        do {
            if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
            handle = try FileHandle(forUpdating: url)
            size = Int64(try handle.seekToEnd())
            if size > details.size {
                try handle.truncate(atOffset: 0)
                size = 0
            }
        } catch {
            throw .fileUnusable(path: url.path, reason: error.localizedDescription)
        }
    }

    deinit {
        try? handle.close()
    }

    func append(_ piece: Data) throws(FilesError) {
        do {
            try handle.write(contentsOf: piece)
        } catch {
            throw .fileUnusable(path: url.path, reason: error.localizedDescription)
        }
        size += Int64(piece.count)
    }

    /// Puts the file in its place if it has the checksum, otherwise removes it.
    func finish(as file: URL, sum: String) throws(FilesError) {
        do {
            guard try checksum().hexadecimal == sum else {
                try FileManager.default.removeItem(at: url)
                throw FilesError.checksum
            }
            if rename(url.path, file.path) != 0 { throw FilesError.fileUnusable(path: file.path, reason: String(cString: strerror(errno))) }
        } catch let error as FilesError {
            throw error
        } catch {
            throw .fileUnusable(path: file.path, reason: error.localizedDescription)
        }
    }

    /// Reads all bytes, because some of them may come from an earlier launch.
    private func checksum() throws -> CRC32C {
        var sum = CRC32C()
        try handle.seek(toOffset: 0)
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { sum.add(piece) }
        return sum
    }
}
