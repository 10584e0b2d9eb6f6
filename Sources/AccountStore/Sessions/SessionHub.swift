// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import Platform
import Synchronization

/// Notifies connected clients of what happens to their session and account, so that waiting clients run no queries.
///
///     commit → `ended`, `changed`, `renewed` → box of each listener → `wakeUps` → `take`
///
/// A box keeps what is new and not how often, so a slow client costs no memory: it learns once that its session ended or its account changed.
package final class SessionHub: Sendable {
    /// The user IDs as bytes, because two that look alike are two.
    fileprivate struct AccountName: Hashable, Sendable {
        var app: AppID
        var uid: [UInt8]
    }

    fileprivate struct State: Sendable {
        var bySession: [SessionID: [SessionBox]] = [:]
        var byAccount: [AccountName: [SessionBox]] = [:]
        var watches: [SessionID: [Int: @Sendable () -> Void]] = [:]
        var lastWatch = 0
        var count = 0
        var isOver = false
    }

    private static let mostOfSession = 4
    private let most: Int
    private let state = Mutex(State())

    init(most: Int = 10_000) {
        self.most = most
    }

    /// The number of listeners.
    package var count: Int { state.withLock { $0.count } }

    /// Adds a listener, which is removed when it is deinitialized. Above four per session the oldest one ends.
    ///
    /// - Parameter until: The end of the client's ID token.
    package func join(_ session: SessionID, of uid: String, _ app: AppID, until: Timestamp) throws(Refusal) -> SessionListener {
        let (box, name) = (SessionBox(until: until), AccountName(app: app, uid: Array(uid.utf8)))
        let joined = state.withLock { state -> Result<SessionBox?, Refusal> in
            if state.isOver { return .failure(.draining) }
            guard state.count < most else { return .failure(SessionHub.full) }
            let oldest = (state.bySession[session]?.count ?? 0) >= SessionHub.mostOfSession ? state.bySession[session]?.first : nil
            if let oldest { state.remove(oldest, session, name) }
            state.bySession[session, default: []].append(box)
            state.byAccount[name, default: []].append(box)
            state.count += 1
            return .success(oldest)
        }
        try joined.get()?.end()
        return SessionListener(box) { [weak self] in self?.state.withLock { $0.remove(box, session, name) } }
    }

    private static let full = Refusal(
        .overloaded, "Too many streams of sessions are open.", hint: "Poll with ?poll=1, or open the stream later.", retryAfterSeconds: 5)

    /// Calls a function when a session ends, until the watch is deinitialized. Streams of other kinds, which have limits of their own, end by it.
    package func watch(_ session: SessionID, _ wake: @escaping @Sendable () -> Void) -> SessionWatch {
        let number = state.withLock { state in
            state.lastWatch += 1
            state.watches[session, default: [:]][state.lastWatch] = wake
            return state.lastWatch
        }
        return SessionWatch { [weak self] in
            self?.state.withLock { state in
                state.watches[session]?[number] = nil
                if state.watches[session]?.isEmpty == true { state.watches[session] = nil }
            }
        }
    }

    func ended(_ ids: [SessionID]) {
        let (boxes, watches) = state.withLock { state -> ([SessionBox], [@Sendable () -> Void]) in
            (ids.flatMap { state.bySession[$0] ?? [] }, ids.flatMap { state.watches[$0].map { Array($0.values) } ?? [] })
        }
        for box in boxes { box.wake() }
        for wake in watches { wake() }
    }

    /// Notes that ID tokens of an account may be out of date.
    package func changed(_ uid: String, _ app: AppID) {
        let name = AccountName(app: app, uid: Array(uid.utf8))
        for box in state.withLock({ $0.byAccount[name] ?? [] }) { box.change() }
    }

    /// Notes that a session has a newer ID token, for whose time its streams go on.
    func renewed(_ id: SessionID, until: Timestamp) {
        for box in state.withLock({ $0.bySession[id] ?? [] }) { box.renew(until) }
    }

    package func end() {
        let all = state.withLock { state in
            state.isOver = true
            return state.bySession.values.flatMap(\.self)
        }
        for box in all { box.end() }
    }
}

extension SessionHub.State {
    fileprivate mutating func remove(_ box: SessionBox, _ session: SessionID, _ name: SessionHub.AccountName) {
        guard let place = bySession[session]?.firstIndex(where: { $0 === box }) else { return }
        bySession[session]?.remove(at: place)
        if bySession[session]?.isEmpty == true { bySession[session] = nil }
        byAccount[name]?.removeAll { $0 === box }
        if byAccount[name]?.isEmpty == true { byAccount[name] = nil }
        count -= 1
    }
}

/// A listener for the news of one session. It is active until it is deinitialized.
package final class SessionListener: Sendable {
    private let box: SessionBox
    private let leave: @Sendable () -> Void

    fileprivate init(_ box: SessionBox, leave: @escaping @Sendable () -> Void) {
        (self.box, self.leave) = (box, leave)
    }

    deinit { leave() }

    /// Signals that `take` may have something, or that the session has ended. It ends with the store.
    package var wakeUps: AsyncStream<Void> { box.wakeUps }

    /// Returns whether the account has changed since the last call, and the end of the newest ID token.
    package func take() -> (hasChanged: Bool, until: Timestamp) { box.take() }

    /// Signals `wakeUps` periodically until the task is cancelled, for heartbeats.
    package func beat(every interval: Duration) async {
        while (try? await Task.sleep(for: interval)) != nil { box.wake() }
    }
}

/// A function that is called when a session ends. It is active until it is deinitialized.
package final class SessionWatch: Sendable {
    private let leave: @Sendable () -> Void

    fileprivate init(_ leave: @escaping @Sendable () -> Void) {
        self.leave = leave
    }

    deinit { leave() }
}

private final class SessionBox: Sendable {
    private struct News: Sendable {
        var hasChanged = false
        var until: Timestamp
    }

    let wakeUps: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let news: Mutex<News>

    init(until: Timestamp) {
        (wakeUps, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        news = Mutex(News(until: until))
    }

    func take() -> (hasChanged: Bool, until: Timestamp) {
        news.withLock { news in
            defer { news.hasChanged = false }
            return (news.hasChanged, news.until)
        }
    }

    func change() {
        news.withLock { $0.hasChanged = true }
        signal.yield()
    }

    func renew(_ until: Timestamp) { news.withLock { $0.until = max($0.until, until) } }

    func wake() { signal.yield() }

    func end() { signal.finish() }
}
