// SPDX-License-Identifier: Apache-2.0

import Events
import Platform
import Terminal

/// Crashes of an issue as rows, the newest first.
enum CrashListing {
    static func ask(issue: String, variant: String? = nil) -> Ask<PageAnswer<CrashAnswer>> {
        let filter = variant.map { [("variant", $0)] } ?? []
        return Ask("issue_events", "/v1/issues/\(issue.percentEncoded)/events", [("limit", "100")] + filter, every: 3)
    }

    static func listing(_ title: String, _ page: PageAnswer<CrashAnswer>?, _ view: PaneView) -> Listing {
        let columns = [
            Table.Column("at"), Table.Column("release"), Table.Column("system"), Table.Column("device", isFlexible: true, cut: .middle),
            Table.Column("symbols"), Table.Column("variant", .right), Table.Column("received"),
        ]
        let rows = (page?.items ?? []).map { crash in
            let symbols = crash.kept ? crash.symbolsWord : "not kept"
            let late = crash.late ? "late, \(view.moment(crash.receivedAt))" : ""
            return Listing.Row(
                crash.id, [view.moment(crash.timestamp), crash.release ?? "", crash.system, crash.deviceModel ?? "", symbols, crash.variant, late],
                crash.kept ? .plain : Theme.faint)
        }
        return Listing(title, columns, rows, nothing: page == nil ? "…" : "There are none any more.")
    }

    static func sheet(_ page: PageAnswer<CrashAnswer>) -> Sheet {
        let headings = ["timestamp", "received_at", "id", "kind", "release", "platform", "os_version", "device_model", "variant", "kept", "symbols"]
        let rows = page.items.map { crash in
            [crash.timestamp.time.rfc3339, crash.receivedAt.time.rfc3339, crash.id, crash.kind, crash.release ?? "", crash.platform ?? ""]
                + [crash.osVersion ?? "", crash.deviceModel ?? "", crash.variant, "\(crash.kept)", crash.symbols]
        }
        return Sheet(headings, rows)
    }

    /// The pane of one of them.
    static func open(_ id: String, in page: PageAnswer<CrashAnswer>?, of issue: String) -> PaneStep? {
        guard let crash = page?.items.first(where: { $0.id == id }) else { return nil }
        guard crash.kept else { return .refuse("Its report is not kept: of frequent issues only a sample is. It is counted all the same.") }
        return .open(CrashPane(issue: issue, id: crash.id))
    }
}

extension CrashAnswer {
    var system: String { [platform, osVersion].compactMap(\.self).joined(separator: " ") }

    /// Nothing where all of it can be read.
    var symbolsWord: String { symbols == "complete" ? "" : symbols }
}
