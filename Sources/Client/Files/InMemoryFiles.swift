// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Files for an app's tests.
public final class InMemoryFiles: Files {
    private struct Recorded {
        var files: [String: (details: FileMetadata, data: Data)] = [:]
        var generation: Int64 = 0
        var failure: FilesError?
    }

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
