// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Files for an app's tests.
public final class InMemoryFiles: Files {
    private struct Recorded {
        var files: [String: (details: FileMetadata, data: Data)] = [:]
        var generation: Int64 = 0
        var failure: FilesError?
    }

    private let started = ValueUpdates<[FileTransfer]>([])
    private let list = Locked<[FileTransfer]>([])
    private let recorded = Locked(Recorded())

    /// Creates an instance without files.
    public init() {}

    /// Makes all throwing calls fail with the error; `nil` ends that.
    public func fail(with error: FilesError?) {
        recorded.withLock { $0.failure = error }
    }

    /// Stores the bytes.
    @discardableResult
    public func upload(_ data: Data, to path: String, options: UploadOptions) async throws(FilesError) -> FileMetadata {
        try change { (recorded) throws(FilesError) in
            guard FileRequests.isValid(path) else { throw .badPath }
            try options.check()
            recorded.generation += 1
            let details = FileMetadata(
                path: path, size: Int64(data.count), contentType: options.contentType, crc32c: CRC32C.of(data).hexadecimal,
                generation: recorded.generation, createdAt: recorded.files[path]?.details.createdAt ?? Date(), metadata: options.metadata)
            recorded.files[path] = (details, data)
            return details
        }
    }

    /// Reads the file and stores its bytes.
    @discardableResult
    public func upload(
        file: URL, to path: String, options: UploadOptions, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FilesError) -> FileMetadata {
        let source = UploadSource.file(file, try UploadSource.FileState(of: file))
        let details = try await upload(try source.piece(at: 0, count: source.length), to: path, options: options)
        onProgress?(TransferProgress(completedBytes: source.length, totalBytes: source.length))
        return details
    }

    /// Stores the bytes at once.
    @discardableResult
    public func startUpload(file: URL, to path: String, options: UploadOptions) async throws(FilesError) -> FileTransfer {
        let details = try await upload(file: file, to: path, options: options, onProgress: nil)
        return note(.upload, file, details, options)
    }

    /// Writes the bytes at once.
    @discardableResult
    public func startDownload(_ path: String, to file: URL) async throws(FilesError) -> FileTransfer {
        note(.download, file, try await download(path, to: file, onProgress: nil), UploadOptions())
    }

    private func note(_ direction: FileTransfer.Direction, _ file: URL, _ details: FileMetadata, _ options: UploadOptions) -> FileTransfer {
        let progress = TransferProgress(completedBytes: details.size, totalBytes: details.size)
        let transfer = FileTransfer(
            direction: direction, file: file, path: details.path, options: options, state: .finished, progress: progress)
        changeList { $0.append(transfer) }
        return transfer
    }

    private func changeList(_ body: (inout [FileTransfer]) -> Void) {
        list.withLock { list in
            body(&list)
            started.send(list)
        }
    }

    /// Finished ones.
    public var transfers: [FileTransfer] { list.withLock { $0 } }

    /// Yields the list and each change of it.
    public func transferUpdates() -> AsyncStream<[FileTransfer]> { started.stream() }

    /// Removes the transfer from the list.
    public func removeTransfer(_ id: FileTransfer.ID) async throws(FilesError) {
        changeList { $0.removeAll { $0.id == id } }
    }

    /// None: uploads succeed or fail at once.
    public var unfinishedUploads: [UnfinishedUpload] { [] }

    /// Returns the stored bytes.
    public func download(_ path: String, maxBytes: Int64) async throws(FilesError) -> Data {
        let (details, data) = try file(path)
        guard details.size <= maxBytes else { throw .tooLarge(bytes: details.size) }
        return data
    }

    /// Writes the stored bytes.
    @discardableResult
    public func download(
        _ path: String, to file: URL, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FilesError) -> FileMetadata {
        let (details, data) = try self.file(path)
        do {
            try data.write(to: file, options: .atomic)
        } catch {
            throw .fileUnusable(path: file.path, reason: error.localizedDescription)
        }
        onProgress?(TransferProgress(completedBytes: details.size, totalBytes: details.size))
        return details
    }

    /// Removes the file.
    public func deleteFile(_ path: String) async throws(FilesError) {
        try change { (recorded) throws(FilesError) in
            guard recorded.files.removeValue(forKey: path) != nil else { throw .notFound }
        }
    }

    /// Returns `memory:///PATH`.
    public func downloadURL(_ path: String, expiresIn seconds: TimeInterval) async throws(FilesError) -> URL {
        _ = try file(path)
        return URL(string: "memory:///")?.appendingPathComponent(path) ?? URL(fileURLWithPath: path)
    }

    /// Lists a folder in one page.
    public func list(_ folder: String, limit: Int, after page: String?) async throws(FilesError) -> FileList {
        try change { (recorded) throws(FilesError) in
            let found = recorded.files.values.map(\.details).filter { $0.path.hasPrefix(folder) }.sorted { $0.path < $1.path }
            let below = found.filter { $0.path.dropFirst(folder.count).contains("/") }
            let folders = Set(below.map { folder + $0.path.dropFirst(folder.count).prefix { $0 != "/" } + "/" })
            return FileList(items: found.filter { !$0.path.dropFirst(folder.count).contains("/") }, folders: folders.sorted())
        }
    }

    /// Returns the details of a stored file.
    public func metadata(_ path: String) async throws(FilesError) -> FileMetadata {
        try file(path).details
    }

    private func file(_ path: String) throws(FilesError) -> (details: FileMetadata, data: Data) {
        try change { (recorded) throws(FilesError) in
            guard let file = recorded.files[path] else { throw .notFound }
            return file
        }
    }

    private func change<T>(_ body: (inout Recorded) throws(FilesError) -> T) throws(FilesError) -> T {
        try recorded.withLock { (recorded) throws(FilesError) in
            if let failure = recorded.failure { throw failure }
            return try body(&recorded)
        }
    }
}
