// SPDX-License-Identifier: Apache-2.0

import Platform

/// Applies the live settings of a changed configuration and logs which settings need a restart.
enum Reload {
    static func apply(to daemon: Daemon, _ reload: () throws -> Configuration) {
        do {
            let old = daemon.settings
            let new = try reload()
            let kept = Configuration.settings.changed(from: old, to: new).filter { !$0.isLive }.map(\.key)
            daemon.replace(Configuration.settings.reloaded(old, with: new))
            daemon.log.change(level: new.log.level, format: new.log.format)
            daemon.log.info("configuration reloaded")
            if !kept.isEmpty { daemon.log.warning("these need a restart", ["keys": .text(kept.joined(separator: " "))]) }
        } catch {
            daemon.log.error("configuration not reloaded", ["reason": .text("\(error)")])
        }
    }
}
