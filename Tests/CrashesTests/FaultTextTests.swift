// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

/// The parts of messages that tell faults of one function apart.
struct FaultTextTests {
    private func hash(_ type: String, _ message: String, _ function: String = "total") -> [UInt8] {
        var frame = StackFrame()
        (frame.function, frame.module, frame.inApp) = (function, "shop", true)
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: type)
        var exception = CrashException()
        (exception.type, exception.value, exception.frames) = (type, message, [frame])
        (report.platform, report.exceptions) = ("python", [exception])
        return GroupingRule.current.group(report).hash
    }

    @Test(arguments: [
        ("Postgrex.Error", "ERROR 23514 (check_violation) a", "ERROR 22P02 (invalid_text_representation) a"),
        ("PDOException", "SQLSTATE[23000]: duplicate", "SQLSTATE[HY000] [2002] refused"),
        ("PgError", "ERROR: a (SQLSTATE 53100)", "ERROR: a (SQLSTATE XX000)"),
        ("panic", "called `Result::unwrap()` on an `Err` value: PoolTimedOut", "called `Result::unwrap()` on an `Err` value: Decode { index: 1 }"),
        ("panic", "open the file: Os { code: 2 }", "open the file: Utf8Error(3)"), ("RangeError", "Maximum call stack size exceeded", "out of range"),
    ])
    func `an error that a message names counts`(type: String, first: String, second: String) {
        #expect(hash(type, first) != hash(type, second))
    }

    @Test(arguments: [
        ("Postgrex.Error", "ERROR 23514 (check_violation) a", "ERROR 23514 (check_violation) b"), ("Error", "ERROR 1 (a)", "ERROR 2 (b)"),
        ("Error", "SQLSTATE", "SQLSTATE 123"), ("Error", "SQLSTATE[123456]", "SQLSTATE[654321]"),
        ("panic", "out of range: 187.5", "out of range: NaN"), ("panic", "open the file: Os { code: 2 }", "open the file: Os { code: 13 }"),
        ("panic", "called `Result::unwrap()` on an `Err` value: \"a\"", "called `Result::unwrap()` on an `Err` value: \"b\""),
    ])
    func `values in a message do not count`(type: String, first: String, second: String) {
        #expect(hash(type, first) == hash(type, second))
    }

    @Test func `a full stack is one fault in all browsers`() {
        #expect(hash("RangeError", "Maximum call stack size exceeded") == hash("InternalError", "too much recursion"))
        #expect(hash("InternalError", "too much recursion") != hash("InternalError", "other"))
    }

    @Test(arguments: [
        ("message", "shop is full", "shop is full"), ("Error", "shop is full", "Error: shop is full"),
        (
            "EXC_BAD_ACCESS", "Exception 1, Code 1, Subcode 8 >\nAttempted to dereference garbage pointer at 0x8.",
            "EXC_BAD_ACCESS: Attempted to dereference garbage pointer"
        ),
        ("EXC_BAD_ACCESS", "Exception 1, Code 1, Subcode 8 >", "EXC_BAD_ACCESS: Exception 1, Code 1, Subcode 8 >"),
        ("Error", "Full.", "Error: Full."),
    ])
    func `a title says what happened`(type: String, message: String, title: String) {
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: type)
        report.reason = message
        #expect(GroupingRule.current.group(report).title == title)
    }
}
