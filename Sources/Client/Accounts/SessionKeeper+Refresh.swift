// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Refreshes the session: one request at a time for any number of callers.
extension SessionKeeper {
    /// The longest time in seconds for which the daemon's `Retry-After` holds up refreshes.
    private static let longestPause: TimeInterval = 60 * 60

    /// Returns a session whose ID token is valid; `nil` if nobody is signed in.
    func session() async throws(AccountError) -> StoredSession? {
        guard let (session, _) = try current() else { return nil }
        guard session.needsRefresh(at: options.now()) else { return session }
        do {
            return try await refresh()
        } catch .signalbox(let error) where error != .closed && session.isUsable(at: options.now()) {
            return session
        }
    }

    /// Returns a session with another ID token than one that the daemon did not take; `nil` if nobody is signed in.
    func session(insteadOf rejected: String?) async throws(AccountError) -> StoredSession? {
        guard let session = try await session() else { return nil }
        return session.idToken == rejected ? try await refresh() : session
    }

    /// Whether the daemon does not take an ID token. Without an answer it is not known to be rejected.
    func isRejected(_ token: String) async -> Bool {
        guard let response = try? await client.perform(client.request("GET", "v1/auth/user", token: token)) else { return false }
        return response.rejectsToken
    }

    /// Refreshes the session, or waits for the refresh under way.
    ///
    /// - Parameter again: Whether a refresh under way began too early to count, so that another one follows it.
    func refresh(again: Bool = false) async throws(AccountError) -> StoredSession {
        let round = state.withLock { state in
            if let round = state.round, !again || state.begun < state.rounds { return round }
            return begin(&state)
        }
        return try await round.value.get()
    }

    private func begin(_ state: inout State) -> Task<Refreshed, Never> {
        state.rounds += 1
        let (number, earlier) = (state.rounds, state.round)
        let round = Task {
            _ = await earlier?.value
            self.state.withLock { $0.begun = number }
            let result = await run()
            // Cleared before waiting callers resume.
            self.state.withLock { if $0.rounds == number { $0.round = nil } }
            return result
        }
        state.round = round
        return round
    }

    private func run() async -> Refreshed {
        do throws(AccountError) {
            let (session, generation) = try required()
            try await refresh(session, generation)
            return .success(try required().session)
        } catch {
            options.log("session refresh failed: \(error)")
            return .failure(error)
        }
    }

    private func refresh(_ session: StoredSession, _ generation: Int) async throws(AccountError) {
        let (unsaved, allowed) = state.withLock { ($0.session.unsaved, $0.refreshAllowed) }
        if let unsaved { return try keep(unsaved, generation) }
        let pause = allowed.timeIntervalSince(options.now())
        // A longer pause is one of a clock that was set back.
        if pause > 0, pause <= SessionKeeper.longestPause { throw .signalbox(.busy(retryAfter: pause)) }
        var json = JSONText()
        json.object { $0.field("refresh_token", session.refreshToken) }
        let response = try await client.attempt("POST", "v1/auth/token", json.bytes)
        if response.status == 200, let refreshed = SessionResponse(response.body) { return try keep(refreshed.stored(at: options.now()), generation) }
        throw try await failure(response, session, generation)
    }

    /// Stores a refreshed session before it is used. If that fails it is kept for the next attempt, since its refresh token is used up.
    private func keep(_ session: StoredSession, _ generation: Int) throws(AccountError) {
        do {
            try change { $0.refresh(session, of: generation) }
        } catch {
            keepUnsaved(session, of: generation)
            throw error
        }
    }

    /// Evaluates a response. Only the daemon's word ends a session.
    private func failure(_ response: APIClient.Response, _ session: StoredSession, _ generation: Int) async throws(AccountError) -> AccountError {
        switch (response.status, Problem(response.body).code) {
        case (401, "session_ended"): return try end(await reason(session), generation)
        case (403, "account_disabled"): return try end(.disabled, generation)
        case (429, _), (503, _):
            state.withLock { $0.refreshAllowed = options.now().addingTimeInterval(min(response.retryAfter ?? 0, SessionKeeper.longestPause)) }
            return AccountError(response)
        default: return AccountError(response)
        }
    }

    /// Ends the session here, and returns the error that tells why.
    func end(_ reason: SessionEnd, _ generation: Int) throws(AccountError) -> AccountError {
        try change { $0.end(reason, of: generation) }
        return .sessionEnded(reason)
    }

    /// Asks why a session ended, which the daemon tells while the session's ID token is valid.
    private func reason(_ session: StoredSession) async -> SessionEnd {
        struct State: Decodable { var why: String? }
        let request = client.request("GET", "v1/auth/state", query: [URLQueryItem(name: "poll", value: "1")], token: session.idToken)
        guard let response = try? await client.perform(request), response.status == 200 else { return .sessionEnded }
        return SessionEnd((try? JSONDecoder().decode(State.self, from: response.body))?.why)
    }
}

extension APIClient {
    /// Sends a request and throws the errors of accounts.
    func attempt(_ method: String, _ path: String, _ body: [UInt8]?, token: String? = nil) async throws(AccountError) -> Response {
        do {
            return try await send(method, path, body, token: token)
        } catch {
            throw .signalbox(error)
        }
    }
}
