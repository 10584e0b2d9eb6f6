// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// Crashes of an issue as rows, newest first.
enum CrashList {
    static func query(issue: String, variant: String? = nil) -> DaemonQuery<Page<CrashResponse>> {
        let filter = variant.map { [("variant", $0)] } ?? []
        return DaemonQuery("issue_events", "/v1/issues/\(issue.percentEncoded)/events", [("limit", "100")] + filter, every: 3)
    }

    static func listing(_ title: String, _ page: Page<CrashResponse>?, _ view: PaneView) -> ListSection {
        let columns = [
            Table.Column("at"), Table.Column("release"), Table.Column("system"), Table.Column("device", isFlexible: true, cut: .middle),
            Table.Column("symbols"), Table.Column("variant", .right), Table.Column("received"),
        ]
        let rows = (page?.items ?? []).map { crash in
            let symbols = crash.kept ? crash.symbolsWord : "not stored"
            let late = crash.late ? "late, \(view.moment(crash.receivedAt))" : ""
            return ListSection.Row(
                crash.id, [view.moment(crash.timestamp), crash.release ?? "", crash.system, crash.deviceModel ?? "", symbols, crash.variant, late],
                crash.kept ? .plain : Theme.faint)
        }
        return ListSection(title, columns, rows, nothing: page == nil ? "…" : "No crashes.")
    }

    static func sheet(_ page: Page<CrashResponse>) -> Sheet {
        let headings = ["timestamp", "received_at", "id", "kind", "release", "platform", "os_version", "device_model", "variant", "kept", "symbols"]
        let rows = page.items.map { crash in
            [crash.timestamp.time.rfc3339, crash.receivedAt.time.rfc3339, crash.id, crash.kind.name, crash.release ?? "", crash.platform ?? ""]
                + [crash.osVersion ?? "", crash.deviceModel ?? "", crash.variant, "\(crash.kept)", crash.symbols.name]
        }
        return Sheet(headings, rows)
    }

    /// Opens the pane of a crash whose report is stored.
    static func open(_ id: String, in page: Page<CrashResponse>?, of issue: String) -> PaneEffect? {
        guard let crash = page?.items.first(where: { $0.id == id }) else { return nil }
        guard crash.kept else { return .unavailable("The report is not stored: frequent issues keep a sample of reports. The crash is counted.") }
        return .open(CrashPane(issue: issue, id: crash.id))
    }
}

extension CrashResponse {
    var system: String { [platform, osVersion].compactMap(\.self).joined(separator: " ") }

    /// The state of the symbols; empty if all frames are symbolicated.
    var symbolsWord: String { symbols == .known(.complete) ? "" : symbols.name }
}
