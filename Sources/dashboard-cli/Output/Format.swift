// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// How an answer is shown.
enum Format: Sendable {
    case drawn, plain, csv, json

    static let options: [Option] = [.json, .csv, .plain]

    /// What was asked for, if anything.
    init?(_ arguments: Arguments) throws(WrongUsage) {
        let chosen = [(Option.json, Format.json), (.csv, .csv), (.plain, .plain)].filter { arguments.has($0.0) }
        guard chosen.count <= 1 else {
            throw WrongUsage(what: "\(chosen.map(\.0.name).joined(separator: " and ")) do not go together.", hint: "Choose one.")
        }
        guard let format = chosen.first?.1 else { return nil }
        self = format
    }
}

extension Option {
    static let plain = Option("--plain", .none, "Prints plain text, also on a terminal.")
    static let csv = Option("--csv", .none, "Prints comma-separated values.")
    static let watch = Option(
        "--watch", .number("SECONDS", 0...86_400), "Asks again and again; every 2 seconds without a number, and with 0 without a pause."
    )
    .standingAlone(for: 2)
    static let since = Option("--since", .text("SPAN"), "How far to look back: 15m, 1h, 24h, 7d, 30d or any other; 1h without it.")
    static let compare = Option("--compare", .none, "Shows the time before that beside it.")
}

extension Arguments {
    /// For what the parser has made sure of.
    func seconds(_ option: Option) -> Int64? { one(option.name).flatMap { Int64($0) } }

    /// As `--since` has it; nil without it.
    func since() throws(WrongUsage) -> ViewRange? {
        guard let text = one(Option.since.name) else { return nil }
        guard let range = ViewRange(text) else {
            throw WrongUsage(what: "«\(text)» is no span of time.", hint: "Write it like 15m, 24h or 7d; the longest is 1100d.")
        }
        return range
    }
}
