// SPDX-License-Identifier: Apache-2.0

import Testing

struct StartingScriptTests {
    /// `./scripts/dashboard top --json
    ///  jq` must read the program's output only, without build messages.
    @Test(arguments: ["dashboard", "demo", "run"]) func `build messages go to standard error`(script: String) throws {
        let builds = try Repository.text("scripts/\(script)").split(separator: "\n").filter { $0.contains("swift build ") }
        #expect(!builds.isEmpty && builds.allSatisfy { $0.hasSuffix(" >&2") }, "\(builds)")
    }
}
