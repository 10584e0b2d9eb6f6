// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The daemon over HTTP. Requests have the ID token of the store's user, or the key without one.
struct HTTPTransport: DocumentTransport {
    /// The limit of a stream's event in bytes. The first event of a result has all of its documents.
    private static let longestEvent = 256 << 20
    /// Idle timeout of a stream in seconds, more than twice the daemon's keep-alive interval.
    private static let silence: TimeInterval = 100

    private let client: APIClient
    /// The user whose data the store has; nil for the key alone.
    private let user: String?
    private let idToken: DocumentOptions.IDTokenProvider?

    init(_ options: DocumentOptions, user: String?) {
        client = APIClient(address: options.address, key: options.key)
        (self.user, idToken) = (user, options.idToken)
    }

    func close() { client.close() }

    func documents(_ paths: [DocumentPath], _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments {
        let node = try await post(":get") { json in
            json.list("paths", paths) { $0.string($1.description) }
            json.members(of: held)
        }
        return try RemoteDocuments(node)
    }

    func result(of query: DocumentQuery, _ held: HeldRead?) async throws(DocumentError) -> RemoteDocuments {
        let node = try await post(":query") { json in
            json.queryMembers(query)
            json.members(of: held)
        }
        return try RemoteDocuments(node)
    }

    func aggregates(
        _ aggregates: [(name: String, aggregate: Aggregate)], over query: DocumentQuery
    ) async throws(DocumentError) -> [String: DocumentValue] {
        let node = try await post(":aggregate") { json in
            json.queryMembers(query)
            json.object("aggregates") { json in
                for (name, aggregate) in aggregates {
                    json.key(name)
                    json.aggregate(aggregate)
                }
            }
        }
        guard let members = node["values"]?.members else { throw HTTPTransport.foreign }
        var values: [String: DocumentValue] = [:]
        for member in members { values[member.name] = NativeText.value(member.value) }
        return values
    }

    func commit(_ request: CommitRequest) async throws(DocumentError) -> CommitAnswer {
        let node = try await post(":commit") { json in
            json.list("writes", request.writes) { $0.write($1) }
            if !request.reads.isEmpty {
                json.list("reads", request.reads) { json, read in
                    json.object { json in
                        json.field("path", read.path.description)
                        json.field("version", read.version)
                    }
                }
            }
            if !request.conditions.isEmpty {
                json.list("queries", request.conditions) { json, condition in
                    json.object { json in
                        json.key("query")
                        json.query(condition.query)
                        json.field("stamp", condition.stamp)
                    }
                }
            }
            json.field("client", request.client)
            json.field("batch", request.batch)
            json.field("hold", request.hold)
        }
        return try CommitAnswer(node)
    }

    func listen(_ targets: [StreamTarget], resume: String?, _ onEvent: @escaping @Sendable (StreamEvent) -> Bool) async throws(DocumentError) {
        var json = JSONText()
        json.object { json in
            json.list("targets", targets) { $0.target($1) }
            json.field("resume", resume)
        }
        let token = try await token()
        guard try await !listen(json.bytes, token, onEvent) else { return }
        _ = try await listen(json.bytes, try await self.token(insteadOf: token), isLast: true, onEvent)
    }

    /// Runs a stream to its end. Returns false if the daemon does not take the token and a last attempt may follow.
    private func listen(
        _ body: [UInt8], _ token: String?, isLast: Bool = false, _ onEvent: @escaping @Sendable (StreamEvent) -> Bool
    ) async throws(DocumentError) -> Bool {
        var request = client.request("POST", "v1/documents:listen", token: token)
        request.httpBody = Data(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let connection = StreamConnection(longestEvent: HTTPTransport.longestEvent) { event in
            guard let event = StreamEvent(event) else { return true }
            return onEvent(event)
        }
        do throws(SignalboxError) { try await connection.run(request, silence: HTTPTransport.silence) } catch {
            if token != nil, !isLast, connection.rejection?.rejectsToken ?? false { return false }
            throw DocumentError(error)
        }
        return true
    }

    func change(stream: String, add: [StreamTarget], remove: [Int64]) async throws(DocumentError) {
        _ = try await exchange(":listen/\(stream)") { json in
            if !add.isEmpty { json.list("add", add) { $0.target($1) } }
            if !remove.isEmpty { json.list("remove", remove) { $0.raw(String($1)) } }
        }
    }

    // MARK: Requests

    static let foreign = DocumentError(.unavailable, "The response did not come from Signalbox; a proxy may have answered. Check the address.")

    private func post(_ verb: String, _ members: (inout JSONText) -> Void) async throws(DocumentError) -> JSONNode {
        guard let node = JSONNode(try await exchange(verb, members)) else { throw HTTPTransport.foreign }
        return node
    }

    /// Posts JSON. An ID token that the daemon does not take is replaced once.
    private func exchange(_ verb: String, _ members: (inout JSONText) -> Void) async throws(DocumentError) -> Data {
        var json = JSONText()
        json.object(members)
        let token = try await token()
        var response = try await send(verb, json.bytes, token)
        if token != nil, response.rejectsToken { response = try await send(verb, json.bytes, try await self.token(insteadOf: token)) }
        guard (200..<300).contains(response.status) else { throw DocumentError(response) }
        return response.body
    }

    private func send(_ verb: String, _ body: [UInt8], _ token: String?) async throws(DocumentError) -> APIClient.Response {
        do throws(SignalboxError) { return try await client.send("POST", "v1/documents" + verb, body, token: token) } catch {
            throw DocumentError(error)
        }
    }

    /// The ID token of the store's user. Data of one user is never sent as another.
    ///
    /// - Parameter rejected: A token that the daemon did not take.
    private func token(insteadOf rejected: String? = nil) async throws(DocumentError) -> String? {
        guard let user else { return nil }
        let session: (user: String, token: String)?
        do { session = try await idToken?(rejected) } catch let error as DocumentError {
            throw error
        } catch {
            throw DocumentError(.unavailable, "No ID token can be had now: \(error)")
        }
        guard let session else { throw DocumentError(.unauthenticated, "The user \(user) is not signed in.") }
        guard session.user == user else { throw DocumentError(.unauthenticated, "Another user is signed in than the documents belong to.") }
        return session.token
    }
}

extension DocumentError {
    init(_ response: APIClient.Response) {
        let node = JSONNode(response.body)
        guard let code = node?["code"]?.text, let detail = node?["detail"]?.text else {
            self.init(.unavailable, HTTPTransport.foreign.reason, retryAfter: response.retryAfter)
            return
        }
        self.init(problem: code, status: response.status, detail, retryAfter: response.retryAfter)
    }
}

extension JSONText {
    fileprivate mutating func members(of held: HeldRead?) {
        guard let held else { return }
        field("retry", true)
        field("hold", held.hold)
    }

    fileprivate mutating func aggregate(_ aggregate: Aggregate) {
        object { json in
            switch aggregate {
            case .count(nil): json.field("count", true)
            case .count(let limit?): json.field("count", Int64(limit))
            case .sum(let field): json.field("sum", field.description)
            case .average(let field): json.field("avg", field.description)
            case .minimum(let field): json.field("min", field.description)
            case .maximum(let field): json.field("max", field.description)
            }
        }
    }

    fileprivate mutating func target(_ target: StreamTarget) {
        object { json in
            json.field("target", target.number)
            switch target.kind {
            case .document(let path): json.field("document", path.description)
            case .query(let query):
                json.key("query")
                json.query(query)
            }
            guard let known = target.known else { return }
            json.object("known") { json in
                for (path, version) in known {
                    json.key(path.description)
                    json.raw(String(version))
                }
            }
        }
    }
}
