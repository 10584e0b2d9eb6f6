// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Signalbox

/// Keeps one document in memory and up to date, such as the signed-in user's profile.
///
/// ```swift
/// let profile = DocumentSyncEngine(remote: CollectionService<Profile>(documents, path: "users"), managerKey: "profile")
/// try await profile.startListening(documentId: userID)
/// label.text = profile.currentDocument?.name
/// ```
public final class DocumentSyncEngine<Model: SyncedModel>: Sendable {
    private struct Saved: Codable, Sendable {
        var id: String
        var document: Model?
    }

    private struct State {
        var saved: Saved?
        var listening: Task<Void, Never>?
    }

    private let remote: any RemoteDocumentService<Model>
    private let logger: SyncLogger?
    private let file: EngineFile<Saved>
    private let state: Locked<State>

    /// - Parameters:
    ///   - managerKey: The name under which the document is kept on the disk; different for each engine of an app.
    ///   - enableLocalPersistence: Whether ``currentDocument`` is there at the next launch before anything was read.
    public init(
        remote: any RemoteDocumentService<Model>, managerKey: String, enableLocalPersistence: Bool = true, logger: SyncLogger? = nil,
        folder: URL? = nil
    ) {
        (self.remote, self.logger) = (remote, logger)
        file = EngineFile(key: enableLocalPersistence ? managerKey : nil, in: folder)
        state = Locked(State(saved: file.load()))
    }

    deinit {
        state.withLock { $0.listening }?.cancel()
    }

    /// The document as it was last seen; nil if it does not exist or nothing was read.
    public var currentDocument: Model? { state.withLock { $0.saved?.document } }

    /// Reads the document, and follows it until ``stopListening()``.
    ///
    /// - Throws: ``DocumentSyncError/collectionPathNotAvailable`` without a path. A document that does not exist is no error.
    public func startListening(documentId: String) async throws {
        stopListening(keepsDocument: state.withLock { $0.saved?.id == documentId })
        state.withLock { if $0.saved?.id != documentId { $0.saved = Saved(id: documentId, document: nil) } }
        let stream = remote.streamDocument(id: documentId)
        let first = FirstResult()
        let listening = Task { [weak self] in
            do {
                for try await model in stream {
                    self?.keep(Saved(id: documentId, document: model))
                    first.resolve(nil)
                }
                first.resolve(nil)
            } catch {
                self?.logger?("listening to \(documentId) ended: \(error)")
                first.resolve(error)
            }
        }
        state.withLock { $0.listening = listening }
        try await first.wait()
    }

    /// Stops following the document and forgets it.
    public func stopListening() { stopListening(keepsDocument: false) }

    private func stopListening(keepsDocument: Bool) {
        let listening = state.withLock { state in
            defer { state.listening = nil }
            if !keepsDocument { state.saved = nil }
            return state.listening
        }
        listening?.cancel()
        if !keepsDocument { file.save(nil) }
    }

    private func keep(_ saved: Saved) {
        let isCurrent = state.withLock { state in
            guard state.saved?.id == saved.id else { return false }
            state.saved = saved
            return true
        }
        if isCurrent { file.save(saved) }
    }

    private func currentID() throws -> String {
        guard let id = state.withLock({ $0.saved?.id }) else { throw DocumentSyncError.notListening }
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

/// The end of a listener's beginning: its first result, or an error.
final class FirstResult: Sendable {
    private let outcome = WriteOutcome()
    private let failure = Locked<(any Error)?>(nil)

    func resolve(_ error: (any Error)?) {
        failure.withLock { $0 = $0 ?? error }
        outcome.resolve(.success(()))
    }

    func wait() async throws {
        try await outcome.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
