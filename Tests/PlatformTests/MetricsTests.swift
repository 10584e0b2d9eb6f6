// SPDX-License-Identifier: Apache-2.0

import Foundation
import Platform
import TestSupport
import Testing

struct MetricsTests {
    private func text(_ metrics: Metrics) -> String {
        String(decoding: metrics.exposition(), as: UTF8.self)
    }

    @Test func `quantiles are interpolated within their bucket`() {
        let times = Metrics().histogram("times", "Times.", bounds: [1, 2, 4])
        #expect(times.quantile(0.5) == 0)
        for value in [0.5, 1.5, 1.5, 3] { times.observe(value) }
        #expect(times.quantile(0.25) == 1 && times.quantile(0.5) == 1.5 && times.quantile(0.75) == 2 && times.quantile(1) == 4)
        times.observe(100)
        #expect(times.quantile(1) == 4)
    }

    @Test func `families print their series in order with escaped labels`() {
        let metrics = Metrics()
        let requests = metrics.counters("requests_total", "Requests by route\nand code.", labels: ["route", "code"])
        requests("/v1/\"b\"\\\n", "200").add()
        requests("/v1/a", "200").add(2)
        metrics.gauge("queue_bytes", "Bytes that wait.").set(0.25)
        metrics.gauges("connections", "Connections by state.", labels: ["state"]) { [(["idle"], 3), (["busy"], .infinity)] }
        #expect(
            text(metrics) == #"""
                # HELP requests_total Requests by route\nand code.
                # TYPE requests_total counter
                requests_total{route="/v1/\"b\"\\\n",code="200"} 1
                requests_total{route="/v1/a",code="200"} 2
                # HELP queue_bytes Bytes that wait.
                # TYPE queue_bytes gauge
                queue_bytes 0.25
                # HELP connections Connections by state.
                # TYPE connections gauge
                connections{state="idle"} 3
                connections{state="busy"} +Inf

                """#)
    }

    @Test func `histogram buckets are cumulative and end with +Inf`() {
        let metrics = Metrics()
        let seconds = metrics.histogram("commit_seconds", "Time of a commit.", bounds: [0.1, 1])
        for value in [0.1, 0.5, 3.5] { seconds.observe(value) }
        seconds.observe(.milliseconds(900))
        #expect(
            text(metrics).hasSuffix(
                """
                commit_seconds_bucket{le="0.1"} 1
                commit_seconds_bucket{le="1"} 3
                commit_seconds_bucket{le="+Inf"} 4
                commit_seconds_sum 5
                commit_seconds_count 4

                """))
    }

    @Test func `a label has a limited number of values`() {
        let metrics = Metrics()
        let names = metrics.counters("names_total", "Names.", labels: ["name"])
        for number in 0..<10_000 { names("\(number)").add() }
        let lines = text(metrics).split(separator: "\n")
        #expect(lines.count == 2 + 201)
        #expect(lines.contains("names_total{name=\"other\"} 9800"))
    }

    @Test func `concurrent updates are not lost`() async {
        let metrics = Metrics()
        let counter = metrics.counter("things_total", "Things.")
        let gauge = metrics.gauge("level_bytes", "Level.")
        let histogram = metrics.histogram("wait_seconds", "Wait.", bounds: Histogram.seconds)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<10_000 {
                        counter.add()
                        gauge.add(1)
                        histogram.observe(1)
                    }
                }
            }
        }
        #expect(counter.value == 40_000 && gauge.value == 40_000)
        #expect(text(metrics).contains("wait_seconds_sum 40000\nwait_seconds_count 40000\n"))
    }

    @Test func `promtool reports no problem`() async throws {
        let metrics = Metrics()
        metrics.counters("ingestd_requests_total", "Requests.", labels: ["route"])("/v1/events").add()
        metrics.histograms("ingestd_request_duration_seconds", "Time.", bounds: Histogram.seconds, labels: ["route"])("\\ \" \n").observe(0.2)
        metrics.gauge("ingestd_free_bytes", "Free.") { 1e15 + 0.5 }
        metrics.gauge("ingestd_tiny_ratio", "Tiny.") { 1e-9 }
        let folder = TemporaryFolder()
        try Data(metrics.exposition()).write(to: URL(fileURLWithPath: folder.path + "/metrics"))
        let said = try await ChildProcess.run("/bin/bash", ["-c", "promtool check metrics < metrics 2>&1"], in: folder.path)
        #expect(said.code == 0 && said.output.isEmpty, "\(said)")
    }
}
