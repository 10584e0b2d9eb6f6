// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keeps the stream of the session's state open while somebody is signed in and somebody reads the user's changes.
final class SessionWatcher: Sendable {
    private struct State {
        /// The generation of the session that is watched.
        var watched: Int?
        var task: Task<Void, Never>?
        var isClosed = false
    }

    private let keeper: SessionKeeper
    private let state = Locked(State())
    private let loop: ReconnectingLoop

    init(_ keeper: SessionKeeper) {
        self.keeper = keeper
        loop = ReconnectingLoop(keeper.options.backoff, now: keeper.options.now)
        keeper.updates.onReaders { [weak self] in self?.update() }
        keeper.observe { [weak self] in self?.update() }
    }

    /// Ends the current pause between attempts.
    func retryNow() {
        loop.retryNow()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        update()
    }

    /// Starts or ends the stream, if readers or the session have changed.
    private func update() {
        state.withLock { state in
            let wanted = !state.isClosed && keeper.updates.hasReaders ? keeper.signedIn : nil
            guard wanted != state.watched else { return }
            state.task?.cancel()
            state.watched = wanted
            state.task = wanted.map { generation in Task { [weak self] in await self?.watch(generation) } }
        }
    }

    private func watch(_ generation: Int) async {
        let options = keeper.options
        await loop.run {
            do throws(AccountError) {
                guard let session = try await keeper.session() else { return .final }
                try await connect(session, generation)
                return .again(retryAfter: nil)
            } catch {
                if Task.isCancelled { return .final }
                options.log("session stream ended: \(error)")
                switch error {
                case .sessionEnded, .notSignedIn, .signalbox(.closed): return .final
                case .signalbox(.busy(let seconds)): return .again(retryAfter: seconds)
                default: return .again(retryAfter: nil)
                }
            }
        }
    }

    private func connect(_ session: StoredSession, _ generation: Int) async throws(AccountError) {
        let ended = Locked<SessionEnd?>(nil)
        let connection = StreamConnection { [keeper] event in
            switch event.name {
            // Another one follows a refresh under way, which may have begun before the change.
            case "changed": Task { _ = try? await keeper.refresh(again: true) }
            case "signed_out":
                ended.withLock { $0 = SessionEnd(signedOut: event.data) }
                return false
            default: break
            }
            return true
        }
        do {
            try await connection.run(keeper.client.request("GET", "v1/auth/state", token: session.idToken), silence: keeper.options.streamSilence)
        } catch .unauthorized {
            // The daemon's clock is ahead, or it issues tokens under another name now. A refresh tells whether the session goes on.
            _ = try await keeper.refresh()
        } catch {
            throw .signalbox(error)
        }
        if let reason = ended.withLock({ $0 }) { throw try keeper.end(reason, generation) }
    }
}

extension SessionEnd {
    /// Decodes the data of a `signed_out` event: `{"why": "disabled"}`.
    fileprivate init(signedOut data: String) {
        struct End: Decodable { var why: String }
        self.init((try? JSONDecoder().decode(End.self, from: Data(data.utf8)))?.why)
    }
}
