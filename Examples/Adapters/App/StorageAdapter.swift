// SPDX-License-Identifier: Apache-2.0

import SignalboxDocuments

/// A document as the app knows it, whether or not it exists.
public struct StoredDocument: Sendable, Equatable, Identifiable {
    public var path: String
    /// The fields; nil if the document does not exist.
    public var data: [String: FieldValue]?
    /// Whether a write of this device has not reached the daemon yet.
    public var hasPendingWrites: Bool

    public var id: String { path.split(separator: "/").last.map(String.init) ?? "" }
    public var exists: Bool { data != nil }

    public init(path: String, data: [String: FieldValue]?, hasPendingWrites: Bool = false) {
        (self.path, self.data, self.hasPendingWrites) = (path, data, hasPendingWrites)
    }

    init(_ snapshot: DocumentSnapshot) {
        self.init(path: snapshot.reference.path, data: snapshot.data, hasPendingWrites: snapshot.hasPendingWrites)
    }
}

/// A failed read or write as the app's screens tell it.
public enum StorageError: Error, Equatable, Sendable {
    case notFound
    case alreadyExists
    case permissionDenied
    case unauthenticated
    /// The daemon cannot be reached, and the cache does not have what was asked for.
    case unavailable
    case invalid(String)
    case unknown(String)

    init(_ error: DocumentError) {
        switch error.code {
        case .notFound: self = .notFound
        case .alreadyExists: self = .alreadyExists
        case .permissionDenied: self = .permissionDenied
        case .unauthenticated: self = .unauthenticated
        case .unavailable: self = .unavailable
        case .invalidArgument: self = .invalid(error.reason)
        default: self = .unknown(error.description)
        }
    }

    /// Runs a call of the client and throws its error as one of the app.
    static func mapping<T>(_ call: () async throws -> T) async throws -> T {
        do { return try await call() } catch let error as DocumentError { throw StorageError(error) }
    }
}

/// Documents as an app with an adapter for each service has them. Paths are texts, such as `users/u1`.
public protocol StorageAdapter: Sendable {
    /// Returns a document. One that does not exist has no data.
    func getDocument(_ path: String) async throws -> StoredDocument
    func setDocument(_ path: String, _ data: [String: FieldValue]) async throws
    /// Changes fields of a document that exists. The names are paths, such as `address.city`.
    func updateDocument(_ path: String, _ data: [String: FieldValue]) async throws
    func deleteDocument(_ path: String) async throws
    /// Adds a document and returns its ID.
    func addDocument(_ collection: String, _ data: [String: FieldValue]) async throws -> String
    func getCollection(_ path: String) async throws -> [StoredDocument]
    func observeDocument(_ path: String) -> AsyncStream<StoredDocument>
    func observeCollection(_ path: String) -> AsyncStream<[StoredDocument]>
}

/// The adapter over `Documents`: those of the app, or of `InMemoryDocuments` in its tests.
public struct SignalboxStorageAdapter: StorageAdapter {
    private let documents: Documents
    private let onError: @Sendable (StorageError) -> Void

    /// - Parameter onError: Gets the error that ends a stream, such as a denial. The streams of the protocol cannot throw.
    public init(_ documents: Documents, onError: @escaping @Sendable (StorageError) -> Void = { _ in }) {
        (self.documents, self.onError) = (documents, onError)
    }

    public func getDocument(_ path: String) async throws -> StoredDocument {
        StoredDocument(try await StorageError.mapping { try await documents.document(path).get() })
    }

    public func setDocument(_ path: String, _ data: [String: FieldValue]) async throws {
        try await StorageError.mapping { try await documents.document(path).set(data) }
    }

    public func updateDocument(_ path: String, _ data: [String: FieldValue]) async throws {
        try await StorageError.mapping { try await documents.document(path).update(data) }
    }

    public func deleteDocument(_ path: String) async throws {
        try await StorageError.mapping { try await documents.document(path).delete() }
    }

    public func addDocument(_ collection: String, _ data: [String: FieldValue]) async throws -> String {
        try await StorageError.mapping { try await documents.collection(collection).add(data) }.id
    }

    public func getCollection(_ path: String) async throws -> [StoredDocument] {
        try await StorageError.mapping { try await documents.collection(path).get() }.documents.map(StoredDocument.init)
    }

    public func observeDocument(_ path: String) -> AsyncStream<StoredDocument> {
        AsyncStream(reading: documents.document(path).snapshots(includeMetadataChanges: true), onError: report) { StoredDocument($0) }
    }

    public func observeCollection(_ path: String) -> AsyncStream<[StoredDocument]> {
        AsyncStream(reading: documents.collection(path).snapshots(includeMetadataChanges: true), onError: report) {
            $0.documents.map(StoredDocument.init)
        }
    }

    private func report(_ error: any Error) {
        onError((error as? DocumentError).map(StorageError.init) ?? .unknown("\(error)"))
    }
}
