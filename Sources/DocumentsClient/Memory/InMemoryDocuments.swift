// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// Documents in memory, for tests of apps. There are no rules; values, order, queries and writes are those of the daemon.
///
/// ```swift
/// let server = InMemoryDocuments(["users/u1": ["name": "Ann"]])
/// let model = ProfileModel(documents: server.documents)
/// server.setOnline(false)
/// ```
public final class InMemoryDocuments: Sendable {
    /// The documents of the first device.
    public let documents: Documents
    private let server: InMemoryServer

    /// Creates a service with documents by path.
    ///
    /// - Throws: ``DocumentError`` with the code `invalidArgument` for a path or a value that no document may have.
    public convenience init(_ seed: [String: [String: FieldValue]] = [:]) throws(DocumentError) { try self.init(seed, engineFolder: nil) }

    /// - Parameter engineFolder: The folder in which sync engines keep documents.
    init(_ seed: [String: [String: FieldValue]], engineFolder: URL?) throws(DocumentError) {
        server = InMemoryServer()
        documents = try InMemoryDocuments.device(of: server, engineFolder)
        var writes: [ClientWrite] = []
        for (path, fields) in seed {
            guard let path = DocumentPath(path) else { throw .invalid("This is not the path of a document: \(path)") }
            writes.append(ClientWrite(path, .set(try WrittenFields(fields))))
        }
        _ = try server.commit(CommitRequest(writes: writes, client: "seed", batch: 1))
    }

    /// The documents of another device of the same service.
    public func device() throws(DocumentError) -> Documents { try InMemoryDocuments.device(of: server) }

    /// An address that no request is sent to.
    private static let address = URL(fileURLWithPath: "/")

    private static func device(of server: InMemoryServer, _ folder: URL? = nil) throws(DocumentError) -> Documents {
        var options = DocumentOptions(address: InMemoryDocuments.address, key: "")
        (options.isPersistent, options.folder) = (false, folder)
        options.backoff = Backoff(first: 0.01, longest: 0.05)
        return try Documents(options, transport: { _, _ in InMemoryTransport(server: server) })
    }

    /// Makes the service reachable, or not.
    public func setOnline(_ isOnline: Bool) { server.setOnline(isOnline) }

    /// Makes all writes fail with an error, until it is called with nil.
    public func failWrites(with error: DocumentError?) { server.failWrites(with: error) }

    /// The documents that the service has, by path.
    public var stored: [String: [String: FieldValue]] { server.stored }
}
