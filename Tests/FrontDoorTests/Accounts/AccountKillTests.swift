// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Kills of the daemon before calls that change a file, during a sign-up and a refresh.
@Suite(.namesFaultSeed) struct AccountKillTests {
    @Test func `a sign-up that is cut short at any call happened or did not, also the first one, which makes the key`() async throws {
        let template = TemporaryFolder()
        let first = try await DaemonProcess.start(in: template.path)
        let keys = try await KilledAccounts.makeApp(first.api)
        #expect(await first.stop() == 0)
        func copy() throws -> KilledAccounts {
            let folder = TemporaryFolder()
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.copyItem(atPath: template.path, toPath: folder.path)
            return KilledAccounts(folder: folder, keys: keys)
        }
        let counted = try await copy().counted { $0.signUp("ana@example.org", keys) }
        #expect(counted.reply.status == 201)
        var kills = 0
        for call in KilledCalls.some(of: counted.calls) {
            let accounts = try copy()
            let reply = try await accounts.reply(killingAt: call) { $0.signUp("ana@example.org", keys) }
            if reply == nil { kills += 1 }
            let child = try await DaemonProcess.start(in: accounts.folder.path)
            try await accounts.expectOneAccount("ana@example.org", child.api, "call \(call)")
            #expect(await child.stop() == 0)
        }
        #expect(counted.calls >= 3 && kills > 0, "\(kills) kills at \(counted.calls) calls")
    }

    @Test func `a sign-up beside others happened or did not, and the others stay`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path)
        let accounts = KilledAccounts(folder: folder, keys: try await KilledAccounts.makeApp(first.api))
        #expect(try await first.api.request(accounts.signUp("first@example.org")).status == 201)
        #expect(await first.stop() == 0)
        let counted = try await accounts.counted { $0.signUp("second@example.org", accounts.keys) }
        #expect(counted.reply.status == 201)
        var kills = 0
        for call in KilledCalls.some(of: counted.calls) {
            let email = "user\(call)@example.org"
            let reply = try await accounts.reply(killingAt: call) { $0.signUp(email, accounts.keys) }
            if reply == nil { kills += 1 }
            let child = try await DaemonProcess.start(in: folder.path)
            try await accounts.expectOneAccount(email, child.api, "call \(call)")
            try await accounts.expectOneAccount("first@example.org", child.api, "call \(call)")
            #expect(await child.stop() == 0)
        }
        #expect(kills > 0, "\(counted.calls) calls")
    }

    @Test func `a refresh that is cut short at any call is repeated with the same token`() async throws {
        let folder = TemporaryFolder()
        let first = try await DaemonProcess.start(in: folder.path)
        let accounts = KilledAccounts(folder: folder, keys: try await KilledAccounts.makeApp(first.api))
        var session = try AccountWorld.Session(try await first.api.request(accounts.signUp("ana@example.org")))
        #expect(await first.stop() == 0)
        let newest = session.refresh
        let counted = try await accounts.counted { $0.refresh(newest, accounts.keys) }
        session = try AccountWorld.Session(counted.reply)
        var kills = 0
        for call in KilledCalls.some(of: counted.calls) {
            let token = session.refresh
            if let reply = try await accounts.reply(killingAt: call, { $0.refresh(token, accounts.keys) }) {
                session = try AccountWorld.Session(reply)
                continue
            }
            kills += 1
            let child = try await DaemonProcess.start(in: folder.path)
            let reply = try await child.api.request(KilledAccounts.refresh(token, accounts.keys))
            #expect(reply.status == 200, "call \(call): \(reply.text)")
            session = try AccountWorld.Session(reply)
            #expect(try await child.api.get("/v1/auth/user", key: session.token).status == 200, "call \(call)")
            #expect(await child.stop() == 0)
        }
        #expect(kills > 0, "\(counted.calls) calls")
    }

    @Test func `a sign-out that was answered holds after a kill`() async throws {
        let folder = TemporaryFolder()
        var child = try await DaemonProcess.start(in: folder.path)
        let accounts = KilledAccounts(folder: folder, keys: try await KilledAccounts.makeApp(child.api))
        let session = try AccountWorld.Session(try await child.api.request(accounts.signUp("ana@example.org")))
        let body = #"{"refresh_token": "\#(session.refresh)"}"#
        #expect(try await child.api.post("/v1/auth/sign-out", key: accounts.keys.ingest, body).status == 204)
        await child.killHard()
        child = try await DaemonProcess.start(in: folder.path, environment: KilledAccounts.environment)
        #expect(try await child.api.get("/v1/auth/user", key: session.token).status == 401)
        #expect(try await child.api.request(KilledAccounts.refresh(session.refresh, accounts.keys)).status == 401)
        #expect(await child.stop() == 0)
    }
}
