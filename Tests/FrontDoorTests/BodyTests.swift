// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import ingestd

@Suite struct BodyTests {
    private func body(fields: Int) throws(Refusal) -> Body {
        try Body(Array(("{" + (0..<fields).map { "\"f\($0)\":0" }.joined(separator: ",") + "}").utf8))
    }

    @Test func `an object with too many fields is rejected before the fields are compared`() throws {
        #expect(try body(fields: 1_000).names.count == 1_000)
        #expect(throws: Refusal.field("f1000", "unknown", "exceeds the limit of 1000 fields")) { try body(fields: 50_000) }
    }

    @Test func `a repeated field is rejected`() throws {
        #expect(throws: Refusal.field("a", "repeated", "occurs twice")) { try Body(Array(#"{"a": 1, "a": 2}"#.utf8)) }
    }
}
