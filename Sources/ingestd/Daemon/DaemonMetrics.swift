// SPDX-License-Identifier: Apache-2.0

import Database
import EventStore
import HTTPServer
import MessageStore
import Platform
import AcrossStores

/// Requests by route and status, and how long they took.
struct RequestMetrics: Sendable {
    private let total: MetricFamily<Counter>
    private let seconds: MetricFamily<Histogram>

    init(_ metrics: Metrics) {
        total = metrics.counters("signalbox_requests_total", "Requests answered, by route and status.", labels: ["route", "code"])
        seconds = metrics.histograms(
            "signalbox_request_duration_seconds", "From the end of the head to the answer.", bounds: Histogram.seconds, labels: ["route"])
    }

    func count(route: String, status: Int, _ time: Duration? = nil) {
        total(route, String(status)).add()
        if let time { seconds(route).observe(time) }
    }
}

/// Everything else a scraper sees.
enum DaemonMetrics {
    static func register(_ daemon: Daemon) {
        let metrics = daemon.metrics
        metrics.gauges("signalbox_build_info", "The running version.", labels: ["version"]) { [([Version.current], 1)] }
        metrics.gauge("signalbox_connections", "Open connections.") { [unowned daemon] in Double(daemon.connections) }
        metrics.gauge("signalbox_request_memory_bytes", "Memory that requests hold from arrival to answer.") { [unowned daemon] in
            Double(daemon.requestMemory.bytes)
        }
        metrics.gauges("signalbox_bodies_waiting", "Bodies that wait to be searched for a key or to be decoded.", labels: ["for"]) {
            [unowned daemon] in
            let waiting = daemon.serverStatistics
            return [(["key"], Double(waiting?.waitingScans ?? 0)), (["decoding"], Double(waiting?.waitingDecodes ?? 0))]
        }
        metrics.gauge("signalbox_streams", "Devices' streams that are open.") { [unowned daemon] in Double(daemon.store.messages.streams.count) }
        metrics.gauge("signalbox_ready", "1 while /readyz says that all is well.") { [unowned daemon] in daemon.troubles().isEmpty ? 1 : 0 }
        metrics.gauge("signalbox_disk_free_bytes", "Free space of the data folder's disk.") { [unowned daemon] in
            (try? Folder.freeBytes(at: daemon.store.paths.root)).map(Double.init) ?? 0
        }
        metrics.gauge("signalbox_queue_events", "Events taken and not yet answered.") { [unowned daemon] in Double(daemon.store.events.queued.events)
        }
        metrics.gauge("signalbox_queue_bytes", "Bytes taken and not yet answered.") { [unowned daemon] in Double(daemon.store.events.queued.bytes) }
    }
}
