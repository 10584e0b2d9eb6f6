// SPDX-License-Identifier: Apache-2.0

import Platform

/// Applies the settings of a changed configuration that need no restart, and logs those that do.
enum Reload {
    static func apply(to configuration: LiveConfiguration, _ log: Log, _ reload: () throws -> Configuration) {
        do {
            let old = configuration.now
            let new = try reload()
            let changed = Configuration.settings.changed(from: old, to: new)
            let (applied, kept) = (changed.filter(\.isLive).map(\.key), changed.filter { !$0.isLive }.map(\.key))
            configuration.replace(Configuration.settings.reloaded(old, with: new))
            log.change(level: new.log.level, format: new.log.format)
            log.info("configuration reloaded", ["changed": .text(applied.isEmpty ? "nothing" : applied.joined(separator: " "))])
            warn(of: new, log)
            if !kept.isEmpty { log.warning("changed settings that need a restart", ["keys": .text(kept.joined(separator: " "))]) }
        } catch {
            log.error("failed to reload the configuration; the previous one stays active", ["reason": .text("\(error)")])
        }
    }

    /// Logs a token that works but can be guessed.
    static func warn(of configuration: Configuration, _ log: Log) {
        guard configuration.metrics.hasShortToken else { return }
        let hint = "use \(MetricsOptions.shortestToken) characters or more"
        log.warning("the metrics token is short and can be guessed", ["setting": .text("metrics.token"), "hint": .text(hint)])
    }
}
