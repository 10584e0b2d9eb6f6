// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Terminal

/// The files of the app: usage, transfers, the largest folders and users, and decisions of storage rules.
struct FilesPane: Pane {
    static let name = "Files"
    static let summary = "Files: usage, transfers of the last hour, the largest folders and users, and decisions of rules."

    static let keys: [PaneKey<Self>] =
        [
            .open("open", "Opens the folder.", when: { $0.folder($1) != nil }) { pane, view in pane.folder(view).map { .open(FolderPane($0)) } },
            PaneKey<Self>.otherView("Shows the decisions of rules, or folders and users.", \.selection.showsRules),
        ] + PaneKey.moves(when: { !$0.ids($1).isEmpty }) { $0.selection.move($1, in: $0.ids($2)) }

    /// The width from which users and rules, or lines and denials, are side by side.
    private static let wide = 100

    private var selection = ListOrRules()

    private static let usage = DaemonQuery<FileUsageResponse>("file_usage", "/v1/files:usage", [("order", "bytes"), ("limit", "50")], every: 5)
    private static let folders = FolderTable.query("")
    private static let denials = DaemonQuery<FileDenialsResponse>("file_denials", "/v1/files:denials", [], every: 10)

    func queries(_ options: ViewOptions) -> [PolledQuery] { [Self.usage.polled, Self.folders.polled, Self.denials.polled] }

    private func figures(_ view: PaneView) -> RuleFigures? { view.results.value(Self.denials).map { RuleFigures($0) } }

    private func ids(_ view: PaneView) -> [String] {
        selection.showsRules ? figures(view)?.lines.map(\.place) ?? [] : view.results.value(Self.folders).map(FolderTable.ids) ?? []
    }

    private func folder(_ view: PaneView) -> String? {
        let ids = ids(view)
        return selection.showsRules ? nil : selection.index(in: ids).map { ids[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }

    func sheet(_ view: PaneView) -> Sheet? {
        selection.showsRules ? figures(view).map(RuleBlocks.sheet) : view.results.value(Self.folders).map(FolderTable.sheet)
    }

    // MARK: Drawing

    func draw(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        if selection.showsRules { return drawRules(view, in: area, on: &frame) }
        let found = view.results.value(Self.usage)
        guard let found, found.files + found.openUploads > 0 else {
            guard let body = Block.open("Files", "", Self.usage, view, in: area.inset(1), on: &frame) else { return }
            return Block.say("No files yet: PUT /v1/files/{app}/a/b.png, or `ingestd files put`.", in: body, on: &frame)
        }
        let users: PaneRow.Draw = { drawUsers(found, $0, in: $1, on: &$2) }
        let decisions: PaneRow.Draw = { drawDecisions($0, in: $1, on: &$2) }
        let folders = max(4, (view.results.value(Self.folders).map(FolderTable.ids)?.count ?? 0) + 2)
        var rows = [
            PaneRow([(1, { drawFolders(found, $0, in: $1, on: &$2) })], least: 4, most: folders, rank: 0, weight: 3),
            PaneRow([(1, { drawTraffic(found, $0, in: $1, on: &$2) })], least: 3, most: 3, rank: 1),
        ]
        if view.width >= Self.wide {
            rows.append(PaneRow([(1, users), (1, decisions)], least: 3, most: 200, rank: 2, weight: 2))
        } else {
            rows.append(PaneRow([(1, users)], least: 3, most: max(3, found.items.count + 2), rank: 2, weight: 2))
            rows.append(PaneRow([(1, decisions)], least: 3, most: 200, rank: 3, weight: 1))
        }
        PaneRow.draw(rows, view, in: area.inset(1), on: &frame)
    }

    /// `12k files · 1.2 GiB of 100 GiB · 3 open uploads, 40 MiB reserved`.
    private func note(_ found: FileUsageResponse) -> String {
        let quota = Numbers.bytes(Double(found.mostBytes))
        var parts = ["\(Numbers.short(Int(found.files))) files", "\(Numbers.bytes(Double(found.bytes))) of \(quota)"]
        if found.openUploads > 0 {
            let uploads = found.openUploads == 1 ? "upload" : "uploads"
            parts.append("\(Numbers.short(Int(found.openUploads))) open \(uploads), \(Numbers.bytes(Double(found.reservedBytes))) reserved")
        }
        return parts.joined(separator: " · ")
    }

    private func drawFolders(_ usage: FileUsageResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Files", note(usage), Self.folders, view, in: area, on: &frame), let found = view.results.value(Self.folders)
        else { return }
        FolderTable.draw(found, chosen: selection.index(in: ids(view)), in: body, on: &frame)
    }

    private func drawTraffic(_ found: FileUsageResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Transfers", "the last hour, by minute", Self.usage, view, in: area, on: &frame) else { return }
        TrafficBlock.draw(found.traffic, in: body, on: &frame)
    }

    private func drawUsers(_ found: FileUsageResponse, _ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let body = Block.open("Users", "the largest", Self.usage, view, in: area, on: &frame) else { return }
        guard !found.items.isEmpty else { return Block.say("No files of users.", in: body, on: &frame) }
        let columns = [
            Table.Column("user", isFlexible: true, cut: .middle), Table.Column("files", .right), Table.Column("bytes", .right),
            Table.Column("uploads", .right),
        ]
        let cells = found.items.prefix(max(0, body.height - 1)).map { user in
            let uploads = user.openUploads > 0 ? Numbers.short(Int(user.openUploads)) : ""
            return [user.uid, Numbers.short(Int(user.files)), Numbers.bytes(Double(user.bytes)), uploads]
        }
        Table(columns, cells).draw(in: body, on: &frame, heading: Theme.faint)
    }

    private func drawDecisions(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        RuleBlocks.drawDecisions(figures(view), Self.denials, view, in: area, on: &frame)
    }

    private func drawRules(_ view: PaneView, in area: Rect, on frame: inout Frame) {
        guard let found = figures(view), found.revision != nil else { return drawDecisions(view, in: area.inset(1), on: &frame) }
        let chosen = selection.index(in: ids(view))
        let lines: PaneRow.Draw = { RuleBlocks.drawLines(found, chosen: chosen, Self.denials, $0, in: $1, on: &$2) }
        let denials: PaneRow.Draw = { drawDecisions($0, in: $1, on: &$2) }
        let rows =
            view.width >= Self.wide
            ? [PaneRow([(1, lines), (2, denials)], least: 4, most: 200, rank: 0, weight: 1)]
            : [
                PaneRow([(1, lines)], least: 4, most: max(4, found.lines.count + 2), rank: 0, weight: 2),
                PaneRow([(1, denials)], least: 3, most: 200, rank: 1, weight: 2),
            ]
        PaneRow.draw(rows, view, in: area.inset(1), on: &frame)
    }
}
