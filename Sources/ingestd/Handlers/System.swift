import HTTPServer
import JSON
import Platform
import Store

/// How the daemon is doing, for its operator.
enum System {
    @Sendable static func status(_ daemon: Daemon, _ call: Call) async throws -> HTTPAnswer {
        try call.query().allow("app")
        let status = try await daemon.store.status()
        let connections = daemon.connections()
        let reasons = daemon.troubles()
        let uptime = daemon.uptimeSeconds
        return .response(
            .json { json in
                json.beginObject()
                json.field("version", Version.current)
                json.field("uptime_seconds", uptime)
                json.field("ready", reasons.isEmpty)
                json.key("reasons")
                json.beginArray()
                for reason in reasons { json.string(reason) }
                json.endArray()
                json.field("connections", connections)
                json.write(status)
                json.endObject()
            })
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ status: StoreStatus) {
        key("events")
        beginObject()
        field("accepted", status.figures.acceptedEvents)
        field("duplicates", status.figures.duplicateEvents)
        field("quarantined", status.figures.quarantinedEvents)
        field("last_seq", status.figures.lastSeq)
        endObject()
        key("commits")
        beginObject()
        field("count", status.figures.commits)
        field("failed", status.figures.failedCommits)
        field("mean_milliseconds", status.figures.commitSeconds.meanMilliseconds)
        field("mean_sync_milliseconds", status.figures.syncSeconds.meanMilliseconds)
        endObject()
        key("queue")
        beginObject()
        field("events", status.queuedEvents)
        field("bytes", status.queuedBytes)
        field("refused", status.figures.refusedFull)
        endObject()
        field("wal_bytes", status.figures.walBytes)
        field("free_disk_bytes", status.freeDiskBytes)
        field("main_bytes", status.mainBytes)
        key("partitions")
        beginArray()
        for partition in status.partitions {
            beginObject()
            field("day", partition.day.text)
            field("bytes", partition.bytes)
            endObject()
        }
        endArray()
    }
}

extension StoreGauges.Timing {
    fileprivate var meanMilliseconds: Int {
        count == 0 ? 0 : Int((sum / Double(count) * 1_000).rounded())
    }
}
