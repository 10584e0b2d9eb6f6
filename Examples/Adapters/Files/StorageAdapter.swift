// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// Files as an app with an adapter for each service has them.
///
/// The protocol has the name of the one for documents, so it is in a target of its own.
public protocol StorageAdapter: Sendable {
    /// Stores bytes and returns a download URL.
    func uploadFile(_ path: String, _ data: Data) async throws -> URL
    func downloadFile(_ path: String) async throws -> Data
    func deleteFile(_ path: String) async throws
    /// Returns a URL with which anybody may read the file for seven days.
    func getDownloadURL(_ path: String) async throws -> URL
}

/// A failed transfer as the app's screens tell it.
public enum FileStorageError: Error, Equatable, Sendable {
    case notFound
    case permissionDenied
    case unauthenticated
    case quotaExceeded
    /// The file is stored, and nobody can read it until a function of the app has allowed it.
    case pending
    case cancelled
    case checksumMismatch
    case unavailable
    case unknown(String)

    init(_ error: FilesError) {
        switch error {
        case .notFound: self = .notFound
        case .permissionDenied: self = .permissionDenied
        case .unauthenticated, .appUnknown: self = .unauthenticated
        case .quotaExceeded: self = .quotaExceeded
        case .pending: self = .pending
        case .cancelled: self = .cancelled
        case .checksum: self = .checksumMismatch
        case .signalbox(.unreachable), .signalbox(.busy), .signalbox(.unexpectedResponse): self = .unavailable
        default: self = .unknown("\(error)")
        }
    }

    /// Runs a call of the client and throws its error as one of the app.
    static func mapping<T>(_ call: () async throws -> T) async throws -> T {
        do { return try await call() } catch let error as FilesError { throw FileStorageError(error) }
    }
}

/// The adapter over `Files`: `signalbox.files` in the app, `InMemoryFiles` in its tests.
public struct SignalboxStorageAdapter: StorageAdapter {
    /// Media types by the ending of a path. Storage rules may ask for them.
    private static let types = [
        "txt": "text/plain", "json": "application/json", "pdf": "application/pdf", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    ]

    private let files: any Files

    public init(_ files: any Files) {
        self.files = files
    }

    public func uploadFile(_ path: String, _ data: Data) async throws -> URL {
        let ending = path.split(separator: ".").last?.lowercased() ?? ""
        let options = UploadOptions(contentType: Self.types[ending] ?? UploadOptions.unknownType)
        return try await FileStorageError.mapping {
            let file = try await files.upload(data, to: path, options: options)
            if let function = file.pendingUntil { throw FilesError.pending(until: function) }
            return try await files.getDownloadURL(path)
        }
    }

    public func downloadFile(_ path: String) async throws -> Data {
        try await FileStorageError.mapping { try await files.downloadFile(path) }
    }

    public func deleteFile(_ path: String) async throws {
        try await FileStorageError.mapping { try await files.deleteFile(path) }
    }

    public func getDownloadURL(_ path: String) async throws -> URL {
        try await FileStorageError.mapping { try await files.getDownloadURL(path) }
    }
}
