// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import Platform
import Testing

@Suite struct RefreshTests {
    private static let start = Timestamp(milliseconds: 1_796_000_000_000)

    /// One party with refresh tokens, as a client keeps them.
    private struct Party {
        var token: UInt32
        /// The number of rejections.
        var rejected = 0

        /// Uses the token. Returns false if the session has ended.
        mutating func refresh(_ state: inout RefreshState, at now: Timestamp, losesAnswer: Bool, reports: Bool) -> Bool {
            guard state.present(token, at: now) != .reused else {
                rejected += 1
                return false
            }
            if losesAnswer { return true }
            token = state.counter
            // The client uses the ID token that came with it.
            if reports { state.saw(generation: token) }
            return true
        }
    }

    /// A restart of the daemon: only the columns are left.
    private static func restarted(_ state: RefreshState) -> RefreshState {
        RefreshState(counter: state.counter, refreshed: state.refreshed, lost: LostAnswers(packed: state.lost.packed))
    }

    @Test func `an owner alone is never signed out, however often two answers are lost`() {
        var random = SeededGenerator(7)
        for walk in 0..<100_000 {
            var (state, now) = (RefreshState(refreshed: Self.start), Self.start)
            var owner = Party(token: state.counter)
            var lost: Set<UInt32> = []
            for _ in 0..<12 {
                now = now + .seconds(Int64.random(in: 1...7_200, using: &random))
                let loses = (lost.count < 2 || lost.contains(owner.token)) && Bool.random(using: &random)
                if loses { lost.insert(owner.token) }
                let isLive = owner.refresh(&state, at: now, losesAnswer: loses, reports: Bool.random(using: &random))
                if Int.random(in: 0..<4, using: &random) == 0 { state = Self.restarted(state) }
                guard isLive else {
                    Issue.record("walk \(walk): signed out")
                    return
                }
            }
        }
    }

    @Test func `owner and thief are out once each has refreshed three times`() {
        var random = SeededGenerator(11)
        for walk in 0..<100_000 {
            var (state, now) = (RefreshState(refreshed: Self.start), Self.start)
            var owner = Party(token: state.counter)
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                now = now + .minutes(70)
                _ = owner.refresh(&state, at: now, losesAnswer: false, reports: Bool.random(using: &random))
            }
            // The newest token or the one before was copied.
            var thief = Party(token: owner.token - (owner.token > 0 && Bool.random(using: &random) ? 1 : 0))
            var (isOver, turns) = (false, [0, 0])
            while !isOver, turns.min() ?? 0 < 3 {
                let isThief = Bool.random(using: &random)
                turns[isThief ? 1 : 0] += 1
                now = now + .seconds(Int64.random(in: 61...1_200, using: &random))
                let reports = Bool.random(using: &random)
                isOver =
                    isThief
                    ? !thief.refresh(&state, at: now, losesAnswer: false, reports: reports)
                    : !owner.refresh(&state, at: now, losesAnswer: false, reports: reports)
                if Int.random(in: 0..<8, using: &random) == 0 { state = Self.restarted(state) }
            }
            guard isOver else {
                Issue.record("walk \(walk): both hold the session")
                return
            }
        }
    }

    @Test func `each row of the rule holds`() {
        let (start, key) = (Self.start, UInt32(5))
        func fresh(seen: UInt32 = 0, lost: Int64 = 0) -> RefreshState {
            var state = RefreshState(counter: key, refreshed: start, lost: LostAnswers(packed: lost))
            state.saw(generation: seen)
            return state
        }
        func outcome(_ state: RefreshState, _ presented: UInt32, after seconds: Int64) -> (RefreshState.Outcome, UInt32) {
            var state = state
            return (state.present(presented, at: start + .seconds(seconds)), state.counter)
        }
        let today = start.milliseconds.flooredQuotient(by: Day.milliseconds) * 16
        func same(_ a: (RefreshState.Outcome, UInt32), _ b: (RefreshState.Outcome, UInt32)) -> Bool { a.0 == b.0 && a.1 == b.1 }
        #expect(same(outcome(fresh(), 5, after: 9_999), (.rotated, 6)))
        #expect(same(outcome(fresh(seen: 5), 4, after: 60), (.repeated, 5)) && same(outcome(fresh(seen: 4), 4, after: 61), (.recovered, 5)))
        #expect(same(outcome(fresh(seen: 5), 4, after: 61), (.reused, 5)) && same(outcome(fresh(), 3, after: 1), (.reused, 5)))
        // The third number of a day is one too many; another day counts anew.
        #expect(same(outcome(fresh(lost: today + 2), 4, after: 61), (.reused, 5)))
        #expect(same(outcome(fresh(lost: today + 8 + 2), 4, after: 61), (.recovered, 5)))
        #expect(same(outcome(fresh(lost: today + 2), 4, after: 86_400), (.recovered, 5)))
        // A clock that was set back is no reason to end a session.
        #expect(same(outcome(fresh(), 4, after: -10), (.recovered, 5)))
    }

    @Test func `a restored database accepts the newer tokens of its clients`() {
        var state = RefreshState(counter: 3, refreshed: Self.start, lost: LostAnswers(packed: 0))
        let outcomes = [9, UInt32.max].map { state.present($0, at: Self.start + .hours(1)) }
        #expect(outcomes == [.rotated, .reused] && state.counter == 10)
    }

    @Test func `a token is accepted only as it was sealed`() throws {
        let key = AccountsKey.make()
        let token = RefreshToken(session: .make(at: Self.start), counter: 7)
        let text = token.text(key).revealed
        let read = try #require(RefreshToken(text, key))
        #expect(read.session == token.session && read.counter == 7 && text.utf8.count == 50)
        #expect(RefreshToken(text, .make()) == nil)
        for place in text.indices {
            var changed = Array(text.utf8)
            let offset = text.utf8.distance(from: text.startIndex, to: place)
            changed[offset] = changed[offset] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(RefreshToken(String(decoding: changed, as: UTF8.self), key) == nil, "\(offset)")
        }
        for text in ["", "A", String(repeating: "A", count: 50), String(repeating: "é", count: 25), text + "=", text + "A"] {
            #expect(RefreshToken(text, key) == nil)
        }
        #expect(SessionID(token.session.text) == token.session && SessionID(bytes: token.session.bytes) == token.session)
    }
}

@Suite struct AccountValueTests {
    @Test func `a password is found again, with the pepper only`() async throws {
        let cheap = Argon2(memoryKiB: 64, passes: 1, lanes: 1)
        let key = AccountsKey.make()
        let hasher = PasswordHasher(key, threads: 2, cost: cheap)
        try hasher.start()
        let hash = try await hasher.hash("correct horse")
        #expect(hash.stored.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
        let stored = try #require(PasswordHash(stored: hash.stored))
        guard case .right(nil) = try await hasher.verify("correct horse", against: stored) else { Issue.record("wrong"); return }
        for (password, hash) in [("wrong horse", stored as PasswordHash?), ("correct horse", nil)] {
            guard case .wrong = try await hasher.verify(password, against: hash) else { Issue.record("right"); return }
        }
        hasher.end()
        let stranger = PasswordHasher(.make(), threads: 1, cost: cheap)
        try stranger.start()
        guard case .wrong = try await stranger.verify("correct horse", against: stored) else { Issue.record("no pepper"); return }
        stranger.end()
        // A costlier hash replaces a cheap one.
        let costlier = PasswordHasher(key, threads: 1, cost: Argon2(memoryKiB: 128, passes: 1, lanes: 1))
        try costlier.start()
        guard case .right(let new?) = try await costlier.verify("correct horse", against: stored) else { Issue.record("not rehashed"); return }
        #expect(new.stored.contains("m=128"))
        costlier.end()
    }

    @Test(arguments: [
        "ana", "ana@", "@x.org", "ana@x", "a b@x.org", "ana@x.org\r\nBcc: b@x.org", "ana@x..org", ".a@x.org", "a..b@x.org", "a@-x.org",
        "\"a\"@x.org", "<ana@x.org>", "ana@x.org,b@x.org", "ana@ex\u{301}ample.org", "ana@x.org\0", "a@b@x.org",
        String(repeating: "a", count: 65) + "@x.org", "a@" + String(repeating: "a.", count: 130) + "org",
    ])
    func `a text that is no address is none`(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func `addresses are compared without case`() {
        #expect(EmailAddress("Ana.B+shop@Example.ORG")?.key == "ana.b+shop@example.org")
        #expect(EmailAddress("Ana@Example.org")?.text == "Ana@Example.org")
        #expect(EmailAddress("JÜRG@Example.org")?.key == "jürg@example.org" && EmailAddress("ана@example.org") != EmailAddress("aнa@example.org"))
    }

    /// Spellings of one text, which mail programs and keyboards choose differently.
    @Test(arguments: [
        ("ju\u{308}rg@x.org", "j\u{fc}rg@x.org"), ("JU\u{308}RG@x.org", "j\u{fc}rg@x.org"), ("\u{212b}@x.org", "\u{e5}@x.org"),
        ("\u{1100}\u{1161}@x.org", "\u{ac00}@x.org"), ("\u{fb1d}@x.org", "\u{5d9}\u{5b4}@x.org"), ("\u{212a}@x.org", "k@x.org"),
        ("a\u{307}\u{323}@x.org", "a\u{323}\u{307}@x.org"), ("J\u{30c}@x.org", "\u{1f0}@x.org"),
        ("\u{915}\u{93f}@x.org", "\u{915}\u{93f}@x.org"), ("\u{e17}\u{e35}\u{e48}@x.org", "\u{e17}\u{e35}\u{e48}@x.org"),
    ])
    func `an address is compared in one spelling`(text: String, other: String) throws {
        let (one, two) = (try #require(EmailAddress(text)), try #require(EmailAddress(other)))
        #expect(one.key.utf8.elementsEqual(two.key.utf8) && EmailAddress(one.key)?.key.utf8.elementsEqual(one.key.utf8) == true)
        #expect(EmailAddress(one.text)?.text.utf8.elementsEqual(one.text.utf8) == true)
    }

    /// Marks without a letter or too many of them, characters that are not seen, signs that composing makes, and domains in other scripts.
    @Test(arguments: [
        "\u{301}a@x.org", "a.\u{301}@x.org", "+\u{301}@x.org", "a\u{301}\u{300}\u{302}\u{303}\u{304}\u{306}@x.org", "a\u{20dd}@x.org",
        "=\u{338}@x.org", "a\u{37e}@x.org", "\u{1161}@x.org", "I\u{307}@x.org", "ana@ju\u{308}rg.org", "ana@x.org\u{301}", "a@\u{301}x.org",
        "a\u{200b}@x.org", "a\u{202e}@x.org", "a\u{3164}@x.org", "\u{130}@x.org", "a\u{fe0f}@x.org", "ana@jürg.org", "a\u{85}@x.org",
        "a\u{2028}@x.org", "a\u{feff}@x.org", "\u{1f40e}@x.org", "a\u{ff20}x.org", "a@x.org\u{ff0e}a",
    ])
    func `a text with a character that no mailbox has is no address`(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func `an address has a budget`() throws {
        let start = Timestamp(milliseconds: 1_796_000_000_000)
        var throttle = Throttle(at: start)
        func take(_ address: String) throws -> Throttle.Verdict {
            throttle.take(.signIn, from: try #require(IPAddress(address)), at: start)
        }
        for _ in 0..<20 { #expect(try take("2001:db8::1") == .allowed) }
        #expect(try take("2001:db8::2") != .allowed)
        #expect(try take("2001:db8:1::1") == .allowed)
    }

    @Test(arguments: ["12345678", "87654321", "aaaaaaaa", "PASSWORD", "Passw0rd", "abcdefgh", "qwertyuiop"])
    func `the commonest passwords are rejected`(password: String) {
        #expect(PasswordPolicy.problem(of: password, isDevelopment: false) == .common)
    }
}
