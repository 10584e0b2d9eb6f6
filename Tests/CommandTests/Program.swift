// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Runs the `ingestd` program as a user would.
enum Program {
    typealias Ended = ProgramUnderTest.Ended

    static func run(_ arguments: [String], in folder: TemporaryFolder = TemporaryFolder(), environment: [String: String] = [:]) async throws -> Ended
    {
        try await ProgramUnderTest.ingestd.run(arguments, in: folder, environment: environment)
    }

    static func run(_ arguments: String..., in folder: TemporaryFolder = TemporaryFolder()) async throws -> Ended {
        try await run(arguments, in: folder)
    }
}
