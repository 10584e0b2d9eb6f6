// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import Database
import EventStore
import HTTPServer
import MessageStore
import Platform

/// Counts and durations of requests by route and status.
struct RequestMetrics: Sendable {
    private let total: MetricFamily<Counter>
    private let seconds: MetricFamily<Histogram>

    init(_ metrics: Metrics) {
        total = metrics.counters("signalbox_requests_total", "Requests, by route and status.", labels: ["route", "code"])
        seconds = metrics.histograms(
            "signalbox_request_duration_seconds", "Seconds from the end of the request head to the response.", bounds: Histogram.seconds,
            labels: ["route"])
    }

    func count(route: String, status: Int, _ time: Duration? = nil) {
        total(route, String(status)).add()
        if let time { seconds(route).observe(time) }
    }
}

/// All other metrics of the daemon.
enum DaemonMetrics {
    static func register(_ daemon: Daemon) {
        let metrics = daemon.metrics
        metrics.gauges("signalbox_build_info", "The running version.", labels: ["version"]) { [([Version.current], 1)] }
        metrics.gauge("signalbox_connections", "Open connections.") { [unowned daemon] in Double(daemon.server.connections) }
        metrics.gauge("signalbox_request_memory_bytes", "Memory held by requests, from arrival to response.") { [unowned daemon] in
            Double(daemon.requestMemory.bytes)
        }
        metrics.gauges("signalbox_bodies_waiting", "Request bodies waiting for the key scan or for decoding.", labels: ["for"]) {
            [unowned daemon] in
            let waiting = daemon.server.statistics
            return [(["key"], Double(waiting?.waitingScans ?? 0)), (["decoding"], Double(waiting?.waitingDecodes ?? 0))]
        }
        metrics.gauge("signalbox_streams", "Open streams of devices.") { [unowned daemon] in Double(daemon.store.messages.streams.count) }
        metrics.gauge("signalbox_ready", "1 while /readyz answers 200.") { [unowned daemon] in daemon.readiness.reasons.isEmpty ? 1 : 0 }
        metrics.gauge("signalbox_disk_free_bytes", "Free bytes of the data folder's disk.") { [unowned daemon] in
            (try? Folder.freeBytes(at: daemon.store.paths.root)).map(Double.init) ?? 0
        }
        metrics.gauge("signalbox_queue_events", "Events in the write queue.") { [unowned daemon] in Double(daemon.store.events.queued.events) }
        metrics.gauge("signalbox_queue_bytes", "Bytes in the write queue.") { [unowned daemon] in Double(daemon.store.events.queued.bytes) }
    }
}
