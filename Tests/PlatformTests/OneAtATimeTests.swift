// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@Suite struct OneAtATimeTests {
    @Test func `beyond the limit of waiting tasks more are rejected until one finishes`() async throws {
        let line = OneAtATime(most: 2)
        let (opened, open) = AsyncStream.makeStream(of: Void.self)
        let first = Task { try await line.run { for await _ in opened { break } } }
        let second = Task { try await line.run {} }
        while await line.waiting < 2 { await Task.yield() }
        await #expect(throws: Refusal.self) { try await line.run {} }
        open.finish()
        try await first.value
        try await second.value
        try await line.run {}
    }
}
