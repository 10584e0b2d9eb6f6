// SPDX-License-Identifier: Apache-2.0

import Compression
import CrashStore
import Crypto
import Database
import Platform
import AcrossStores
import Symbols
import TestSupport
import Testing

@testable import ingestd

/// Symbol files uploaded as by `sentry-cli debug-files upload`.
@Suite struct SentryFileTests {
    private static func form(_ parts: [(name: String, file: String, bytes: [UInt8])]) -> [UInt8] {
        let heads = parts.map { "--edge\r\nContent-Disposition: form-data; name=\"\($0.name)\"; filename=\"\($0.file)\"\r\n\r\n" }
        return zip(heads, parts).flatMap { Array($0.utf8) + $1.bytes + Array("\r\n".utf8) } + Array("--edge--\r\n".utf8)
    }

    private static func send(_ form: [UInt8], _ world: CrashingWorld) async throws -> Reply {
        try await world.api.request(
            "POST", "/api/0/organizations/any/chunk-upload/", key: world.ours.admin, headers: ["Content-Type": "multipart/form-data; boundary=edge"],
            body: form)
    }

    private static func assemble(_ sum: String, _ pieces: [String], _ world: CrashingWorld, id: String? = nil) async throws -> JSON {
        let list = pieces.map { "\"\($0)\"" }.joined(separator: ",")
        let asked = id.map { #","debug_id":"\#($0)""# } ?? ""
        let body = #"{"\#(sum)":{"name":"Shop"\#(asked),"chunks":[\#(list)]}}"#
        let answer = try await world.api.post("/api/0/projects/any/ours/files/difs/assemble/", key: world.ours.admin, body)
        #expect(answer.status == 200)
        return try JSON(answer)[sum]
    }

    private static func sum(_ bytes: [UInt8]) -> String { Hex.encode(SHA1.hash(bytes)) }

    @Test func `a file uploaded in chunks is assembled and listed`() async throws {
        try await CrashingWorld.use { world in
            let build = SymbolFixture.elf
            let bytes = try build.bytes
            let pieces = [Array(bytes[..<1_000]), Array(bytes[1_000...])]
            let sums = pieces.map(Self.sum)
            let settings = try JSON(await world.api.get("/api/0/organizations/any/chunk-upload/", key: world.ours.admin))
            #expect(settings["hashAlgorithm"].text == "sha1" && settings["chunkSize"].number.nonzeroBitCount == 1)

            let missing = try await Self.assemble(Self.sum(bytes), sums, world)
            #expect(missing["state"].text == "not_found" && missing["missingChunks"].items.map(\.text) == sums)
            #expect(try await Self.send(Self.form([("file_gzip", sums[0], gzip(pieces[0])), ("file", sums[1], pieces[1])]), world).status == 200)
            for _ in 0..<2 {
                let done = try await Self.assemble(Self.sum(bytes), sums, world, id: build.debugID)
                #expect(done["state"].text == "ok" && done["dif"]["uuid"].text == build.debugID)
            }
            #expect(try Folder.names(in: world.live.daemon.store.paths.uploads).isEmpty)
            let known = try await world.get("/v1/symbols")["items"].items
            #expect(known.map(\.["debug_id"].text) == [build.debugID])
        }
    }

    @Test func `a removed file can be uploaded again`() async throws {
        try await CrashingWorld.use { world in
            let build = SymbolFixture.elf
            let bytes = try build.bytes
            let sum = Self.sum(bytes)
            for _ in 0..<2 {
                #expect(try await Self.assemble(sum, [sum], world)["state"].text == "not_found")
                #expect(try await Self.send(Self.form([("file", sum, bytes)]), world).status == 200)
                #expect(try await Self.assemble(sum, [sum], world)["state"].text == "ok")
                let removed = try await world.api.request("DELETE", "/v1/symbols/\(build.debugID)", key: world.ours.admin)
                #expect(removed.status == 204)
            }
            #expect(try await world.get("/v1/symbols")["items"].items.isEmpty)
        }
    }

    @Test func `chunks and files with wrong hashes or contents are rejected`() async throws {
        try await CrashingWorld.use { world in
            let text = Array("no symbols".utf8)
            let sum = Self.sum(text)
            #expect(try await Self.send(Self.form([("file", String(repeating: "0", count: 40), text)]), world).status == 422)
            #expect(try await Self.send(Self.form([("file_gzip", sum, text)]), world).status == 400)
            #expect(try await Self.send(Array("--edge\r\nnonsense".utf8), world).status == 400)
            #expect(try await Self.send(Self.form([("file_gzip", "bomb", gzip([UInt8](repeating: 0, count: 20 << 20)))]), world).status == 413)
            #expect(try await Self.send(Self.form([("file", sum, text)]), world).status == 200)
            let failed = try await Self.assemble(sum, [sum], world)
            #expect(failed["state"].text == "error" && failed["detail"].text.contains("not a symbol file"))
            #expect(try await Self.send(Self.form([("file", sum, text)]), world).status == 200)
            let other = try await Self.assemble(Self.sum([1]), [sum], world)
            #expect(other["state"].text == "error")
            for body in [#"{"x":{"chunks":["x"]}}"#, #"{"\#(sum)":{"chunks":[]}}"#, #"{"\#(sum)":7}"#] {
                let answer = try await world.api.post("/api/0/projects/any/ours/files/difs/assemble/", key: world.ours.admin, body)
                #expect(answer.status == 422)
            }
            let foreign = try await world.api.post("/api/0/projects/any/theirs/files/difs/assemble/", key: world.ours.admin, "{}")
            #expect(foreign.status == 403)
            #expect(try Folder.names(in: world.live.daemon.store.paths.uploads).isEmpty)
        }
    }

    @Test func `chunks expire after an hour and have a total size limit`() async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock, configure: { $0.symbols.fileBytes = 4_096 }) { world in
            let first = [UInt8](repeating: 1, count: 3_000), second = [UInt8](repeating: 2, count: 3_000)
            #expect(try await Self.send(Self.form([("file", Self.sum(first), first)]), world).status == 200)
            let full = try await Self.send(Self.form([("file", Self.sum(second), second)]), world)
            #expect(full.status == 429 && full.headers["retry-after"] == "60")
            clock.advance(by: .minutes(61))
            #expect(try await Self.assemble(Self.sum(first), [Self.sum(first)], world)["state"].text == "not_found")
            #expect(try await Self.send(Self.form([("file", Self.sum(second), second)]), world).status == 200)
            #expect(try Folder.names(in: world.live.daemon.store.paths.uploads).count == 1)
        }
    }

    @Test(arguments: [(Timestamp.Span.seconds(-1), true), (.minutes(-59), true), (.minutes(-61), false), (.days(-1), false)])
    func `a chunk survives a small step back of the clock and expires after a large one`(
        step: Timestamp.Span, stays: Bool
    ) async throws {
        let clock = ManualClock(CrashingWorld.start)
        try await CrashingWorld.use(clock: clock.clock) { world in
            let pieces: [[UInt8]] = [[1], [2]]
            for piece in pieces {
                #expect(try await Self.send(Self.form([("file", Self.sum(piece), piece)]), world).status == 200)
                if piece == pieces[0] { clock.advance(by: step) }
            }
            let missing = try await Self.assemble(Self.sum([1, 2]), pieces.map(Self.sum), world)["missingChunks"].items.map(\.text)
            #expect(missing == (stays ? [] : [Self.sum([1])]))
        }
    }

    @Test func `a failed assembly is repeated on request`() async throws {
        try await CrashingWorld.use { world in
            let bytes = try SymbolFixture.elf.bytes
            let sum = Self.sum(bytes)
            #expect(try await Self.send(Self.form([("file", sum, bytes)]), world).status == 200)
            // A file temporarily replaces the symbols folder.
            let folder = world.live.daemon.store.paths.symbols
            #expect(try await ChildProcess.run("/bin/sh", ["-c", "mv '\(folder)' '\(folder).away' && touch '\(folder)'"]).code == 0)
            let body = #"{"\#(sum)":{"name":"Shop","chunks":["\#(sum)"]}}"#
            let failed = try await world.api.post("/api/0/projects/any/ours/files/difs/assemble/", key: world.ours.admin, body)
            #expect(failed.status == 503)
            #expect(try await ChildProcess.run("/bin/sh", ["-c", "rm '\(folder)' && mv '\(folder).away' '\(folder)'"]).code == 0)
            #expect(try await Self.assemble(sum, [sum], world)["state"].text == "ok")
            #expect(try Folder.names(in: world.live.daemon.store.paths.uploads).isEmpty)
        }
    }

    @Test func `a chunk shared by several files is available to each`() async throws {
        try await CrashingWorld.use { world in
            let pieces: [[UInt8]] = [[1], [2], [3]]
            let sums = pieces.map(Self.sum)
            let files = [[0, 1], [1, 2], [0, 2]]
            func states() async throws -> [String] {
                let asked = files.map { file in
                    let chunks = file.map { "\"\(sums[$0])\"" }.joined(separator: ",")
                    return #""\#(Self.sum(file.flatMap { pieces[$0] }))":{"name":"x","chunks":[\#(chunks)]}"#
                }
                let body = "{\(asked.joined(separator: ","))}"
                let answer = try JSON(await world.api.post("/api/0/projects/any/ours/files/difs/assemble/", key: world.ours.admin, body))
                return files.map { answer[Self.sum($0.flatMap { pieces[$0] })]["state"].text }
            }
            #expect(try await Self.send(Self.form([("file", sums[0], pieces[0]), ("file", sums[1], pieces[1])]), world).status == 200)
            let early = try await states()
            #expect(early == ["error", "not_found", "not_found"])
            #expect(try await Self.send(Self.form([("file", sums[2], pieces[2])]), world).status == 200)
            let late = try await states()
            #expect(late == ["error", "error", "error"])
            #expect(try Folder.names(in: world.live.daemon.store.paths.uploads).isEmpty)
        }
    }
}
