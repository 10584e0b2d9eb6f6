// SPDX-License-Identifier: Apache-2.0

import Delivery
import FunctionStore
import Functions
import HTTPClient
import HTTPServer
import JSON
import Platform
import Synchronization

/// A call from its arrival to its response, which is given once.
///
/// Events drive it: a place is free, bytes arrive, the client leaves. No thread and no task waits for a target.
final class CallExchange: HTTPEventSource {
    private struct State: Sendable {
        var isUnderWay = false
        var isOver = false
        /// Ends the wait for a place.
        var timer: Task<Void, Never>?
        var token: String?
        /// Where messages of a stream go.
        var sink: HTTPEventSink?
        var reader: CallStreamReader
        /// The bytes of the target's answer, or of one that is no stream.
        var received = 0
        var response: [UInt8] = []
        /// Why this side ended the exchange.
        var fault: CallError?
    }

    let number: Int64
    let draft: CallDraft
    let target: DirectTarget?
    private let desk: CallDesk
    private let reply: PendingReply
    private let parser: JSONParser
    private let started = ContinuousClock.now
    private let state: Mutex<State>

    init(_ number: Int64, _ draft: CallDraft, _ desk: CallDesk, _ reply: PendingReply, _ parser: JSONParser) {
        (self.number, self.draft, self.desk, self.reply, self.parser) = (number, draft, desk, reply, parser)
        target = desk.target(of: draft.function)
        state = Mutex(State(reader: CallStreamReader(parser)))
    }

    /// The number of the function.
    var function: Int64 { draft.function.id }

    /// Whether a program carries the call out.
    var hasWorker: Bool { if case .worker = draft.function.definition.target { true } else { false } }

    /// The loop of the client's connection.
    var loop: SocketLoopHandle { reply.loop }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// The time that is left for the call.
    private var left: Duration { .seconds(draft.function.definition.callSeconds) - (ContinuousClock.now - started) }

    // MARK: Beginning

    /// Begins the stream, if the client wants one, and asks for a place.
    func start() {
        if draft.wantsEvents {
            reply.stream(headers: CallExchange.streamHeaders) { sink in
                state.withLock { $0.sink = sink }
                return self
            }
        } else {
            reply.observe(self)
        }
        desk.enter(self)
    }

    private static let streamHeaders = [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
    ]

    /// Waits for a place, for as long as the call may take.
    func waits() {
        let timer = Task { [weak self, left] in
            try? await Task.sleep(for: left)
            if !Task.isCancelled { self?.giveUpWaiting() }
        }
        state.withLock { $0.timer = timer }
    }

    private func giveUpWaiting() {
        if desk.giveUp(self) { end(.failure(CallError(.deadlineExceeded, "The function had no free place in time."))) }
    }

    /// Returns the request to send, now that there is a place; nil if the call is over.
    func begins(at now: Timestamp) -> CourierRequest? {
        let isOver = state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            state.isUnderWay = !state.isOver
            return state.isOver
        }
        guard !isOver else { return nil }
        let life = Timestamp.Span.seconds(Int64(draft.function.definition.callSeconds))
        let token = desk.tokens.issue(for: draft.function, depth: draft.depth, life: life)
        // The client may have left meanwhile; nobody ends the key then.
        let hasLeft = state.withLock { state in
            if !state.isOver { state.token = token }
            return state.isOver
        }
        if hasLeft {
            if let token { desk.tokens.end(token) }
            return nil
        }
        do {
            var request = try CallWriter.request(number, draft, token: token, at: now, timeout: max(.milliseconds(1), left))
            request.receiver = { [self] head, bytes in take(head, bytes) }
            return request
        } catch {
            end(.failure(error as? CallError ?? CallError(.internal, "The request to the function could not be written.")))
            return nil
        }
    }

    // MARK: Answer

    /// Takes a piece of the target's answer. Returns whether it may go on.
    private func take(_ head: CourierHead, _ bytes: [UInt8]) -> Bool {
        let isStream = draft.wantsEvents && head.contentType?.lowercased().hasPrefix("text/event-stream") == true
        var items: [CallStreamReader.Item] = []
        let goesOn = state.withLock { state in
            guard !state.isOver else { return false }
            state.received += bytes.count
            state.fault = fault(received: state.received, bytes.count)
            guard state.fault == nil else { return false }
            if isStream { items = state.reader.read(bytes.span) } else { state.response += bytes }
            return true
        }
        for item in items {
            switch item {
            case .message(let json): send(Array("{\"message\":".utf8) + json + "}".utf8)
            case .end(let answer): end(answer, Self.report(of: answer, status: head.status))
            }
        }
        return goesOn
    }

    /// Returns why no more is taken; nil if more is.
    private func fault(received: Int, _ count: Int) -> CallError? {
        guard received <= CallBody.maximumBytes else {
            return CallError(.internal, "The function's result has more than \(CallBody.maximumBytes >> 20) MiB.")
        }
        do throws(HTTPRequestError) {
            try draft.memory?.grow(by: count)
            return nil
        } catch {
            return CallError(.resourceExhausted, "The server has no free memory for the result.")
        }
    }

    /// Ends with the courier's result.
    func ended(_ result: CourierResult) {
        let (fault, response) = state.withLock { ($0.fault, $0.response) }
        if let fault { return end(.failure(fault), .responded) }
        if let failure = result.failure { return end(.failure(CallError(failure)), failure.report) }
        if response.isEmpty, draft.wantsEvents, let answer = state.withLock({ $0.received > 0 ? $0.reader.finish() : nil }) {
            return end(answer, Self.report(of: answer, status: result.status))
        }
        guard response.count > CallExchange.smallAnswer else { return end(result.status, response) }
        // The courier's thread serves other calls too.
        Task { end(result.status, response) }
    }

    private func end(_ status: Int, _ response: [UInt8]) {
        let answer = CallAnswer(status: status, response, parser)
        end(answer, Self.report(of: answer, status: status))
    }

    /// The meaning of an answer for the function's breaker. An error that the target states concerns one call, and must not close the function.
    private static func report(of answer: CallAnswer, status: Int) -> OriginReport {
        if case .failure(let error) = answer, error.isStated { return .responded }
        return [502, 503, 504].contains(status) ? .failed : .responded
    }

    private static let smallAnswer = 64 << 10

    /// Responds, unless the call is over. The place becomes free.
    func end(_ answer: CallAnswer, _ report: OriginReport? = nil) {
        guard let last = close() else { return }
        desk.left(self, report)
        desk.count(self, answer.status, after: ContinuousClock.now - started)
        if case .failure(let error) = answer { desk.failures.note(error, of: draft, after: ContinuousClock.now - started) }
        if let sink = last.sink {
            sink.send(answer.json)
            sink.finish()
        } else {
            reply.send(answer.response)
        }
    }

    private func send(_ json: [UInt8]) {
        state.withLock { $0.isOver ? nil : $0.sink }?.send(json)
    }

    /// Ends the call's key and timer; nil if it is over.
    private func close() -> State? {
        let last: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer {
                state.isOver = true
                state.response = []
            }
            return state
        }
        last?.timer?.cancel()
        if let token = last?.token { desk.tokens.end(token) }
        return last
    }

    // MARK: Client

    /// More can always be sent, since the bytes of all messages are bounded.
    func connectionIsReady() {}

    func connectionClosed() {
        guard let last = close() else { return }
        desk.count(self, .cancelled, after: ContinuousClock.now - started)
        if last.isUnderWay { desk.cancel(self) } else { _ = desk.giveUp(self) }
    }
}

extension HTTPEventSink {
    /// Sends an event of one line: `data: {"message":1}`. Clients on iOS understand no other lines.
    fileprivate func send(_ json: [UInt8]) {
        _ = send(Array("data: ".utf8) + CallStreamReader.withoutLineEnds(json[...]) + "\n\n".utf8, butFor: .max)
    }
}

extension CallAnswer {
    fileprivate var status: CallStatus {
        switch self {
        case .result: .ok
        case .failure(let error): error.status
        }
    }

    /// The body of the response.
    fileprivate var json: [UInt8] {
        switch self {
        case .result(let json): Array("{\"result\":".utf8) + json + "}".utf8
        case .failure(let error): error.json
        }
    }

    fileprivate var response: HTTPResponse {
        switch self {
        case .result: .json(json)
        case .failure(let error): HTTPResponse(error)
        }
    }
}

extension HTTPResponse {
    init(_ error: CallError) {
        self = .json(error.json, status: error.status.httpStatus)
        if let seconds = error.retryAfterSeconds { headers.append(("Retry-After", String(seconds))) }
    }
}

extension CallError {
    fileprivate init(_ failure: CourierFailure) {
        switch failure {
        case .timedOut: self.init(.deadlineExceeded, "The function did not answer in time.")
        case .blockedAddress, .blockedPort: self.init(.unavailable, "The function's address is not allowed.")
        case .cancelled: self.init(.unavailable, "The server is shutting down.")
        default: self.init(.unavailable, "The function cannot be reached.")
        }
    }
}

extension CourierFailure {
    /// The meaning for the function's breaker; nil if it says nothing about the target.
    fileprivate var report: OriginReport? {
        switch self {
        case .timedOut: .failed
        case .cancelled, .blockedAddress, .blockedPort, .failed: nil
        default: .unreachable
        }
    }
}
