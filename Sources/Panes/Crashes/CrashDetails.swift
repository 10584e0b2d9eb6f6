// SPDX-License-Identifier: Apache-2.0

import API
import enum Crashes.CrashLevel
import Events
import Platform
import Terminal

/// The lists of a crash: stack, events before it, threads, keys, logs, images.
enum CrashDetails {
    /// The titles of the lists of frames.
    static let stacks = ["Stack", "Threads"]

    static func all(_ crash: CrashResponse, _ report: CrashReport, unfolded: Set<String>, _ view: PaneView) -> [ListSection] {
        let stack = CrashStack(report, isWide: view.width >= 100, unfolded: unfolded)
        return [stack.crashed, before(crash, report), stack.others, keys(report), logs(report), images(report)] + files(crash)
    }

    // MARK: Before the crash

    /// Breadcrumbs of the report and events of the session, newest first.
    private static func before(_ crash: CrashResponse, _ report: CrashReport) -> ListSection {
        let columns = [
            Table.Column("before", .right), Table.Column("by"), Table.Column("what", isFlexible: true, cut: .middle),
            Table.Column("with", isFlexible: true),
        ]
        let end = crash.timestamp.time
        let steps = (events(crash) + breadcrumbs(report, until: end)).enumerated().sorted {
            ($0.element.time, $0.offset) > ($1.element.time, $1.offset)
        }
        let rows = steps.map { index, step in
            ListSection.Row("\(index)", [length(from: step.time, to: end), step.by, step.what, step.with], whole: step.whole, step.style)
        }
        return ListSection(
            "Before", columns, rows, nothing: crash.before == nil ? "The session's events could not be loaded." : "No breadcrumbs or events.")
    }

    private struct Step {
        let time: Timestamp
        let by: String
        let what: String
        let with: String
        let style: Style

        var whole: String { [what, with].filter { !$0.isEmpty }.joined(separator: "  ·  ") }
    }

    /// A breadcrumb without a time keeps its place in the order.
    private static func breadcrumbs(_ report: CrashReport, until end: Timestamp) -> [Step] {
        var last = report.breadcrumbs?.lazy.compactMap(\.timestamp).first?.time ?? end
        return (report.breadcrumbs ?? []).map { crumb in
            last = crumb.timestamp?.time ?? last
            let what = [crumb.category ?? crumb.type, crumb.message].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": ")
            let isError = crumb.level == .known(.error) || crumb.level == .known(.fatal)
            return Step(time: last, by: "app", what: what, with: crumb.data?.line ?? "", style: isError ? Theme.warning : .plain)
        }
    }

    private static func events(_ crash: CrashResponse) -> [Step] {
        (crash.before ?? []).map(\.value).map {
            Step(time: $0.timestamp.time, by: "event", what: $0.name, with: $0.params?.line ?? "", style: Theme.bars)
        }
    }

    private static func length(from time: Timestamp, to end: Timestamp) -> String {
        let milliseconds = (end - time).milliseconds
        if milliseconds < 0 { return "after" }
        return milliseconds < 10_000
            ? "\(Numbers.decimals(Double(milliseconds) / 1_000, 1)) s" : Numbers.duration(seconds: Int(milliseconds / 1_000))
    }

    // MARK: Attachments

    private static func keys(_ report: CrashReport) -> ListSection {
        let pairs = [("", report.customKeys), ("context.", report.context)].flatMap { prefix, values in
            (values ?? [:]).sorted { $0.key < $1.key }.map { (name: prefix + $0.key, value: $0.value.text) }
        }
        let columns = [Table.Column("key", isFlexible: true, cut: .middle), Table.Column("value", isFlexible: true)]
        let rows = pairs.map { ListSection.Row($0.name, [$0.name, $0.value], whole: "\($0.name) = \($0.value)") }
        return ListSection("Keys", columns, rows, nothing: "None in the report.")
    }

    private static func logs(_ report: CrashReport) -> ListSection {
        let lines = (report.logs ?? "").split(whereSeparator: \.isNewline)
        let rows = lines.enumerated().reversed().map { ListSection.Row("\($0)", [String($1)], whole: String($1)) }
        return ListSection("Logs", [Table.Column("newest first", isFlexible: true)], rows, nothing: "None in the report.")
    }

    /// The files sent with the crash. The full row says where one is downloaded, as panes show text only.
    private static func files(_ crash: CrashResponse) -> [ListSection] {
        guard let files = crash.attachments, !files.isEmpty else { return [] }
        let columns = [
            Table.Column("file", isFlexible: true, cut: .middle), Table.Column("type"), Table.Column("size", .right), Table.Column("stored"),
        ]
        let rows = files.map { file in
            let isLost = file.reason?.name.replacing("_", with: " ")
            let cells = [file.name ?? "", file.contentType ?? file.type, Numbers.bytes(Double(file.size)), file.kept ? "yes" : isLost ?? "no"]
            let download = file.kept ? "GET /v1/attachments/\(file.id)" : ""
            return ListSection.Row(file.id, cells, whole: download, file.kept ? .plain : Theme.faint)
        }
        return [ListSection("Files", columns, rows, nothing: "None were sent.")]
    }

    private static func images(_ report: CrashReport) -> ListSection {
        let columns = [
            Table.Column("image", isFlexible: true, cut: .middle), Table.Column("debug id"), Table.Column("arch"), Table.Column("address"),
        ]
        let rows = (report.images ?? []).enumerated().map { index, image in
            ListSection.Row(
                "\(index)", [image.fileName ?? "", image.debugId ?? "", image.arch ?? "", image.imageAddr ?? ""], whole: image.codeFile ?? "")
        }
        return ListSection("Images", columns, rows, nothing: "None in the report.")
    }
}

extension [String: AnyText] {
    /// One line, sorted by name: `a=1 b=2`.
    var line: String { sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ") }
}
