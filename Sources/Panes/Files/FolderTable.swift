// SPDX-License-Identifier: Apache-2.0

import API
import Terminal

/// The largest folders below a prefix, and the files beside them.
enum FolderTable {
    /// A row; the path of the files beside the folders is nil.
    private struct Row {
        let path: String?
        let files: Int64
        let bytes: Int64
    }

    static func query(_ prefix: String) -> DaemonQuery<FileFoldersResponse> {
        DaemonQuery("file_folders", "/v1/files:folders", [("prefix", prefix), ("limit", "100")], every: 30)
    }

    private static func rows(_ found: FileFoldersResponse) -> [Row] {
        let here = found.files > 0 ? [Row(path: nil, files: found.files, bytes: found.bytes)] : []
        return found.items.map { Row(path: $0.path, files: $0.files, bytes: $0.bytes) } + here
    }

    /// The folders that can be opened. Files beside them are the last row.
    static func ids(_ found: FileFoldersResponse) -> [String] { rows(found).map { $0.path ?? "" } }

    static func note(_ found: FileFoldersResponse, _ view: PaneView) -> String {
        [found.complete ? "" : "not all counted", "counted \(view.moment(found.at))"].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    static func sheet(_ found: FileFoldersResponse) -> Sheet {
        Sheet(["folder", "files", "bytes"], rows(found).map { [$0.path ?? "", "\($0.files)", "\($0.bytes)"] })
    }

    static func draw(_ found: FileFoldersResponse, chosen: Int?, in area: Rect, on frame: inout Frame) {
        let rows = rows(found)
        guard !rows.isEmpty else { return Block.say("No files.", in: area, on: &frame) }
        let columns = [Table.Column("folder", isFlexible: true), Table.Column("files", .right), Table.Column("bytes", .right)]
        let cells = rows.map { row in
            let name = row.path.map { String($0.dropFirst(found.prefix.count)) } ?? "(files in no folder)"
            return [name, Numbers.short(Int(row.files)), Numbers.bytes(Double(row.bytes))]
        }
        let most = Double(rows.map(\.bytes).max() ?? 0)
        let table = SelectableTable(columns, cells, chosen: chosen) { rows[$0].path == nil ? Theme.faint : .plain }
        table.draw(in: area, on: &frame, keeping: area.width >= 70 ? max(area.width / 4, table.spare(of: area.width)) : 0) { row, line, frame in
            frame.bar(Double(rows[row].bytes), of: most, in: line, Theme.bars)
        }
    }
}
