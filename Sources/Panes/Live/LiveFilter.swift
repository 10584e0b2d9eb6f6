// SPDX-License-Identifier: Apache-2.0

import API
import Events
import Platform

/// The filter of the stream: kind, names or conditions.
struct LiveFilter: Equatable, Sendable {
    /// The values of the parameter `kind`.
    enum Kind: String, CaseIterable {
        case events, quarantine, crashes

        var words: String { self == .quarantine ? "quarantined events" : rawValue }
    }

    /// Nil for all kinds.
    private(set) var kind: Kind?
    private(set) var names: [String] = []
    private(set) var conditions: [String] = []

    private static let path = "/v1/tail"
    private static let mostNames = 20
    /// The number of events before the newest at which the stream begins; filtered streams begin earlier.
    private static let (back, backForFew): (Int64, Int64) = (200, 5_000)

    private var asksOfEvents: Bool { !names.isEmpty || !conditions.isEmpty }

    /// Cycles through all kinds. Returns why it cannot.
    mutating func showNextKind() -> String? {
        if asksOfEvents { return "Names and conditions apply to events only. Clear them with n and f to see other kinds." }
        let kinds = [nil] + Kind.allCases
        kind = kinds[((kinds.firstIndex(of: kind) ?? 0) + 1) % kinds.count]
        return nil
    }

    /// Parses names separated by spaces. Returns why it cannot.
    mutating func take(names text: String) -> String? {
        let names = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard names.count <= LiveFilter.mostNames else { return "At most \(LiveFilter.mostNames) names are possible." }
        self.names = names
        if asksOfEvents { kind = nil }
        return nil
    }

    /// Parses conditions separated by spaces, or by semicolons if values contain spaces. Returns why it cannot.
    mutating func take(conditions text: String) -> String? {
        let pieces = text.contains(";") ? text.split(separator: ";") : text.split(whereSeparator: \.isWhitespace)
        let conditions = pieces.map { LiveFilter.trimmed($0) }.filter { !$0.isEmpty }
        do throws(Refusal) {
            let filters = try Filter.all(conditions, parameter: "The condition")
            // The daemon rejects this as well, but only after the stream was opened.
            if filters.contains(where: { $0.isOfPersons }) {
                return "The stream has no user properties: conditions on user.… and cohorts are not possible here."
            }
        } catch {
            return error.detail
        }
        self.conditions = conditions
        if asksOfEvents { kind = nil }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// The conditions as the prompt shows them.
    var conditionText: String {
        let hasBlanks = conditions.contains { $0.contains(where: \.isWhitespace) }
        return conditions.map { hasBlanks ? $0 + ";" : $0 }.joined(separator: " ")
    }

    /// The description of the filter; nil without one.
    var words: String? {
        let names = names.isEmpty ? nil : names.joined(separator: " or ")
        let parts = [kind?.words, names] + conditions
        let said = parts.compactMap(\.self)
        return said.isEmpty ? nil : "Only \(said.joined(separator: " · "))"
    }

    // MARK: Request

    /// The stream from some events before the newest one; nil until the newest is known.
    func request(_ view: PaneView) -> ReadRequest? {
        let wanted = parameters
        if let current = view.tail.request, current.path == LiveFilter.path, current.parameters.filter({ $0.name != "after" }) == wanted {
            return current
        }
        let given = wanted.map { ($0.name, $0.value) }
        guard let last = view.results.value(SystemResponse.query)?.events.lastSeq else {
            return view.results.error(SystemResponse.query) == nil ? nil : ReadRequest(LiveFilter.path, given)
        }
        let start = max(0, last - (given.isEmpty ? LiveFilter.back : LiveFilter.backForFew))
        return ReadRequest(LiveFilter.path, given + [("after", String(start))])
    }

    private var parameters: [ReadRequest.Parameter] {
        let kind = kind.map { [ReadRequest.Parameter(name: "kind", value: $0.rawValue)] } ?? []
        return kind + names.map { .init(name: "event", value: $0) } + conditions.map { .init(name: "filter", value: $0) }
    }
}
