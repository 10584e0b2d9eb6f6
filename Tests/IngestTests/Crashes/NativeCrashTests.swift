// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

@Suite struct NativeCrashTests {
    @Test func `a report is decoded with the defaults of its request`() throws {
        let batch = try decode(crashes: CrashFixture.bytes("native.json"))
        #expect(batch.told.isEmpty && batch.quarantine == nil)
        let report = try #require(batch.crashes.first?.report)
        #expect(report.id == "0189f7ae-1111-7222-8333-abcdef012345" && report.kind == .fatal && report.level == .fatal)
        #expect(report.time.rfc3339 == "2025-10-09T08:50:00.250Z" && report.type == "EXC_BAD_ACCESS")
        #expect(report.reason == "KERN_INVALID_ADDRESS at 0x18" && report.handled == false)
        #expect(report.installation == "inst-9" && report.user == nil && report.session == "s-77")
        #expect(report.release == "com.example.shop@4.2.0+1187" && report.releaseKey == "4.2.0" && report.build == "1187")
        #expect(report.context.map(\.name) == ["platform", "os_version", "device_model", "locale"])
        #expect(report.contextValue("os_version") == "18.6.1")
        #expect(report.customKeys == [.init("cart_items", "3"), .init("vip", "true"), .init("coupon", ""), .init("step", "pay")])
        #expect(report.logs == "cart opened\npaying\n" && report.fingerprint == ["{{ default }}", "cart"])
    }

    @Test func `stacks, images and breadcrumbs keep their fields`() throws {
        let report = try #require(try decode(crashes: CrashFixture.bytes("native.json")).crashes.first?.report)
        let exception = try #require(report.exceptions.first)
        #expect(exception.mechanism.signal == "SIGSEGV" && exception.mechanism.machException == "EXC_BAD_ACCESS")
        #expect(exception.mechanism.type == "mach" && exception.mechanism.handled == false && exception.thread == 0)
        #expect(exception.frames.map(\.address) == [0x1_a2b3_c4d0, 0x1_02f0_4a1c, 4_344_269_852])
        #expect(exception.frames[0].symbolAddress == 0x1_a2b3_c000 && exception.frames[0].inApp == nil && exception.frames[1].inApp == true)
        #expect(exception.frames[2].function == "Cart.total()" && exception.frames[2].line == 88 && exception.frames[2].column == 12)
        #expect(report.threads.map(\.id) == [0, 3] && report.threads[0].crashed && !report.threads[1].crashed)
        let image = try #require(report.images.first)
        #expect(image.debugID?.text == "2d903291-397d-3d14-bfca-52c7fb8c5e00" && image.address == 0x1_02f0_0000 && image.size == 49_152)
        #expect(image.preferredAddress == 0x1_0000_0000 && image.architecture == "arm64" && image.type == "macho")
        let crumb = try #require(report.breadcrumbs.first)
        #expect(crumb.time == Timestamp(milliseconds: 1_759_999_790_000) && crumb.category == "ui" && crumb.message == "tapped pay")
        #expect(String(decoding: crumb.data, as: UTF8.self) == #"{"button": "pay", "n": 1.50}"#)
    }

    @Test func `Sentry's names and shapes decode like ours`() throws {
        let report = try #require(
            try decode(crashes: "[\(String(decoding: CrashFixture.bytes("sentry-event.json"), as: UTF8.self))]").crashes.first?.report)
        #expect(report.kind == .fatal && report.type == "Outer" && report.reason == "5" && report.time == Timestamp(milliseconds: 1_759_999_000_250))
        #expect(report.exceptions.map(\.value) == [#"{"index": 4, "of": [1, 2]}"#, "5"] && report.exceptions.map(\.thread) == [259, nil])
        let mechanism = report.exceptions[0].mechanism
        #expect(mechanism.isSynthetic && mechanism.errorDomain == "Shop.Basket" && mechanism.errorCode == -7 && mechanism.signal == "SIGABRT")
        let frames = report.exceptions[0].frames
        #expect(frames.map(\.function) == ["main", "17"] && frames[1].line == 42 && frames[0].contextLine == "run()")
        #expect(frames.map(\.address) == [0x10_2000, .max] && frames[0].imageAddress == 0x10_0000)
        #expect(report.threads.map(\.frames.count) == [0, 1] && report.threads[0].crashed)
        #expect(report.breadcrumbs.map(\.message) == ["opened cart"])
        #expect(report.images.map(\.codeFile) == ["Shop"] && report.images[0].size == .max && report.images[0].debugID != nil)
    }

    static let exceptions = [
        #""exceptions":[{"type":"E"}]"#, #""exceptions":{"values":[{"type":"E"}]}"#, #""exception":{"type":"E"}"#, #""exception":[{"type":"E"}]"#,
        #""exception":{"values":{"type":"E"}}"#, #""\u0065xception":[null,{"type":"E"},3]"#,
    ]

    @Test(arguments: exceptions) func `exceptions may be a list, an object or single`(spelling: String) throws {
        #expect(try decode(crash: spelling).crashes.first?.report.exceptions.map(\.type) == ["E"])
    }

    static let kinds: [(String, CrashKind, CrashLevel)] = [
        (#""reason":"r""#, .nonfatal, .error), (#""level":"fatal""#, .fatal, .fatal), (#""level":"warning""#, .nonfatal, .warning),
        (#""handled":false"#, .fatal, .fatal), (#""handled":true"#, .nonfatal, .error),
        (#""exceptions":[{"mechanism":{"handled":false}},{"type":"E"}]"#, .fatal, .fatal),
        (#""exceptions":[{"mechanism":{"type":"AppHang","handled":false}}]"#, .anr, .error),
        (#""exceptions":[{"mechanism":{"type":"ANR"}}],"level":"fatal""#, .anr, .fatal),
        (#""exceptions":[{"mechanism":{"type":"app_hang"}}],"kind":"nonfatal""#, .nonfatal, .error),
        (#""kind":"fatal","level":"info""#, .fatal, .info), (#""kind":"anr""#, .anr, .error),
    ]

    @Test(arguments: kinds) func `the kind of a crash follows from its fields`(fields: String, kind: CrashKind, level: CrashLevel) throws {
        let report = try #require(try decode(crash: fields).crashes.first?.report)
        #expect(report.kind == kind && report.level == level)
    }

    static let types: [(String, String)] = [
        (#"{"type":"T","exceptions":[{"type":"E"}]}"#, "T"), (#"{"exceptions":[{"type":"I"},{"type":"E"}]}"#, "E"),
        (#"{"exceptions":[{"mechanism":{"meta":{"signal":{"number":10}}}}]}"#, "SIGBUS"),
        (#"{"exceptions":[{"mechanism":{"meta":{"mach_exception":{"exception":6}}}}]}"#, "EXC_BREAKPOINT"),
        (#"{"exceptions":[{"mechanism":{"meta":{"mach_exception":{"exception":-9223372036854775808}}}}]}"#, "EXC_-9223372036854775808"),
    ]

    @Test(arguments: types) func `a crash without a type is named after its outermost exception`(crash: String, type: String) throws {
        #expect(try decode(crashes: "[\(crash)]").crashes.first?.report.type == type)
    }

    @Test(arguments: [("warning", CrashKind.nonfatal), ("fatal", .fatal)])
    func `a reason with a level is a message`(level: String, kind: CrashKind) throws {
        let report = try #require(try decode(crashes: #"[{"reason":"low disk","level":"\#(level)"}]"#).crashes.first?.report)
        #expect(report.type == "message" && report.reason == "low disk" && report.level.name == level && report.kind == kind)
        #expect(try decode(crashes: #"[{"reason":"low disk"}]"#).crashes.isEmpty)
    }

    @Test func `users, versions and IDs may contain escapes`() throws {
        let report = try #require(
            try decode(
                crashes:
                    #"[{"id":"\u0069d","type":"T","user_id":"\u0075","installation_id":"\u00e9\"","session_id":"s\/","release":"\u0061@1","build":"\u0037","context":{"os_version":"\u0039"}}]"#
            ).crashes.first?.report)
        #expect(report.id == "id" && report.user == "u" && report.installation == "é\"" && report.session == "s/" && report.release == "a@1")
        #expect(report.build == "7" && report.contextValue("os_version") == "9")
    }

    @Test func `times follow the rules for events`() throws {
        let late = try decode(
            crashes: #"{"sent_at":1760003600,"crashes":[{"type":"T","timestamp":1760003600},{"type":"T","timestamp":1759600000},{"type":"T"}]}"#)
        #expect(late.crashes.map(\.report.time.milliseconds) == [1_760_000_150_000, 1_759_596_550_000, 1_760_000_000_000])
        #expect(late.crashes.map(\.flags) == [[], .late, []])
        #expect(try decode(crash: #""timestamp":1769999999"#).crashes.map(\.flags) == [.clock])
    }

    @Test func `a bare array has its defaults in the query`() throws {
        let query = [("installation_id", "i"), ("context.platform", "web"), ("release", "a@2"), ("user_id", "u")]
        let reports = try decode(crashes: #"[{"type":"T"},{"type":"T","user_id":"","release":"b@3+4","build":7}]"#, query: query).crashes.map(
            \.report)
        #expect(reports.map(\.installation) == ["i", "i"] && reports.map(\.user) == ["u", nil] && reports.map(\.releaseKey) == ["2", "3"])
        #expect(reports.allSatisfy { $0.contextValue("platform") == "web" } && reports[1].build == "4")
    }

    @Test func `a crash without an ID gets one, the same when decoded again`() throws {
        let first = UUID128(high: 1, low: 2)
        func ids() throws -> [String] {
            try Given.crashes.decode(
                Array(#"[{"type":"T"},{"type":"T","id":""},{"type":"T","id":"é"}]"#.utf8), app: Given.app(), received: Given.received,
                hash: Given.hash, firstID: first
            ).crashes.map(\.report.id)
        }
        #expect(try ids() == ids() && Set(ids()).count == 3 && ids()[2] == "é")
    }
}
