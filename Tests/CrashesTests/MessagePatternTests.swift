// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

/// The patterns of rule 1. They never change.
struct MessagePatternTests {
    private func pattern(_ message: String) -> String {
        var report = CrashReport(id: "1", kind: .nonfatal, level: .error, time: Timestamp(milliseconds: 0), type: "Error")
        report.reason = message
        return String(GroupingRule.rule(version: 1)?.group(report).reason.dropFirst("message: ".count) ?? "")
    }

    @Test(arguments: [
        ("user 17 not found", "user <n> not found"), ("took 1234.33 ms, -5 left", "took <n> ms, <n> left"), ("waited 250ms", "waited <n>"),
        ("at offset 0xfeedbeef", "at offset <n>"), ("<Cart: 0x1baf0e15>", "<Cart: <n>>"),
        ("mail to anna@shop.example failed", "mail to <email> failed"),
        ("GET https://shop.example/a?b=1: 404", "GET <url>: <n>"),
        ("id 88ee7c66-29a9-4a4a-bc26-c72d76c5de14, sum da39a3ee5e6b4b0d3255bfef95601890afd80709", "id <uuid>, sum <id>"),
        ("from 127.0.0.1:8080 via 2001:0db8:85a3::7334 via ::1", "from <ip> via <ip> via <ip>"), ("at 2019-04-17T20:29:05Z", "at <date>"),
        ("at 22:31:45.", "at <date>."),
        ("Wed Apr 17 22:31:45 2019: in", "<date> in"), ("may the sun shine", "may the sun shine"),
        ("name='Anna' vip=true", "name=<value> vip=<value>"),
        ("reading 'pay' of utf8", "reading 'pay' of utf8"), ("index 3 beyond bounds [0 .. 2]", "index <n> beyond bounds [<n> .. <n>]"),
        ("Thread-12 died", "Thread-<n> died"),
        ("\n\n first \n second\nthird", "first second"),
    ]) func `variable parts become placeholders`(message: String, expected: String) {
        #expect(pattern(message) == expected)
    }
}
