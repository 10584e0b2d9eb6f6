// SPDX-License-Identifier: Apache-2.0

import Testing

struct StartingScriptTests {
    /// `./scripts/dashboard top --json | jq` reads what the program says, and not how it was built.
    @Test(arguments: ["dashboard", "demo", "run"]) func `what a program prints begins with its own words`(script: String) throws {
        let builds = try Repository.text("scripts/\(script)").split(separator: "\n").filter { $0.contains("swift build ") }
        #expect(!builds.isEmpty && builds.allSatisfy { $0.hasSuffix(" >&2") }, "\(builds)")
    }
}
