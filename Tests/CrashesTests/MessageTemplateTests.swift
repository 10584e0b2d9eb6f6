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

    @Test(arguments: [
        ("db-1:27017: refused, db-2:27017: refused, timeout", "<*>: refused, timeout"), ("5, foo, bar, 6", "<*>, foo, bar, <*>"),
        ("valid for a.example.com, proxy, b.example.com", "valid for <*>"), ("Cart{1} (7 id=0x7f tag=a)", "Cart<*> (<*>)"),
        ("offset (limit:3)", "offset (<*>)"), ("offset (limit)", "offset (limit)"), ("f(a.b=1) (x=2)", "f(<*>) (<*>)"),
        ("found 2: systemClock,testClock", "found <*>"), ("altnames: DNS:a.example.com, DNS:b.example.com", "altnames: DNS:<*>"),
        ("tried '{'pk': None}' and \"[\"a\"]\"", "tried <*>"), ("name= age=3 left", "name=<*> age=<*> left"), ("a == b", "a == b"),
    ]) func `lists and brackets of data become one placeholder`(message: String, expected: String) {
        #expect(template(message) == expected)
    }

    @Test(arguments: [
        ("CAfile: none CRLfile: none", "CAfile: <*> CRLfile: <*>"), ("origin (null) denied", "origin (<*>) denied"), ("is (<NULL>)", "is (<*>)"),
        ("error: null is not an object", "error: null is not an object"), ("not in the list: ", "not in the list: <*>"),
        ("requirement numpy==9 (from versions: 1.0)", "requirement <*> (from versions: <*>)"), ("Bucket (a) exists", "Bucket (<*>) exists"),
        ("\"text\" is not a valid MIME type", "<*> is not a valid MIME type"), ("'text' is not a function", "'text' is not a function"),
        ("app/cron@[2001:db8::1]:60001 refused", "<*> refused"), ("from \"Jürgen\" <j@shop.example> failed", "from <*> failed"),
        ("from \"Ana\" <ana@shop.example> failed", "from <*> failed"), ("'Ana'<ana@shop.example>, \"map\" <b>", "<*>, \"map\" <b>"),
        ("open /tmp/Ferien Film 12.mov: denied", "open <*>: denied"), ("copy /tmp/a to b.mov", "copy <*> to <*>"),
        ("shop.service: stopped", "<*>: stopped"), ("event.target is null", "event.target is null"), ("order 7 is null", "order <*> is null"),
        ("No module named 'shop'", "No module named 'shop'"), ("thread named [MySQL Timer] failed", "thread named <*> failed"),
        ("512 connections are not enough", "<*> connection are not enough"), ("502 Bad Gateway", "502 Bad Gateway"),
        ("language de_AT, zone Europe/Berlin, type text/html", "language <*>, zone <*>, type <*>"),
        ("context:com.shop.Cart@fffffff", "context:<*>"), ("localhost:9092/1001: refused", "<*>: refused"),
        ("illegal character a", "illegal character <*>"), ("illegal character in name", "illegal character in name"),
    ]) func `values without digits are data`(message: String, expected: String) {
        #expect(template(message) == expected)
    }

    @Test func `texts that are hostile take linear time`() {
        for unit in [
            "'", "\"", "{", "[", "(", "=", "$.", "a=", "'a ", "1,", "\u{1b}[", "“", "http://[", "x('", "a:", "a,", "(<", "(1,", "<a@b.c>", "/a b ",
            "1, a, ", "'{", "a@[", "(a=1)",
        ] {
            let time = ContinuousClock().measure { _ = template(String(repeating: unit, count: 200_000 / unit.utf8.count)) }
            // Quadratic time would be minutes.
            #expect(time < .seconds(10), "\(unit)")
        }
    }
}
