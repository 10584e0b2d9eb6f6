// SPDX-License-Identifier: Apache-2.0

/// Keeps one document in memory and up to date, such as the signed-in user's profile.
///
/// ```swift
/// let profile = DocumentSyncEngine(remote: CollectionService<Profile>(documents, path: "users"), managerKey: "profile")
/// try await profile.startListening(documentId: userID)
/// label.text = profile.currentDocument?.name
/// ```
///
/// With another user of the service the listener ends, and ``currentDocument`` is what was seen as that user.
public final class DocumentSyncEngine<Model: SyncedModel>: Sendable {
    private let remote: any RemoteDocumentService<Model>
    private let memory: EngineMemory<Model>

    /// Creates an engine, which shows what it has seen in an earlier launch.
    ///
    /// - Parameters:
    ///   - remote: The collection of the document.
    ///   - managerKey: The name under which the document is kept on the disk; different for each engine of an app.
    ///   - enableLocalPersistence: Whether ``currentDocument`` is there at the next launch before anything was read.
    ///   - logger: Gets a line when the listener ends with an error.
    public init(remote: any RemoteDocumentService<Model>, managerKey: String, enableLocalPersistence: Bool = true, logger: SyncLogger? = nil) {
        self.remote = remote
        memory = EngineMemory(remote, key: enableLocalPersistence ? managerKey : nil, logger)
    }

    /// The document as it was last seen; nil if it does not exist or nothing was read.
    public var currentDocument: Model? { memory.seen?.models.first }

    /// Reads the document, and follows it until ``stopListening()``. A document that does not exist is no error.
    ///
    /// - Parameter documentId: The ID of the document.
    /// - Throws: ``DocumentSyncError/collectionPathNotAvailable`` without a path.
    public func startListening(documentId: String) async throws {
        try await memory.follow(
            remote.streamDocument(id: documentId), begin: { $0?.id == documentId ? $0 : SeenDocuments(id: documentId) },
            { SeenDocuments(id: documentId, models: $0.map { [$0] } ?? []) })
    }

    /// Stops following the document and forgets it.
    public func stopListening() { stopListening(clearCaches: true) }

    /// Stops following the document.
    ///
    /// - Parameter clearCaches: Whether ``currentDocument`` is forgotten, here and on the disk.
    public func stopListening(clearCaches: Bool) { memory.stop(forgets: clearCaches) }

    private func currentID() throws -> String {
        guard let id = memory.seen?.id else { throw DocumentSyncError.notListening }
        return id
    }

    /// Returns a document of the same collection.
    public func getDocument(id: String) async throws -> Model { try await remote.getDocument(id: id) }

    /// Returns the document, from memory if it is there.
    public func getDocumentAsync() async throws -> Model {
        if let document = currentDocument { return document }
        return try await remote.getDocument(id: try currentID())
    }

    /// Writes a document.
    public func saveDocument(_ model: Model) async throws { try await remote.saveDocument(model) }

    /// Changes fields of the document. The names are paths, such as `address.city`.
    public func updateDocument(data: [String: FieldValue]) async throws { try await remote.updateDocument(id: try currentID(), data: data) }

    /// Deletes the document.
    public func deleteDocument() async throws { try await remote.deleteDocument(id: try currentID()) }

    /// Streams a document of the same collection.
    public func streamDocument(id: String) -> AsyncThrowingStream<Model?, any Error> { remote.streamDocument(id: id) }
}
