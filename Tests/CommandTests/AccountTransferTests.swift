// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd auth import` and `ingestd auth export`, without a daemon.
struct AccountTransferTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func command(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(arguments + ["--app", "1", "--data", data], in: folder)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func makeApp() async throws { #expect(try await Program.run("app", "create", "a", "--json", "--data", data).code == 0) }

    @Test func `an export of Firebase is imported with the block of its console`() async throws {
        try await makeApp()
        let parameters = try file(
            "parameters.txt",
            "hash_config {\n  algorithm: SCRYPT,\n  base64_signer_key: AAAAAAAAAAAAAAAAAAAAAA==,\n  rounds: 8,\n  mem_cost: 14,\n}\n")
        let users = try file(
            "users.json",
            #"{"users": [{"localId": "ana", "email": "ana@example.org", "passwordHash": "AAAAAAAAAAAAAAAAAAAAAA==", "salt": "AAAA"}, {"localId": ""}]}"#
        )
        let ended = try await command("auth", "import", users, "--hash-parameters", parameters, "--json")
        #expect(ended.code == 1 && ended.complaint.contains("1 account could not be added"), "\(ended)")
        let result = try ended.json()
        #expect(result["added"] as? Int == 1 && result["failed"] as? Int == 1)
        // The number of the entry in the file, whatever stands before it in the request.
        #expect((result["errors"] as? [[String: Any]])?.first?["entry"] as? Int == 1)
        let export = try await command("auth", "export")
        #expect(export.code == 0 && export.output.contains(#""email":"ana@example.org""#) && !export.output.contains("password_hash"))
        #expect(try await command("auth", "export", "--secrets").output.contains("firebase-scrypt"))
    }

    @Test func `a table of Firebase is imported, also with quotes and line ends in names`() async throws {
        try await makeApp()
        let empty = String(repeating: ",", count: 16)
        let table = """
            ana,ana@example.org,true,,,"Ana ""A."", née
            B",https://e.example/a.png\(empty),1700000000000,1700000001000,+4930123456,
            bo,bo@example.org,false,,,,,google-7\(empty)1700000000000,,,

            """
        let ended = try await command("auth", "import", try file("users.csv", table))
        #expect(ended.code == 1 && ended.output.contains("Added 1 account; 1 could not be added."), "\(ended)")
        let plain = try await command("auth", "import", try file("more.CSV", table.replacingOccurrences(of: "\nB", with: " B")))
        #expect(plain.output.contains("Added 1 account; 1 could not be added."), "\(plain)")
        let shown = try await command("auth", "show", "ana", "--json").json()
        #expect(
            shown["name"] as? String == "Ana \"A.\", née B" && shown["email_verified"] as? Bool == true && shown["phone"] as? String == "+4930123456")
        #expect((shown["created_at"] as? String)?.hasPrefix("2023-11-14T22:13:20") == true)
        #expect(try await command("auth", "show", "bo", "--json").json()["anonymous"] as? Bool == false)
    }

    @Test(arguments: [("users.json", "x"), ("users.json", #"[{"id": "a"}"#), ("missing", "")])
    func `a file that has no accounts is rejected in a line`(_ name: String, _ text: String) async throws {
        try await makeApp()
        let path = text.isEmpty ? folder.path + "/nothing" : try file(name, text)
        let ended = try await command("auth", "import", path)
        #expect(ended.code == 1 && ended.complaintIsOneLine && ended.output.isEmpty, "\(ended)")
    }
}
