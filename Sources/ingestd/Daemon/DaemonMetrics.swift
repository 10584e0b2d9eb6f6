// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AcrossStores
import Database
import DocumentStore
import EventStore
import FileStore
import HTTPServer
import MessageStore
import Platform

/// Counts and durations of requests by route and status.
struct RequestMetrics: Sendable {
    private let total: MetricFamily<Counter>
    private let seconds: MetricFamily<Histogram>

    init(_ metrics: Metrics) {
        total = metrics.counters("signalbox_requests_total", "Answered requests by route and status.", labels: ["route", "code"])
        seconds = metrics.histograms(
            "signalbox_request_duration_seconds", "Seconds from the end of the request head to the response, disk included.",
            bounds: Histogram.seconds,
            labels: ["route"])
    }

    func count(route: String, status: Int, _ time: Duration? = nil) {
        total(route, String(status)).add()
        if let time { seconds(route).observe(time) }
    }
}

extension Daemon {
    /// Registers all other metrics of the daemon, which holds them.
    func registerMetrics() {
        metrics.gauges("signalbox_build_info", "Always 1; the label is the running version.", labels: ["version"]) { [([Version.current], 1)] }
        metrics.gauge("signalbox_connections", "Open connections.") { [unowned self] in Double(server.connections) }
        metrics.gauge("signalbox_request_memory_bytes", "Memory held by requests, from arrival to response.") { [unowned self] in
            Double(requestMemory.bytes)
        }
        metrics.gauge("signalbox_response_memory_bytes", "Bytes of large responses that are not sent completely.") { [unowned self] in
            Double(server.statistics?.unsentResponseBytes ?? 0)
        }
        metrics.gauges("signalbox_bodies_waiting", "Request bodies waiting for the key scan or for decoding.", labels: ["for"]) {
            [unowned self] in
            let waiting = server.statistics
            return [(["key"], Double(waiting?.waitingScans ?? 0)), (["decoding"], Double(waiting?.waitingDecodes ?? 0))]
        }
        metrics.gauge("signalbox_streams", "Open streams of devices.") { [unowned self] in Double(store.messages.streams.count) }
        metrics.gauge("signalbox_ready", "1 while /readyz answers 200, otherwise 0.") { [unowned self] in readiness.reasons.isEmpty ? 1 : 0 }
        metrics.gauge("signalbox_disk_free_bytes", "Free bytes of the data folder's disk.") { [unowned self] in
            (try? Folder.freeBytes(at: store.paths.root)).map(Double.init) ?? 0
        }
        metrics.gauge("signalbox_queue_events", "Events in the write queue.") { [unowned self] in Double(store.events.queued.events) }
        registerAccountMetrics()
        registerDocumentMetrics()
        metrics.gauge("signalbox_files_transfers", "Uploads and downloads under way.") { [unowned self] in
            Double(server.statistics?.transfers ?? 0)
        }
        metrics.counter("signalbox_files_download_bytes_total", "Bytes sent of files.") { [unowned self] in
            (server.statistics?.sentFileBytes ?? 0) + store.files.gauges.sentSmallBytes
        }
        metrics.gauge("signalbox_function_under_way", "Calls of functions that are under way.") { [unowned self] in Double(callDesk.figures.underWay)
        }
        metrics.gauge("signalbox_function_waiting", "Calls of functions that wait for a place.") { [unowned self] in Double(callDesk.figures.waiting)
        }
        metrics.gauge("signalbox_queue_bytes", "Bytes in the write queue.") { [unowned self] in Double(store.events.queued.bytes) }
    }
}

extension Daemon {
    private func registerDocumentMetrics() {
        metrics.gauge("signalbox_documents_queue", "Changes of documents in the write queue.") { [unowned self] in Double(store.documents.queued) }
        metrics.gauge("signalbox_documents_waiting", "Requests that wait for documents that repeated transactions hold.") { [unowned self] in
            Double(documents.holds.waiting)
        }
        metrics.gauge("signalbox_documents_targets", "Different queries and documents that streams listen to.") { [unowned self] in
            Double(store.documents.listening.figures.targets)
        }
        metrics.gauge("signalbox_documents_listeners", "Targets of all streams; equal ones count for each stream.") { [unowned self] in
            Double(store.documents.listening.figures.listeners)
        }
        metrics.gauges("signalbox_documents_stored", "Documents of an app, counted once a minute.", labels: ["app"]) { [unowned self] in
            documentSizes { Double($0.documents) }
        }
        metrics.gauges("signalbox_documents_stored_bytes", "Bytes of an app's documents, measured once a minute.", labels: ["app"]) {
            [unowned self] in documentSizes { Double($0.bytes) }
        }
    }

    private func documentSizes(_ number: (DocumentSize) -> Double) -> [([String], Double)] {
        store.storageUse.documents.sorted { $0.key < $1.key }.map { (["\($0.key.rawValue)"], number($0.value)) }
    }

    private func registerAccountMetrics() {
        metrics.gauge("signalbox_auth_state_streams", "Open streams of session states.") { [unowned self] in Double(store.accounts.hub.count) }
        metrics.gauge("signalbox_auth_hash_queue", "Passwords waiting for a hash thread.") { [unowned self] in
            Double(accounts.hashing.figures.waiting)
        }
        metrics.gauge("signalbox_auth_hash_seconds", "Seconds that hash threads have worked since the start.") { [unowned self] in
            Double(accounts.hashing.figures.nanoseconds) / 1e9
        }
        metrics.gauge("signalbox_auth_hash_refused", "Passwords rejected since the start because too many waited.") { [unowned self] in
            Double(accounts.hashing.figures.refused)
        }
        metrics.gauges(
            "signalbox_auth_provider_keys_age_seconds", "Seconds since the keys of an identity provider were fetched.", labels: ["provider"]
        ) { [unowned self] in
            accounts.providerKeys.ages.map { ([$0.provider], $0.seconds) }
        }
        metrics.gauge("signalbox_auth_outbox_age_seconds", "Age of the oldest mail that waits to be sent; 0 without any.") { [unowned self] in
            store.accounts.oldestWaitingMail.map { max(0, Double((clock.now() - $0).milliseconds) / 1_000) } ?? 0
        }
        metrics.gauge("signalbox_auth_key_age_seconds", "Age of the key that signs ID tokens; 0 without accounts.") { [unowned self] in
            let (now, secrets) = (clock.now(), store.accounts.secrets)
            let newest = secrets.keys.filter { $0.signsFrom <= now }.map(\.signsFrom).max()
            return newest.map { Double((now - $0).milliseconds) / 1_000 } ?? 0
        }
    }
}
