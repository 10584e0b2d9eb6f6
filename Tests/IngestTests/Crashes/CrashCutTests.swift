// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import Ingest
import Platform
import Testing

@Suite struct CrashCutTests {
    private func report(_ fields: String) throws -> (CrashReport, told: [String]) {
        let batch = try decode(crash: fields)
        let entry = try #require(batch.crashes.first)
        #expect(entry.flags.contains(.corrected) == !batch.corrections.isEmpty && entry.report.cuts.count == batch.corrections.count)
        return (entry.report, batch.told)
    }

    private func list(_ count: Int, _ entry: (Int) -> String) -> String { "[\((0..<count).map(entry).joined(separator: ","))]" }

    @Test func `a stack that is too deep keeps both ends`() throws {
        let (report, told) = try report("\"frames\":\(list(600) { #"{"lineno":\#($0)}"# })")
        #expect(report.frames.compactMap(\.line) == Array(0..<125) + Array(475..<600) && told == ["0 too_many_entries frames"])
    }

    @Test func `an exception chain that is too long keeps both ends`() throws {
        let (report, told) = try report("\"exceptions\":\(list(60) { #"{"type":"\#($0)"}"# })")
        #expect(
            report.exceptions.compactMap(\.type) == (Array(0..<25) + Array(35..<60)).map(String.init) && told == ["0 too_many_entries exceptions"])
    }

    @Test func `the crashed one of too many threads is kept`() throws {
        let (report, told) = try report("\"threads\":\(list(300) { #"{"id":\#($0),"crashed":\#($0 == 290)}"# })")
        #expect(report.threads.compactMap(\.id) == Array(0..<255) + [290] && told == ["0 too_many_entries threads"])
    }

    @Test func `the last breadcrumbs and the first images and custom keys are kept`() throws {
        let crumbs = list(120) { #"{"message":"\#($0)"}"# }, images = list(1_001) { #"{"arch":"\#($0)"}"# }
        let keys = "{\((0..<65).map { #""k\#($0)":\#($0)"# }.joined(separator: ","))}"
        let (report, told) = try report(#""breadcrumbs":\#(crumbs),"images":\#(images),"custom_keys":\#(keys)"#)
        #expect(report.breadcrumbs.first?.message == "20" && report.breadcrumbs.count == 100)
        #expect(report.images.count == 1_000 && report.images.first?.architecture == "0" && report.customKeys.count == 64)
        #expect(Set(told) == ["0 too_many_entries breadcrumbs", "0 too_many_entries images", "0 too_many_entries custom_keys"])
    }

    @Test func `long texts are cut between characters and logs keep their end`() throws {
        let é = String(repeating: "é", count: 40_000), keys = #"{"\#(String(é.prefix(600)))":"x\#(é)"}"#
        let (report, told) = try report(#""reason":"\#(é)","custom_keys":\#(keys),"logs":"a\#(é)b","frames":[{"function":"\#(é)"}]"#)
        #expect(report.reason == String(é.prefix(8_192)) && report.frames[0].function == String(é.prefix(1_024)))
        #expect(report.customKeys == [.init(String(é.prefix(512)), "x" + é.prefix(511))] && report.logs == é.prefix(31_999) + "b")
        #expect(Set(told) == ["0 value_too_long reason", "0 value_too_long custom_keys", "0 value_too_long logs", "0 value_too_long function"])
        #expect(report.cuts.contains("reason: Has more than 8192 characters; the rest was cut off."))
    }

    @Test(arguments: [600_000, 1_200_000, 5_000_000]) func `a crash with a huge log is stored`(length: Int) throws {
        let (report, told) = try report(#""reason":"r","logs":"\#(String(repeating: "x", count: length))end""#)
        #expect(told == ["0 value_too_long logs"] && report.reason == "r")
        #expect(report.logs?.utf8.count == CrashLimits.logBytes && report.logs?.hasSuffix("xend") == true)
    }

    @Test func `a report above 1 MiB loses its least useful parts only`() throws {
        let text = String(repeating: "x", count: 1_000)
        let crumbs = list(100) { _ in #"{"message":"\#(text)","data":{"a":"\#(String(repeating: text, count: 8))"}}"# }
        let images = list(100) { #"{"code_file":"\#($0)\#(text)","debug_file":"\#(text)"}"# }
        func threads(_ count: Int) -> String {
            list(count) { #"{"id":\#($0),"crashed":\#($0 == 3),"frames":\#(list(200) { _ in #"{"function":"\#(text)"}"# })}"# }
        }
        let (deep, toldOfDeep) = try report(#""threads":\#(threads(6)),"images":\#(images)"#)
        #expect(toldOfDeep == ["0 value_too_long threads"])
        #expect(deep.threads.map(\.id) == [3] && deep.threads[0].frames.count == 200 && deep.images.count == 100)
        let (wide, toldOfWide) = try report(#""threads":\#(threads(4)),"images":\#(images),"breadcrumbs":\#(crumbs)"#)
        #expect(toldOfWide == ["0 value_too_long threads", "0 value_too_long breadcrumbs"])
        #expect(wide.threads.map(\.id) == [3] && wide.breadcrumbs.isEmpty && wide.images.count == 100)
        #expect(wide.json.count <= CrashLimits.reportBytes + 1_000)
    }

    @Test func `names that exceed the limit are kept for the crashed stack or dropped`() throws {
        func names(_ report: CrashReport, _ bytes: Int, crashed: Int) -> CrashReport {
            var readable = report
            for place in report.threads.indices {
                readable.threads[place].frames[0].function = String(repeating: "x", count: place == 1 ? crashed : bytes)
            }
            return readable
        }
        let (report, _) = try report("\"cuts\":[],\"threads\":\(list(3) { #"{"id":\#($0),"crashed":\#($0 == 1),"frames":[{"lineno":1}]}"# })")
        let small = names(report, 10, crashed: 10), wide = names(report, 5 << 20, crashed: 10), deep = names(report, 10, crashed: 9 << 20)
        #expect(report.named(by: small) == small && report.named(by: deep) == report)
        let partly = report.named(by: wide)
        #expect(partly.threads.map(\.frames[0].function) == [nil, small.threads[1].frames[0].function, nil])
    }

    @Test func `equal cuts are reported once`() throws {
        let long = String(repeating: "x", count: 2_000)
        let (_, told) = try report("\"frames\":\(list(50) { _ in #"{"function":"\#(long)"}"# })")
        #expect(told == ["0 value_too_long function"])
    }

    static let odd: [(String, String)] = [
        (#""kind":"loud""#, "kind"), (#""level":"worse""#, "level"), (#""exceptions":"none""#, "exceptions"), (#""threads":7"#, "threads"),
        (#""images":true"#, "images"), (#""breadcrumbs":"x""#, "breadcrumbs"), (#""custom_keys":"x""#, "custom_keys"),
        (#""fingerprint":"x""#, "fingerprint"), (#""threads":[{"id":1}],"frames":[{"function":"f"}]"#, "frames"),
    ]

    @Test(arguments: odd) func `a part of the wrong type is dropped and the rest is stored`(fields: String, field: String) throws {
        let (report, told) = try report(#"\#(fields),"reason":"r""#)
        #expect(told == ["0 bad_value \(field)"] && report.reason == "r" && report.kind == .nonfatal && report.frames.isEmpty)
    }

    @Test func `an invalid context value or release is dropped`() throws {
        let (report, told) = try report(#""context":{"platform":{},"locale":"de"},"release":"a\u0000","build":[1]"#)
        #expect(told == ["0 bad_context context.platform", "0 bad_context release", "0 bad_context build"])
        #expect(report.context == [.init("locale", "de")] && report.release == nil && report.build == nil)
    }

    @Test func `an unpaired surrogate is replaced`() throws {
        let (report, told) = try report(#""reason":"a\ud800b\n\udc00""#)
        #expect(report.reason == "a\u{fffd}b\n\u{fffd}" && told.isEmpty)
    }

    @Test func `addresses have several spellings, and invalid ones are dropped`() throws {
        let spellings = [#""0xFF""#, #""255""#, "255", #""fF""#, #""""#, #""0x""#, #""0x1ffffffffffffffff""#, "-1", "1.5", "18446744073709551616"]
        let (report, _) = try report("\"frames\":[\(spellings.map { #"{"function":"f","instruction_addr":\#($0)}"# }.joined(separator: ","))]")
        #expect(report.frames.map(\.address) == [255, 255, 255, 255, nil, nil, nil, nil, nil, nil])
    }

    @Test func `an address relative to an unknown image is dropped`() throws {
        let id = "2d903291-397d-3d14-bfca-52c7fb8c5e00"
        let modes = ["abs", "rel:0", "rel:1", "rel:9", "rel:\(id)", "rel:x", "rel:-1"]
        let frames = modes.map { #"{"function":"f","instruction_addr":"0x10","addr_mode":"\#($0)"}"# }.joined(separator: ",")
        let (report, _) = try report(#""frames":[\#(frames)],"images":[{"image_addr":"0x4000","debug_id":"\#(id)"},{"code_file":"x"}]"#)
        #expect(report.frames.map(\.address) == [0x10, 0x4010, nil, nil, 0x4010, nil, nil])
    }

    @Test func `a request with very many frames keeps a limited number`() throws {
        let report = "{\"type\":\"T\",\"threads\":\(list(250) { _ in #"{"frames":\#(list(50) { _ in #"{"lineno":1}"# })}"# })}"
        let batch = try decode(crashes: "[\(Array(repeating: report, count: 9).joined(separator: ","))]")
        let frames = batch.crashes.map { $0.report.threads.reduce(0) { $0 + $1.frames.count } }
        #expect(frames.reduce(0, +) == CrashLimits.framesPerRequest && frames[0] == 12_500 && frames[8] == 0)
        #expect(batch.told.contains("8 too_many_entries frames"))
    }

    @Test func `senders cannot mark frames as symbolicated`() throws {
        let (report, _) = try report(#""frames":[{"function":"f","symbolication":"found"}],"cuts":["x"]"#)
        #expect(report.frames[0].symbolication == .none && report.cuts.isEmpty)
    }
}
