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

    /// Compares files with their rows, also those that wait, in the order of their paths, after a path.
    ///
    /// - Parameter deep: Also reads all bytes and compares their sums.
    package func check(_ app: AppID, after path: String? = nil, deep: Bool) async throws -> FileCheckPage {
        let list = try await list(FileListingQuery(after: path, limit: FileStore.checkedAtOnce), app: app)
        let pending = try await pendingFiles(of: app, after: path ?? "", limit: FileStore.checkedAtOnce).map(\.file)
        // A full page has all files up to its last path.
        let endOfPending = pending.count < FileStore.checkedAtOnce ? nil : pending.last?.path
        let end = [list.next.flatMap { FilePath($0) }, endOfPending].compactMap(\.self).min()
        let files = (list.files + pending).filter { file in end.map { file.path <= $0 } ?? true }.sorted { $0.path < $1.path }
        var (page, last): (FileCheckPage, FilePath?) = (FileCheckPage(), nil)
        // Two versions of a path are on one page.
        for file in files where page.bytes < FileStore.readAtOnce || file.path == last {
            if let what = try await damage(of: file, deep: deep), try await isCurrent(file) {
                page.damages.append(FileDamage(path: file.path, what: what))
            }
            page.files += 1
            if deep { page.bytes += file.size }
            last = file.path
        }
        page.next = (page.files < files.count ? last : end)?.text
        return page
    }

    /// Whether a file was neither replaced nor deleted nor decided since it was read.
    private func isCurrent(_ file: StoredFile) async throws -> Bool {
        if file.pendingUntil != nil { return try await isPending(file) }
        return try await self.file(file.path, app: file.app) == file
    }

    private func openVersion(_ file: StoredFile) async throws -> OpenedFile? {
        if file.pendingUntil != nil { return try await openPending(file.path, generation: file.generation, app: file.app) }
        return try await open(file.path, app: file.app)
    }

    private func damage(of file: StoredFile, deep: Bool) async throws -> FileDamage.What? {
        let opened: OpenedFile?
        do { opened = try await openVersion(file) } catch let error as FileError {
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
