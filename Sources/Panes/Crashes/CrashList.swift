// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// Crashes of an issue as rows, newest first.
enum CrashList {
    static func query(issue: String, variant: String? = nil) -> PagedQuery<Page<CrashResponse>> {
        let filter = variant.map { [("variant", $0)] } ?? []
        let path = "/v1/issues/\(issue.percentEncoded)/events"
        return PagedQuery(DaemonQuery("issue_events", path, [("limit", "100")] + filter, every: 3), id: \.id)
    }

    /// The loaded crashes; nil before the first ones arrive.
    static func loaded(_ crashes: PagedQuery<Page<CrashResponse>>, _ pages: LoadedPages, _ view: PaneView) -> [CrashResponse]? {
        view.results.value(crashes.query).map { _ in crashes.items(pages, view) }
    }

    static func listing(_ title: String, _ query: PagedQuery<Page<CrashResponse>>, _ pages: LoadedPages, _ view: PaneView) -> ListSection {
        let crashes = loaded(query, pages, view)
        // Most crashes have no files.
        let hasFiles = crashes?.contains { $0.attachments?.isEmpty == false } ?? false
        let columns =
            [Table.Column("at"), Table.Column("release"), Table.Column("system"), Table.Column("device", isFlexible: true, cut: .middle)]
            + [Table.Column("symbols")] + (hasFiles ? [Table.Column("files", .right)] : [])
            + [Table.Column("variant", .right), Table.Column("received")]
        let rows = (crashes ?? []).map { crash in
            let symbols = crash.kept ? crash.symbolsWord : "not stored"
            let late = crash.late ? "late, \(view.moment(crash.receivedAt))" : ""
            let files = hasFiles ? [crash.attachments.map { "\($0.count)" } ?? ""] : []
            return ListSection.Row(
                crash.id,
                [view.moment(crash.timestamp), crash.release ?? "", crash.system, crash.deviceModel ?? "", symbols] + files + [crash.variant, late],
                crash.kept ? .plain : Theme.faint)
        }
        return ListSection(title, columns, rows, nothing: crashes == nil ? "…" : "No crashes.", part: query.part(pages, "newest", view))
    }

    static func sheet(_ crashes: [CrashResponse]) -> Sheet {
        let headings =
            ["timestamp", "received_at", "id", "kind", "release", "platform", "os_version", "device_model", "variant", "kept", "symbols"] + [
                "attachments"
            ]
        let rows = crashes.map { crash in
            [crash.timestamp.time.rfc3339, crash.receivedAt.time.rfc3339, crash.id, crash.kind.name, crash.release ?? "", crash.platform ?? ""]
                + [crash.osVersion ?? "", crash.deviceModel ?? "", crash.variant, "\(crash.kept)", crash.symbols.name]
                + ["\(crash.attachments?.count ?? 0)"]
        }
        return Sheet(headings, rows)
    }

    /// Opens the pane of a crash whose report is stored.
    static func open(_ id: String, in crashes: [CrashResponse], of issue: String) -> PaneEffect? {
        guard let crash = crashes.first(where: { $0.id == id }) else { return nil }
        guard crash.kept else { return .unavailable("The report is not stored: frequent issues keep a sample of reports. The crash is counted.") }
        return .open(CrashPane(issue: issue, id: crash.id))
    }
}

extension CrashResponse {
    var system: String { [platform, osVersion].compactMap(\.self).joined(separator: " ") }

    /// The state of the symbols; empty if all frames are symbolicated.
    var symbolsWord: String { symbols == .known(.complete) ? "" : symbols.name }
}
