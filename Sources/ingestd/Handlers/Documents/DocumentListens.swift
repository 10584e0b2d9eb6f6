// SPDX-License-Identifier: Apache-2.0

import DocumentRequests
import AccountStore
import AcrossStores
import DocumentStore
import HTTPServer
import JSON
import Listening
import Platform
import SignalboxDocumentModel

/// Streams of documents and query results as server-sent events.
///
///     POST /v1/documents:listen {"targets": [{"target": 1, "query": {"from": "orders"}}]}
///     event: stream     data: {"id": "str_…"}                     the name for :listen/{stream}
///     event: change     data: {"stamp": …, "changes": […]}        id: a token to resume from
///     event: target     data: {"target": 1, "state": "current"}   the result is whole
struct DocumentListens: Sendable {
    private static let bodyBytes = 1 << 20
    private static let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]

    let store: Stores
    let parser: JSONParser
    let configuration: LiveConfiguration
    let clock: WallClock
    let open = OpenDocumentStreams()

    static let routes = [
        Route(.post, "/v1/documents:listen", Documents.access, .task(\.documentListens, DocumentListens.listen), most: bodyBytes),
        Route(.post, "/v1/documents:listen/{stream}", Documents.access, .task(\.documentListens, DocumentListens.change), most: bodyBytes),
    ]

    func listen(_ call: Call) async throws -> HandlerResponse {
        let app = try call.onlyApp(in: store)
        let body = try DocumentReading(try call.json(), parser)
        try body.allow("targets", "resume")
        let (caller, holder) = (call.caller, StreamHolder(call))
        let targets = try body.listenTargets("targets", examining: store.documents.bounds.examined(by: caller.rulePrincipal))
        let text = try body.text("resume") ?? call.head.header("Last-Event-ID")
        let token = text.flatMap { store.documents.listening.token($0, app: app.id, user: holder.uid) }
        let place = try open.place(for: call)
        let stream = DocumentEventStream(try store.documents.listening.open(app.id, for: call.listenClient), store.documents, for: holder)
        stream.keep(sessionWatch(of: caller, stream))
        let beginning = ConnectedDocumentStream.Beginning(targets: targets, resumes: text != nil, token: token)
        return .events(status: 200, headers: Self.headers) { ConnectedDocumentStream(stream, beginning, self, place, $0) }
    }

    /// Wakes a user's stream when the session ends.
    private func sessionWatch(of caller: Caller, _ stream: DocumentEventStream) -> SessionWatch? {
        guard case .user(let user) = caller else { return nil }
        return store.accounts.hub.watch(user.session) { [weak stream] in stream?.listener.wake() }
    }

    /// Wakes a stream for the next heartbeat, or when there is news about its token.
    func beat(_ stream: DocumentEventStream) {
        stream.listener.beat(after: min(configuration.now.stream.keepAlive, stream.holder.quiet(at: clock.now())))
    }

    /// Adds targets to an open stream, then removes others. The token of the request takes the place of an older one of the stream.
    func change(_ call: Call) async throws -> HandlerResponse {
        _ = try call.onlyApp(in: store)
        let body = try DocumentReading(try call.json(), parser)
        try body.allow("add", "remove")
        let most = store.documents.bounds.examined(by: call.caller.rulePrincipal)
        let targets = try body["add"] == nil ? [] : body.listenTargets("add", examining: most)
        let gone = try (body.elements("remove", atMost: DocumentListener.targetsAtOnce) ?? []).map { index throws(Refusal) in
            guard let number = body.tape[index].integer else { throw body.refuse("remove", "must be a list of numbers of targets") }
            return Int(clamping: number)
        }
        guard let stream = open.stream(call.parameter("stream"), call.caller) else {
            throw Refusal(
                .notFound, "There is no such stream.", hint: "A stream is known by the user or key that opened it, as long as it is open.")
        }
        stream.renew(StreamHolder(call), sessionWatch(of: call.caller, stream))
        try await stream.add(targets)
        for number in gone { stream.remove(number) }
        return .noContent
    }
}
