// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform
import AcrossStores

/// What is done from time to time as long as the daemon serves.
struct Housekeeping {
    private let daemon: Daemon
    /// A disk that fails fails every day's file.
    private static let troublesTold = 10

    init(_ daemon: Daemon) {
        self.daemon = daemon
    }

    /// Looks whether writing works again where it did not, and gives back memory: once a minute what lies free between what is in use,
    /// and the rest of a busy time once nothing has come in for a while.
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

    /// How soon crashes come in their sessions; seldom and few issues at a time, for it reads events.
    func judge() async {
        while (try? await Task.sleep(for: .seconds(300))) != nil {
            do {
                try await daemon.store.judgeEarliness(atMost: 50)
            } catch {
                daemon.log.warning("early crashes not looked for", ["reason": .text("\(error)")])
            }
        }
    }

    /// Rounds of retention, the first soon after the start.
    func retain() async {
        while !Task.isCancelled {
            do {
                let report = try await daemon.store.retain()
                try await daemon.symbols.sweep()
                if report.distrustsClock { daemon.log.warning("the clock has leapt ahead, so nothing is removed for its age for an hour") }
                if !report.removedDays.isEmpty || report.removedEvents > 0 {
                    daemon.log.info("retention", ["days": .count(report.removedDays.count), "events": .count(report.removedEvents)])
                }
                for trouble in report.failures.prefix(Self.troublesTold) { daemon.log.warning("not removed", trouble.facts) }
                for trouble in report.uncounted.prefix(Self.troublesTold) { daemon.log.warning("people not counted", trouble.facts) }
            } catch {
                daemon.log.warning("retention failed", ["reason": .text("\(error)")])
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
