// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform
import Terminal

/// The lists of an issue: crashes, variants, notes, history.
enum IssueDetails {
    static let crashes = "Crashes"
    static let variants = "Variants"
    private static let notes = "Notes"
    private static let history = "History"

    /// `list` are the crashes.
    static func all(_ issue: IssueResponse, _ list: ListSection, _ view: PaneView) -> [ListSection] {
        [list, variants(issue, view), notes(issue, view), history(issue, view)]
    }

    private static func variants(_ issue: IssueResponse, _ view: PaneView) -> ListSection {
        let columns = [
            Table.Column("variant", .right), Table.Column("crashes", .right), Table.Column("last seen"), Table.Column("what", isFlexible: true),
            Table.Column("where", isFlexible: true, cut: .middle), Table.Column("grouped by", isFlexible: true),
        ]
        let rows = (issue.variants ?? []).map { variant in
            let lines = [variant.title, variant.culprit ?? "", variant.groupedBy]
            return ListSection.Row(
                variant.id, [variant.id, Numbers.short(variant.count), view.moment(variant.lastSeen)] + lines,
                whole: lines.filter { !$0.isEmpty }.joined(separator: "  ·  "))
        }
        return ListSection(variants, columns, rows, nothing: "No variants.")
    }

    private static func notes(_ issue: IssueResponse, _ view: PaneView) -> ListSection {
        let columns = [Table.Column("at"), Table.Column("by", isFlexible: true), Table.Column("note", isFlexible: true)]
        let rows = newestFirst(issue.notes ?? [], \.at).map { id, note in
            ListSection.Row(id, [view.moment(note.at), note.author ?? "", note.text], whole: note.text)
        }
        return ListSection(notes, columns, rows, nothing: "No notes; N adds one.")
    }

    private static func history(_ issue: IssueResponse, _ view: PaneView) -> ListSection {
        let columns = [Table.Column("at"), Table.Column("what"), Table.Column("detail", isFlexible: true)]
        let rows = newestFirst(issue.history ?? [], \.at).map { id, change in
            ListSection.Row(
                id, [view.moment(change.at), change.what.name, change.detail ?? ""],
                change.what == .known(.regressed) ? Theme.bad : .plain)
        }
        return ListSection(history, columns, rows, nothing: "No history.")
    }

    /// CSV rows of all lists but the crashes.
    static func sheet(of list: String, _ issue: IssueResponse) -> Sheet {
        switch list {
        case variants:
            let rows = (issue.variants ?? []).map {
                [$0.id, "\($0.count)", $0.lastSeen.time.rfc3339, $0.title, $0.culprit ?? "", $0.groupedBy]
            }
            return Sheet(["variant", "crashes", "last_seen", "title", "culprit", "grouped_by"], rows)
        case notes:
            return Sheet(["at", "author", "text"], newestFirst(issue.notes ?? [], \.at).map { [$1.at.time.rfc3339, $1.author ?? "", $1.text] })
        default:
            return Sheet(
                ["at", "what", "detail"], newestFirst(issue.history ?? [], \.at).map { [$1.at.time.rfc3339, $1.what.name, $1.detail ?? ""] })
        }
    }

    /// Entries newest first, with IDs that do not change when entries are added.
    private static func newestFirst<Entry>(_ entries: [Entry], _ moment: (Entry) -> Moment) -> [(id: String, entry: Entry)] {
        let oldestFirst = entries.sorted { moment($0).time < moment($1).time }
        return oldestFirst.enumerated().map { ("\($0)", $1) }.reversed()
    }
}
