// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The stored session, shared by all callers. What is used has been stored before.
final class SessionKeeper: Sendable {
    typealias Refreshed = Result<StoredSession, AccountError>
    typealias Current = (session: StoredSession, generation: Int)

    struct State {
        var session = SessionState()
        /// The refresh under way, and its number.
        var round: Task<Refreshed, Never>?
        var rounds = 0
        /// The number of the last refresh that began.
        var begun = 0
        /// The time before which the daemon wants no refresh.
        var refreshAllowed = Date.distantPast
        var isClosed = false
    }

    let options: SignalboxOptions
    let client: APIClient
    let updates = ValueUpdates<AccountUser?>()
    private let store: any CredentialStore
    let state = Locked(State())
    /// Held while credentials are read or written, so that they are stored in the order of their changes. It is taken before `state`, and
    /// those who only read known credentials never wait for it.
    private let storing = Locked(())
    private let observer = Locked<(@Sendable () -> Void)?>(nil)

    init(options: SignalboxOptions, client: APIClient, store: any CredentialStore) {
        (self.options, self.client, self.store) = (options, client, store)
        try? load()
    }

    // MARK: Reading

    /// Reads the credentials unless they are known. Throws if they cannot be read now.
    func load() throws(AccountError) {
        try storing.withLock { _ throws(AccountError) in try read() }
        notify()
    }

    /// Reads the credentials unless they are known. `storing` is held.
    private func read() throws(AccountError) {
        let (isKnown, isClosed) = state.withLock { ($0.session.credentials != nil, $0.isClosed) }
        if isClosed { throw .signalbox(.closed) }
        if isKnown { return }
        let credentials = try store.read()
        state.withLock { state in
            state.session.read(credentials)
            updates.send(.some(state.session.session?.user))
        }
    }

    /// Returns the stored session; `nil` if nobody is signed in.
    func current() throws(AccountError) -> Current? {
        if let known = try known() { return known }
        try load()
        return try known() ?? nil
    }

    /// Returns the session as far as the credentials are known.
    private func known() throws(AccountError) -> Current?? {
        try state.withLock { (state) throws(AccountError) -> Current?? in
            if state.isClosed { throw .signalbox(.closed) }
            guard state.session.credentials != nil else { return nil }
            return .some(state.session.session.map { ($0, state.session.generation) })
        }
    }

    func required() throws(AccountError) -> Current {
        guard let current = try current() else { throw .notSignedIn }
        return current
    }

    var end: SessionEnd? { state.withLock { $0.session.end } }

    // MARK: Changes

    /// Applies a change, after it is stored.
    func change(_ body: (inout SessionState) -> Void) throws(AccountError) {
        try storing.withLock { _ throws(AccountError) in
            try read()
            try apply(body)
        }
        notify()
    }

    /// Keeps a refreshed session that could not be stored.
    func keepUnsaved(_ session: StoredSession, of generation: Int) {
        storing.withLock { _ in state.withLock { $0.session.keepUnsaved(session, of: generation) } }
    }

    /// Drops all credentials, also those that cannot be read.
    func clear() {
        storing.withLock { _ in
            guard !state.withLock({ $0.isClosed }) else { return }
            if (try? apply({ $0.clear() })) == nil { options.log("could not remove the stored credentials") }
        }
        notify()
    }

    /// Stores a change, then shows it. `storing` is held, so that nothing else changes the session meanwhile.
    private func apply(_ body: (inout SessionState) -> Void) throws(AccountError) {
        let before = state.withLock { $0.session }
        var next = before
        body(&next)
        if let credentials = next.credentials, credentials != before.credentials { try store.write(credentials) }
        state.withLock { state in
            state.session = next
            updates.send(.some(next.session?.user))
        }
    }

    /// Makes the credentials of this object unusable: after `close` the folder may belong to another one.
    func close() {
        storing.withLock { _ in state.withLock { $0.isClosed = true } }
        updates.end()
        client.close()
    }

    // MARK: Observation

    /// The generation of the signed-in session; `nil` if nobody is signed in.
    var signedIn: Int? { state.withLock { $0.session.session == nil ? nil : $0.session.generation } }

    /// Sets the closure called after each change.
    func observe(_ change: @escaping @Sendable () -> Void) {
        observer.withLock { $0 = change }
        change()
    }

    private func notify() {
        observer.withLock { $0 }?()
    }
}
