// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import SignalboxDocumentModel

struct TransformTests {
    private static func write(_ transforms: [DocumentWrite.Transformed]) throws -> DocumentWrite {
        DocumentWrite(try #require(DocumentPath("a/b")), .set(DocumentFields(), mask: []), transforms: transforms)
    }

    private static func values(_ random: inout SeededGenerator) -> [DocumentValue] {
        (0..<Int(random.next() % 4)).map { _ in random.next() % 2 == 0 ? .integer(Int64(random.next() % 4)) : .double(Double(random.next() % 4)) }
    }

    private static func transform(_ random: inout SeededGenerator) -> FieldTransform {
        switch random.next() % 8 {
        case 0: .now
        case 1: .increment(.integer(1))
        case 2...4: .union(values(&random))
        default: .remove(values(&random))
        }
    }

    @Test func `transforms of a write are those made one by one`() throws {
        var random = SeededGenerator(11)
        let fields = try ["a", "m.b", "m.c"].map { try #require(FieldPath($0)) }
        for _ in 1...3_000 {
            var old = DocumentFields()
            for field in fields where random.next() % 2 == 0 { old[field] = .array(Self.values(&random)) }
            let transforms = (0..<Int(random.next() % 8)).map { _ in
                DocumentWrite.Transformed(fields[Int(random.next() % 3)], Self.transform(&random))
            }
            var (expected, results) = (old, [DocumentValue]())
            for transformed in transforms {
                let value = transformed.transform.apply(to: expected[transformed.field], at: .epoch)
                expected[transformed.field] = value
                results.append(transformed.transform.result(value))
            }
            let outcome = try Self.write(transforms).apply(to: old, version: .epoch, at: .epoch)
            #expect(outcome.fields == expected && outcome.results == results, "\(old) \(transforms)")
        }
    }

    /// The time would be that of 500 passes over the array.
    @Test func `many transforms of a large array pass over it once`() throws {
        let field = try #require(FieldPath("m.list"))
        var old = DocumentFields()
        old[field] = .array((0..<20_000).map { .integer($0) })
        let transforms = (0..<DocumentLimit.transforms).map { number -> DocumentWrite.Transformed in
            let value = DocumentValue.integer(Int64(number / 2))
            return .init(field, number.isMultiple(of: 2) ? .remove([value]) : .union([value]))
        }
        let outcome = try Self.write(transforms).apply(to: old, version: .epoch, at: .epoch)
        #expect(outcome.fields?[field] == .array((250..<20_000).map { .integer($0) } + (0..<250).map { .integer($0) }))
    }
}
