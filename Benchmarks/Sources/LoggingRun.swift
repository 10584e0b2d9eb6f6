// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox

/// The cost of `logEvent` for its caller, and the memory of a full queue.
enum LoggingRun {
    static func run(_ options: Options) throws {
        for (name, durability) in [("within a second", SignalboxOptions.Durability.withinASecond), ("immediate", .immediate)] {
            try measure(name, durability, events: options.events)
        }
    }

    private static func measure(_ name: String, _ durability: SignalboxOptions.Durability, events: Int) throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("signalbox-logging-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        guard let address = URL(string: "http://127.0.0.1:1") else { return }
        var options = SignalboxOptions(address: address, key: "none")
        options.folder = folder
        options.durability = durability
        options.limits = QueueLimits(events: 4 * events, bytes: 4 << 30)
        options.environment = .init(name: "bench", flushInterval: 3_600, flushAt: .max, isLoggingEnabled: false)
        let app = try SignalboxApp(options)
        let before = resident
        for number in 0..<10_000 { log(app, number) }
        let grown = resident - before
        var times: [Duration] = []
        times.reserveCapacity(events)
        let clock = ContinuousClock()
        for number in 0..<events { times.append(clock.measure { log(app, number) }) }
        times.sort()
        let mean = times.reduce(.zero, +) / events
        func part(_ share: Double) -> Duration { times[Int(Double(events - 1) * share)] }
        print("\(name): mean \(mean), p50 \(part(0.5)), p99 \(part(0.99)), p99.9 \(part(0.999)), most \(part(1)); 10,000 queued: \(grown >> 10) KiB")
    }

    private static func log(_ app: SignalboxApp, _ number: Int) {
        app.analytics.logEvent(
            "level_end", parameters: ["level": .integer(Int64(number)), "won": true, "screen_name": "Arena", "seconds": 12.5])
    }

    private static var resident: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return 0 }
        return (Int(line.filter(\.isNumber)) ?? 0) << 10
    }
}
