// SPDX-License-Identifier: Apache-2.0

import Events
import Ingest
import Platform
import Testing

@Suite struct RevenueTests {
    static let eur: UInt32 = 0x455552

    static let counted: [(String, String, Int64)] = [
        ("purchase", #"{"value":9.99,"currency":"EUR"}"#, 9_990_000), ("purchase", #"{"value":"9.99","currency":"eur"}"#, 9_990_000),
        ("purchase", #"{"currency":"EUR","value":1e2}"#, 100_000_000), ("purchase", #"{"value":0,"currency":"EUR"}"#, 0),
        ("purchase", #"{"value":-0.0,"currency":"EUR"}"#, 0), ("refund", #"{"value":0.1,"currency":"EUR"}"#, 100_000),
        ("purchase", #"{"value":0.30000000000000004,"currency":"EUR"}"#, 300_000),
        ("purchase", #"{"value":9223372036854.775807,"currency":"EUR"}"#, .max), ("in_app_purchase", #"{"value":2,"currency":"EUR"}"#, 2_000_000),
        ("in_app_purchase", #"{"price":1.99,"quantity":3,"currency":"EUR"}"#, 5_970_000),
        ("in_app_purchase", #"{"price":"1.99","currency":"EUR"}"#, 1_990_000),
        ("in_app_purchase", #"{"value":null,"price":1.99,"quantity":null,"currency":"EUR"}"#, 1_990_000),
        ("in_app_purchase", #"{"value":1,"price":1.99,"quantity":3,"currency":"EUR"}"#, 1_000_000),
        ("purchase", #"{"value":"9\u002e99","currency":"\u0045UR"}"#, 9_990_000),
        ("in_app_purchase", #"{"price":"\u0031.99","currency":"eu\u0072"}"#, 1_990_000),
    ]

    @Test(arguments: counted)
    func `an amount with a currency is exact revenue`(name: String, params: String, amount: Int64) throws {
        let submission = try decode(name, params: params)
        #expect(submission.records[0].amount == amount && submission.records[0].currency == Self.eur)
        #expect(submission.told.isEmpty && submission.params == params)
    }

    static let uncounted: [(String, String)] = [
        ("purchase", #"{"value":9.99}"#), ("purchase", #"{"currency":"EUR"}"#), ("purchase", #"{"value":null,"currency":"EUR"}"#),
        ("purchase", #"{"value":1,"currency":null}"#), ("purchase", #"{"price":1,"quantity":1,"currency":"EUR"}"#),
        ("level_up", #"{"value":true,"currency":"nonsense"}"#), ("purchase", #"{"coupon":"x"}"#),
        ("in_app_purchase", #"{"quantity":3,"currency":"EUR"}"#),
    ]

    @Test(arguments: uncounted)
    func `an event without amount or currency is not revenue`(name: String, params: String) throws {
        let submission = try decode(name, params: params)
        #expect(submission.records[0].currency == 0 && submission.records[0].amount == 0)
        #expect(submission.told.isEmpty && submission.params == params)
    }

    static let corrected: [(String, String, String, String)] = [
        ("purchase", #"{"value":"a lot","currency":"EUR"}"#, "bad_money params.value", #"{"currency":"EUR"}"#),
        ("purchase", #"{"value":true,"currency":"EUR"}"#, "bad_money params.value", #"{"currency":"EUR"}"#),
        ("refund", #"{"value":"","currency":"EUR"}"#, "bad_money params.value", #"{"currency":"EUR"}"#),
        ("purchase", #"{"value":1e13,"currency":"EUR"}"#, "number_out_of_range params.value", #"{"currency":"EUR"}"#),
        ("purchase", #"{"value":1e999,"currency":"EUR"}"#, "number_out_of_range params.value", #"{"currency":"EUR"}"#),
        ("purchase", #"{"value":1,"currency":"Euro"}"#, "bad_currency params.currency", #"{"value":1}"#),
        ("purchase", #"{"value":1,"currency":978}"#, "bad_currency params.currency", #"{"value":1}"#),
        ("in_app_purchase", #"{"price":1,"quantity":1.5,"currency":"EUR"}"#, "bad_value params.quantity", #"{"price":1,"currency":"EUR"}"#),
        (
            "in_app_purchase", #"{"price":9000000000000,"quantity":2,"currency":"EUR"}"#, "number_out_of_range params.quantity",
            #"{"price":9000000000000,"currency":"EUR"}"#
        ),
        ("in_app_purchase", #"{"value":"x","price":1,"currency":"EUR"}"#, "bad_money params.value", #"{"price":1,"currency":"EUR"}"#),
        ("purchase", #"{"transaction_id":true}"#, "bad_value params.transaction_id", ""),
        ("purchase", #"{"value":-5,"currency":"EUR"}"#, "negative_amount params.value", #"{"currency":"EUR"}"#),
        ("purchase", #"{"value":"-5"}"#, "negative_amount params.value", ""),
        ("in_app_purchase", #"{"value":-5,"price":1,"currency":"EUR"}"#, "negative_amount params.value", #"{"price":1,"currency":"EUR"}"#),
        ("in_app_purchase", #"{"price":-1,"currency":"EUR"}"#, "negative_amount params.price", #"{"currency":"EUR"}"#),
        ("in_app_purchase", #"{"price":1,"quantity":-2,"currency":"EUR"}"#, "negative_amount params.quantity", #"{"price":1,"currency":"EUR"}"#),
    ]

    @Test(arguments: corrected)
    func `invalid money is dropped and the event is not revenue`(name: String, params: String, told: String, stored: String) throws {
        let submission = try decode(name, params: params)
        #expect(submission.told == ["0 " + told] && submission.params == stored)
        #expect(submission.records[0].currency == 0 && submission.records[0].amount == 0)
    }

    static let negativeRefunds: [(String, String, Int64)] = [
        (#"{"value":-5,"currency":"EUR"}"#, #"{"value":5,"currency":"EUR"}"#, 5_000_000),
        (#"{"value":"-0.5","currency":"EUR"}"#, #"{"value":"0.5","currency":"EUR"}"#, 500_000),
        (#"{ "currency" : "EUR", "value" : -1e2 }"#, #"{"currency":"EUR","value":1e2}"#, 100_000_000),
        (#"{"value":"\u002d7","currency":"EUR","a\u0062":1}"#, #"{"value":"7","currency":"EUR","ab":1}"#, 7_000_000),
        (#"{"value":-9223372036854.775807,"currency":"EUR"}"#, #"{"value":9223372036854.775807,"currency":"EUR"}"#, .max),
        (#"{"value":-5}"#, #"{"value":5}"#, 0),
    ]

    @Test(arguments: negativeRefunds)
    func `a negative refund counts as the positive amount`(params: String, stored: String, amount: Int64) throws {
        let submission = try decode("refund", params: params)
        #expect(submission.told == ["0 negative_amount params.value"] && submission.params == stored)
        #expect(submission.records[0].amount == amount && submission.records[0].flags == .corrected)
        // The next event of the request is not affected.
        let two = try decode(#"[{"name":"refund","params":\#(params)},{"name":"e","params":{"value":-1,"x y":1}}]"#)
        #expect(two.text(two.records[1].params) == #"{"value":-1}"#)
    }

    static let subjects: [(String, String, String)] = [
        ("screen_view", #"{"screen_name":"Home"}"#, "Home"), ("screen_view", #"{"screen_name":"H\u006fme"}"#, "Home"),
        ("screen_view", #"{"screen_name":""}"#, ""), ("screen_view", #"{"screen_name":3}"#, ""), ("screen_view", #"{"screen_class":"X"}"#, ""),
        ("purchase", #"{"transaction_id":"T-1"}"#, "T-1"), ("purchase", #"{"transaction_id":17}"#, "17"),
        ("purchase", #"{"transaction_id":""}"#, ""), ("purchase", #"{"transaction_id":null}"#, ""), ("refund", #"{"transaction_id":"T-1"}"#, "T-1"),
        ("in_app_purchase", #"{"transaction_id":"T-1","transaction_id":"T-2"}"#, "T-2"), ("level_up", #"{"transaction_id":"T-1"}"#, ""),
    ]

    @Test(arguments: subjects)
    func `screen names and transaction IDs become the subject of events`(name: String, params: String, subject: String) throws {
        let submission = try decode(name, params: params)
        let record = submission.records[0]
        #expect(submission.text(record.subject) == subject)
        let domain: KeyedHash.Domain = name == "screen_view" ? .screen : .transaction
        let key = subject.isEmpty ? 0 : Given.hash(domain, app: AppID(rawValue: 7), Array(subject.utf8).span)
        #expect(record.subjectKey == key)
    }

    @Test func `purchases of one transaction count once; refunds and other spellings are separate`() throws {
        func event(_ id: Int, _ name: String, _ transaction: String) -> String {
            #"{"id":"\#(id)","name":"\#(name)","params":{"transaction_id":"\#(transaction)"}}"#
        }
        let events = [
            event(0, "purchase", "T"), event(1, "in_app_purchase", "T"), event(2, "purchase", "t"), event(3, "refund", "T"), event(4, "refund", "T"),
            event(5, "purchase", ""), event(6, "purchase", ""), event(0, "purchase", "U"), event(7, "purchase", "U"),
        ]
        let submission = try decode("[\(events.joined(separator: ","))]")
        #expect(submission.told == ["1 transaction_duplicate params.transaction_id", "7 event_duplicate id"])
        #expect(submission.outcomeWithoutStoring().accepted == 7)
    }
}
