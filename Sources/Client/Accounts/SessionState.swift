// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The signed-in user of this device: a value without clock, disk or network.
///
///     read(credentials)   -> the stored user, at launch or once the store is readable
///     signIn(session)     -> a new generation; results of requests of earlier ones no longer count, and the token of another session
///                            before it is queued for the daemon
///     refresh(session)    -> the same generation
///     signOut()           -> nobody, and the token is queued for the daemon
///     end(reason)         -> nobody, since the daemon said so
struct SessionState: Equatable {
    static let maxSignOuts = 10

    /// `nil` until the store could be read.
    private(set) var credentials: StoredCredentials?
    /// Rises with each sign-in and each end of a session.
    private(set) var generation = 0
    private(set) var end: SessionEnd?
    /// A refreshed session that could not be stored, which the next refresh stores first. It is not used before.
    private(set) var unsaved: StoredSession?

    var session: StoredSession? { credentials?.session }

    mutating func read(_ credentials: StoredCredentials) {
        if self.credentials == nil { self.credentials = credentials }
    }

    /// - Parameter endsOther: Whether the session before is another one, which ends at the daemon, too.
    mutating func signIn(_ session: StoredSession, endsOther: Bool = false) {
        if endsOther { signOut() }
        credentials = StoredCredentials(session: session, signOuts: credentials?.signOuts ?? [])
        generation += 1
        (end, unsaved) = (nil, nil)
    }

    mutating func refresh(_ session: StoredSession, of generation: Int) {
        guard generation == self.generation, self.session != nil else { return }
        credentials?.session = session
        unsaved = nil
    }

    mutating func keepUnsaved(_ session: StoredSession, of generation: Int) {
        if generation == self.generation { unsaved = session }
    }

    mutating func update(_ user: AccountUser, of generation: Int) {
        if generation == self.generation { credentials?.session?.user = user }
    }

    /// Ends the session of a generation. The daemon knows.
    mutating func end(_ reason: SessionEnd?, of generation: Int) {
        guard generation == self.generation, session != nil else { return }
        leave()
        end = reason
    }

    /// Ends the session here, and queues its token for the daemon.
    mutating func signOut() {
        guard let token = (unsaved ?? session)?.refreshToken, let signOuts = credentials?.signOuts else { return }
        leave()
        credentials?.signOuts = (signOuts + [token]).suffix(SessionState.maxSignOuts)
    }

    mutating func signedOut(_ token: String) {
        credentials?.signOuts.removeAll { $0 == token }
    }

    /// Drops all credentials, whether or not they could be read.
    mutating func clear() {
        credentials = StoredCredentials()
        leave()
    }

    private mutating func leave() {
        credentials?.session = nil
        generation += 1
        (end, unsaved) = (nil, nil)
    }
}
