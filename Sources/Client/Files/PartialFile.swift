// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes of a download so far, in a hidden file beside the target whose name has the version: `.photo.jpg.1795741200000000.part`.
final class PartialFile {
    private let url: URL
    private let handle: FileHandle
    private(set) var size: Int64

    init(for file: URL, _ details: FileMetadata) throws(FilesError) {
        url = PartialFile.url(for: file, generation: details.generation)
        do {
            if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
            handle = try FileHandle(forUpdating: url)
            size = Int64(try handle.seekToEnd())
            if size > details.size {
                try handle.truncate(atOffset: 0)
                size = 0
            }
        } catch {
            throw FilesError(error, on: url)
        }
    }

    deinit {
        try? handle.close()
    }

    static func url(for file: URL, generation: Int64) -> URL {
        file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).\(generation).part")
    }

    /// Removes the bytes of a version, if there are any.
    static func remove(for file: URL, generation: Int64) {
        try? FileManager.default.removeItem(at: url(for: file, generation: generation))
    }

    /// Whether a file has the size and the checksum of a version.
    static func isWhole(_ file: URL, _ details: FileMetadata) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: file), let size = try? handle.seekToEnd(), Int64(size) == details.size else {
            return false
        }
        return (try? checksum(of: handle))?.hexadecimal == details.crc32c
    }

    func append(_ piece: Data) throws(FilesError) {
        do {
            try handle.write(contentsOf: piece)
        } catch {
            throw FilesError(error, on: url)
        }
        size += Int64(piece.count)
    }

    /// Puts the file in its place if it has the checksum, otherwise removes it.
    func finish(as file: URL, sum: String) throws(FilesError) {
        do {
            guard try PartialFile.checksum(of: handle).hexadecimal == sum else {
                try FileManager.default.removeItem(at: url)
                throw FilesError.checksum
            }
            // A file that is told of as finished survives a power failure.
            try handle.synchronize()
            if rename(url.path, file.path) != 0 { throw FilesError.fileUnusable(path: file.path, reason: String(cString: strerror(errno))) }
        } catch let error as FilesError {
            throw error
        } catch {
            throw FilesError(error, on: file)
        }
    }

    /// Reads all bytes, because some of them may come from an earlier launch.
    static func checksum(of handle: FileHandle) throws -> CRC32C {
        var sum = CRC32C()
        try handle.seek(toOffset: 0)
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { sum.add(piece) }
        return sum
    }
}
