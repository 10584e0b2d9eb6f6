// SPDX-License-Identifier: Apache-2.0

import Events
import Platform

/// What of all that comes in is asked for.
struct LiveFilter: Equatable, Sendable {
    /// As the daemon calls them.
    enum Kind: String, CaseIterable {
        case events, quarantine, crashes

        var words: String { self == .quarantine ? "what was refused" : rawValue }
    }

    /// Nil for all of them.
    private(set) var kind: Kind?
    private(set) var names: [String] = []
    private(set) var conditions: [String] = []

    private static let path = "/v1/tail"
    private static let mostNames = 20
    /// How far back it begins: where few are asked for, they lie further apart.
    private static let (back, backForFew): (Int64, Int64) = (200, 5_000)

    private var asksOfEvents: Bool { !names.isEmpty || !conditions.isEmpty }

    /// All kinds, then one after the other; answers why not.
    mutating func showNextKind() -> String? {
        if asksOfEvents { return "Names and conditions are asked of events alone. Clear them with n and f to see other kinds." }
        let kinds = [nil] + Kind.allCases
        kind = kinds[((kinds.firstIndex(of: kind) ?? 0) + 1) % kinds.count]
        return nil
    }

    /// Names with blanks between them; answers why not.
    mutating func take(names text: String) -> String? {
        let names = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard names.count <= LiveFilter.mostNames else { return "At most \(LiveFilter.mostNames) names can be asked for." }
        self.names = names
        if asksOfEvents { kind = nil }
        return nil
    }

    /// Conditions with blanks or, where their values hold blanks, semicolons between them; answers why not.
    mutating func take(conditions text: String) -> String? {
        let pieces = text.contains(";") ? text.split(separator: ";") : text.split(whereSeparator: \.isWhitespace)
        let conditions = pieces.map { LiveFilter.trimmed($0) }.filter { !$0.isEmpty }
        do throws(Refusal) {
            let filters = try Filter.all(conditions, parameter: "The condition")
            // The daemon would say so too, but only to a question that is asked already.
            if filters.contains(where: { if case .user = $0.path { true } else { false } }) {
                return "What comes in tells events, not persons: nothing can be asked about user.… here."
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

    /// As a prompt shows it to be changed.
    var conditionText: String {
        let hasBlanks = conditions.contains { $0.contains(where: \.isWhitespace) }
        return conditions.map { hasBlanks ? $0 + ";" : $0 }.joined(separator: " ")
    }

    /// Nil where nothing is left out.
    var words: String? {
        let names = names.isEmpty ? nil : names.joined(separator: " or ")
        let parts = [kind?.words, names] + conditions
        let said = parts.compactMap(\.self)
        return said.isEmpty ? nil : "Only \(said.joined(separator: " · "))"
    }

    // MARK: The question

    /// Begins some way back, from where the daemon was when it was asked first; nil as long as nobody knows where that is.
    func request(_ view: PaneView) -> GetRequest? {
        let wanted = parameters
        if let current = view.tail.request, current.path == LiveFilter.path, current.parameters.filter({ $0.name != "after" }) == wanted {
            return current
        }
        let given = wanted.map { ($0.name, $0.value) }
        guard let last = view.results.value(SystemResponse.query)?.events.lastSeq else {
            return view.results.error(SystemResponse.query) == nil ? nil : GetRequest(LiveFilter.path, given)
        }
        let start = max(0, last - (given.isEmpty ? LiveFilter.back : LiveFilter.backForFew))
        return GetRequest(LiveFilter.path, given + [("after", String(start))])
    }

    private var parameters: [GetRequest.Parameter] {
        let kind = kind.map { [GetRequest.Parameter(name: "kind", value: $0.rawValue)] } ?? []
        return kind + names.map { .init(name: "event", value: $0) } + conditions.map { .init(name: "filter", value: $0) }
    }
}
