// SPDX-License-Identifier: Apache-2.0

import Alerts
import Platform
import TestSupport
import Testing

@testable import ingestd

/// Alerts of native reports whose symbols were uploaded before.
@Suite struct SymbolicatedAlertTests {
    private static func texts(_ world: CrashingWorld) async throws -> [String] {
        for _ in 1...2 { try await world.live.daemon.makeCrashAlerts().publishChanges() }
        let messages = try await world.get("/v1/messages?limit=1000")["items"].items.reversed()
        return messages.filter { $0["target"]["topic"].text == "$alerts.crashes" }.map(\.["text"].text)
    }

    /// A crash at an offset of `omega`.
    private static func crash(_ id: String, at offset: Int) -> SentCrash {
        let build = SymbolFixture.elf
        return SymbolFixture.Build(
            file: build.file, debugID: build.debugID, type: build.type, architecture: build.architecture, main: 0x1010, entry: offset
        ).crash(id)
    }

    @Test func `a crash at another address of a known or muted issue causes no alert, and a new one is named`() async throws {
        try await CrashingWorld.use { world in
            let id = SymbolFixture.elf.debugID
            let text = """
                MODULE Linux x86_64 \(id.filter { $0 != "-" }.uppercased())0 Shop
                FUNC 1000 200 0 main
                FUNC 2000 100 0 omega
                FUNC 3000 100 0 delta
                """
            #expect(try await world.put(Array((text + "\n").utf8), for: id).status == 201)
            let known = try await world.take(Self.crash("1", at: 0x2010))
            _ = try await world.readable("1", of: known)
            let first = try await Self.texts(world)
            #expect(first.count == 1 && first[0].contains("omega"), "\(first)")
            for (id, offset) in [("2", 0x2044), ("3", 0x2048)] {
                let other = try await world.take(Self.crash(id, at: offset))
                #expect(try await eventually { try await world.issue(other)["id"].text == known })
                #expect(try await Self.texts(world).count == 1)
                try await world.change(known, #"{"state": "muted"}"#)
            }
            let new = try await world.take(Self.crash("4", at: 0x3010))
            _ = try await world.readable("4", of: new)
            let all = try await Self.texts(world)
            #expect(all.count == 2 && all.last?.contains("delta") == true, "\(all)")
        }
    }
}
