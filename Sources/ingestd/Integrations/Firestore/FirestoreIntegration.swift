// SPDX-License-Identifier: Apache-2.0

import Firestore
import HTTPServer
import Platform

/// Firestore's REST API v1, for servers with a key to which no rules apply, and for users about whom rules decide.
///
/// A user sends the ID token as bearer, and the API key is an ingest key: `?key=sb_ingest_…`. An app is one project with the database `(default)`.
enum FirestoreIntegration {
    static let integration = Integration("Firestore", refusal: FirestoreRefusal.response, routes: database + queries + documents)

    private static let root = "/v1/projects/{app}/databases/{database}/documents"
    private static let key = IntegrationKey(roles: [.ingest, .data], place: .bearerOrGoogleAPIKey, emulation: .documents)
    private static let server = IntegrationKey(roles: [.data], place: .bearerOrGoogleAPIKey, emulation: .documents)
    private static let admission = Route.admission(\.documents, Documents.checkQueue)
    private static let queryBytes = 1 << 20

    private static let database = [
        write(.post, root + ":commit", FirestoreWrites.commit), write(.post, root + ":batchWrite", FirestoreWrites.batch),
        read(.post, root + ":batchGet", FirestoreReads.batchGet, refusal: FirestoreRefusal.streamResponse),
        read(.post, root + ":beginTransaction", FirestoreReads.begin), read(.post, root + ":rollback", FirestoreReads.rollback),
    ]

    /// Queries search the database, or below a document.
    private static let queries = [root, root + "/{path}"].flatMap { place in
        [
            read(.post, place + ":runQuery", FirestoreReads.query, refusal: FirestoreRefusal.streamResponse),
            task(place + ":runAggregationQuery", FirestoreReads.aggregate, key, refusal: FirestoreRefusal.streamResponse),
            task(place + ":listCollectionIds", FirestoreLists.collections, server),
            task(place + ":partitionQuery", FirestoreLists.partitions, server),
        ]
    }

    private static let documents = [
        read(.get, root + "/{path}", FirestoreReads.get), write(.post, root + "/{path}", FirestoreWrites.create),
        write(.patch, root + "/{path}", FirestoreWrites.patch), write(.delete, root + "/{path}", FirestoreWrites.delete),
    ]

    /// The answer to methods of Google's API that are not there, such as `:listen`, and to names of documents that cannot be read, in the form
    /// that its clients read; nil for other paths.
    static func answerWithoutRoute(at path: String) -> HTTPResponse? {
        guard path.hasPrefix("/v1/projects/"), path.contains("/databases/") else { return nil }
        if path.contains("/documents/"), DocumentPaths.hasUnreadableID(path) {
            return FirestoreFault(.invalidArgument, "Document name is invalid: an ID \(DocumentPaths.unreadableID).").response(inStream: false)
        }
        return FirestoreFault(.unimplemented, "The method is not implemented; GET /v1/openapi.json lists those that are.").response(inStream: false)
    }

    private typealias Method<Service> = @Sendable (Service) -> (Call) async throws -> HTTPResponse

    /// A read that a reader's thread finishes.
    private static func read(
        _ method: HTTPMethod, _ pattern: String, _ handle: @escaping Method<FirestoreReads>, refusal: Route.RefusalForm? = nil
    ) -> Route {
        route(method, pattern, .read(FirestoreReads.of, handle), key, refusal)
    }

    /// A read that takes longer.
    private static func task<Service: FirestoreService>(
        _ pattern: String, _ handle: @escaping Method<Service>, _ key: IntegrationKey, refusal: Route.RefusalForm? = nil
    ) -> Route {
        route(.post, pattern, .task { daemon, call in .response(try await handle(Service.of(daemon))(call)) }, key, refusal)
    }

    private static func route(
        _ method: HTTPMethod, _ pattern: String, _ handler: Route.Handler, _ key: IntegrationKey, _ refusal: Route.RefusalForm?
    ) -> Route {
        Route(method, pattern, .integration(key), handler, most: queryBytes, refusal: refusal, takesRest: pattern.contains("{path}"))
    }

    private static func write(_ method: HTTPMethod, _ pattern: String, _ handle: @escaping Method<FirestoreWrites>) -> Route {
        Route(
            method, pattern, .integration(key), .begun(FirestoreWrites.of, handle), largest: Documents.commitBytes, most: Documents.commitBytes,
            admission: admission, takesRest: pattern.contains("{path}"))
    }
}

/// A service of the Firestore API.
protocol FirestoreService: Sendable {
    static func of(_ daemon: Daemon) -> Self
}
