// SPDX-License-Identifier: Apache-2.0

import Firestore
import SignalboxDocumentModel
import Testing

/// Several writes of one document in a commit. Google's emulator answered all pairs of these writes, with the same results.
struct WriteSequenceTests {
    private static let time = #""currentDocument":{"updateTime":"2020-01-01T00:00:00Z"}"#
    private static let exists = #""currentDocument":{"exists":true}"#
    private static let missing = #""currentDocument":{"exists":false}"#

    /// Sets and deletes with and without preconditions, and checks, by letters.
    private static let writes: [Character: String] = [
        "S": #"{"update":{"name":"N/c/d"}}"#, "C": #"{"update":{"name":"N/c/d"},\#(missing)}"#, "U": #"{"update":{"name":"N/c/d"},\#(exists)}"#,
        "T": #"{"update":{"name":"N/c/d"},\#(time)}"#, "O": #"{"update":{"name":"N/c/d"},"currentDocument":{"updateTime":"2021-01-01T00:00:00Z"}}"#,
        "D": #"{"delete":"N/c/d"}"#, "E": #"{"delete":"N/c/d",\#(exists)}"#, "N": #"{"delete":"N/c/d",\#(missing)}"#,
        "X": #"{"delete":"N/c/d",\#(time)}"#, "V": #"{"verify":"N/c/d",\#(exists)}"#,
    ]

    private static func commit(_ letters: String) throws -> [DocumentWrite] {
        let list = letters.compactMap { writes[$0] }.joined(separator: ",")
        return try FirestoreBody.reader(#"{"writes":[\#(list)]}"#).commit().writes
    }

    private static func text(_ letters: String) -> String {
        do { return try commit(letters).map { $0.precondition == nil ? "-" : "?" }.joined() } catch {
            return (error as? FirestoreFault)?.message ?? "\(error)"
        }
    }

    @Test(arguments: ["SS", "SU", "SD", "SE", "CS", "CU", "CD", "CE", "US", "UU", "UD", "UE", "TS", "TU", "TT", "TD", "TE", "TX"])
    func `a write of a document that is there holds`(letters: String) {
        #expect(Self.text(letters) == (letters.first == "S" ? "--" : "?-"), "\(letters)")
    }

    @Test(arguments: ["DS", "DC", "DD", "DN", "ES", "EC", "ED", "EN", "NS", "NC", "ND", "NN", "XS", "XC", "XD", "XN", "XX"])
    func `a write of a document that is gone holds`(letters: String) {
        #expect(Self.text(letters) == (letters.first == "D" ? "--" : "?-"), "\(letters)")
    }

    @Test(arguments: [
        ("SC", "upsert then insert"), ("CC", "insert then insert"), ("UC", "update then insert"), ("TC", "update then insert"),
        ("SN", "upsert then delete"), ("CN", "insert then delete"), ("UN", "update then delete"), ("TN", "update then delete"),
        ("DU", "delete then update"), ("EU", "delete then update"), ("NU", "delete then update"), ("XU", "delete then update"),
        ("DT", "delete then update"), ("ET", "delete then update"), ("NT", "delete then update"), ("XT", "delete then update"),
        ("DE", "delete then delete"), ("EE", "delete then delete"), ("NE", "delete then delete"), ("XE", "delete then delete"),
        ("DCC", "upsert then insert"), ("CUC", "insert then insert"), ("NSC", "insert then insert"), ("ESC", "update then insert"),
        ("XCC", "upsert then insert"), ("CDU", "delete then update"), ("TDT", "delete then update"),
    ]) func `a precondition that cannot hold is named`(letters: String, words: String) {
        #expect(Self.text(letters) == "Cannot \(words) an entity in the same request.")
    }

    @Test(arguments: ["ST", "CT", "UT", "SX", "CX", "UX", "DX", "EX", "NX", "TO", "STT"]) func `one time is expected at most`(letters: String) {
        #expect(Self.text(letters).hasPrefix("Cannot collapse mutations with different version preconditions"), "\(letters)")
    }

    @Test(arguments: ["SDC", "CDC", "TST", "UDS", "XSU", "TSX", "TUT", "SDNS"]) func `longer sequences hold`(letters: String) {
        #expect(Self.text(letters).dropFirst().allSatisfy { $0 == "-" }, "\(letters)")
    }

    @Test func `a document is checked or written`() {
        #expect(Self.text("VV").contains("verified more than once"))
        #expect(Self.text("VS").contains("verified and then written"))
        #expect(Self.text("SV").contains("written and then verified"))
        #expect(Self.text("V") == "?")
        #expect(throws: FirestoreFault.self) { try FirestoreBody.reader(#"{"writes":[{"verify":"N/c/d"}]}"#).commit() }
        #expect(throws: FirestoreFault.self) { try FirestoreBody.reader(#"{"writes":[{"transform":{"document":"N/c/d"}}]}"#).commit() }
    }

    @Test func `writes of different documents are independent`() throws {
        let body = #"{"writes":[{"update":{"name":"N/c/a"}},{"update":{"name":"N/c/b"},\#(Self.missing)},{"delete":"N/c/a"}]}"#
        #expect(try FirestoreBody.reader(body).commit().writes.map(\.precondition) == [nil, .exists(false), nil])
    }
}
