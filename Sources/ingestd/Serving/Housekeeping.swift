// SPDX-License-Identifier: Apache-2.0

import EventStore
import Platform
import AcrossStores

/// Periodic work of a serving daemon: recovery, memory, retention.
struct Housekeeping {
    let store: Stores
    let symbols: SymbolStorage
    let departures: AccountDepartures
    let configuration: LiveConfiguration
    let log: Log
    /// A failing disk affects every day's file.
    private static let maxLoggedFailures = 10

    /// Probes whether writing works again after a failure, and returns free memory to the system: once a minute under load, and
    /// completely after ten idle seconds.
    func rest() async {
        var (seen, busyRounds) = (store.events.gauges.commits.value, 0)
        while (try? await Task.sleep(for: .seconds(10))) != nil {
            if store.events.gauges.now.trouble != nil { try? await store.probe() }
            store.forgetUnused()
            if store.events.gauges.commits.value != seen {
                busyRounds += 1
                if busyRounds.isMultiple(of: 6) { OwnProcess.returnFreeMemory() }
            } else if busyRounds > 0 {
                try? await store.rest()
                OwnProcess.returnFreeMemory()
                busyRounds = 0
            }
            seen = store.events.gauges.commits.value
        }
    }

    /// Writes when keys were used last, and what apps have sent.
    func saveUses() async {
        while (try? await Task.sleep(for: .seconds(60))) != nil {
            do {
                try await store.events.saveKeyUses()
                try await store.events.saveAppUses()
            } catch {
                log.warning("could not write the uses of keys and apps; retrying in a minute", ["reason": .text("\(error)")])
            }
        }
    }

    /// Measures the bytes of each app on the disk, first at the start.
    func measureStorage() async {
        while !Task.isCancelled {
            do {
                try await store.measureStorage()
            } catch {
                log.warning("could not measure the bytes of apps; retrying in a minute", ["reason": .text("\(error)")])
            }
            try? await Task.sleep(for: .seconds(60))
        }
    }

    /// Replaces signing keys that are due, and erases the data of deleted accounts that an earlier attempt left.
    func tendAccounts() async {
        while !Task.isCancelled {
            do {
                try await store.rotateSigningKeys()
            } catch {
                log.warning("could not replace the signing keys of accounts; retrying in a minute", ["reason": .text("\(error)")])
            }
            await departures.run()
            try? await Task.sleep(for: .seconds(60))
        }
    }

    /// Recomputes the `early` signal of issues, a few at a time because it reads events.
    func updateEarliness() async {
        while (try? await Task.sleep(for: .seconds(300))) != nil {
            do {
                try await store.updateEarliness(atMost: 50)
            } catch {
                log.warning("failed to evaluate early crashes; retrying in five minutes", ["reason": .text("\(error)")])
            }
        }
    }

    /// Runs data retention, first at the start.
    func retain() async {
        while !Task.isCancelled {
            do {
                let report = try await store.retain()
                try await symbols.sweep()
                if report.distrustsClock { log.warning("the clock jumped ahead; data retention pauses for an hour; check the system time") }
                if !report.removedDays.isEmpty || report.removedEvents > 0 {
                    log.info(
                        "data retention removed data", ["days": .count(report.removedDays.count), "events": .count(report.removedEvents)])
                }
                for failure in report.failures.prefix(Self.maxLoggedFailures) {
                    log.warning("data retention could not remove a day; retrying at the next interval", failure.facts)
                }
                for failure in report.uncounted.prefix(Self.maxLoggedFailures) {
                    log.warning("failed to count the users of a day before deleting it; the day has no user counts", failure.facts)
                }
            } catch {
                log.warning("data retention failed; retrying at the next interval", ["reason": .text("\(error)")])
            }
            try? await Task.sleep(for: configuration.now.storage.retentionInterval)
        }
    }
}

extension Stores.RetentionReport.Trouble {
    fileprivate var facts: KeyValuePairs<String, LogValue> {
        ["day": .text(day.text), "app": .text(app.map { "\($0.rawValue)" } ?? "all"), "reason": .text(reason)]
    }
}
