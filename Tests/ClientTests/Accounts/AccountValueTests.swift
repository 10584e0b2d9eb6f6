// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Signalbox

/// Accounts without a daemon: the session as a value, and the type for apps' tests.
@Suite struct AccountValueTests {
    private func session(_ id: String, _ token: String = "r1", offset: TimeInterval = 0) -> StoredSession {
        StoredSession(
            user: AccountUser(id: id, createdAt: Date(timeIntervalSince1970: 1_000)), idToken: "t", refreshToken: token,
            expiresAt: Date(timeIntervalSince1970: 10_000), clockOffset: offset)
    }

    @Test func `a session is refreshed five minutes ahead, by the daemon's clock`() {
        #expect(!session("ann").needsRefresh(at: Date(timeIntervalSince1970: 9_700)))
        #expect(session("ann").needsRefresh(at: Date(timeIntervalSince1970: 9_701)))
        #expect(session("ann").isUsable(at: Date(timeIntervalSince1970: 9_999)))
        #expect(!session("ann").isUsable(at: Date(timeIntervalSince1970: 10_000)))
        // The device is an hour behind.
        #expect(!session("ann", offset: 3_600).needsRefresh(at: Date(timeIntervalSince1970: 6_100)))
        #expect(session("ann", offset: 3_600).needsRefresh(at: Date(timeIntervalSince1970: 6_101)))
    }

    @Test func `results of an earlier session change nothing`() {
        var state = SessionState()
        state.read(StoredCredentials())
        state.signIn(session("ann"))
        let earlier = state.generation
        state.signIn(session("bob", "r2"))
        let bob = state
        state.refresh(session("ann", "r3"), of: earlier)
        state.keepUnsaved(session("ann", "r3"), of: earlier)
        state.update(AccountUser(id: "ann"), of: earlier)
        state.end(.disabled, of: earlier)
        #expect(state == bob)
        state.end(.disabled, of: state.generation)
        #expect(state.session == nil && state.end == .disabled)
        state.signIn(session("ann"))
        #expect(state.end == nil)
    }

    @Test func `a sign-out keeps the newest token for the daemon, at most ten`() {
        var state = SessionState()
        state.read(StoredCredentials())
        state.signOut()
        #expect(state.credentials?.isEmpty == true)
        for number in 0..<12 {
            state.signIn(session("ann", "r\(number)"))
            state.signOut()
        }
        #expect(state.credentials?.signOuts == (2..<12).map { "r\($0)" })
        state.signIn(session("ann", "old"))
        state.keepUnsaved(session("ann", "unsaved"), of: state.generation)
        state.signOut()
        #expect(state.credentials?.signOuts.last == "unsaved")
        state.signedOut("unsaved")
        #expect(state.credentials?.signOuts.last == "r11")
    }

    @Test func `a sign-in over another session queues its token`() {
        var state = SessionState()
        state.read(StoredCredentials())
        state.signIn(session("ann", "r1"), endsOther: true)
        #expect(state.credentials?.signOuts == [])
        state.signIn(session("bob", "r2"), endsOther: true)
        #expect(state.session?.user.id == "bob" && state.credentials?.signOuts == ["r1"])
        // A linked provider gives the same session a new token.
        state.signIn(session("bob", "r3"))
        #expect(state.credentials?.signOuts == ["r1"])
    }

    /// A disk on which a write takes until a test ends it.
    private final class SlowStore: CredentialStore {
        private let gate = DispatchSemaphore(value: 0)
        let isWriting = Locked(false)

        func read() throws(AccountError) -> StoredCredentials { StoredCredentials() }

        func write(_ credentials: StoredCredentials) throws(AccountError) {
            isWriting.withLock { $0 = true }
            gate.wait()
        }

        func finish() { gate.signal() }
    }

    @Test func `readers do not wait for the disk, and see what is stored`() async throws {
        let store = SlowStore()
        let options = SignalboxOptions(address: try #require(URL(string: "http://127.0.0.1:1")), key: "k")
        let keeper = SessionKeeper(options: options, client: APIClient(address: options.address, key: "k"), store: store)
        let ann = session("ann")
        Thread.detachNewThread { try? keeper.change { $0.signIn(ann) } }
        #expect(try await eventually { store.isWriting.withLock { $0 } })
        let seen = Heard<String?>()
        Thread.detachNewThread { seen.hear((try? keeper.current())??.session.user.id) }
        #expect(try await eventually { seen.all == [nil] })
        store.finish()
        #expect(try await eventually { try keeper.current()?.session.user.id == "ann" })
        keeper.close()
    }

    @Test func `credentials are stored with every field`() throws {
        let folder = TemporaryFolder()
        let file = CredentialFile(folder: URL(fileURLWithPath: folder.path))
        #expect(try file.read() == StoredCredentials())
        var stored = session("ann")
        stored.user = AccountUser(
            id: "ann", email: "ann@example.org", isEmailVerified: true, name: "Ann", photoURL: URL(string: "https://example.org/a"), phone: "+1",
            isAnonymous: true, claims: ["a": [1, 2.5, nil, "x", ["b": false]]], providers: ["password"],
            createdAt: Date(timeIntervalSince1970: 1_700_000_000.125), lastSignInAt: Date(timeIntervalSince1970: 5))
        let credentials = StoredCredentials(session: stored, signOuts: ["r0"])
        try file.write(credentials)
        #expect(try file.read() == credentials)
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/credentials.json"))
        #expect(try file.read() == StoredCredentials(), "damaged credentials do not come back")
    }

    @Test func `times and unknown reasons of the daemon are read`() throws {
        struct Timed: Decodable { var at: Date }
        for (text, seconds) in [("1970-01-01T00:00:10.250Z", 10.25), ("1970-01-01T00:00:10Z", 10)] {
            let read = try JSONDecoder.accounts.decode(Timed.self, from: Data(#"{"at": "\#(text)"}"#.utf8))
            #expect(read.at.timeIntervalSince1970 == seconds)
        }
        #expect(SessionEnd("disabled") == .disabled && SessionEnd("later_reason") == .sessionEnded && SessionEnd(nil) == .sessionEnded)
    }

    @Test func `in-memory accounts behave like the daemon's`() async throws {
        let accounts = InMemoryAccounts()
        var users = accounts.userStream().makeAsyncIterator()
        #expect(await users.next() == .some(nil))
        let anonymous = try await accounts.signIn(with: .anonymous)
        #expect(await users.next() == .some(anonymous.user))
        let user = try await accounts.signUp(email: "ana@example.org", password: "correct horse", name: "Ana").user
        #expect(user.id == anonymous.user.id && accounts.currentUser == user)
        await #expect(throws: AccountError.emailAlreadyExists) {
            try await accounts.signUp(email: "ANA@example.org", password: "correct horse", name: nil)
        }
        await #expect(throws: AccountError.invalidCredentials) { try await accounts.signIn(email: "ana@example.org", password: "wrong") }
        #expect(try await accounts.link(.google(idToken: "g1")).providers == ["password", "google.com"])
        await #expect(throws: AccountError.invalidCode) { try await accounts.link(.code("1")) }
        #expect(try await accounts.link(.code("1", email: "ana@example.org")).isEmailVerified)
        let first = try await accounts.session()
        #expect(try await accounts.refreshSession().idToken != first?.idToken)
        #expect(try await accounts.update(ProfileChange(name: .set("Ana B."))).name == "Ana B.")
        accounts.endSession(.disabled)
        #expect(accounts.currentUser == nil && accounts.sessionEnd == .disabled && accounts.restoreSession() == nil)
        await #expect(throws: AccountError.notSignedIn) { try await accounts.refreshSession() }
        #expect(try await accounts.signIn(with: .google(idToken: "g1")).user.id == user.id)
        #expect(try await accounts.unlink(provider: "google.com").providers == ["password"])
        try await accounts.sendPasswordReset(email: "ana@example.org")
        #expect(accounts.passwordResets == ["ana@example.org"])
        accounts.fail(with: .notSignedIn)
        await #expect(throws: AccountError.notSignedIn) { try await accounts.signOut() }
        accounts.fail(with: nil)
        try await accounts.deleteAccount()
        await #expect(throws: AccountError.invalidCredentials) { try await accounts.signIn(email: "ana@example.org", password: "correct horse") }
    }
}
