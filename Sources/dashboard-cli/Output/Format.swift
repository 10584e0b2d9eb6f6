// SPDX-License-Identifier: Apache-2.0

import Panes
import Platform

/// The output format.
enum Format: Sendable {
    case drawn, plain, csv, json

    static let options: [Option] = [.json, .csv, .plain]

    /// The format of the options; nil for the default.
    init?(_ arguments: Arguments) throws(UsageError) {
        let chosen = [(Option.json, Format.json), (.csv, .csv), (.plain, .plain)].filter { arguments.has($0.0) }
        guard chosen.count <= 1 else {
            throw UsageError(what: "\(chosen.map(\.0.name).joined(separator: " and ")) cannot be combined.", hint: "Choose one.")
        }
        guard let format = chosen.first?.1 else { return nil }
        self = format
    }
}

extension Option {
    static let plain = Option("--plain", .none, "Prints plain text, even on a terminal.")
    static let csv = Option("--csv", .none, "Prints comma-separated values.")
    static let watch = Option(
        "--watch", .number("SECONDS", 0...86_400), "Repeats every SECONDS, default 2; 0 repeats without a pause."
    )
    .standingAlone(for: 2)
    static let since = Option("--since", .text("SPAN"), "The time range, such as 15m, 1h, 24h, 7d or 30d; default: 1h.")
    static let compare = Option("--compare", .none, "Compares with the previous period.")
}

extension Arguments {
    /// For options that the parser validated.
    func seconds(_ option: Option) -> Int64? { one(option.name).flatMap { Int64($0) } }

    /// The range of `--since`; nil without it.
    func since() throws(UsageError) -> ViewRange? {
        guard let text = one(Option.since.name) else { return nil }
        guard let range = ViewRange(text) else {
            throw UsageError(what: "«\(text)» is not a time range.", hint: "Write it like 15m, 24h or 7d; the longest is 1100d.")
        }
        return range
    }
}
