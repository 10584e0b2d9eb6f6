// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import SignalboxDocumentModel

struct FieldSelectionTests {
    private static let names = ["a", "b", "c"] as [ExactName]

    private static func fields(_ random: inout SeededGenerator, depth: Int = 3) -> DocumentFields {
        var fields = DocumentFields()
        for name in names where random.next() % 3 != 0 {
            fields[name] = depth > 0 && random.next() % 2 == 0 ? .map(Self.fields(&random, depth: depth - 1)) : .integer(1)
        }
        return fields
    }

    /// The fields that a selection has, each read and set by its path.
    private static func oneByOne(_ paths: [FieldPath], of fields: DocumentFields) -> DocumentFields {
        var selected = DocumentFields()
        for path in paths { if let value = fields[path] { selected[path] = value } }
        return selected
    }

    @Test func `selected fields are those that their paths lead to`() throws {
        var (random, chosen) = (SeededGenerator(5), 0)
        for _ in 1...5_000 {
            let fields = Self.fields(&random)
            let paths = try (0..<Int(random.next() % 6)).map { _ in
                try #require(FieldPath((0...Int(random.next() % 4)).map { _ in Self.names[Int(random.next() % 3)] }))
            }
            let selected = FieldSelection(paths).fields(of: fields)
            #expect(selected == Self.oneByOne(paths, of: fields), "\(fields) \(paths)")
            chosen += selected.isEmpty ? 0 : 1
        }
        #expect(chosen > 1_000)
    }

    @Test func `a document's name and paths deeper than documents select nothing`() throws {
        let fields = try #require(DocumentFields([.init("__name__", .integer(1)), .init("a", .integer(2))]))
        #expect(FieldSelection([.name]).fields(of: fields).isEmpty)
        var value = DocumentValue.integer(7)
        for _ in 0..<DocumentLimit.depth {
            value = .map(try #require(DocumentFields([.init("m", value)])))
        }
        let deepest = try #require(DocumentFields([.init("m", value)]))
        let path = try #require(FieldPath(Array(repeating: "m", count: DocumentLimit.depth + 1)))
        #expect(FieldSelection([path]).fields(of: deepest) == deepest)
        let deeper = try #require(FieldPath(Array(repeating: "m", count: 700)))
        #expect(FieldSelection([deeper]).fields(of: deepest).isEmpty)
    }

    @Test func `equal paths are equal selections`() throws {
        let paths = try ["a.b", "c"].map { try #require(FieldPath($0)) }
        #expect(FieldSelection(paths) == FieldSelection(paths))
        #expect(FieldSelection(paths) != FieldSelection([paths[0]]))
        #expect(FieldSelection([paths[0]]) != FieldSelection([try #require(FieldPath("a"))]))
    }
}
