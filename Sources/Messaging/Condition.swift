// SPDX-License-Identifier: Apache-2.0

/// A condition that selects registrations by their topics: `'a' in topics && !('b' in topics)`.
///
/// It is evaluated for every active registration, including those without topics. With at most five topics it is a table of 32 bits:
///
///     'a' in topics && !('b' in topics)
///       {} → false    {a} → true    {b} → false    {a, b} → false
package struct Condition: Hashable, Sendable {
    /// The distinct topics in order of first mention.
    package let topics: [TopicName]
    private let term: Term
    /// The truth table. Bit n is the result for a registration whose topics are the bits set in n.
    private let truth: UInt32

    /// The structure of a condition, normalized: nested parts of the same kind are merged, and double negations removed.
    indirect enum Term: Hashable, Sendable {
        case topic(Int)
        case not(Term)
        case all([Term])
        case any([Term])
    }

    /// Creates a condition. It has at most five topics, so that the table fits.
    init(topics: [TopicName], term: Term) {
        precondition(topics.count <= Condition.mostTopics, "the truth table has 32 bits, enough for five topics")
        self.topics = topics
        self.term = term
        truth = (0..<1 << topics.count).reduce(0) { truth, held in term.isTrue(of: held) ? truth | 1 << UInt32(held) : truth }
    }

    /// Evaluates the condition. `isIn` is called with the index of each topic in `topics`.
    package func matches(_ isIn: (Int) -> Bool) -> Bool {
        let held = topics.indices.reduce(0) { held, index in isIn(index) ? held | 1 << index : held }
        return truth >> UInt32(held) & 1 == 1
    }
}

extension Condition.Term {
    /// Evaluates the term for a set of topics as bits, the first topic lowest.
    fileprivate func isTrue(of held: Int) -> Bool {
        switch self {
        case .topic(let index): held >> index & 1 == 1
        case .not(let term): !term.isTrue(of: held)
        case .all(let terms): terms.allSatisfy { $0.isTrue(of: held) }
        case .any(let terms): terms.contains { $0.isTrue(of: held) }
        }
    }
}

// MARK: - Description

extension Condition: CustomStringConvertible {
    /// The normalized text, independent of spaces and redundant parentheses. It parses to the same condition.
    package var description: String { text(of: term) }

    private func text(of term: Term) -> String {
        switch term {
        case .topic(let index): "'\(topics[index])' in topics"
        case .not(let term): "!(\(text(of: term)))"
        case .all(let terms): terms.map(enclosed).joined(separator: " && ")
        case .any(let terms): terms.map(enclosed).joined(separator: " || ")
        }
    }

    private func enclosed(_ term: Term) -> String {
        switch term {
        case .topic, .not: text(of: term)
        case .all, .any: "(\(text(of: term)))"
        }
    }
}
