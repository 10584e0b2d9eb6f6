import Events
import Glibc
import Ingest
import JSON
import Platform
import TestSupport
import Testing

/// Prints how long an event takes; run by hand with optimisation: `SIGNALBOX_TIMING=1 swift test -c release --filter SpeedTests`.
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
}
