// SPDX-License-Identifier: Apache-2.0

import Platform
import Testing

@testable import Crashes

struct ScriptPlaceTests {
    private func place(_ url: String, dist: String? = nil, release: String = "shop@1") -> ScriptPlace {
        ScriptPlace(release: release, distribution: dist, url: url)
    }

    @Test(arguments: [
        ("https://cdn.example/js/a.js", "~/js/a.js"), ("https://cdn.example", "~/"), ("app:///main.jsbundle", "~/main.jsbundle"),
        ("/srv/a.js", "~/srv/a.js"), ("a.js", "~/a.js"), ("//cdn/a.js", "~/cdn/a.js"), ("~/a.js", "~/a.js"), ("", "~/"),
        ("webpack-internal:///./src/a.js", "~/./src/a.js"), ("https://\u{301}cdn/\u{301}a.js", "~/\u{301}a.js"),
    ])
    func `a place on any host has the path of the URL`(url: String, path: String) {
        #expect(Array(place(url).general.url.unicodeScalars) == Array(path.unicodeScalars))
    }

    @Test func `query and fragment do not count`() {
        for url in ["https://a/b.js", "https://a/b.js?v=1", "https://a/b.js#x?y", "https://a/b.js?"] {
            #expect(place(url).id == place("https://a/b.js").id)
        }
    }

    @Test func `candidates are ordered from the most exact to the most general`() {
        let found = place("https://a/b.js", dist: "7").candidates
        #expect(found.map(\.url) == ["https://a/b.js", "~/b.js", "https://a/b.js", "~/b.js"] && found.map(\.distribution) == ["7", "7", nil, nil])
        #expect(found.last?.id == place("https://other/b.js", dist: "8").general.id)
        #expect(place("~/b.js").candidates.count == 1 && place("~/b.js", dist: "").candidates.count == 1)
    }

    @Test func `an ID is a UUID of version 8 that depends on every part, byte by byte`() {
        let all = [
            place("~/a.js"), place("~/b.js"), place("~/a.js", dist: "1"), place("~/a.js", release: "shop@2"), place("~/e\u{301}"), place("~/\u{e9}"),
            place("1~/a.js"), place("~/a.js", release: "shop@11"),
        ]
        #expect(Set(all.map(\.id)).count == all.count)
        for place in all {
            let text = Array(place.id.text)
            #expect(text[14] == "8" && "89ab".contains(text[19]) && place.id.age == 0 && DebugID(place.id.text) == place.id)
        }
    }
}

struct ScriptFramesTests {
    private func report(_ release: String?, _ url: String, _ change: (inout StackFrame) -> Void = { _ in }) -> (CrashReport, StackFrame) {
        var frame = StackFrame()
        (frame.file, frame.line, frame.column, frame.function) = (url, 1, 4_711, "a")
        change(&frame)
        var report = CrashReport(id: "a", kind: .nonfatal, level: .error, time: .init(milliseconds: 0), type: "Error")
        (report.platform, report.release) = ("javascript", release)
        return (report, frame)
    }

    @Test(arguments: ["<anonymous>", "[native code]", "node:internal/process", ""]) func `engines' own frames have no map`(url: String) {
        let (report, frame) = report("1", url)
        #expect(!ScriptFrames(report).contains(frame))
    }

    @Test func `only frames with a place of scripts are looked up`() {
        let (report, frame) = report("1", "a.js")
        #expect(ScriptFrames(report).contains(frame))
        for change in [{ $0.line = nil }, { $0.column = 0 }, { $0.address = 1 }, { $0.symbolication = .found }, { $0.platform = "java" }]
            as [(inout StackFrame) -> Void]
        {
            #expect(!ScriptFrames(report).contains(self.report("1", "a.js", change).1))
        }
    }

    @Test func `libraries and unknown releases are not waited for`() {
        let (named, frame) = report("1", "https://a/a.min.js")
        #expect(ScriptFrames(named).awaitedID(of: frame) == ScriptPlace(release: "1", distribution: nil, url: "~/a.min.js").id)
        #expect(ScriptFrames(report(nil, "a.js").0).awaitedID(of: frame) == nil)
        #expect(ScriptFrames(named).awaitedID(of: report("1", "https://a/a.js") { $0.inApp = false }.1) == nil)
        #expect(ScriptFrames(named).awaitedID(of: report("1", "/srv/node_modules/x/a.js").1) == nil)
    }

    @Test func `an image names the debug ID of a file`() {
        var (report, frame) = report("1", "https://a/a.min.js")
        var image = BinaryImage()
        (image.type, image.codeFile, image.debugID) = ("sourcemap", "https://a/a.min.js", DebugID("8a5e1f3c-0b7d-4c56-9d1f-2b6f0e7a9c34"))
        report.images = [image]
        #expect(ScriptFrames(report).ids(of: frame) == [image.debugID])
        frame.file = "https://a/other.js"
        #expect(ScriptFrames(report).ids(of: frame).count == 2)
    }
}
