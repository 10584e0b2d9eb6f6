// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel
import Testing

@testable import SignalboxDocuments

/// Values, their JSON, and types of apps.
@Suite struct DocumentValueTests {
    private struct Address: Codable, Equatable {
        var city: String
        var place: SignalboxDocuments.GeoPoint?
    }

    private struct User: Codable, Equatable {
        @DocumentID var id: String?
        var name: String
        var age: Int
        var score: Double
        var since: Date
        var photo: Data
        var tags: [String]
        var address: Address?
        var extra: FieldValue?
    }

    private static func text(_ fields: [String: FieldValue]) throws -> String {
        var json = JSONText()
        json.object(try FieldValue.stored(fields))
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `values are written as the daemon writes them`() throws {
        let fields: [String: FieldValue] = [
            "n": nil, "t": true, "i": 7, "d": 7.0, "nan": .double(.nan), "s": "a\"\u{1}é", "a": [1, "x"], "m": ["$in": 1], "$tag": "x",
            "at": .time(Date(timeIntervalSince1970: 1_700_000_000.000_001)), "b": .bytes(Data([0, 1, 255])), "r": .reference("users/u1"),
            "p": .place(.init(latitude: 48.1, longitude: 11.5)), "v": .vector([1, .infinity]),
        ]
        let text = try Self.text(fields)
        #expect(
            text
                == #"{"$$tag":"x","a":[1,"x"],"at":{"$time":"2023-11-14T22:13:20.000001Z"},"b":{"$bytes":"AAH/"},"d":7.0,"i":7,"#
                + #""m":{"$$in":1},"n":null,"nan":{"$double":"NaN"},"p":{"$geo":[48.1,11.5]},"r":{"$ref":"users/u1"},"#
                + #""s":"a\"\u0001é","t":true,"v":{"$vector":[1.0,{"$double":"Infinity"}]}}"#)
        let read = try #require(JSONNode(text.utf8).flatMap(NativeText.fields))
        #expect(try Self.text(FieldValue.fields(read)) == text)
    }

    @Test func `names of users and engines are different files, however long they are`() {
        #expect(StoreName.of(nil) == "documents" && StoreName.of("ann") == "documents-ann" && StoreName.of("a/B") == "documents-a_2f_42")
        let long = String(repeating: "x", count: 250)
        let names = [StoreName.of(long), StoreName.of(long + "y"), StoreName.of(String(long.dropLast()))]
        #expect(Set(names).count == 3 && names.allSatisfy { $0.split(separator: "/").allSatisfy { $0.utf8.count < 220 } })
    }

    @Test func `every microsecond of a time of this century is kept`() throws {
        for microseconds in [-62_135_596_800_000_000, -1, 0, 1, 999_999, 1_795_428_000_000_001, 4_102_444_799_999_999] as [Int64] {
            let time = try #require(DocumentTime(microseconds: microseconds))
            #expect(DocumentTime(time.date)?.microseconds == microseconds)
        }
        #expect(throws: DocumentError.self) { try FieldValue.time(Date(timeIntervalSince1970: 1e12)).stored() }
    }

    @Test func `JSON keeps integers and doubles apart, and refuses what is none`() {
        #expect(
            JSONNode("[1, 1.0, 1e2, -0, 9223372036854775808]".utf8) == .array([.integer(1), .double(1), .double(100), .integer(0), .double(0x1p63)]))
        #expect(JSONNode(#""\u00e9\ud83d\ude00\n""#.utf8) == .text("é😀\n"))
        for broken in ["", "[1", "{\"a\"}", "tru", "\"\\ud800\"", "1 2", "{\"a\":1,}", String(repeating: "[", count: 100)] {
            #expect(JSONNode(broken.utf8) == nil, "\(broken)")
        }
    }

    @Test func `types of an app are encoded and decoded`() throws {
        let user = User(
            id: "u1", name: "Ann", age: 41, score: 2, since: Date(timeIntervalSince1970: 1_700_000_000.5), photo: Data([1, 2]), tags: ["a"],
            address: Address(city: "Bonn", place: .init(latitude: 50, longitude: 7)), extra: .increment(1))
        let fields = try DocumentEncoder().encode(user)
        #expect(fields["score"] == .double(2) && fields["age"] == .integer(41) && fields["extra"] == .increment(1) && fields["id"] == nil)
        #expect(fields["since"] == .time(user.since) && fields["photo"] == .bytes(Data([1, 2])))
        let decoded = try DocumentDecoder().decode(User.self, from: .map(fields), path: "users/u1")
        #expect(decoded == user)
    }

    @Test(arguments: ["19.99", "3.133", "0.1", "-4.35", "0.07", "0.000001", "1e25", "0"])
    func `an amount is read with the digits that it was written with`(text: String) throws {
        struct Price: Codable, Equatable { var amount: Decimal }
        let price = Price(amount: try #require(Decimal(string: text)))
        let fields = try DocumentEncoder().encode(price)
        let nearest = try #require(Double(text))
        #expect(fields == ["amount": .double(nearest)])
        #expect(try DocumentDecoder().decode(Price.self, from: .map(fields), path: nil) == price)
        let whole = try DocumentDecoder().decode(Price.self, from: ["amount": .integer(9_007_199_254_740_993)], path: nil)
        #expect(whole.amount == Decimal(9_007_199_254_740_993 as Int64))
        for number in [Double.infinity, -.infinity, 1e300] {
            let error = #expect(throws: DocumentError.self) {
                try DocumentDecoder().decode(Price.self, from: ["amount": .double(number)], path: "prices/p")
            }
            #expect(error?.code == .dataLoss)
        }
    }

    @Test func `a long array is encoded in the order of its elements`() throws {
        struct Series: Encodable { var numbers: [Int] }
        let fields = try DocumentEncoder().encode(Series(numbers: Array(0..<100_000)))
        #expect(fields == ["numbers": .array((0..<100_000).map(FieldValue.integer))])
    }

    @Test(
        arguments: [
            (["name": "Ann"], "age is missing"), (["name": 1, "age": 1], "name is no String"), (["name": "Ann", "age": 1.5], "age is no Int"),
            (["name": "Ann", "age": 1, "address": ["city": nil]], "address.city is no String"),
        ] as [([String: FieldValue], String)])
    func `a malformed document names its field`(fields: [String: FieldValue], text: String) throws {
        struct Person: Decodable {
            var name: String
            var age: Int
            var address: Address?
        }
        let error = try #require(throws: DocumentError.self) { try DocumentDecoder().decode(Person.self, from: .map(fields), path: "users/u1") }
        #expect(error.code == .dataLoss && error.reason.contains("users/u1") && error.reason.contains(text), "\(error)")
    }

    @Test func `writes have the mask and the transforms that the daemon finds`() throws {
        let path = try #require(DocumentPath("users/u1"))
        let fields: [String: FieldValue] = ["name": "Ann", "visits": .increment(1), "m": ["at": .serverTime, "old": .delete, "x": 1], "e": [:]]
        let merge = try ClientWrite(path, .merge(WrittenFields(fields))).model()
        guard case .set(let merged, let mask?) = merge.change else { return #expect(Bool(false)) }
        #expect(Set(mask.map(\.description)) == ["name", "m.old", "m.x", "e"])
        #expect(Set(merge.transforms.map(\.field.description)) == ["visits", "m.at"])
        #expect(merged["m" as ExactName].map { FieldValue($0) } == ["x": 1])
        let update = try ClientWrite(path, .update(WrittenFields(["a.b": 1, "c": .delete]))).model()
        #expect(update.precondition == .exists(true))
        let old = try FieldValue.stored(["c": 1, "a": ["z": nil]])
        let outcome = try update.apply(to: old, version: nil, at: .epoch)
        #expect(outcome.fields.map(FieldValue.fields) == ["a": ["b": 1, "z": nil]])
        #expect(throws: DocumentError.self) { try ClientWrite(path, .set(WrittenFields(["a": .delete]))).model() }
        #expect(throws: DocumentError.self) { try ClientWrite(path, .update(WrittenFields(["a": 1, "a.b": 2]))).model() }
        // A queued write is read as it was written.
        for kind in [.set(try WrittenFields(["$a": ["$b": 1], "n": .maximum(2)])), .merge(try WrittenFields(fields)), .delete] as [ClientWrite.Kind] {
            var json = JSONText()
            let write = ClientWrite(path, kind, if: .exists(true))
            json.write(write)
            #expect(JSONNode(json.bytes).flatMap { ClientWrite($0) } == write)
        }
    }
}
