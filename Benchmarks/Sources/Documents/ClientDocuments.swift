// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignalboxDocuments

/// The client's documents at a daemon: `--path cache` for a cached query and the start with a large cache, `--path flush` for queued writes.
///
/// The cache is filled with the key of a server, as a client may only write 100 documents a second.
/// Prints each figure with its bar, and fails if one exceeds it.
struct ClientDocuments {
    private static let documents = 11_000
    private static let queries = 500
    private static let writes = 1_000
    private static let starts = 10
    private static let cacheBytes = 100_000_000
    private static let bytesEach = 1_000

    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    func run() async throws {
        let isFast =
            switch options.path {
            case "cache": [try await cachedQuery(), try await start()]
            case "flush": [try await flush()]
            default: throw BenchmarkError("--path must be cache or flush")
            }
        if isFast.contains(false) { throw BenchmarkError("a figure exceeds its bar") }
    }

    private func open(_ name: String) throws -> Documents {
        guard let address = URL(string: "http://127.0.0.1:\(options.port)") else { throw BenchmarkError("the address is not a URL") }
        var chosen = DocumentOptions(address: address, key: options.key)
        chosen.folder = URL(fileURLWithPath: options.folder).appendingPathComponent(name)
        chosen.cacheBytes = 1 << 30
        return try Documents(chosen)
    }

    /// Writes documents through the client, which keeps those that the daemon has confirmed.
    private func fill(_ documents: Documents, _ collection: String, count: Int, textBytes: Int) async throws {
        let text = FieldValue.text(String(repeating: "x", count: textBytes))
        for first in stride(from: 0, to: count, by: 500) {
            var batch = documents.batch()
            for number in first..<min(first + 500, count) {
                batch = batch.set(documents.document("\(collection)/d\(number)"), ["n": .integer(Int64(number)), "text": text])
            }
            try await batch.commit()
        }
    }

    private func cachedQuery() async throws -> Bool {
        let documents = try open("query")
        try await fill(documents, "people", count: Self.documents, textBytes: 100)
        var times: [Duration] = []
        for number in 0..<Self.queries {
            let wanted = number * 7_919 % Self.documents
            let begin = ContinuousClock.now
            let found = try await documents.collection("people").where("n", isEqualTo: .integer(Int64(wanted))).get(source: .cache)
            times.append(.now - begin)
            guard found.count == 1 else { throw BenchmarkError("a query found \(found.count) documents") }
        }
        await documents.close()
        let name = "cached query of one among \(Self.documents)"
        let isFirstFast = report("first \(name)", Array(times.prefix(1)), bar: .milliseconds(5))
        return report(name, Array(times.dropFirst()), bar: .milliseconds(5)) && isFirstFast
    }

    private func flush() async throws -> Bool {
        let documents = try open("writes")
        await documents.setNetworkEnabled(false)
        for number in 0..<Self.writes {
            try await documents.batch().set(documents.document("written/d\(number)"), ["n": .integer(Int64(number))]).enqueue()
        }
        let begin = ContinuousClock.now
        await documents.setNetworkEnabled(true)
        try await documents.waitForPendingWrites()
        let time = ContinuousClock.now - begin
        await documents.close()
        return report("flush of \(Self.writes) queued writes", [time], bar: .seconds(2))
    }

    private func start() async throws -> Bool {
        let first = try open("start")
        try await fill(first, "large", count: Self.cacheBytes / Self.bytesEach, textBytes: Self.bytesEach)
        await first.close()
        var times: [Duration] = []
        for number in 0..<Self.starts {
            let begin = ContinuousClock.now
            let documents = try open("start")
            let found = try await documents.document("large/d\(number)").get(source: .cache)
            times.append(.now - begin)
            guard found.exists else { throw BenchmarkError("a document is not cached") }
            await documents.close()
        }
        return report("start with \(Self.cacheBytes / 1_000_000) MB of cached documents, and the first read", times, bar: .milliseconds(100))
    }

    /// Prints the median, the ninety-ninth percentile and the longest time. The bar is for the percentile.
    private func report(_ name: String, _ times: [Duration], bar: Duration) -> Bool {
        let sorted = times.sorted()
        func part(_ share: Double) -> Duration { sorted[Int(Double(sorted.count - 1) * share)] }
        let verdict = part(0.99) <= bar ? "within" : "EXCEEDS"
        print("\(name): p50 \(part(0.5)), p99 \(part(0.99)), most \(part(1)); \(verdict) the bar of \(bar)")
        return part(0.99) <= bar
    }
}
