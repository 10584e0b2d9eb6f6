// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

/// Random walks of an owner and a thief over HTTP, with lost answers, kills of the daemon and a clock that moves on.
///
/// `RefreshTests` walks a hundred thousand times over the value that decides.
@Suite(.namesFaultSeed) struct RefreshWalkTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let walks = environment["SIGNALBOX_FAULT_ROUNDS"].flatMap(Int.init).map { max(1, $0 / 50) } ?? 3

    @Test func `an owner alone stays signed in`() async throws {
        var random = SeededGenerator(FaultSeed.value)
        for walk in 0..<Self.walks {
            var world = try await RefreshWalk.begin()
            var owner = world.owner
            var lost: Set<String> = []
            for step in 0..<12 {
                world.advance(Int.random(in: 1...7_200, using: &random))
                let loses = (lost.count < 2 || lost.contains(owner.refresh)) && Bool.random(using: &random)
                if loses { lost.insert(owner.refresh) }
                let call = loses && Bool.random(using: &random) ? Int.random(in: 1...8, using: &random) : nil
                let isLive = try await world.use(&owner, losesAnswer: loses, killAt: call, reports: Bool.random(using: &random))
                #expect(isLive, "walk \(walk), step \(step)")
                guard isLive else { return }
            }
            #expect(await world.child.stop() == 0)
        }
    }

    @Test func `owner and thief are out once each has refreshed three times`() async throws {
        var random = SeededGenerator(FaultSeed.value &+ 1)
        for walk in 0..<Self.walks {
            var world = try await RefreshWalk.begin()
            var parties = [world.owner]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                world.advance(4_200)
                let before = parties[0]
                #expect(try await world.use(&parties[0], reports: Bool.random(using: &random)))
                // The newest token or the one before is copied.
                world.owner = Bool.random(using: &random) ? before : parties[0]
            }
            parties.append(world.owner)
            var (isOver, turns) = (false, [0, 0])
            while !isOver, turns.min() ?? 0 < 3 {
                let turn = Int.random(in: 0...1, using: &random)
                turns[turn] += 1
                world.advance(Int.random(in: 61...1_200, using: &random))
                if Int.random(in: 0..<6, using: &random) == 0 { try await world.restart() }
                isOver = try await !world.use(&parties[turn], reports: Bool.random(using: &random))
            }
            #expect(isOver, "walk \(walk): both hold the session")
            for place in 0...1 {
                #expect(try await !world.use(&parties[place], reports: false))
                #expect(try await world.child.api.get("/v1/auth/user", key: parties[place].token).status == 401)
            }
            #expect(await world.child.stop() == 0)
        }
    }
}

/// A daemon whose clock and calls a test controls, and the session of a user.
private struct RefreshWalk {
    let accounts: KilledAccounts
    let shim: FaultShim
    var child: DaemonProcess
    var owner: AccountWorld.Session
    private var seconds = 0

    static func begin() async throws -> RefreshWalk {
        let folder = TemporaryFolder()
        let shim = FaultShim(watching: folder.path)
        let child = try await start(folder, shim)
        let accounts = KilledAccounts(folder: folder, keys: try await KilledAccounts.makeApp(child.api))
        let owner = try AccountWorld.Session(try await child.api.request(accounts.signUp("ana@example.org")))
        return RefreshWalk(accounts: accounts, shim: shim, child: child, owner: owner)
    }

    private static func start(_ folder: TemporaryFolder, _ shim: FaultShim) async throws -> DaemonProcess {
        try await DaemonProcess.start(in: folder.path, environment: KilledAccounts.environment.merging(shim.environment) { $1 })
    }

    private init(accounts: KilledAccounts, shim: FaultShim, child: DaemonProcess, owner: AccountWorld.Session) {
        (self.accounts, self.shim, self.child, self.owner) = (accounts, shim, child, owner)
    }

    mutating func advance(_ more: Int) {
        seconds += more
        shim.setClock(.seconds(seconds))
    }

    mutating func restart() async throws {
        shim.heal()
        await child.killHard()
        child = try await Self.start(accounts.folder, shim)
    }

    /// Refreshes with a party's token. Returns false if the session has ended.
    ///
    /// - Parameter call: Kills the daemon before this call that changes a file. An answer that came before is lost all the same.
    mutating func use(
        _ party: inout AccountWorld.Session, losesAnswer: Bool = false, killAt call: Int? = nil, reports: Bool
    ) async throws -> Bool {
        if let call { shim.kill(at: call) }
        let reply = try? await child.api.request(KilledAccounts.refresh(party.refresh, accounts.keys))
        if call != nil { try await restart() }
        if losesAnswer { return reply.map { $0.status == 200 } ?? true }
        guard let reply, reply.status == 200 else { return false }
        party = try AccountWorld.Session(reply)
        if reports { #expect(try await child.api.get("/v1/auth/user", key: party.token).status == 200) }
        return true
    }
}
