// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// An upload or download that goes on after the end of the app, until it is finished, failed or removed.
public struct FileTransfer: Sendable, Hashable, Codable, Identifiable {
    /// The way of the bytes.
    public enum Direction: String, Sendable, Hashable, Codable {
        /// From this device to the daemon, and from the daemon to this device.
        case upload, download
    }

    /// The state of a transfer.
    public enum State: Sendable, Hashable, Codable {
        /// Bytes are transferred, or the transfer waits for its turn, the network or its user.
        case running
        /// The file is in its place as a whole.
        case finished
        /// The upload has ended, and nobody can read the file until this function allows it.
        case pending(until: String)
        /// Another attempt would fail too.
        case failed(reason: String)
    }

    /// The ID of the transfer.
    public let id: String
    /// The way of the bytes.
    public let direction: Direction
    /// The file on this device.
    public internal(set) var file: URL
    /// The path at the daemon.
    public let path: String
    /// The details of an upload.
    public let options: UploadOptions
    /// The state.
    public internal(set) var state: State
    /// The bytes that were transferred; those of a download before its first response are 0 of 0.
    public internal(set) var progress: TransferProgress

    /// Creates a transfer, for tests.
    public init(
        id: String = UUID().uuidString, direction: Direction, file: URL, path: String, options: UploadOptions = UploadOptions(),
        state: State = .running, progress: TransferProgress = TransferProgress(completedBytes: 0, totalBytes: 0)
    ) {
        (self.id, self.direction, self.file, self.path) = (id, direction, file, path)
        (self.options, self.state, self.progress) = (options, state, progress)
    }
}

/// A transfer as it is kept on the disk.
struct TransferRecord: Equatable, Codable {
    var transfer: FileTransfer
    /// The user who began it; `nil` for nobody, whose requests have the key.
    var user: String?
    /// The size and time of the file to upload.
    var source: UploadSource.FileState?
    /// The CRC-32C of the file to upload, or of the version that is downloaded.
    var crc32c: String?
    /// The upload's URL at the daemon, once it is known.
    var location: URL?
    /// The version that is downloaded, once it is known.
    var generation: Int64?
    /// Whether a request may have reached the daemon.
    var isBegun = false
}
