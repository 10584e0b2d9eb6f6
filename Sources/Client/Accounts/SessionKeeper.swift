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
    private let observer = Locked<(@Sendable () -> Void)?>(nil)

    init(options: SignalboxOptions, client: APIClient, store: any CredentialStore) {
        (self.options, self.client, self.store) = (options, client, store)
        try? load()
    }

    // MARK: Reading

    /// Reads the credentials unless they are known. Throws if they cannot be read now.
    func load() throws(AccountError) {
        try state.withLock { (state) throws(AccountError) in try load(&state) }
        notify()
    }

    private func load(_ state: inout State) throws(AccountError) {
        if state.isClosed { throw .signalbox(.closed) }
        guard state.session.credentials == nil else { return }
        state.session.read(try store.read())
        updates.send(.some(state.session.session?.user))
    }

    /// Returns the stored session; `nil` if nobody is signed in.
    func current() throws(AccountError) -> Current? {
        let (found, wasUnread) = try state.withLock { (state) throws(AccountError) -> (Current?, Bool) in
            let wasUnread = state.session.credentials == nil
            try load(&state)
            return (state.session.session.map { ($0, state.session.generation) }, wasUnread)
        }
        if wasUnread { notify() }
        return found
    }

    func required() throws(AccountError) -> Current {
        guard let current = try current() else { throw .notSignedIn }
        return current
    }

    var end: SessionEnd? { state.withLock { $0.session.end } }

    // MARK: Changes

    /// Applies a change, after it is stored.
    func change(_ body: (inout SessionState) -> Void) throws(AccountError) {
        try state.withLock { (state) throws(AccountError) in
            try load(&state)
            try apply(body, to: &state)
        }
        notify()
    }

    /// Drops all credentials, also those that cannot be read.
    func clear() {
        state.withLock { state in
            guard !state.isClosed else { return }
            if (try? apply({ $0.clear() }, to: &state)) == nil { options.log("could not remove the stored credentials") }
        }
        notify()
    }

    private func apply(_ body: (inout SessionState) -> Void, to state: inout State) throws(AccountError) {
        var next = state.session
        body(&next)
        if let credentials = next.credentials, credentials != state.session.credentials { try store.write(credentials) }
        state.session = next
        updates.send(.some(next.session?.user))
    }

    /// Makes the credentials of this object unusable: after `close` the folder may belong to another one.
    func close() {
        state.withLock { $0.isClosed = true }
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
