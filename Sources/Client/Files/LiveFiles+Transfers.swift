// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Transfers in the background.
extension LiveFiles {
    /// Reads the file once for its checksum. The transfer is the current user's: after a sign-out it waits for the user.
    @discardableResult
    public func startUpload(file: URL, to path: String, options: UploadOptions) async throws(FilesError) -> FileTransfer {
        guard FileRequests.isValid(path) else { throw .badPath }
        try options.check()
        let state = try UploadSource.FileState(of: file)
        let source = UploadSource.file(file, state)
        var sum = CRC32C()
        for offset in stride(from: 0, to: state.size, by: Int(FileUpload.pieceBytes)) {
            sum.add(try source.piece(at: offset, count: FileUpload.pieceBytes))
        }
        let progress = TransferProgress(completedBytes: 0, totalBytes: state.size)
        let transfer = FileTransfer(direction: .upload, file: file.standardizedFileURL, path: path, options: options, progress: progress)
        try await runner.add(TransferRecord(transfer: transfer, user: try user(), source: state, crc32c: sum.hexadecimal))
        return transfer
    }

    /// Writes to a hidden file beside the target, which is replaced once the checksum was compared.
    @discardableResult
    public func startDownload(_ path: String, to file: URL) async throws(FilesError) -> FileTransfer {
        guard FileRequests.isValid(path) else { throw .badPath }
        let transfer = FileTransfer(direction: .download, file: file.standardizedFileURL, path: path)
        try await runner.add(TransferRecord(transfer: transfer, user: try user()))
        return transfer
    }

    /// Kept in the folder until they are removed.
    public var transfers: [FileTransfer] { runner.records.all.map(\.transfer) }

    /// Without polling: a change of the list wakes the reader.
    public func transferUpdates() -> AsyncStream<[FileTransfer]> { runner.records.updates.stream() }

    /// The daemon ends an upload that nobody goes on with after 24 hours.
    public func removeTransfer(_ id: FileTransfer.ID) async throws(FilesError) {
        try await runner.remove(id)
    }

    /// Returns the stored user without network, so that a transfer can be started offline.
    private func user() throws(FilesError) -> String? {
        do {
            return try requests.apps.keeper.current()?.session.user.id
        } catch {
            throw .signalbox(error.asSignalboxError)
        }
    }
}
