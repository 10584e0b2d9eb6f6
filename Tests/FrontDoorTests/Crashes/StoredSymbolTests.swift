// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import AcrossStores
import TestSupport
import Testing

@testable import ingestd

/// Symbol files in backups, and after their app is deleted.
@Suite struct StoredSymbolTests {
    private static let probe = SymbolFixture.elf

    private static func bring(_ api: TestClient, _ keys: AppKeys) async throws {
        let headers = ["Content-Type": "application/octet-stream"]
        let answer = try await api.request("PUT", "/v1/symbols/\(probe.debugID)", key: keys.admin, headers: headers, body: probe.bytes)
        #expect(answer.status == 201, "\(answer.text)")
    }

    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder + "/symbols").filter { $0.contains("/") }.sorted()
    }

    @Test func `an upload with a content coding is rejected with a hint`() async throws {
        try await withDaemon { live in
            let keys = try await live.api.makeApp()
            for coding in ["gzip", "br", "compress"] {
                let refused = try await live.api.request(
                    "PUT", "/v1/symbols/\(Self.probe.debugID)", key: keys.admin, headers: ["Content-Encoding": coding], body: Self.probe.bytes)
                #expect(try refused.status == 415 && JSON(refused)["code"].text == "unsupported_media_type")
                let hint = try JSON(refused)["hint"].text
                #expect(hint == "Send the file as it is, without Content-Encoding.", "\(coding)")
            }
            try await Self.bring(live.api, keys)
        }
    }

    @Test func `a backup contains verified symbol files, and a restored folder reads them`() async throws {
        let (folder, copy, target) = (TemporaryFolder(), TemporaryFolder(), TemporaryFolder())
        let (keys, names) = try await withDaemon(in: folder) { live in
            let keys = try await live.api.makeApp()
            try await Self.bring(live.api, keys)
            let made = try await live.api.asOperator("POST", "/v1/backup", #"{"directory": "\#(copy.path)"}"#)
            #expect(try JSON(made)["files"].number == 10, "\(made.text)")
            return (keys, try Self.files(in: live.folder))
        }
        #expect(try Self.files(in: copy.path) == names)
        #expect(names.count == 1)
        _ = try Backup.restore(copy.path, into: target.path)
        try await withDaemon(in: target) { live in
            let listed = try JSON(await live.api.get("/v1/symbols", key: keys.read))["items"].items
            #expect(listed.map(\.["debug_id"].text) == [Self.probe.debugID])
            let restored = try Data(contentsOf: URL(fileURLWithPath: "\(live.folder)/symbols/\(names[0])"))
            #expect(try Data(Self.probe.bytes) == restored)
        }
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: "\(copy.path)/symbols/\(names[0])"))
        #expect(throws: Refusal.self) { try Backup.verify(copy.path) }
    }

    @Test func `a deleted app's symbol files are removed, and other apps' files stay`() async throws {
        try await withDaemon { live in
            let (gone, stays) = (try await live.api.makeApp("gone"), try await live.api.makeApp("stays"))
            for keys in [gone, stays] { try await Self.bring(live.api, keys) }
            #expect(try Self.files(in: live.folder).count == 2)
            #expect(try await live.api.asOperator("DELETE", "/v1/apps/\(gone.app)").status == 204)
            #expect(try Self.files(in: live.folder).map { $0.prefix(2) } == ["\(stays.app)/"])
        }
    }
}
