// SPDX-License-Identifier: Apache-2.0

import Database
package import Files
package import Platform

/// A file whose bytes are not those of its row.
package struct FileDamage: Sendable, Hashable {
    package enum What: String, Sendable {
        case missing, size, sum
        /// The disk could not read it.
        case unreadable
    }

    package let path: FilePath
    package let what: What
}

/// The result of checking some files of an app.
package struct FileCheckPage: Sendable {
    package fileprivate(set) var files = 0
    /// The bytes that were read.
    package fileprivate(set) var bytes: Int64 = 0
    package fileprivate(set) var damages: [FileDamage] = []
    /// The path to go on after; nil at the end.
    package fileprivate(set) var next: String?
}

extension FileStore {
    private static let checkedAtOnce = 1_000
    /// After so many bytes a check ends, so that a request does not take minutes.
    private static let readAtOnce: Int64 = 256 << 20
    private static let chunk = 1 << 20

    /// Compares files with their rows, in the order of their paths, after a path.
    ///
    /// - Parameter deep: Also reads all bytes and compares their sums.
    package func check(_ app: AppID, after path: String? = nil, deep: Bool) async throws -> FileCheckPage {
        let list = try await list(FileListingQuery(after: path, limit: FileStore.checkedAtOnce), app: app)
        var page = FileCheckPage()
        for file in list.files where page.bytes < FileStore.readAtOnce {
            // A file may have been replaced or deleted meanwhile.
            if let what = try await damage(of: file, deep: deep), try await self.file(file.path, app: app) == file {
                page.damages.append(FileDamage(path: file.path, what: what))
            }
            page.files += 1
            if deep { page.bytes += file.size }
        }
        page.next = page.files < list.files.count ? list.files[page.files - 1].path.text : list.next
        return page
    }

    private func damage(of file: StoredFile, deep: Bool) async throws -> FileDamage.What? {
        let opened: OpenedFile?
        do { opened = try await open(file.path, app: file.app) } catch let error as FileError {
            return error.isMissing ? .missing : .unreadable
        } catch FileStoreError.damaged { return .missing }
        switch opened?.contents {
        case nil: return .missing
        case .bytes(let bytes):
            if bytes.count != Int(file.size) { return .size }
            return !deep || FileSums(of: bytes).sha256 == file.sums.sha256 ? nil : .sum
        case .file(let blob):
            if try blob.size != Int(file.size) { return .size }
            if !deep { return nil }
            return await onOwnThread("signalbox.files.check") { FileStore.damage(blob, file.sums.sha256) }
        }
    }

    private static func damage(_ blob: File, _ sum: [UInt8]) -> FileDamage.What? {
        var summing = FileSumming(withMD5: false)
        var offset = 0
        do {
            while case let bytes = try blob.read(at: offset, count: chunk), !bytes.isEmpty {
                summing.update(bytes.span)
                offset += bytes.count
            }
        } catch { return .unreadable }
        return summing.finish().sha256 == sum ? nil : .sum
    }
}
