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
            let refused = await round.value.refused
            if let topic, let refusal = refused[topic] { throw refusal }
        }
        if stopped == .closed { throw .closed }
        let outcome = await begin().value
        if let topic, let refusal = outcome.refused[topic] { throw refusal }
        if let trouble = outcome.trouble { throw trouble }
    }

    func begin() -> Task<Outcome, Never> {
        let task = Task {
            let outcome = await runErrands()
            // Cleared before waiting callers resume.
            round = nil
            if nextErrand != nil, stopped == nil { wake(within: max(backoff.next.timeIntervalSince(options.now()), 0.01)) }
            return outcome
        }
        round = task
        return task
    }

    private func runErrands() async -> Outcome {
        var outcome = Outcome()
        let asked = backoff.asked.timeIntervalSince(options.now())
        if asked > 0 {
            outcome.trouble = .busy(retryAfter: asked)
            return outcome
        }
        do throws(SignalboxError) {
            // A token that expires as soon as it is issued would loop forever.
            var renewals = 0
            while !Task.isCancelled, let errand = nextErrand {
                if try await !run(errand, &outcome) { renewals += 1 }
                try keep()
                if renewals > 1 { throw .unexpectedAnswer(status: 404, detail: "The daemon does not know a token that it has just issued.") }
            }
            backoff.succeeded()
        } catch {
            note(error)
            outcome.trouble = error
        }
        return outcome
    }

    /// Returns `false` if the daemon does not know the token.
    private func run(_ errand: Device.Errand, _ outcome: inout Outcome) async throws(SignalboxError) -> Bool {
        let answer = try await exchange.send(errand.method, errand.path, errand.body)
        // The data may have been reset, or collection disabled, during the request.
        belong()
        if errand.isDone(by: answer) {
            if case .register(let facts) = errand, let made = Registered(answer.body) {
                device.registered(as: made.token, facts, at: options.now())
            }
            device.isThrough(errand, isDone: true, at: options.now())
            most = min(Registrar.mostTopics, most * 2)
            return true
        }
        let trouble = answer.trouble
        guard case .refused(let code, _) = trouble else { throw trouble }
        switch errand {
        case .register: throw trouble
        case .checkIn(let token, _), .change(let token, _), .acknowledge(let token, _):
            if code == "unregistered" {
                device.isGone(token)
                return false
            }
        case .remove: break
        }
        drop(errand, trouble, &outcome)
        return true
    }

    /// Drops a rejected request. A request with several topics is halved until the rejected topic is alone.
    private func drop(_ errand: Device.Errand, _ trouble: SignalboxError, _ outcome: inout Outcome) {
        if case .change(_, let changes) = errand {
            guard changes.count == 1 else { return most = max(1, changes.count / 2) }
            for topic in changes.keys { outcome.refused[topic] = trouble }
        }
        options.log("registration request rejected: \(trouble)")
        device.isThrough(errand, isDone: false, at: options.now())
    }

    private func note(_ error: SignalboxError) {
        switch error {
        case .unauthorized, .refused: if stopped == nil { stopped = error }
        case .busy(let seconds): backoff.failed(at: options.now(), retryAfter: seconds)
        default: backoff.failed(at: options.now(), retryAfter: nil)
        }
        options.log("registration request failed: \(error)")
    }
}
