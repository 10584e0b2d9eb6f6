// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import TestSupport
import Testing

@Suite struct StoredCrashTests {
    @Test(arguments: ["native.json", "sentry-event.json"]) func `a decoded report survives a round trip`(name: String) throws {
        let bytes = try CrashFixture.bytes(name)
        let body = name == "native.json" ? bytes : Array("[".utf8) + bytes + Array("]".utf8)
        let report = try #require(try decode(crashes: body).crashes.first?.report)
        #expect(Given.stored.report(report.json) == report)
    }

    @Test func `any report survives a round trip`() {
        var random = SeededGenerator(23)
        for _ in 0..<2_000 {
            let report = CrashReport.random(&random)
            let json = report.json
            #expect(Given.stored.report(json) == report, "\(String(decoding: json, as: UTF8.self))")
        }
    }

    @Test func `other JSON is not a stored report`() {
        for text in ["", "{}", "[]", #"{"id":"1","kind":"fatal","level":"fatal","timestamp":"2025-10-09T08:50:00.250Z"}"#] {
            #expect(Given.stored.report(Array(text.utf8)) == nil)
        }
    }
}

/// Random reports within the limits, with optional parts and every kind of text.
extension CrashReport {
    fileprivate static func random(_ random: inout SeededGenerator) -> CrashReport {
        let time = Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &random))
        var report = CrashReport(
            id: random.text(), kind: random.element(CrashKind.allCases), level: random.element(CrashLevel.allCases), time: time, type: random.text())
        report.reason = random.maybe { $0.text() }
        report.handled = random.maybe { Bool.random(using: &$0) }
        report.exceptions = random.list { $0.exception() }
        report.threads = random.list { $0.thread() }
        if report.threads.isEmpty && report.exceptions.allSatisfy(\.frames.isEmpty) { report.frames = random.list { $0.frame() } }
        report.images = random.list { $0.image() }
        report.breadcrumbs = random.list { $0.crumb() }
        report.customKeys = random.list { CustomKey($0.text(), $0.maybe { $0.text() } ?? "") }
        report.logs = random.maybe { $0.text() }
        report.fingerprint = random.list { $0.text() }
        report.installation = random.maybe { $0.text() }
        report.user = random.maybe { $0.text() }
        report.session = random.maybe { $0.text() }
        report.release = random.maybe { $0.text() }
        report.build = random.maybe { $0.text() }
        report.context = random.list { CustomKey($0.text(), $0.text()) }
        report.cuts = random.list { $0.text() }
        return report
    }
}

extension SeededGenerator {
    fileprivate mutating func text() -> String {
        let alphabet = Array("aZ9_ \"\\/\n\r\t\u{0}\u{1f}\u{7f}é日\u{301}🧨{}[],:")
        return String((0..<Int.random(in: 1...12, using: &self)).map { _ in element(alphabet) })
    }

    fileprivate mutating func element<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &self)] }
    fileprivate mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? { Bool.random(using: &self) ? value(&self) : nil }
    fileprivate mutating func list<Value>(_ value: (inout Self) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in value(&self) }
    }

    fileprivate mutating func word() -> UInt64 { element([0, 1, 4_344_269_852, UInt64(Int64.max), .max, next()]) }
    fileprivate mutating func number() -> Int { element([0, -1, 7, .max, .min]) }

    fileprivate mutating func frame() -> StackFrame {
        var frame = StackFrame()
        frame.function = text()
        frame.rawFunction = maybe { $0.text() }
        frame.module = maybe { $0.text() }
        frame.file = maybe { $0.text() }
        frame.absolutePath = maybe { $0.text() }
        frame.line = maybe { $0.number() }
        frame.column = maybe { $0.number() }
        frame.contextLine = maybe { $0.text() }
        frame.inApp = maybe { Bool.random(using: &$0) }
        frame.platform = maybe { $0.text() }
        frame.package = maybe { $0.text() }
        frame.address = maybe { $0.word() }
        frame.symbolAddress = maybe { $0.word() }
        frame.imageAddress = maybe { $0.word() }
        frame.isInline = Bool.random(using: &self)
        frame.symbolication = element(StackFrame.Symbolication.allCases)
        return frame
    }

    fileprivate mutating func exception() -> CrashException {
        var exception = CrashException()
        exception.type = text()
        exception.value = maybe { $0.text() }
        exception.module = maybe { $0.text() }
        exception.thread = maybe { $0.number() }
        exception.mechanism.type = maybe { $0.text() }
        exception.mechanism.handled = maybe { Bool.random(using: &$0) }
        exception.mechanism.isSynthetic = Bool.random(using: &self)
        exception.mechanism.signal = maybe { $0.text() }
        exception.mechanism.machException = maybe { $0.text() }
        exception.mechanism.errorDomain = maybe { $0.text() }
        exception.mechanism.errorCode = maybe { $0.number() }
        exception.frames = list { $0.frame() }
        return exception
    }

    fileprivate mutating func thread() -> CrashThread {
        var thread = CrashThread()
        thread.id = maybe { $0.number() }
        thread.name = maybe { $0.text() }
        thread.crashed = Bool.random(using: &self)
        thread.current = Bool.random(using: &self)
        thread.frames = list { $0.frame() }
        return thread
    }

    fileprivate mutating func image() -> BinaryImage {
        var image = BinaryImage()
        image.type = maybe { $0.text() }
        image.debugID = maybe { DebugID(uuid: UUID128(high: $0.next(), low: $0.next()), age: $0.element([0, 1, .max])) }
        image.codeID = maybe { $0.text() }
        image.address = maybe { $0.word() }
        image.size = maybe { $0.word() }
        image.preferredAddress = maybe { $0.word() }
        image.codeFile = maybe { $0.text() }
        image.debugFile = maybe { $0.text() }
        image.architecture = maybe { $0.text() }
        return image
    }

    fileprivate mutating func crumb() -> Breadcrumb {
        var crumb = Breadcrumb()
        crumb.message = text()
        crumb.time = maybe { Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &$0)) }
        crumb.type = maybe { $0.text() }
        crumb.category = maybe { $0.text() }
        crumb.level = maybe { $0.text() }
        crumb.data = maybe { $0.element([Array(#"{"a": [1.50, {"b" : null}]}"#.utf8), Array(#"{"\ud800":1}"#.utf8)]) } ?? []
        return crumb
    }
}
