// SPDX-License-Identifier: Apache-2.0

/// Which registrations a message goes to, told by the topics they have and have not: `'a' in topics && !('b' in topics)`.
///
/// It is true or false of every live registration, also of those without any topic.
package struct Condition: Hashable, Sendable {
    /// Each once, in the order in which they are first named.
    package let topics: [TopicName]
    private let term: Term
    /// Bit n tells what is true of who has just the topics whose bits are set in n.
    private let truth: UInt32

    /// How a condition is put together: no part of a kind directly within one of its kind, and nothing negated twice.
    indirect enum Term: Hashable, Sendable {
        case topic(Int)
        case not(Term)
        case all([Term])
        case any([Term])
    }

    /// At most five topics, or the table would not fit.
    init(topics: [TopicName], term: Term) {
        self.topics = topics
        self.term = term
        truth = (0..<1 << topics.count).reduce(0) { truth, held in term.isTrue(of: held) ? truth | 1 << UInt32(held) : truth }
    }

    /// Asks of each topic by its place in `topics`.
    package func matches(_ isIn: (Int) -> Bool) -> Bool {
        let held = topics.indices.reduce(0) { held, index in isIn(index) ? held | 1 << index : held }
        return truth >> UInt32(held) & 1 == 1
    }
}

extension Condition.Term {
    /// The topics held are the bits of a number, the first topic the lowest.
    fileprivate func isTrue(of held: Int) -> Bool {
        switch self {
        case .topic(let index): held >> index & 1 == 1
        case .not(let term): !term.isTrue(of: held)
        case .all(let terms): terms.allSatisfy { $0.isTrue(of: held) }
        case .any(let terms): terms.contains { $0.isTrue(of: held) }
        }
    }
}

// MARK: - Writing

extension Condition: CustomStringConvertible {
    /// One text for all ways of spacing and of needless parentheses; it reads back as the same condition.
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
