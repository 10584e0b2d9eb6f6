// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

struct RFC3339Tests {
    private func parse(_ text: String) -> Int64? {
        Timestamp(rfc3339: Array(text.utf8).span)?.milliseconds
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00", 0), ("1970-01-01t00:00:00z", 0), ("1970-01-01 00:00:00", 0),
        ("2026-01-31T12:34:56.789Z", 1_769_862_896_789), ("2026-01-31T12:34:56.7Z", 1_769_862_896_700),
        ("2026-01-31T12:34:56.7899999999Z", 1_769_862_896_789),
        ("1969-12-31T23:59:59.999Z", -1), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T18:30:00-05:30", 0), ("1970-01-01T00:00:00-00:00", 0),
        ("2000-02-29T00:00:00Z", 951_782_400_000), ("2016-12-31T23:59:60Z", 1_483_228_799_999), ("2017-01-01T00:59:60.5+01:00", 1_483_228_799_999),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ])
    func `a time is parsed`(text: String, milliseconds: Int64) {
        #expect(parse(text) == milliseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-01-31", "2026-01-31T", "2026-01-31T12:34", "2026-01-31T12:34:5", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "0000-01-01T00:00:00Z",
        "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:34:61Z", "2026-01-31T12:34:60Z", "2026-01-31T12:34:56.Z",
        "2026-01-31T12:34:56,7Z",
        "2026-01-31T12:34:56ZZ", "2026-01-31T12:34:56+0100", "2026-01-31T12:34:56+01", "2026-01-31T12:34:56+24:00", "2026-01-31T12:34:56+01:60",
        "2026-01-31T12:34:56+01:00Z", "2026-01-31X12:34:56Z", "2026/01/31T12:34:56Z", "2026-01-31T12.34.56Z", "-026-01-31T12:34:56Z",
        "+026-01-31T12:34:56Z",
        "2026-01-31T1a:34:56Z", " 2026-01-31T12:34:56Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "٢٠٢٦-01-31T12:34:56Z",
    ])
    func `an invalid time is rejected`(text: String) {
        #expect(parse(text) == nil)
    }

    @Test func `every date of ten thousand years survives a round trip`() {
        // Steps of eleven days and a second cover every month, every leap rule and every time of day.
        var moment: Int64 = -62_135_596_800_000
        while moment < 253_402_300_800_000 {
            let text = Timestamp(milliseconds: moment).rfc3339
            guard parse(text) == moment else {
                Issue.record("\(text) is not \(moment)")
                return
            }
            moment += 11 * Day.milliseconds + 1_001
        }
    }

    @Test func `times outside the calendar print as its first or last`() {
        #expect(Timestamp(milliseconds: .min).rfc3339 == "0001-01-01T00:00:00.000Z")
        #expect(Timestamp(milliseconds: .max).rfc3339 == "9999-12-31T23:59:59.999Z")
    }

    @Test func `a truncated time is rejected`() {
        let text = "2026-01-31T12:34:56.789+01:00"
        let whole = [19, 21, 22, 23, 29]
        for length in 0...29 {
            #expect((parse(String(text.prefix(length))) != nil) == whole.contains(length), "\(length)")
        }
    }
}
