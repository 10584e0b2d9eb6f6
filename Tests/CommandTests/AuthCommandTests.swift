// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `ingestd auth …`, beside a running daemon and without one.
struct AuthCommandTests {
    private let folder = TemporaryFolder()
    private var data: String { folder.path + "/data" }

    private func auth(_ arguments: String...) async throws -> Program.Ended {
        try await Program.run(["auth"] + arguments + ["--app", "shop", "--data", data], in: folder)
    }

    @Test(arguments: [true, false]) func `claims are shown, set and cleared`(beside: Bool) async throws {
        let daemon: RunningDaemon? = beside ? try await .start(on: data) : nil
        #expect(try await Program.run(["app", "create", "shop", "--data", data], in: folder).code == 0)
        #expect(try await auth("create", "--id", "ana", "--email", "ana@example.org").code == 0)
        #expect(try await auth("claims", "ana").output == "{}\n")
        let set = try await auth("claims", "ana", "--set", #"{"admin": true, "tier": "gold"}"#)
        #expect(set.code == 0 && set.output == "{\"admin\": true, \"tier\": \"gold\"}\n", "\(set)")
        #expect(try await auth("claims", "ana").output == set.output)
        let replaced = try await auth("claims", "ana", "--set", #"{"tier": "blue"}"#)
        #expect(replaced.output == "{\"tier\": \"blue\"}\n", "\(replaced)")
        for wrong in [#"{"sub": "bob"}"#, "[1]", "nonsense", #""text""#] {
            let refused = try await auth("claims", "ana", "--set", wrong)
            #expect(refused.code == 1 && refused.complaintIsOneLine, "\(wrong): \(refused)")
        }
        #expect(try await auth("claims", "ana", "--set", "{}", "--clear").code == 2)
        #expect(try await auth("claims", "ana", "--clear").output == "{}\n")
        #expect(try await auth("claims", "nobody").code == 1)
        if let daemon { #expect(await daemon.stop() == 0) }
    }
}
