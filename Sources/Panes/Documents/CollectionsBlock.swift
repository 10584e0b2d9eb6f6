// SPDX-License-Identifier: Apache-2.0

import API
import Platform
import Terminal

/// The collections of the app with their growth, and the size by day.
enum CollectionsBlock {
    private typealias Collection = DocumentStatisticsResponse.Collection
    private typealias Growth = DocumentStatisticsResponse.Growth

    private static let periods = [1, 7, 30]
    /// The width from which all columns fit.
    private static let wide = 100
    /// The least height with a line for the size by day.
    private static let heightWithDays = 6

    static func note(_ found: DocumentStatisticsResponse) -> String {
        let size = ["\(Numbers.short(found.documents)) documents", Numbers.bytes(Double(found.bytes))]
        // An erasure leaves all documents of an app without patterns. A longer note would not fit into narrow terminals.
        if found.documents > 0, found.personPatterns == 0 { return (["no person patterns"] + size).joined(separator: " · ") }
        let week = found.growth.first { $0.days == 7 }.map { ["\(bytes($0)) in 7 d"] } ?? []
        return (size + week + ["indexes \(Numbers.bytes(Double(found.indexBytes)))"]).joined(separator: " · ")
    }

    static func sheet(_ found: DocumentStatisticsResponse) -> Sheet {
        let names = periods.flatMap { ["documents_\($0)d", "bytes_\($0)d"] }
        return Sheet(["collection", "collections", "documents", "bytes"] + names, found.collections.map(sheetRow))
    }

    private static func sheetRow(_ row: Collection) -> [String] {
        var cells = [row.collection, "\(row.collections)", "\(row.documents)", "\(row.bytes)"]
        for days in periods {
            let growth = row.growth.first { $0.days == days }
            cells += [growth.map { "\($0.documents)" } ?? "", growth.map { "\($0.bytes)" } ?? ""]
        }
        return cells
    }

    static func draw(_ found: DocumentStatisticsResponse, chosen: Int?, on today: Day, in area: Rect, on frame: inout Frame) {
        var table = area
        if area.height >= heightWithDays, found.days.count > 1 {
            let (line, rest) = area.split(rows: 1)
            drawDays(found, today, in: line, on: &frame)
            table = rest
        }
        let isWide = area.width >= wide
        var columns = [Table.Column("collection", isFlexible: true), Table.Column("documents", .right)]
        columns += periods.map { Table.Column("\($0) d", .right) }
        columns.append(Table.Column("bytes", .right))
        columns += bytePeriods(isWide).map { Table.Column("\($0) d", .right) }
        if isWide { columns.insert(Table.Column("collections", .right), at: 1) }
        SelectableTable(columns, found.collections.map { cells($0, isWide) }, chosen: chosen).draw(in: table, on: &frame)
    }

    /// The periods for which the growth in bytes is shown.
    private static func bytePeriods(_ isWide: Bool) -> [Int] { isWide ? periods : [7] }

    private static func cells(_ row: Collection, _ isWide: Bool) -> [String] {
        var cells = [row.collection, Numbers.short(row.documents)]
        cells += periods.map { days in row.growth.first { $0.days == days }.map(documents) ?? "–" }
        cells.append(Numbers.bytes(Double(row.bytes)))
        cells += bytePeriods(isWide).map { days in row.growth.first { $0.days == days }.map(bytes) ?? "–" }
        if isWide { cells.insert(Numbers.short(row.collections), at: 1) }
        return cells
    }

    private static func documents(_ growth: Growth) -> String {
        growth.documents > 0 ? "+\(Numbers.short(growth.documents))" : Numbers.short(growth.documents)
    }

    private static func bytes(_ growth: Growth) -> String {
        if growth.bytes == 0 { return "0" }
        return (growth.bytes > 0 ? "+" : "−") + Numbers.bytes(Double(growth.bytes.magnitude))
    }

    /// The bytes at the ends of days, from the fewest to the most: `by day  839 MiB ▁▂▄▇█ 922 MiB`. A day without a size has that of the day
    /// before.
    private static func drawDays(_ found: DocumentStatisticsResponse, _ today: Day, in line: Rect, on frame: inout Frame) {
        var sizes: [Int64] = []
        var last: Day?
        for one in found.days {
            guard let day = Day(text: one.day), day < today else { continue }
            if let last, let size = sizes.last { sizes += repeatElement(size, count: max(0, Int(day.number - last.number) - 1)) }
            sizes.append(one.bytes)
            last = day
        }
        if let last, let size = sizes.last { sizes += repeatElement(size, count: max(0, Int(today.number - last.number) - 1)) }
        sizes.append(found.bytes)
        let (first, least) = (sizes[0], sizes.min() ?? 0)
        let texts = ["  by day  ", "\(Numbers.bytes(Double(first))) ", " \(Numbers.bytes(Double(found.bytes)))"]
        var rest = line.split(columns: frame.text(texts[0], in: line, Theme.faint)).rest
        rest = rest.split(columns: frame.text(texts[1], in: rest)).rest
        let width = min(sizes.count, max(0, rest.width - texts[2].width))
        frame.sparkline(sizes.map { Double($0 - least) }, in: rest.split(columns: width).left, Theme.chart)
        frame.text(texts[2], in: rest.split(columns: width).rest)
    }
}
