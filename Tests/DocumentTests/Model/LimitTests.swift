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
        // The name has 16 + 2 + 2 bytes, the document 32, a field's name 2 and a text one more than its bytes.
        let room = DocumentLimit.bytes - 20 - 32 - 2 - 1 - 1_003
        func fields(_ count: Int) -> DocumentFields { OrderTests.fields([("a", Self.text(count)), ("b", Self.text(1_000))]) }
        try fields(room).validate(as: path)
        #expect(throws: DocumentFault.tooLarge(bytes: DocumentLimit.bytes + 1)) { try fields(room + 1).validate(as: path) }
    }

    private static func text(_ count: Int) -> DocumentValue { .text(ExactName(String(repeating: "x", count: count))) }

    @Test func `a text and bytes have a limit of their own, wherever they are`() throws {
        let path = try #require(DocumentPath("c/d"))
        let most = DocumentLimit.valueBytes
        let bytes = DocumentValue.bytes(Array(repeating: 0, count: most + 1))
        try OrderTests.fields([("a", Self.text(most))]).validate(as: path)
        for value in [Self.text(most + 1), bytes, .array([Self.text(most + 1)]), .map(OrderTests.fields([("s", Self.text(most + 1))]))] {
            #expect(throws: DocumentFault.valueTooLong(bytes: most + 1)) { try OrderTests.fields([("a", value)]).validate(as: path) }
        }
    }

    @Test func `the names on the way to a field in maps have a limit together`() throws {
        let path = try #require(DocumentPath("c/d"))
        func map(_ count: Int) -> DocumentValue { .map(OrderTests.fields([(ExactName(String(repeating: "k", count: count)), .null)])) }
        for (value, isValid) in [(map(1_498), true), (map(1_499), false), (.array([map(1_500)]), true), (.array([map(1_501)]), false)] {
            let fields = OrderTests.fields([("m", value)])
            if isValid { try fields.validate(as: path) } else { #expect(throws: DocumentFault.self) { try fields.validate(as: path) } }
        }
    }

    @Test func `arrays hold no arrays, and vectors a bounded number of elements`() throws {
        #expect(throws: DocumentFault.self) { try DocumentValue.array([.array([])]).validate() }
        try DocumentValue.array([.map(OrderTests.fields([("a", .array([]))]))]).validate()
        try DocumentValue.vector(Array(repeating: 0, count: 2_048)).validate()
        #expect(throws: DocumentFault.vector) { try DocumentValue.vector(Array(repeating: 0, count: 2_049)).validate() }
    }

    @Test(arguments: ["", "__a__", "____"]) func `names that Firestore reserves are refused`(name: String) {
        #expect(throws: name.isEmpty ? DocumentFault.emptyFieldName : .reservedFieldName(name)) {
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
        #expect(Filter.and([anyOf(7), anyOf(7)]).disjunctions?.count == 7, "the same condition twice")
        #expect(Filter.or([anyOf(15), anyOf(16)]).disjunctions == nil)
    }
}
