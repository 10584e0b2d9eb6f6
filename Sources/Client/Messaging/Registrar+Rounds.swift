// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sends due requests one after the other, in rounds shared by all waiting callers.
extension Registrar {
    /// Runs a round now and throws its error, or the rejection of the given topic.
    func perform(_ topic: String? = nil) async throws(SignalboxError) {
        if stopped == .closed { throw .closed }
        stopped = nil
        backoff.retryNow()
        while let round {
            let rejected = await round.value.rejected
            if let topic, let refusal = rejected[topic] { throw refusal }
        }
        if stopped == .closed { throw .closed }
        let outcome = await begin().value
        if let topic, let refusal = outcome.rejected[topic] { throw refusal }
        if let failure = outcome.failure { throw failure }
    }

    func begin() -> Task<Outcome, Never> {
        let task = Task {
            let outcome = await runRequests()
            // Cleared before waiting callers resume.
            round = nil
            if nextRequest != nil, stopped == nil { schedule(within: max(backoff.rest(at: options.now()), 0.01)) }
            return outcome
        }
        round = task
        return task
    }

    private func runRequests() async -> Outcome {
        var outcome = Outcome()
        let retryAfter = backoff.retryAfter(at: options.now())
        if retryAfter > 0 {
            outcome.failure = .busy(retryAfter: retryAfter)
            return outcome
        }
        do throws(SignalboxError) {
            // A token that expires as soon as it is issued would loop forever.
            var renewals = 0
            while !Task.isCancelled, let request = try proposedRequest() {
                if try await !run(request, &outcome) { renewals += 1 }
                try persist()
                if renewals > 1 { throw .unexpectedResponse(status: 404, detail: "The daemon does not know a token that it has just issued.") }
            }
            backoff.succeeded()
        } catch {
            recordFailure(error)
            outcome.failure = error
        }
        return outcome
    }

    /// Returns the next request. A registration's token is stored before the request, so that a retry has the same one.
    private func proposedRequest() throws(SignalboxError) -> DeviceRegistration.Request? {
        guard case .register = nextRequest else { return nextRequest }
        device.proposeToken()
        try persist()
        return nextRequest
    }

    /// Returns `false` if the daemon does not know the token.
    private func run(_ request: DeviceRegistration.Request, _ outcome: inout Outcome) async throws(SignalboxError) -> Bool {
        let response = try await send(request)
        // The data may have been reset, or collection disabled, during the request.
        adoptInstallation()
        if request.isDone(by: response) {
            if case .register(let attributes, _) = request, let made = Registered(response.body) {
                device.registered(as: made.token, attributes, at: options.now())
            }
            device.complete(request, isDone: true, at: options.now())
            topicLimit = min(Registrar.maxTopicsPerRequest, topicLimit * 2)
            return true
        }
        let failure = response.error
        guard case .rejected(let code, _) = failure else { throw failure }
        switch request {
        case .register: throw failure
        case .checkIn(let token, _), .change(let token, _), .acknowledge(let token, _):
            if code == "unregistered" {
                device.tokenExpired(token)
                return false
            }
        case .remove: break
        }
        drop(request, failure, &outcome)
        return true
    }

    /// Sends a request, with the ID token of the device's owner if there is one. A rejected token is refreshed once.
    private func send(_ request: DeviceRegistration.Request) async throws(SignalboxError) -> APIClient.Response {
        guard let owner = request.owner, let identity = identity.withLock({ $0 }) else {
            return try await client.send(request.method, request.path, request.body)
        }
        var rejected: String?
        for _ in 0..<2 {
            // Without a token the user has just signed out, and the next attempt is another request.
            guard let token = try await identity.token(of: owner, insteadOf: rejected) else { throw .busy(retryAfter: 0) }
            let response = try await client.send(request.method, request.path, request.body, token: token)
            if !response.rejectsToken { return response }
            rejected = token
        }
        throw .busy(retryAfter: 0)
    }

    /// Drops a rejected request. A request with several topics is halved until the rejected topic is alone.
    private func drop(_ request: DeviceRegistration.Request, _ failure: SignalboxError, _ outcome: inout Outcome) {
        if case .change(_, let changes) = request {
            guard changes.count == 1 else { return topicLimit = max(1, changes.count / 2) }
            for topic in changes.keys { outcome.rejected[topic] = failure }
        }
        options.log("registration request rejected: \(failure)")
        device.complete(request, isDone: false, at: options.now())
    }

    private func recordFailure(_ error: SignalboxError) {
        switch error {
        case .unauthorized, .rejected: if stopped == nil { stopped = error }
        case .busy(let seconds): backoff.failed(at: options.now(), retryAfter: seconds)
        default: backoff.failed(at: options.now(), retryAfter: nil)
        }
        options.log("registration request failed: \(error)")
    }
}
