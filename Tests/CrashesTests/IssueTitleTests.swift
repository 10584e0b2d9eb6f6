// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Crashes

/// Titles of issues.
@Suite struct IssueTitleTests {
    @Test(arguments: [
        ("FormatException", "FormatException: Invalid radix-10 number", "FormatException: Invalid radix-10 number"),
        ("_Exception", "Exception: no seat", "Exception: no seat"), ("_TypeError", "Null check operator", "_TypeError: Null check operator"),
        ("Error", "Error", "Error"), ("Error", "ErrorCode: 7", "Error: ErrorCode: 7"), ("Error", "Error:7", "Error: Error:7"),
        ("PayError", "\n  PayError: declined\nmore", "PayError: declined"), ("_", "_: a", "_: a"), ("_", ": a", "_: : a"),
        ("SIGSEGV", "SEGV_MAPERR at 0x10", "SIGSEGV: SEGV_MAPERR"), ("é", "e\u{301}: a", "é: e\u{301}: a"),
    ]) func `a type is not repeated`(type: String, value: String, expected: String) {
        var report = CrashReport(id: "1", kind: .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: type)
        report.reason = value
        #expect(IssueTitle.of(report).utf8.elementsEqual(expected.utf8), "\(IssueTitle.of(report))")
    }
}
