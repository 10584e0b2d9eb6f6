// SPDX-License-Identifier: Apache-2.0

import HTTPServer
import Testing

struct FileConditionTests {
    private static let current = FileValidators(tag: EntityTag("a"), modified: 784_111_777)
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

    private func conditions(_ method: HTTPMethod, _ fields: [(String, String)]) -> FileConditions {
        FileConditions(method: method, now: 1_790_000_000) { name in fields.filter { $0.0 == name }.map(\.1) }
    }

    private func outcome(_ method: HTTPMethod, _ fields: [(String, String)], exists: Bool = true) -> FileConditions.Outcome {
        conditions(method, fields).outcome(for: exists ? FileConditionTests.current : nil)
    }

    private func delivery(_ fields: [(String, String)], method: HTTPMethod = .get) -> FileConditions.Delivery {
        conditions(method, fields).delivery(of: 10, for: FileConditionTests.current)
    }

    @Test(arguments: [
        ("\"a\"", true), ("*", true), (" * ", true), ("\"b\", \"a\"", true), (",\"a\",", true), ("\"b\"\t,\t\"a\"", true), ("W/\"a\"", false),
        ("\"b\"", false), ("\"A\"", false), ("a", false), ("\"a", false), ("\"a\" \"b\"", false), ("*, \"a\"", false), ("w/\"a\"", false),
        ("", false),
        (",", false), ("\"a\"x", false), ("\"\"", false),
    ])
    func `If-Match compares strongly`(field: String, matches: Bool) {
        for method in [HTTPMethod.get, .head, .put, .delete, .patch] {
            #expect(outcome(method, [("If-Match", field)]) == (matches ? .met : .failed), "\(method)")
            #expect(outcome(method, [("If-Match", field)], exists: false) == .failed)
        }
    }

    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", true), ("*", true), ("\"b\", W/\"a\"", true), ("\"b\"", false), ("W/\"b\"", false), ("\"\"", false),
    ])
    func `If-None-Match compares weakly, and answers 304 to reads and 412 to changes`(field: String, matches: Bool) {
        for method in [HTTPMethod.get, .head] { #expect(outcome(method, [("If-None-Match", field)]) == (matches ? .notModified : .met)) }
        for method in [HTTPMethod.put, .post, .delete, .patch] {
            #expect(outcome(method, [("If-None-Match", field)]) == (matches ? .failed : .met))
            #expect(outcome(method, [("If-None-Match", field)], exists: false) == .met)
        }
    }

    @Test(arguments: ["a", "\"a", "", "\"a\" \"b\"", "*, *"])
    func `a malformed If-None-Match prevents changes only`(field: String) {
        #expect(outcome(.get, [("If-None-Match", field)]) == .met)
        #expect(outcome(.put, [("If-None-Match", field)]) == .failed)
    }

    @Test func `fields of the same name are one list`() {
        #expect(outcome(.put, [("If-Match", "\"b\""), ("If-Match", "\"a\"")]) == .met)
        #expect(outcome(.get, [("If-None-Match", "\"b\""), ("If-None-Match", "\"a\"")]) == .notModified)
    }

    @Test func `dates are compared in seconds`() {
        typealias Tests = FileConditionTests
        let modified: [(String, FileConditions.Outcome)] = [(Tests.before, .met), (Tests.same, .notModified), (Tests.after, .notModified)]
        for (date, expected) in modified {
            #expect(outcome(.get, [("If-Modified-Since", date)]) == expected)
            #expect(outcome(.head, [("If-Modified-Since", date)]) == expected)
            #expect(outcome(.put, [("If-Modified-Since", date)]) == .met)
        }
        let unmodified: [(String, FileConditions.Outcome)] = [(Tests.before, .failed), (Tests.same, .met), (Tests.after, .met)]
        for (date, expected) in unmodified {
            for method in [HTTPMethod.get, .put] { #expect(outcome(method, [("If-Unmodified-Since", date)]) == expected) }
            #expect(outcome(.put, [("If-Unmodified-Since", date)], exists: false) == .met)
        }
    }

    @Test func `invalid and repeated dates are ignored`() {
        for name in ["If-Modified-Since", "If-Unmodified-Since"] {
            #expect(outcome(.get, [(name, "yesterday")]) == .met)
            #expect(outcome(.get, [(name, FileConditionTests.before), (name, FileConditionTests.after)]) == .met)
        }
    }

    /// RFC 9110, 13.2.2: tags come before dates, and conditions for changes before those for reads.
    @Test func `tags replace dates, and If-Match comes first`() {
        #expect(outcome(.get, [("If-Match", "\"a\""), ("If-Unmodified-Since", FileConditionTests.before)]) == .met)
        #expect(outcome(.get, [("If-None-Match", "\"b\""), ("If-Modified-Since", FileConditionTests.after)]) == .met)
        #expect(outcome(.get, [("If-None-Match", "\"a\""), ("If-Modified-Since", FileConditionTests.before)]) == .notModified)
        #expect(outcome(.get, [("If-Match", "\"b\""), ("If-None-Match", "\"a\"")]) == .failed)
        #expect(outcome(.get, [("If-Match", "\"a\""), ("If-None-Match", "\"a\"")]) == .notModified)
        #expect(outcome(.get, [("If-Unmodified-Since", FileConditionTests.before), ("If-None-Match", "\"a\"")]) == .failed)
        #expect(outcome(.get, [("If-Unmodified-Since", FileConditionTests.after), ("If-Modified-Since", FileConditionTests.after)]) == .notModified)
    }

    @Test func `conditions come before the range`() {
        let range = ("Range", "bytes=0-1")
        #expect(delivery([]) == .whole)
        #expect(delivery([range]) == .part(FileRange(offset: 0, length: 2)))
        #expect(delivery([range, ("If-None-Match", "\"a\"")]) == .notModified)
        #expect(delivery([range, ("If-Match", "\"b\"")]) == .failed)
        #expect(delivery([("Range", "bytes=10-")]) == .unsatisfiable)
        #expect(delivery([("Range", "bytes=10-"), ("If-None-Match", "\"a\"")]) == .notModified)
    }

    @Test func `only GET has ranges, and only one field of them`() {
        #expect(delivery([("Range", "bytes=0-1")], method: .head) == .whole)
        #expect(delivery([("Range", "bytes=0-1"), ("Range", "bytes=0-1")]) == .whole)
    }

    @Test(arguments: [
        ("\"a\"", true), ("W/\"a\"", false), ("\"b\"", false), ("*", false), ("\"a\", \"b\"", false), ("\"a\",", false), ("a", false),
        (FileConditionTests.same, false), ("", false),
    ])
    func `If-Range keeps the range for the same strong tag only`(field: String, keeps: Bool) {
        let expected = keeps ? FileConditions.Delivery.part(FileRange(offset: 0, length: 2)) : .whole
        #expect(delivery([("Range", "bytes=0-1"), ("If-Range", field)]) == expected)
        // A range that does not count cannot be unsatisfiable.
        #expect(delivery([("Range", "bytes=10-"), ("If-Range", field)]) == (keeps ? .unsatisfiable : .whole))
        #expect(delivery([("If-Range", field)]) == .whole)
    }

    @Test func `a tag is printed as it is compared`() {
        #expect(EntityTag("a1").text == "\"a1\"")
        #expect(EntityTag(parsing: "W/\"a1\"")?.text == "W/\"a1\"")
        #expect(EntityTag(parsing: EntityTag("a1").text) == EntityTag("a1"))
    }
}

struct HTTPDateTests {
    /// 21 September 2026.
    private static let now = 1_790_000_000

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("Monday, 01-Jan-76 00:00:00 GMT", 3_345_062_400),
        ("Friday, 01-Jan-77 00:00:00 GMT", 220_924_800),
    ])
    func `all three forms are read`(text: String, seconds: Int) {
        #expect(HTTPDate.seconds(of: text, now: HTTPDateTests.now) == seconds)
    }

    @Test(arguments: [
        "", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 Nov 1994 08:49:37 GMT",
        "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Thu, 29 Feb 2023 12:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49:3a GMT", "Sun,  06 Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov-9a 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov  16 08:49:37 1994", "Sun Nov  6 08:49:37 94", "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    func `other forms are not`(text: String) {
        #expect(HTTPDate.seconds(of: text, now: HTTPDateTests.now) == nil)
    }

    @Test func `a printed date reads the same`() {
        for day in -2_000..<2_000 {
            let seconds = day * 10_000_019
            #expect(HTTPDate.seconds(of: HTTPDate.text(seconds), now: HTTPDateTests.now) == seconds)
        }
    }
}
