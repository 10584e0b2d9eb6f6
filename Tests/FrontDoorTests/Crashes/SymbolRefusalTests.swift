// SPDX-License-Identifier: Apache-2.0

import Platform
import Symbols
import TestSupport
import Testing

@testable import ingestd

/// Rejected symbol files.
@Suite struct SymbolRefusalTests {
    private static let id = SymbolFixture.elf.debugID

    @Test func `an invalid symbol file is rejected and leaves nothing`() async throws {
        try await CrashingWorld.use { world in
            let file = try SymbolFixture.elf.bytes
            let wrong: [(String, [UInt8], String)] = [
                ("garbage", Array("garbage".utf8), "not a symbol file"), ("empty", [], "not a symbol file"),
                ("another build", try SymbolFixture.arm.bytes, "another build"), ("cut", Array(file.prefix(700)), "damaged"),
                ("torn", Array(file.prefix(24)) + [UInt8](repeating: 0xff, count: 3_040), ""),
                ("zeros", [UInt8](repeating: 0, count: 1 << 16), "not a symbol file"),
                ("Breakpad's text of nothing", Array("MODULE Linux x86_64 E0BE9371A24274DB8CC905FCE5275ED00 a".utf8), ""),
            ]
            for (name, bytes, words) in wrong {
                let reply = try await world.put(bytes, for: Self.id)
                #expect(reply.status == 422, "\(name)")
                #expect(try words.isEmpty || JSON(reply)["detail"].text.contains(words), "\(name): \(reply.text)")
            }
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
            let folder = world.live.symbolFolder
            #expect(try Folder.names(in: folder + "/incoming").isEmpty && !Folder.exists("\(folder)/\(world.ours.app)"))
            #expect(try await world.put(file, for: Self.id).status == 201)
        }
    }

    @Test(arguments: ["x", "4c4c4414", "zzzzzzzz-5555-3144-a1e5-d672487d359b", "%2e%2e%2fpasswd", "4c4c441455553144a1e5d672487d359b000000001"])
    func `an invalid debug ID is rejected by name`(id: String) async throws {
        try await CrashingWorld.use { world in
            #expect(try Wrong(await world.put(SymbolFixture.elf.bytes, for: id)) == Wrong(422, "debug_id", "bad_id"))
            let remove = try await world.api.request("DELETE", "/v1/symbols/\(id)", key: world.ours.admin)
            #expect(try Wrong(remove) == Wrong(422, "debug_id", "bad_id"))
        }
    }

    @Test func `a file above the size limit gets 413`() async throws {
        try await CrashingWorld.use(configure: { $0.symbols.fileBytes = 3_063 }) { world async throws in
            #expect(try await world.put(SymbolFixture.elf).status == 413)
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
        }
    }

    @Test func `an app's storage limit applies to its symbol files`() async throws {
        try await CrashingWorld.use(configure: { $0.symbols.appBytes = 12_000 }) { world async throws in
            #expect(try await world.put(SymbolFixture.arm).status == 201)
            #expect(try await world.put(SymbolFixture.elf).status == 413)
            #expect(try await world.put(SymbolFixture.elf, as: world.theirs.admin).status == 201)
            // A stored file needs no more space.
            #expect(try await world.put(SymbolFixture.arm).status == 200)
            #expect(try await world.api.request("DELETE", "/v1/symbols/\(SymbolFixture.arm.debugID)", key: world.ours.admin).status == 204)
            #expect(try await world.put(SymbolFixture.elf).status == 201)
        }
    }
}
