// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import SignalboxDocumentModel

/// Many values that are set at once.
@Suite struct MaskTests {
    private static func value(_ random: inout SeededGenerator, depth: Int = 2) -> DocumentValue? {
        switch random.next() % 4 {
        case 0: return nil
        case 1 where depth > 0:
            var fields = DocumentFields()
            for name in ["a", "b", "c"] as [ExactName] { fields[name] = value(&random, depth: depth - 1) }
            return .map(fields)
        default: return .integer(Int64(random.next() % 5))
        }
    }

    @Test func `values set at once are those set one by one`() throws {
        var random = SeededGenerator(3)
        for _ in 1...5_000 {
            var fields = DocumentFields()
            for name in ["a", "b", "c", "d"] as [ExactName] { fields[name] = Self.value(&random) }
            let changes = try (0..<Int(random.next() % 6)).map { _ in
                let names = (0...Int(random.next() % 3)).map { _ in (["a", "b", "c"] as [ExactName])[Int(random.next() % 3)] }
                return (path: try #require(FieldPath(names)), value: Self.value(&random))
            }
            var (atOnce, oneByOne) = (fields, fields)
            atOnce.set(changes.map { ($0.path.names[...], $0.value) })
            for change in changes { oneByOne[change.path] = change.value }
            #expect(atOnce == oneByOne, "\(fields) \(changes)")
        }
    }
}
