// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SignalboxDocuments

/// The public specification of the engine of Firestore's clients, 292 cases, run on ours.
@Suite(.enabled(if: SpecFolder.isThere, SpecFolder.hint)) struct ClientSpecTests {
    private static let cases: [SpecCase] = SpecFolder.files { $0.hasSuffix("_spec_test.json") }.flatMap { file in
        (file.json.members ?? []).map { SpecCase(file: file.name, name: $0.name, json: $0.value) }
    }

    @Test func `the folder has cases`() { #expect(!ClientSpecTests.cases.isEmpty) }

    @Test(arguments: cases) func `the engine does what the specification says`(spec: SpecCase) async throws {
        if let reason = SkippedSpecs.reason(to: spec) { return print("skipped: \(spec.testDescription): \(reason)") }
        guard let difference = SkippedSpecs.difference(from: spec) else {
            try await SpecRun().run(spec)
            return print("ran: \(spec.testDescription)")
        }
        print("differs: \(spec.testDescription): \(difference)")
        await withKnownIssue { try await SpecRun().run(spec) }
    }
}
