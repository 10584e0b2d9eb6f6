// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Files at the daemon.
public final class LiveFiles: Files {
    private let options: SignalboxOptions
    let requests: FileRequests
    private let unfinished: UnfinishedUploads
    let runner: TransferRunner
    #if canImport(Darwin)
        let background: BackgroundSession
    #endif

    init(options: SignalboxOptions, accounts: LiveAccounts) {
        self.options = options
        let client = APIClient(address: options.address, key: options.key, silence: 60, mayRepeat: false)
        requests = FileRequests(client: client, apps: AppRequests(options: options, keeper: accounts.keeper), address: options.address)
        unfinished = UnfinishedUploads(folder: options.chosenFolder)
        runner = TransferRunner(requests, options)
        #if canImport(Darwin)
            background = BackgroundSession(runner, identifier: "Signalbox \(options.chosenFolder.lastPathComponent)")
        #endif
        let users = accounts.keeper.updates.stream(isPassive: true)
        Task { [runner] in await runner.start(following: users) }
    }

    deinit {
        let (runner, client) = (runner, requests.client)
        Task {
            await runner.close()
            client.close()
        }
    }

    /// Up to 4 MiB are one request, more are sent in pieces.
    @discardableResult
    public func upload(_ data: Data, to path: String, options: UploadOptions) async throws(FilesError) -> FileMetadata {
        try options.check()
        let requests = try await requests.ofCurrentUser()
        var upload = FileUpload(requests, .data(data), to: path, options: options, backoff: self.options.backoff, onProgress: nil) { _, _ in }
        return try await upload.run(from: nil)
    }

    /// Tries a piece up to five times, with pauses. The upload's URL is kept in the folder until the file is there; the daemon ends uploads
    /// that nobody goes on with after 24 hours. All requests are those of the user who began: after a sign-out the upload ends with
    /// ``FilesError/userChanged``.
    @discardableResult
    public func upload(
        file: URL, to path: String, options: UploadOptions, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FilesError) -> FileMetadata {
        try options.check()
        let state = try UploadSource.FileState(of: file)
        let name = UnfinishedUpload(file: file, path: path, options: options)
        let requests = try await requests.ofCurrentUser()
        let known = unfinished.location(name, state, user: try await requests.target().user)
        let location = Locked(known)
        var upload = FileUpload(
            requests, .file(file, state), to: path, options: options, backoff: self.options.backoff, onProgress: onProgress
        ) { [unfinished] url, user in
            location.withLock { $0 = url }
            unfinished.add(UnfinishedUploads.Entry(upload: name, state: state, user: user, location: url))
        }
        let stored: FileMetadata
        do {
            stored = try await upload.run(from: known)
        } catch {
            if !error.isResumable { forget(location) }
            throw error
        }
        forget(location)
        return stored
    }

    private func forget(_ location: Locked<URL?>) {
        if let location = location.withLock({ $0 }) { unfinished.remove(location) }
    }

    /// Those of this and earlier launches, at most 100.
    public var unfinishedUploads: [UnfinishedUpload] { unfinished.all }

    /// Compares the checksum.
    public func download(_ path: String, maxBytes: Int64) async throws(FilesError) -> Data {
        let requests = try await requests.ofCurrentUser()
        let file = try await requests.metadata(path)
        guard file.size <= maxBytes else { throw .tooLarge(bytes: file.size) }
        var data = Data(capacity: Int(file.size))
        var download = try FileDownload(requests, file, backoff: options.backoff, onProgress: nil)
        try await download.run(from: 0) { data.append($0) }
        guard CRC32C.of(data).hexadecimal == file.crc32c else { throw .checksum }
        return data
    }

    /// Writes to a hidden file beside the target, which a later call goes on with if the file at the daemon is the same version.
    @discardableResult
    public func download(
        _ path: String, to file: URL, onProgress: (@Sendable (TransferProgress) -> Void)?
    ) async throws(FilesError) -> FileMetadata {
        let requests = try await requests.ofCurrentUser()
        let details = try await requests.metadata(path)
        let part = try PartialFile(for: file, details)
        var download = try FileDownload(requests, details, backoff: options.backoff, onProgress: onProgress)
        try await download.run(from: part.size) { (piece) throws(FilesError) in try part.append(piece) }
        try part.finish(as: file, sum: details.crc32c)
        return details
    }

    /// Deletes a file.
    public func deleteFile(_ path: String) async throws(FilesError) {
        try await requests.delete(path)
    }

    /// The URL needs no key. It stays valid if the file is replaced.
    public func downloadURL(_ path: String, expiresIn seconds: TimeInterval) async throws(FilesError) -> URL {
        try await requests.link(path, expiresIn: seconds)
    }

    /// Rules are no filters: a folder is listed whole or not.
    public func list(_ folder: String, limit: Int, after page: String?) async throws(FilesError) -> FileList {
        try await requests.list(folder, limit: limit, after: page)
    }

    /// Returns the details of a file.
    public func metadata(_ path: String) async throws(FilesError) -> FileMetadata {
        try await requests.metadata(path)
    }

    func becameActive() {
        #if canImport(UIKit) && !os(watchOS)
            Task { [background] in await background.takeBack() }
        #else
            Task { [runner] in await runner.retryNow() }
        #endif
    }

    func resigned() {
        #if canImport(UIKit) && !os(watchOS)
            Task { [background] in await background.handOver() }
        #endif
    }

    func close() async {
        await runner.close()
        requests.client.close()
    }
}
