// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel
import Testing

@Suite struct LimitTests {
    private static func nested(_ depth: Int) -> DocumentValue {
        (0..<depth).reduce(.integer(1)) { value, _ in .map(OrderTests.fields([("m", value)])) }
    }

    @Test func `a document is nested twenty deep`() throws {
        try Self.nested(20).validate()
        #expect(throws: DocumentFault.tooDeep) { try Self.nested(21).validate() }
    }

    @Test func `a document has at most a mebibyte`() throws {
        let path = try #require(DocumentPath("c/d"))
        // The name has 16 + 2 + 2 bytes, the document 32, the field's name 2 and the text one more than its bytes.
        let room = DocumentLimit.bytes - 20 - 32 - 2 - 1
        try OrderTests.fields([("a", .text(ExactName(String(repeating: "x", count: room))))]).validate(as: path)
        #expect(throws: DocumentFault.tooLarge(bytes: DocumentLimit.bytes + 1)) {
            try OrderTests.fields([("a", .text(ExactName(String(repeating: "x", count: room + 1))))]).validate(as: path)
        }
    }

    @Test func `arrays hold no arrays, and vectors a bounded number of elements`() throws {
        #expect(throws: DocumentFault.self) { try DocumentValue.array([.array([])]).validate() }
        try DocumentValue.array([.map(OrderTests.fields([("a", .array([]))]))]).validate()
        try DocumentValue.vector(Array(repeating: 0, count: 2_048)).validate()
        #expect(throws: DocumentFault.vector) { try DocumentValue.vector(Array(repeating: 0, count: 2_049)).validate() }
    }

    @Test(arguments: ["", "__a__", "____"]) func `names that Firestore reserves are refused`(name: String) {
        #expect(throws: DocumentFault.fieldName(name)) {
            try DocumentValue.map(OrderTests.fields([(ExactName(name), .null)])).validate()
        }
    }

    @Test func `a filter has at most thirty disjunctions`() throws {
        let field = try #require(FieldPath("a"))
        func anyOf(_ count: Int) -> Filter { .compare(field, .isIn, .array((0..<count).map { .integer(Int64($0)) })) }
        #expect(anyOf(30).disjunctions?.count == 30)
        #expect(anyOf(31).disjunctions == nil)
        #expect(Filter.and([anyOf(5), anyOf(6)]).disjunctions?.count == 30)
        #expect(Filter.and([anyOf(5), anyOf(7)]).disjunctions == nil)
        #expect(Filter.or([anyOf(15), anyOf(16)]).disjunctions == nil)
    }
}
