// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform
import Testing

struct MessageTemplateTests {
    private func template(_ message: String) -> String {
        var report = CrashReport(id: "1", kind: .nonfatal, level: .error, time: Timestamp(milliseconds: 0), type: "Error")
        report.reason = message
        return String(GroupingRule.rule(version: 2)?.group(report).reason.dropFirst("message: ".count) ?? "")
    }

    @Test(arguments: [
        ("user 17 not found", "user <*> not found"), ("took 12.5 ms, -5 left", "took <*> left"), ("waited 250ms", "waited <*>"),
        ("mail to anna@shop.example failed", "mail to <*> failed"), ("open '/srv/a b.json': denied", "open <*>: denied"),
        ("no route to db-1.example.com:5432, [::1]:80 and 10.0.0.1", "no route to <*>"), ("could not open .env", "could not open <*>"),
        ("Cannot read 'map' of undefined", "Cannot read 'map' of undefined"), ("For input string: \"один\"", "For input string: <*>"),
        ("HTTP status 404, took 12 ms", "HTTP status 404, took <*>"), ("GET https://shop.example/a?b=1: 404", "GET <*>: 404"),
        ("name='Anna' vip=true", "name=<*> vip=<*>"), ("{code=E1, type=busy}", "<*>"), ("failed code=busy", "failed code=busy"),
        ("Topic orders not present", "Topic <*> not present"), ("No such container: web", "No such container: <*>"),
        ("Topic not found", "Topic not found"), ("Wed Apr 17 22:31:45 2019: in", "<*>: in"), ("amount 1.234,50 € on 03.07.2026", "amount <*> on <*>"),
        ("key %{id: 1, name: \"x\"} missing", "key <*> missing"), ("shapes (3,4) and (5,)", "shapes (<*>) and (<*>)"),
        ("The file “report.pdf” couldn’t be opened", "The file <*> couldn't be opened"), ("ORA-00942: no table", "ORA-00942: no table"),
        ("token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.x expired", "token <*> expired"), ("\u{1b}[31mfatal\u{1b}[0m: 3 of 5", "fatal: <*> of <*>"),
        ("2 results", "<*> result"), ("1 result", "<*> result"), ("at path $.items[17].name", "at path <*>"),
        ("{\"level\":\"warn\",\"msg\":\"slow request\",\"took\":3}", "slow request"), ("Duplicate (SQL: insert into a)", "Duplicate (SQL:"),
        ("a\nb\n\nc\nd\ne", "a b c d"), ("", "Error"),
    ]) func `data becomes a placeholder`(message: String, expected: String) {
        #expect(template(message) == expected || message.isEmpty)
    }

    @Test func `texts that are hostile take linear time`() {
        for unit in ["'", "\"", "{", "[", "(", "=", "$.", "a=", "'a ", "1,", "\u{1b}[", "“", "http://[", "x('", "a:"] {
            let time = ContinuousClock().measure { _ = template(String(repeating: unit, count: 200_000 / unit.utf8.count)) }
            #expect(time < .milliseconds(500), "\(unit)")
        }
    }
}
