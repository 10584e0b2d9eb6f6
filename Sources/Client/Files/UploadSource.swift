// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes to upload.
enum UploadSource: Sendable {
    case data(Data)
    case file(URL, FileState)

    /// The size and time of a file, by which a changed one is recognized.
    struct FileState: Codable, Equatable {
        var size: Int64
        var modified: Date

        init(of file: URL) throws(FilesError) {
            do {
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
                modified = attributes[.modificationDate] as? Date ?? .distantPast
            } catch {
                throw .fileUnusable(path: file.path, reason: error.localizedDescription)
            }
        }
    }

    var length: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(_, let state): state.size
        }
    }

    /// Returns the bytes from an offset on. Throws if the file is not what it was.
    func piece(at offset: Int64, count: Int64) throws(FilesError) -> Data {
        switch self {
        case .data(let data): return data[data.startIndex + Int(offset)..<data.startIndex + Int(min(offset + count, length))]
        case .file(let file, let state):
            guard try FileState(of: file) == state else { throw .fileUnusable(path: file.path, reason: "The file changed during the upload.") }
            let wanted = min(count, length - offset)
            let bytes = try read(file, offset, wanted)
            guard Int64(bytes.count) == wanted else { throw .fileUnusable(path: file.path, reason: "The file became shorter.") }
            return bytes
        }
    }

    private func read(_ file: URL, _ offset: Int64, _ count: Int64) throws(FilesError) -> Data {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(offset))
            return try handle.read(upToCount: Int(count)) ?? Data()
        } catch {
            throw .fileUnusable(path: file.path, reason: error.localizedDescription)
        }
    }
}
