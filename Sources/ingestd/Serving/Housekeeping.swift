// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform
import AcrossStores

/// Periodic work of a serving daemon: recovery, memory, retention.
struct Housekeeping {
    private let daemon: Daemon
    /// A failing disk affects every day's file.
    private static let maxLoggedFailures = 10

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    /// Probes whether writing works again after a failure, and returns free memory to the system: once a minute under load, and
    /// completely after ten idle seconds.
    func rest() async {
        var (seen, busyRounds) = (daemon.store.events.gauges.commits.value, 0)
        while (try? await Task.sleep(for: .seconds(10))) != nil {
            if daemon.store.events.gauges.now.trouble != nil { try? await daemon.store.probe() }
            if daemon.store.events.gauges.commits.value != seen {
                busyRounds += 1
                if busyRounds.isMultiple(of: 6) { OwnProcess.returnFreeMemory() }
            } else if busyRounds > 0 {
                try? await daemon.store.rest()
                OwnProcess.returnFreeMemory()
                busyRounds = 0
            }
            seen = daemon.store.events.gauges.commits.value
        }
    }

    /// Recomputes the `early` signal of issues, a few at a time because it reads events.
    func judge() async {
        while (try? await Task.sleep(for: .seconds(300))) != nil {
            do {
                try await daemon.store.judgeEarliness(atMost: 50)
            } catch {
                daemon.log.warning("failed to evaluate early crashes; retrying in five minutes", ["reason": .text("\(error)")])
            }
        }
    }

    /// Runs data retention, first at the start.
    func retain() async {
        while !Task.isCancelled {
            do {
                let report = try await daemon.store.retain()
                try await daemon.symbols.sweep()
                if report.distrustsClock { daemon.log.warning("the clock jumped ahead; data retention pauses for an hour; check the system time") }
                if !report.removedDays.isEmpty || report.removedEvents > 0 {
                    daemon.log.info(
                        "data retention removed data", ["days": .count(report.removedDays.count), "events": .count(report.removedEvents)])
                }
                for failure in report.failures.prefix(Self.maxLoggedFailures) {
                    daemon.log.warning("data retention could not remove a day", failure.facts)
                }
                for failure in report.uncounted.prefix(Self.maxLoggedFailures) {
                    daemon.log.warning("failed to count the users of a day", failure.facts)
                }
            } catch {
                daemon.log.warning("data retention failed; retrying at the next interval", ["reason": .text("\(error)")])
            }
            try? await Task.sleep(for: daemon.settings.storage.retentionInterval)
        }
    }
}

extension Stores.RetentionReport.Trouble {
    fileprivate var facts: KeyValuePairs<String, LogValue> {
        ["day": .text(day.text), "app": .text(app.map { "\($0.rawValue)" } ?? "all"), "reason": .text(reason)]
    }
}
