// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Keeps files of the app. `LiveFiles` stores them at the daemon, `InMemoryFiles` in memory for tests.
///
/// Paths have segments, such as `users/ann/photo.jpg`. The app's storage rules decide what the signed-in user may do.
public protocol Files: Sendable {
    /// Stores bytes and returns the file's details. A file at the path is replaced, at once or when a function allows the new one
    /// (``FileMetadata/pendingUntil``).
    @discardableResult
    func upload(_ data: Data, to path: String, options: UploadOptions) async throws(FilesError) -> FileMetadata

    /// Stores a file in pieces and returns its details. If the upload breaks off, also by the end of the app, the same call goes on from
    /// the last byte that the daemon has. `onProgress` is called after each piece.
    @discardableResult
    func upload(
        file: URL, to path: String, options: UploadOptions, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FilesError) -> FileMetadata

    /// Adds an upload to the list of transfers and returns once the list is on the disk. The upload is carried out in the background and goes on
    /// by itself at the next launch. The file must stay as it is until the upload has ended.
    @discardableResult
    func startUpload(file: URL, to path: String, options: UploadOptions) async throws(FilesError) -> FileTransfer

    /// Adds a download to the list of transfers and returns once the list is on the disk. It goes on by itself at the next launch.
    @discardableResult
    func startDownload(_ path: String, to file: URL) async throws(FilesError) -> FileTransfer

    /// The transfers that were started and not removed, those of earlier launches included; at most 100.
    var transfers: [FileTransfer] { get }

    /// Yields the list of transfers and each change of it; a slow reader gets the newest only.
    func transferUpdates() -> AsyncStream<[FileTransfer]>

    /// Removes a transfer from the list, and ends it if it is running.
    func removeTransfer(_ id: FileTransfer.ID) async throws(FilesError)

    /// The uploads of files that broke off, for an app that goes on with them at launch.
    var unfinishedUploads: [UnfinishedUpload] { get }

    /// Returns the bytes of a file. More than `maxBytes` are ``FilesError/tooLarge(bytes:)``.
    func download(_ path: String, maxBytes: Int64) async throws(FilesError) -> Data

    /// Writes a file to disk in pieces, compares the checksum, and puts it in its place as a whole. If the download breaks off, also by the
    /// end of the app, the same call goes on where it was. `onProgress` is called after each piece.
    @discardableResult
    func download(
        _ path: String, to file: URL, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FilesError) -> FileMetadata

    /// Deletes a file.
    func deleteFile(_ path: String) async throws(FilesError)

    /// Returns a URL with which anybody may read the file until it ends, after seven days at most.
    func downloadURL(_ path: String, expiresIn seconds: TimeInterval) async throws(FilesError) -> URL

    /// Lists the files and folders in a folder, in the order of their names.
    ///
    /// - Parameters:
    ///   - folder: A path that ends with `/`, or nothing for all.
    ///   - limit: At most 1,000.
    ///   - page: ``FileList/next`` of the page before.
    func list(_ folder: String, limit: Int, after page: String?) async throws(FilesError) -> FileList

    /// Returns the details of a file.
    func metadata(_ path: String) async throws(FilesError) -> FileMetadata
}

extension Files {
    /// The lifetime of a download URL, the daemon's longest.
    public static var longestLinkSeconds: TimeInterval { 7 * 24 * 60 * 60 }
    /// The limit of a download into memory, if none is given.
    public static var defaultMaxBytes: Int64 { 64 << 20 }

    /// Stores bytes and returns a download URL, which ends after seven days. Throws ``FilesError/pending(until:)`` if the file is stored and a
    /// function must allow it first.
    @discardableResult
    public func uploadFile(_ data: Data, _ path: String) async throws(FilesError) -> URL {
        let file = try await upload(data, to: path, options: UploadOptions())
        if let function = file.pendingUntil { throw .pending(until: function) }
        return try await getDownloadURL(path)
    }

    /// Returns the bytes of a file of at most 64 MiB.
    public func downloadFile(_ path: String) async throws(FilesError) -> Data {
        try await download(path, maxBytes: Self.defaultMaxBytes)
    }

    /// Returns a download URL, which ends after seven days.
    public func getDownloadURL(_ path: String) async throws(FilesError) -> URL {
        try await downloadURL(path, expiresIn: Self.longestLinkSeconds)
    }

    /// Stores a file without further details.
    @discardableResult
    public func upload(
        file: URL, to path: String, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(FilesError) -> FileMetadata {
        try await upload(file: file, to: path, options: UploadOptions(), onProgress: onProgress)
    }

    /// Starts an upload of a file without further details.
    @discardableResult
    public func startUpload(file: URL, to path: String) async throws(FilesError) -> FileTransfer {
        try await startUpload(file: file, to: path, options: UploadOptions())
    }

    /// Writes a file to disk.
    @discardableResult
    public func download(_ path: String, to file: URL) async throws(FilesError) -> FileMetadata {
        try await download(path, to: file, onProgress: nil)
    }

    /// Lists the first hundred files and folders in a folder.
    public func list(_ folder: String = "") async throws(FilesError) -> FileList {
        try await list(folder, limit: 100, after: nil)
    }
}
