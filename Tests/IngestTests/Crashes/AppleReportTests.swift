// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

@Suite struct AppleReportTests {
    private func decode(_ body: [UInt8], query: [(name: String, value: String)] = []) throws(Refusal) -> CrashBatch {
        try AppleReports(parser: Given.parser).decode(body, query: query, app: Given.app(), received: Given.received, hash: Given.hash)
    }

    private func report(_ name: String) throws -> CrashReport {
        let batch = try decode(CrashFixture.bytes(name))
        #expect(batch.told.isEmpty && batch.crashes.count == 1)
        return try #require(batch.crashes.first?.report)
    }

    @Test(arguments: ["thrown.ips", "access.crash", "thrown-mac.crash"]) func `a decoded report survives a round trip`(name: String) throws {
        let report = try report(name)
        #expect(report.kind == .fatal && report.level == .fatal && report.handled == false)
        #expect(report.time.rfc3339 == "2025-10-09T08:49:59.250Z" && report.releaseKey == "4.2.0" && report.build == "1187")
        #expect(Given.stored.report(report.json) == report)
    }

    @Test func `an ips report has the exception, the app and the stack`() throws {
        let report = try report("thrown.ips")
        #expect(report.id == "5c32df84-31a0-43e7-87d0-239f7f594940" && report.installation?.hasPrefix("c0ffee00") == true)
        #expect(report.type == "NSRangeException" && report.reason == "index 4 beyond bounds 0" && report.release == "com.example.shop@4.2.0+1187")
        #expect(report.context.map(\.value) == ["ios", "4.2.0", "1187", "18.6.1", "iPhone16,1"])
        let exception = try #require(report.exceptions.first)
        #expect(exception.mechanism.signal == "SIGABRT" && exception.mechanism.machException == "EXC_CRASH" && exception.thread == 1)
        #expect(exception.frames.map(\.function) == ["main", "Basket.total()", nil, "__exceptionPreprocess"])
        #expect(exception.frames.map(\.address) == [4_344_269_368, 4_344_269_368, 4_344_269_340, 6_500_001_300])
        #expect(exception.frames.map(\.isInline) == [false, true, false, false] && exception.frames.map(\.inApp) == [true, true, true, false])
        #expect(exception.frames[1].file == "Basket.swift" && exception.frames[1].line == 31 && exception.frames[1].symbolAddress == 4_344_269_328)
        #expect(report.threads.map(\.crashed) == [false, true] && report.threads.map(\.name) == ["worker", "com.apple.main-thread"])
        #expect(report.threads[1].frames.map(\.package) == [nil, "libsystem_kernel.dylib"])
        #expect(report.images.count == 3 && report.images[0].debugID?.text == "2d903291-397d-3d14-bfca-52c7fb8c5e00")
        #expect(report.images[0].address == 4_344_250_368 && report.images[0].size == 49_152 && report.images[0].architecture == "arm64")
    }

    @Test func `a report with many image names keeps the crashed thread`() throws {
        let frames = Array(repeating: #"{"imageIndex":0,"imageOffset":1}"#, count: 200).joined(separator: ",")
        let threads = (0..<200).map { #"{"triggered":\#($0 == 7),"frames":[\#(frames)]}"# }.joined(separator: ",")
        let path = "/" + String(repeating: "a", count: 200)
        let body = """
            {"app_name":"Shop","bug_type":"309","incident_id":"i"}
            {"exception":{"type":"EXC_CRASH"},"faultingThread":7,"threads":[\(threads)],
             "usedImages":[{"uuid":"2d903291-397d-3d14-bfca-52c7fb8c5e00","base":4096,"size":4096,"path":"\(path)"}]}
            """
        let batch = try decode(Array(body.utf8))
        let report = try #require(batch.crashes.first?.report)
        #expect(report.json.count <= CrashLimits.reportBytes && report.threads.map(\.id) == [7] && !report.images.isEmpty)
        #expect(batch.told.count == 1 && report.cuts.count == 1 && batch.crashes.first?.flags.contains(.corrected) == true)
    }

    @Test func `the crashed thread is kept even if many claim to have crashed`() throws {
        let heading = "Incident Identifier: i\nException Type: EXC_CRASH (SIGABRT)\n\n"
        let frame = "0   Shop    0x0000000000001000 0x1000 + 1"
        let text = heading + (0..<2_000).map { "Thread \($0)\($0 < 300 ? "" : " Crashed"):\n\(frame)\n\n" }.joined()
        let report = try #require(try decode(Array(text.utf8)).crashes.first?.report)
        #expect(report.threads.count == CrashLimits.threads && report.threads.last?.id == 1_999 && report.threads.last?.crashed == true)
    }

    @Test func `a text report of a bad access has the same content`() throws {
        let report = try report("access.crash")
        #expect(report.id == "0f6d3e39-6f4c-4b40-9c55-2a3f2b1c5e11" && report.type == "EXC_BAD_ACCESS")
        #expect(report.reason == "KERN_INVALID_ADDRESS at 0x0000000000000018" && report.release == "com.example.shop@4.2.0+1187")
        #expect(report.context.map(\.value) == ["ios", "4.2.0", "1187", "14.8.1", "iPhone12,8"])
        #expect(report.exceptions.map(\.mechanism.signal) == ["SIGSEGV"] && report.exceptions[0].thread == 0)
        let main = try #require(report.threads.first)
        #expect(main.crashed && main.name == "Dispatch queue: com.apple.main-thread" && report.threads.map(\.id) == [0, 1])
        #expect(main.frames.map(\.function) == ["start", "-[UIViewController view]", "Basket.total()", nil])
        #expect(main.frames[2].file == "Basket.swift" && main.frames[2].line == 31 && main.frames[2].symbolAddress == 0x1_02f0_4a10)
        #expect(main.frames[3].address == 0x1_02f0_4a1c && main.frames[3].imageAddress == 0x1_02f0_0000)
        #expect(main.frames.map(\.inApp) == [nil, false, true, true] && main.frames[3].package?.hasSuffix("Shop.app/Shop Extra") == true)
        #expect(report.threads[1].frames.map(\.package) == [nil, "libsystem_kernel.dylib"])
        #expect(report.images.map(\.architecture) == ["arm64", "arm64"] && report.images[0].size == 0xc000 && report.images[0].type == "macho")
    }

    @Test func `a text report from a Mac has the exception`() throws {
        let report = try report("thrown-mac.crash")
        #expect(report.type == "NSInvalidArgumentException" && report.reason == "it's not a card" && report.threads.map(\.id) == [0, 2])
        #expect(report.contextValue("platform") == "macos" && report.contextValue("os_version") == "11.7.10")
        #expect(report.exceptions[0].frames.map(\.function) == ["pay(_:)", "__exceptionPreprocess"] && report.exceptions[0].thread == 2)
        #expect(report.threads.map(\.crashed) == [false, true] && report.threads[1].name == "Dispatch queue: checkout")
        #expect(report.threads[1].frames[0].file == "Pay.swift" && report.threads[1].frames[0].inApp == true)
        #expect(report.images.map(\.architecture) == ["x86_64", "x86_64"] && report.images[0].debugID?.text.hasPrefix("2d903291") == true)
    }

    @Test func `reports before iOS 15 have text after the JSON line`() throws {
        let head = Array(#"{"app_name":"Shop","bug_type":"109","app_version":"5.0","build_version":"1200"}"#.utf8)
        let report = try #require(try decode(head + [10] + CrashFixture.bytes("access.crash")).crashes.first?.report)
        #expect(report.releaseKey == "5.0" && report.build == "1200" && report.type == "EXC_BAD_ACCESS")
    }

    @Test func `an exception with addresses only has a stack`() throws {
        let text = """
            Exception Type:  EXC_CRASH (SIGABRT)\r
            \r
            Last Exception Backtrace:\r
            (0x1e50ffef8 0x102f04a1c)\r
            \r
            Thread 0 Crashed:\r
            0   Shop \t0x102f04a1c 0x102f00000 + 18972\r
            \r
            Binary Images:\r
            0x102f00000 - 0x102f0bfff Shop arm64 <2d903291397d3d14bfca52c7fb8c5e00>\r
            """
        let report = try #require(try decode(Array(text.utf8)).crashes.first?.report)
        #expect(report.exceptions[0].frames.map(\.address) == [0x1_02f0_4a1c, 0x1_e50f_fef8])
        #expect(report.exceptions[0].frames.map(\.package) == ["Shop", nil] && report.type == "EXC_CRASH" && report.time == Given.received)
    }

    @Test func `the query's user takes precedence over the report's`() throws {
        let query = [("user_id", "u"), ("installation_id", "i"), ("session_id", "s"), ("context.locale", "de"), ("context.device_model", "x")]
        let report = try #require(try decode(CrashFixture.bytes("thrown.ips"), query: query).crashes.first?.report)
        #expect(report.user == "u" && report.installation == "i" && report.session == "s")
        #expect(report.contextValue("locale") == "de" && report.contextValue("device_model") == "x" && report.contextValue("platform") == "ios")
    }

    @Test func `an old report is quarantined completely`() throws {
        let old = String(decoding: try CrashFixture.bytes("access.crash"), as: UTF8.self).replacing("2025-10-09", with: "2020-10-09")
        let batch = try decode(Array(old.utf8))
        #expect(batch.told == ["0 too_old timestamp"] && batch.quarantine?.text(batch.quarantined[0].raw) == old)
    }

    static let others = [
        "", "{}", "[]", "hello", "{}\n{}", "{\"bug_type\":\"298\"}\n{\"largestProcess\":\"Shop\"}", "{}\n{\"threads\":{}}", "{\"a\":\n1}",
        "Process: x [1]\n",
    ]

    @Test(arguments: others) func `anything else is rejected`(body: String) {
        #expect { try decode(Array(body.utf8)) } throws: { ($0 as? Refusal)?.code == .badRequest }
        #expect { try decode([0xff, 0x0a]) } throws: { ($0 as? Refusal)?.code == .badRequest }
    }

    static let versions = [
        ("1187 (4.2.0)", "4.2.0", "1187"), ("4.2.0 (1187)", "4.2.0", "1187"), ("8.0.2.35 (8.0.2)", "8.0.2", "8.0.2.35"), ("7 (3)", "3", "7"),
    ]

    @Test(arguments: versions) func `version and build are distinguished`(text: String, version: String, build: String) throws {
        let body = "Identifier: a\nVersion: \(text)\nOS Version: iOS 9.1 (1A1)\nThread 0:\n0 a 0x1 b + 1\n"
        let report = try #require(try decode(Array(body.utf8)).crashes.first?.report)
        #expect(report.releaseKey == version && report.build == build && report.type == "crash")
    }

    @Test func `a stack that is too deep loses its middle and reports it`() throws {
        let frames = (0..<600).map { "\($0)  Shop 0x\(String($0 + 1, radix: 16)) f\($0) + 1" }.joined(separator: "\n")
        let batch = try decode(Array("Thread 0 Crashed:\n\(frames)\n".utf8))
        #expect(batch.told == ["0 too_many_entries frames"] && batch.crashes[0].report.cuts.count == 1 && batch.crashes[0].flags == .corrected)
        let functions = batch.crashes[0].report.threads[0].frames.compactMap(\.function)
        #expect(
            functions.count == 250 && functions.first == "f599" && functions.last == "f0" && functions.contains("f124") && !functions.contains("f125")
        )
    }

    @Test(arguments: ["thrown.ips", "access.crash", "thrown-mac.crash"]) func `a truncated or corrupted report is decoded or rejected`(name: String)
        throws
    {
        let bytes = try CrashFixture.bytes(name)
        for length in stride(from: 0, to: bytes.count, by: 7) { check(Array(bytes[..<length])) }
        for at in stride(from: 0, to: bytes.count, by: 5) {
            var changed = bytes
            changed[at] = [0x30, 0x2d, 0x28, 0x0a, 0x22, 0x39][at / 5 % 6]
            check(changed)
        }
    }

    private func check(_ bytes: [UInt8]) {
        guard let batch = try? decode(bytes) else { return }
        for entry in batch.crashes {
            let json = entry.report.json
            #expect(Given.stored.report(json)?.json == json && Given.stored.report(json) == entry.report)
        }
    }
}
