// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform
import Terminal

/// Formats stream events as lines.
struct TailLinePrinter: Sendable {
    private let zone: ZoneOffsets?
    private let depth: ColorDepth
    private let alphabet: Alphabet
    /// Lines on a terminal are cut at its width; others are complete.
    private let isForPeople: Bool

    init(_ zone: ZoneOffsets?, isPlain: Bool, environment: [String: String] = ProcessEnvironment.variables) {
        self.zone = zone
        isForPeople = !isPlain && TerminalStream.isTerminal(TerminalStream.output)
        depth = isForPeople ? ColorDepth(environment) : .none
        alphabet = Alphabet(environment)
    }

    func line(_ event: StreamEvent) -> [UInt8] {
        guard let parts = TailEntry(event)?.line.parts(zone) else { return [] }
        let width = isForPeople ? TerminalStream.size()?.width ?? 80 : parts.reduce(0) { max($0, $1.column) + $1.text.width + 1 }
        return TailLine.frame(parts, width: width).printed(depth, alphabet)
    }
}
