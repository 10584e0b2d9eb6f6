// SPDX-License-Identifier: Apache-2.0

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
    private static let admission = Route.admission(\.documents, Documents.requireCapacity)
    private static let queryBytes = 1 << 20

    private static let database = [
        write(.post, root + ":commit", FirestoreWrites.commit), write(.post, root + ":batchWrite", FirestoreWrites.batch),
        stream(root + ":batchGet", FirestoreReads.batchGet),
        read(.post, root + ":beginTransaction", FirestoreReads.begin), read(.post, root + ":rollback", FirestoreReads.rollback),
    ]

    /// Queries search the database, or below a document.
    private static let queries = [root, root + "/{path}"].flatMap { place in
        [
            stream(place + ":runQuery", FirestoreReads.query), stream(place + ":runAggregationQuery", FirestoreReads.aggregate),
            read(.post, place + ":listCollectionIds", FirestoreLists.collections, server),
            read(.post, place + ":partitionQuery", FirestoreLists.partitions, server),
        ]
    }

    private static let documents = [
        read(.get, root + "/{path}", FirestoreReads.get), write(.post, root + "/{path}", FirestoreWrites.create),
        write(.patch, root + "/{path}", FirestoreWrites.patch), write(.delete, root + "/{path}", FirestoreWrites.delete),
    ]

    private static func read<Service: FirestoreService>(
        _ method: HTTPMethod, _ pattern: String, _ handle: @escaping @Sendable (Service) -> (Call) async throws -> HandlerResponse,
        _ key: IntegrationKey = FirestoreIntegration.key
    ) -> Route {
        Route(method, pattern, .integration(key), .task(Service.of, handle), most: queryBytes, takesRest: pattern.contains("{path}"))
    }

    /// A read whose answer is an array.
    private static func stream(
        _ pattern: String, _ handle: @escaping @Sendable (FirestoreReads) -> (Call) async throws -> HandlerResponse
    ) -> Route {
        Route(
            .post, pattern, .integration(key), .task(FirestoreReads.of, handle), most: queryBytes, refusal: FirestoreRefusal.streamResponse,
            takesRest: pattern.contains("{path}"))
    }

    private static func write(
        _ method: HTTPMethod, _ pattern: String, _ handle: @escaping @Sendable (FirestoreWrites) -> (Call) async throws -> HandlerResponse
    ) -> Route {
        Route(
            method, pattern, .integration(key), .task(FirestoreWrites.of, handle), largest: Documents.commitBytes, most: Documents.commitBytes,
            admission: admission, takesRest: pattern.contains("{path}"))
    }
}

/// A service of the Firestore API.
protocol FirestoreService: Sendable {
    static func of(_ daemon: Daemon) -> Self
}
