// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Glibc
import HTTPClient
import Messaging
import Platform
import Synchronization
import TestSupport

/// The rate of outgoing requests to a sink in another process, with `--in-flight` at once; with `--signed`, each is signed like a webhook.
final class CourierRun: Sendable {
    private struct Progress {
        var sent = 0
        var done = 0
        var failed = 0
        var times: [Int] = []
    }

    private let options: Options
    private let field: HTTPField
    private let body = [UInt8](repeating: UInt8(ascii: "x"), count: 400)
    private let progress = Mutex(Progress())
    private let courier = Mutex<HTTPCourier?>(nil)
    private let isDone = DispatchSemaphore(value: 0)
    private let key = SigningKey(.symmetric, [UInt8](repeating: 7, count: 32))

    init(_ options: Options) throws {
        self.options = options
        field = try HTTPField("Content-Type", "application/json")
    }

    static func run(_ options: Options) async throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
        let ends = try ChildProcess.pipe()
        let sink = try ChildProcess(program, ["sink", "--port", "\(options.port)", "--delay", "\(options.delay)"], output: ends.writing)
        close(ends.writing)
        _ = try await LineReader(ends.reading).line { $0 == "listening" }
        try CourierRun(options).measure()
        sink.signal(SIGTERM)
        _ = await sink.exitCode()
    }

    private func measure() throws {
        var settings = HTTPCourierOptions()
        settings.shards = options.shards
        settings.exchangesPerShard = options.inFlight / options.shards
        let courier = HTTPCourier(
            settings, block: { address, _ in address.isLoopback ? nil : .blockedAddress }, onResults: { [weak self] in self?.note($0) })
        self.courier.withLock { $0 = courier }
        let start = ContinuousClock.now
        let cpu = CourierRun.processorSeconds()
        for shard in 0..<options.shards { send(settings.exchangesPerShard, to: shard, over: courier) }
        isDone.wait()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        report(seconds: seconds, cpu: CourierRun.processorSeconds() - cpu)
        self.courier.withLock { $0 = nil }
        courier.stop()
    }

    /// Sends one request per result, to the shard that the ID names.
    private func note(_ results: [CourierResult]) {
        let isOver = progress.withLock { progress in
            progress.done += results.count
            progress.failed += results.count { $0.status != 200 }
            progress.times += results.map(\.milliseconds)
            return progress.done >= options.requests
        }
        if isOver { return _ = isDone.signal() }
        if let courier = courier.withLock({ $0 }) { send(results.count, to: Int(results[0].id), over: courier) }
    }

    private func send(_ count: Int, to shard: Int, over courier: HTTPCourier) {
        let count = progress.withLock { progress in
            let count = min(count, options.requests - progress.sent)
            progress.sent += count
            return count
        }
        let request = CourierRequest(id: Int64(shard), url: "http://127.0.0.1:\(options.port)/hook", .post(body), sharedFields: [field])
        var requests = [CourierRequest](repeating: request, count: count)
        if options.signed { for place in requests.indices { requests[place].fields = signature() } }
        if !courier.send(requests, shard: shard) { print("refused") }
    }

    private func signature() -> [HTTPField] {
        let fields = StandardWebhooks.fields(id: "msg_p5jXN8AQM9LWM0D4loKWxJek_1", at: WallClock.system.now(), body: body, keys: [key])
        return fields.compactMap { try? HTTPField($0.name, $0.value) }
    }

    private func report(seconds: Double, cpu: Double) {
        let (failed, times) = progress.withLock { ($0.failed, $0.times.sorted()) }
        let rate = Int(Double(options.requests) / seconds)
        let cost = String(format: "%.1f", cpu * 1e6 / Double(options.requests))
        let percentiles = [0.5, 0.99].map { "\(times[Int(Double(times.count - 1) * $0)])" }.joined(separator: " / ")
        print(
            "courier\(options.signed ? ", signed" : ""): \(rate) requests/s, \(cost) µs of processor a request, p50 / p99 \(percentiles) ms, \(failed) failed"
        )
    }

    static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
