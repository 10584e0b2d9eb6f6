// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// A pane as an SVG picture.
struct PanePicture {
    static let options = [svg, size]
    private static let svg = Option(
        "--svg", .text("FILE"), "Writes an SVG picture of the screen, replacing FILE; - is standard output.")
    private static let size = Option("--size", .text("WxH"), "Columns and rows of the picture; default: 120x36.")

    private let path: String
    private let size: Size

    /// Nil without `--svg`.
    init?(_ arguments: Arguments) throws(UsageError) {
        guard let path = arguments.one(PanePicture.svg.name) else {
            guard !arguments.has(PanePicture.size) else {
                throw UsageError(what: "\(PanePicture.size.name) needs \(PanePicture.svg.name).", hint: "Name a file with \(PanePicture.svg.name).")
            }
            return nil
        }
        for other in Format.options + [.watch] where arguments.has(other) {
            throw UsageError(what: "\(PanePicture.svg.name) and \(other.name) cannot be combined.", hint: "Choose one.")
        }
        self.path = path
        size = try PanePicture.size(arguments.one(PanePicture.size.name) ?? "120x36")
    }

    private static func size(_ text: String) throws(UsageError) -> Size {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let smallest = DashboardView.smallest
        guard parts.count == 2, (smallest.width...500).contains(parts[0]), (smallest.height...200).contains(parts[1]) else {
            throw UsageError(
                what: "«\(text)» is not a size of a picture.", hint: "Write 120x36: from \(smallest.width)x\(smallest.height) to 500x200.")
        }
        return Size(parts[0], parts[1])
    }

    func write(_ shell: DashboardShell, _ options: ViewOptions, at place: String) async throws {
        let dashboard = try await shell.snapshot(size, options, at: place)
        try OutputFile.write(try Export(dashboard).bytes(for: "x.svg"), to: path)
    }
}
