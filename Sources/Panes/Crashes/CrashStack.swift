// SPDX-License-Identifier: Apache-2.0

import API
import struct Crashes.StackFrame
import Terminal

/// The stacks of a report as rows, innermost frame first.
struct CrashStack {
    private let report: CrashReport
    private let images: LoadedImages
    private let isWide: Bool
    private let unfolded: Set<String>

    /// `unfolded` has the IDs of frames whose source lines and variables are shown.
    init(_ report: CrashReport, isWide: Bool, unfolded: Set<String> = []) {
        (self.report, self.isWide, self.unfolded) = (report, isWide, unfolded)
        images = LoadedImages(report.images ?? [])
    }

    /// The crashed stacks: each exception, or else the crashed thread.
    var crashed: ListSection { listing("Stack", crashedStacks, nothing: "No stack in the report.") }

    /// The other threads.
    var others: ListSection {
        listing("Threads", (report.threads ?? []).filter { $0.crashed != true }.map { stack($0) }, nothing: "No other threads.")
    }

    /// The images whose symbols the app's frames need, each once.
    var missing: [CrashReport.Image] {
        var seen: Set<String> = []
        let frames = (crashedStacks + (report.threads ?? []).map { stack($0) }).flatMap(\.frames)
        return frames.filter(\.isWaiting).compactMap { images.image(of: $0) }.filter { image in
            image.debugId.map { seen.insert($0).inserted } ?? false
        }
    }

    // MARK: Stacks

    private typealias Stack = (title: String, frames: [CrashReport.Frame])

    private var crashedStacks: [Stack] {
        let exceptions: [Stack] = (report.exceptions ?? []).reversed().enumerated().map { index, exception in
            let name = [exception.type, exception.value].compactMap(\.self).joined(separator: ": ")
            return (index == 0 ? name : "caused by \(name)", exception.frames ?? [])
        }
        let threads = (report.threads ?? []).filter { $0.crashed == true }.map { stack($0) }
        let bare: [Stack] = [("", report.frames ?? [])]
        let hasFrames = exceptions.contains { !$0.frames.isEmpty }
        return (hasFrames ? exceptions : exceptions.filter { !$0.title.isEmpty && exceptions.count > 1 } + threads + bare).filter {
            !$0.frames.isEmpty || exceptions.count > 1
        }
    }

    private func stack(_ thread: CrashReport.Thread) -> Stack {
        let words = ["Thread", thread.id.map { String($0) }, thread.name.map { "«\($0)»" }, thread.crashed == true ? "crashed" : nil]
        return (words.compactMap(\.self).joined(separator: " "), thread.frames ?? [])
    }

    // MARK: Rows

    /// Narrow terminals leave out the image; the footer shows it for the selected frame.
    private var columns: [Table.Column] {
        let names = ["function", "at"] + (isWide ? ["in"] : [])
        return [Table.Column("", .right), Table.Column("")] + names.map { Table.Column($0, isFlexible: true, cut: .middle) }
    }

    private func row(_ id: String, _ cells: [String], whole: String, lines: String? = nil, _ style: Style) -> ListSection.Row {
        ListSection.Row(id, Array(cells.prefix(columns.count)), whole: whole, lines: lines, style)
    }

    private func listing(_ title: String, _ stacks: [Stack], nothing: String) -> ListSection {
        let rows = stacks.enumerated().flatMap { number, stack in
            let heading = stacks.count > 1 || title == "Threads" ? [heading(stack.title, number)] : []
            return heading + frameRows(stack.frames, number)
        }
        return ListSection(title, columns, rows, nothing: nothing)
    }

    private func heading(_ text: String, _ number: Int) -> ListSection.Row {
        row("\(number)", ["", "", text, "", ""], whole: text, Theme.title)
    }

    private func frameRows(_ frames: [CrashReport.Frame], _ stack: Int) -> [ListSection.Row] {
        let newestFirst = Array(frames.reversed())
        var number = 0
        return newestFirst.enumerated().flatMap { index, frame in
            // An inlined function has no stack frame of its own, and so no number.
            let label = frame.isInline ? "" : String(number)
            if !frame.isInline { number += 1 }
            return rows(frame, label, id: "\(stack).\(index)")
        }
    }

    /// The row of a frame, and its details if it is unfolded.
    private func rows(_ frame: CrashReport.Frame, _ label: String, id: String) -> [ListSection.Row] {
        let details = FrameDetails(frame, isSmall: !isWide).lines
        let isUnfolded = unfolded.contains(id)
        let mark = details.isEmpty ? "" : isUnfolded ? "▾ " : "▸ "
        let name = (frame.isInline ? "  " : "") + mark + images.name(of: frame)
        let image = images.fileName(of: frame) ?? frame.module ?? ""
        let whole = whole(frame)
        let lines = details.isEmpty ? nil : ([whole, ""] + FrameDetails(frame).lines.map(\.text)).joined(separator: "\n")
        let head = row(id, [label, frame.mark, name, frame.place, image], whole: whole, lines: lines, frame.style)
        guard isUnfolded else { return [head] }
        return [head]
            + details.enumerated().map { index, line in
                row("\(id).\(index)", ["", "", "  \(line.text)", "", ""], whole: line.text, line.isCurrent ? .bold : .plain)
            }
    }

    /// Returns the frame of a row of `crashed` or `others`, also of its details: `0.3` for `0.3` and `0.3.1`. Nil for headings.
    static func frameID(of row: String) -> String? {
        let parts = row.split(separator: ".")
        return parts.count < 2 ? nil : parts.prefix(2).joined(separator: ".")
    }

    /// Everything known about a frame, in one line.
    private func whole(_ frame: CrashReport.Frame) -> String {
        let missing = frame.isWaiting ? images.image(of: frame)?.debugId.map { "symbols of \($0) are missing" } : nil
        let address = images.address(of: frame) ?? frame.module
        return [images.name(of: frame), frame.wholePlace, address, missing, frame.contextLine].compactMap(\.self).joined(separator: "  ·  ")
    }
}

extension CrashReport.Frame {
    var isInline: Bool { inline == true }
    var isNamed: Bool { !(function ?? rawFunction ?? "").isEmpty }

    /// Whether missing symbol files would symbolicate the frame.
    var isWaiting: Bool {
        symbolication == .known(.missing) || (!isNamed && inApp != false && symbolication != .known(.unknown))
    }

    /// `?` for a frame without symbols, `●` for a frame of the app.
    var mark: String { !isNamed || isWaiting ? "?" : inApp == true ? "●" : "" }

    var style: Style {
        if inApp != true { return Theme.faint }
        return isNamed && !isWaiting ? .bold : Theme.warning
    }

    var place: String { place(in: filename) ?? "" }
    var wholePlace: String? { place(in: absPath ?? filename) }

    private func place(in file: String?) -> String? {
        file.map { ([$0] + [lineno, lineno == nil ? nil : colno].compactMap(\.self).map { String($0) }).joined(separator: ":") }
    }
}
