// SPDX-License-Identifier: Apache-2.0

public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Functions reached through the daemon.
public final class LiveFunctions: Functions {
    /// The limit of unread messages of a stream. A reader that is slower ends the call.
    static let maxUnread = 1_000
    /// The limit of a result in a stream, the daemon's.
    private static let maxEventBytes = 11 << 20
    /// The longest time limit in seconds, which an endless one is.
    private static let longestSeconds: TimeInterval = 24 * 60 * 60

    private let client: APIClient
    private let apps: AppRequests

    init(options: SignalboxOptions, accounts: LiveAccounts) {
        apps = AppRequests(options: options, keeper: accounts.keeper)
        // Calls have time limits of their own, and must not run twice.
        client = APIClient(
            address: options.address, key: options.key, silence: LiveFunctions.longestSeconds, mayRepeat: false)
    }

    deinit {
        client.close()
    }

    /// Cancelling the task ends the call at the daemon. An ID token that the daemon does not take is refreshed once; the call with the new one
    /// has the rest of the time.
    public func call(_ name: String, _ data: JSONValue, timeout: TimeInterval) async throws(FunctionsError) -> JSONValue {
        let target = try await target()
        let end = ContinuousClock.now + .seconds(max(0, min(LiveFunctions.longestSeconds, timeout)))
        let response = try await send(try request(name, data, target), until: end, timeout)
        do {
            return try CallResponse.result(of: response)
        } catch {
            guard let renewed = try await renewed(target, after: error) else { throw error }
            return try CallResponse.result(of: try await send(try request(name, data, renewed), until: end, timeout))
        }
    }

    /// - Parameters:
    ///   - end: The time at which the call ends without a response.
    ///   - timeout: The limit of the whole call, which the error names.
    private func send(
        _ request: URLRequest, until end: ContinuousClock.Instant, _ timeout: TimeInterval
    ) async throws(FunctionsError) -> APIClient.Response {
        // The function must not run for a call that has ended, as after a slow refresh.
        if ContinuousClock.now >= end { throw LiveFunctions.late(timeout) }
        let call = Task { [client] () -> Result<APIClient.Response, SignalboxError> in
            do throws(SignalboxError) { return .success(try await client.perform(request)) } catch { return .failure(error) }
        }
        let isLate = Locked(false)
        let limit = Task {
            try await Task.sleep(until: end, clock: .continuous)
            isLate.withLock { $0 = true }
            call.cancel()
        }
        defer { limit.cancel() }
        let result = await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            call.cancel()
        }
        switch result {
        case .success(let response): return response
        case .failure(let error):
            if isLate.withLock({ $0 }) { throw LiveFunctions.late(timeout) }
            if Task.isCancelled { throw FunctionsError(.cancelled, "The call was cancelled.") }
            throw FunctionsError(error)
        }
    }

    private static func late(_ timeout: TimeInterval) -> FunctionsError {
        FunctionsError(.deadlineExceeded, "The call took longer than \(timeout) seconds.")
    }

    /// Returns the target with another ID token, if the daemon did not take that of a call and so has not made it; `nil` otherwise. A function
    /// may answer `unauthenticated` itself, so the daemon is asked about the token.
    private func renewed(_ target: AppRequests.Target, after error: FunctionsError) async throws(FunctionsError) -> AppRequests.Target? {
        guard error.code == .unauthenticated, let token = target.token, await apps.keeper.isRejected(token) else { return nil }
        return try await self.target(of: .one(target.user), insteadOf: token)
    }

    /// A reader that leaves a thousand messages unread ends the call with `resourceExhausted`.
    public func stream(
        _ name: String, _ data: JSONValue, timeout: TimeInterval
    ) -> AsyncThrowingStream<StreamResponse<JSONValue, JSONValue>, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: StreamResponse<JSONValue, JSONValue>.self, bufferingPolicy: .bufferingOldest(LiveFunctions.maxUnread))
        let task = Task {
            do throws(FunctionsError) {
                try await read(name, data, timeout, continuation)
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    func close() {
        client.close()
    }

    private typealias Continuation = AsyncThrowingStream<StreamResponse<JSONValue, JSONValue>, any Error>.Continuation

    /// The result of a stream, once its last event was received.
    private enum Outcome {
        case done
        case failed(FunctionsError)
    }

    private func read(_ name: String, _ data: JSONValue, _ timeout: TimeInterval, _ continuation: Continuation) async throws(FunctionsError) {
        let target = try await target()
        let isAnswered = Locked(false)
        do {
            try await read(try request(name, data, target), timeout, continuation, isAnswered)
        } catch {
            guard !isAnswered.withLock({ $0 }), let renewed = try await renewed(target, after: error) else { throw error }
            try await read(try request(name, data, renewed), timeout, continuation, isAnswered)
        }
    }

    /// - Parameter isAnswered: Set once a part of the function's response was received.
    private func read(
        _ request: URLRequest, _ timeout: TimeInterval, _ continuation: Continuation, _ isAnswered: Locked<Bool>
    ) async throws(FunctionsError) {
        var request = request
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        let outcome = Locked<Outcome?>(nil)
        let connection = StreamConnection(longestEvent: LiveFunctions.maxEventBytes) { event in
            let step = LiveFunctions.handle(event, continuation)
            if case .failed = step {} else { isAnswered.withLock { $0 = true } }
            outcome.withLock { $0 = step }
            return step == nil
        }
        var failure: FunctionsError?
        do {
            try await connection.run(request, silence: min(LiveFunctions.longestSeconds, timeout))
        } catch {
            failure = connection.rejection.map(LiveFunctions.error) ?? FunctionsError(error)
        }
        switch outcome.withLock({ $0 }) {
        case .done: return
        case .failed(let error): throw error
        case nil: throw failure ?? FunctionsError(.dataLoss, "The stream ended before its result.")
        }
    }

    /// Yields an event; returns the outcome if it is the last one.
    private static func handle(_ event: ServerSentEventParser.Event, _ continuation: Continuation) -> Outcome? {
        guard let response = CallResponse(Data(event.data.utf8)) else { return .failed(FunctionsError(.dataLoss, "An event is not JSON.")) }
        if let error = response.error() { return .failed(error) }
        let part: StreamResponse<JSONValue, JSONValue>
        if let message = response.message { part = .message(message) } else { part = .result(response.result ?? .null) }
        if case .dropped = continuation.yield(part) {
            return .failed(.unread)
        }
        if case .result = part { return .done }
        return nil
    }

    private static func error(_ response: APIClient.Response) -> FunctionsError {
        do throws(FunctionsError) {
            _ = try CallResponse.result(of: response)
            return FunctionsError(.dataLoss, "The function does not stream.")
        } catch {
            return error
        }
    }

    private func request(_ name: String, _ data: JSONValue, _ target: AppRequests.Target) throws(FunctionsError) -> URLRequest {
        guard APIClient.isSegment(name) else { throw FunctionsError(.invalidArgument, "This is not the name of a function: \(name)") }
        var request = client.request("POST", "v1/call/\(target.app)/\(name)", token: target.token)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        do {
            request.httpBody = try JSONEncoder().encode(["data": data])
        } catch {
            throw FunctionsError(.invalidArgument, "The data of the call could not be encoded: \(error)")
        }
        return request
    }

    private func target(
        of owner: AppRequests.Owner = .anybody, insteadOf rejected: String? = nil
    ) async throws(FunctionsError) -> AppRequests.Target {
        do {
            return try await apps.target(of: owner, insteadOf: rejected)
        } catch {
            throw FunctionsError(error)
        }
    }
}

extension FunctionsError {
    static var unread: FunctionsError { FunctionsError(.resourceExhausted, "\(LiveFunctions.maxUnread) messages of the stream are unread.") }

    init(_ failure: AppRequests.Failure) {
        switch failure {
        case .appUnknown: self.init(.failedPrecondition, "Set SignalboxOptions.app to call functions without a signed-in user.")
        case .sessionEnded(let reason): self.init(.unauthenticated, "The session has ended: \(reason.rawValue).")
        case .userChanged: self.init(.unauthenticated, "Another user has signed in.")
        case .other(let error): self.init(error)
        }
    }

    /// The error of a call that got no response.
    init(_ error: SignalboxError) {
        switch error {
        case .unreachable(let reason): self.init(.unavailable, reason)
        case .busy: self.init(.resourceExhausted, "The daemon is busy.")
        case .unauthorized(_, let detail): self.init(.unauthenticated, detail)
        case .closed: self.init(.cancelled, "The client is closed.")
        default: self.init(.internal, "\(error)")
        }
    }
}
