// SPDX-License-Identifier: Apache-2.0

import Events
import Glibc
import Ingest
import JSON
import Platform
import TestSupport
import Testing

/// Prints the time per event; run manually with optimization: `SIGNALBOX_TIMING=1 swift test -c release --filter SpeedTests`.
@Suite(.enabled(if: getenv("SIGNALBOX_TIMING") != nil)) struct SpeedTests {
    private static func body(of events: Int) -> [UInt8] {
        var random = SeededGenerator(3)
        let list = (0..<events).map { n in
            let id = UUID128(high: random.next(), low: random.next())
            return """
                {"id":"\(String(decoding: id.text, as: UTF8.self))","name":"level_complete","timestamp":17599999\(10_000 + n),\
                "installation_id":"inst-\(random.next() % 100_000)","user_id":"user-\(random.next() % 100_000)","session_id":"s-\(n % 7)",\
                "params":{"level":\(n),"score":\(random.next() % 10_000),"character":"mage of the north","duration_s":12.5,"success":true,"mode":"x"}}
                """
        }
        return Array(#"{"sent_at":1760000000,"context":{"platform":"ios","app_version":"1.2.3"},"events":[\#(list.joined(separator: ","))]}"#.utf8)
    }

    @Test func `an event takes about a microsecond`() throws {
        let body = Self.body(of: 100)
        let app = Given.app()
        #expect(try decode(body, app: app).records.count == 100)
        let rounds = 5_000
        let clock = ContinuousClock()
        for _ in 0..<3 {
            var events = 0
            let spent = try clock.measure {
                for _ in 0..<rounds { events += try decode(body, app: app).records.count }
            }
            let nanoseconds = Double(spent.components.attoseconds) / 1e9 + Double(spent.components.seconds) * 1e9
            print("\(Int(nanoseconds) / events) ns an event of \(body.count / 100) bytes")
        }
        let tapes = clock.measure {
            for _ in 0..<rounds { Given.parser.withReader { reader in if let tape = try? reader.parse(body) { reader.reuse(tape) } } }
        }
        print("of which the tape: \(tapes / (rounds * 100))")
    }

    private static func crash(threads: Int) -> [UInt8] {
        func frame(_ n: Int) -> String {
            """
            {"function":"-[UIViewController step\(n):]","instruction_addr":"0x1aca\(10_000 + n)","image_addr":"0x1aca00000","symbol_addr":"0x1aca10000",\
            "package":"/System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore","in_app":\(n == 3)}
            """
        }
        let stack = (0..<6).map(frame).joined(separator: ",")
        let others = (0..<threads).map { #"{"id":\#($0),"crashed":false,"stacktrace":{"frames":[\#(stack)]}}"# }.joined(separator: ",")
        return Array(
            """
            {"crashes":[{"id":"0189f7ae-1111-7222-8333-abcdef012345","timestamp":1759999000,"type":"EXC_BAD_ACCESS","installation_id":"i","release":"a@1+2",
            "exceptions":[{"type":"EXC_BAD_ACCESS","value":"KERN_INVALID_ADDRESS at 0x18","mechanism":{"type":"mach","handled":false},"frames":[\(stack)]}],
            "threads":[\(others)],"context":{"platform":"ios","os_version":"18.6"},"custom_keys":{"a":1,"b":"c"},
            "breadcrumbs":[{"message":"tap","timestamp":1759999000}],"images":[{"debug_id":"2d903291-397d-3d14-bfca-52c7fb8c5e00"}]}]}
            """.utf8)
    }

    @Test(arguments: [0, 25]) func `a crash report takes microseconds to decode and encode`(threads: Int) throws {
        let body = Self.crash(threads: threads)
        let app = Given.app()
        let clock = ContinuousClock()
        let rounds = threads == 0 ? 5_000 : 500
        for _ in 0..<3 {
            var bytes = 0
            let spent = try clock.measure {
                for _ in 0..<rounds { bytes += try decode(crashes: body, app: app).crashes[0].report.json.count }
            }
            print("\(spent / rounds) a report of \(body.count) bytes, \(bytes / rounds) written")
        }
    }
}
