// SPDX-License-Identifier: Apache-2.0

import FirestoreExport
import SignalboxDocumentModel
import Testing

/// Entities that are no documents, and spellings that the emulator does not write.
@Suite struct ExportedEntityTests {
    private typealias W = WrittenExport

    private static func fields(_ properties: [UInt8]) throws -> DocumentFields { try ExportedEntity(W.entity(properties)).fields }

    @Test func `a nested map deeper than documents have is refused, and all others are read`() throws {
        var inner = W.property("v", W.number(1, 7))
        for _ in 0..<20 { inner = W.property("m", W.bytes(3, inner), meaning: 19) }
        let deep = try Self.fields(inner)
        #expect(deep[try #require(FieldPath(Array(repeating: "m", count: 20).joined(separator: ".") + ".v"))] == .integer(7))
        inner = W.property("m", W.bytes(3, inner), meaning: 19)
        #expect(throws: EntityFault.tooDeep) { try Self.fields(inner) }
    }

    @Test func `properties of both kinds, byte strings, long texts and unknown fields are read`() throws {
        let unknown = W.group(30, W.group(30, W.number(1, 1)) + W.text(2, "x")) + W.varint(31 << 3 | 5) + [1, 2, 3, 4]
        let read = try Self.fields(
            unknown + W.property("raw", W.text(3, "t"), meaning: 15, isRaw: true) + W.property("b", W.bytes(3, [0xff]), meaning: 16)
                + W.property("l", W.number(1, 1), isMultiple: true) + W.property("n", []) + W.property("l", W.text(3, "x"), isMultiple: true)
                + W.property("p", W.group(5, W.double(7, 2)) + unknown, meaning: 9))
        #expect(read["raw"] == .text("t") && read["b"] == .bytes([0xff]) && read["n"] == .null)
        #expect(read["l"] == .array([.integer(1), .text("x")]))
        #expect(read["p"] == GeoPoint(latitude: 0, longitude: 2).map(DocumentValue.place))
    }

    @Test func `references name documents of their database`() throws {
        func reference(_ app: String, _ more: [UInt8] = []) throws -> DocumentValue? {
            let element = W.group(14, W.text(15, "u") + W.number(16, 7))
            return try Self.fields(W.property("r", W.group(12, W.text(13, app) + element + more)))["r"]
        }
        let path = try #require(DocumentPath("u/__id7__"))
        #expect(try reference("s~p") == .reference(DocumentReference(path)))
        #expect(try reference("e~other") == .reference(DocumentReference(path, database: "projects/other/databases/(default)")))
        #expect(try reference("s~p", W.text(23, "two")) == .reference(DocumentReference(path, database: "projects/p/databases/two")))
        for app in ["", "s~", "s~a/b"] { #expect(throws: EntityFault.reference) { try reference(app) } }
        #expect(throws: EntityFault.reference) { try reference("s~p", W.text(23, "a/b")) }
        #expect(throws: EntityFault.namespace) { try reference("s~p", W.text(20, "n")) }
        #expect(throws: EntityFault.reference) { try Self.fields(W.property("r", W.group(12, W.text(13, "s~p")))) }
    }

    static let refused: [(EntityFault, [UInt8])] = [
        (.malformed, [0xff]), (.malformed, W.entity([0x72, 0xff, 0xff, 0xff, 0xff, 0x0f])), (.malformed, W.entity(W.varint(14 << 3 | 4))),
        (.malformed, W.entity(W.varint(30 << 3 | 3))), (.malformed, W.entity((0..<100).flatMap { _ in W.varint(30 << 3 | 3) })),
        (.malformed, W.entity(W.bytes(14, W.number(4, 0)))), (.malformed, W.entity([0x07])),
        (.malformed, W.entity([UInt8](repeating: 0x80, count: 12))),
        (.path, []), (.path, W.key([])), (.path, W.key([("c", "a/b")])), (.path, W.key([("c", "")])), (.path, W.key([("__c__", "d")])),
        (.path, W.key(Array(repeating: ("c", "d"), count: 101))),
        (.path, W.key(Array(repeating: ("c", String(repeating: "x", count: 1_400)), count: 5))),
        (.namespace, W.key([("c", "d")], namespace: "n")),
        (.text, W.entity(W.property("a", W.bytes(3, [0xff])))), (.text, W.entity(W.bytes(14, W.bytes(3, [0xc0, 0x80])))),
        (.time, W.entity(W.property("a", W.number(1, .max), meaning: 7))),
        (.place, W.entity(W.property("a", W.group(5, W.double(6, 91)), meaning: 9))),
        (.place, W.entity(W.property("a", W.group(5, W.double(6, .nan)), meaning: 9))),
        (.vector, W.entity(W.property("a", W.text(3, "x"), meaning: 31, isMultiple: true))),
        (.repeatedField, W.entity(W.property("a", []) + W.property("a", []))),
        (.repeatedField, W.entity(W.property("a", [], isMultiple: true) + W.property("a", W.double(4, 1), meaning: 31, isMultiple: true))),
        (.user, W.entity(W.property("a", W.group(8, W.text(9, "a@example.org"))))),
    ]

    @Test(arguments: refused.indices) func `what is no document is refused with its reason`(index: Int) {
        let (fault, record) = Self.refused[index]
        #expect(throws: fault) { try ExportedEntity(record) }
    }

    @Test func `a refused entity is named if its key can be read`() {
        #expect(ExportedEntity.path(of: W.entity(W.property("a", []) + W.property("a", [])))?.description == "c/d")
        #expect(ExportedEntity.path(of: W.entity([0xff]))?.description == "c/d")
        #expect(ExportedEntity.path(of: [1, 2, 3]) == nil)
        #expect(ExportedEntity.path(of: W.key([])) == nil)
    }
}
