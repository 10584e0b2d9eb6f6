// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import TestSupport
import Testing

/// Compares random conditions with an evaluator of the tree from which they were written.
struct ConditionPropertyTests {
    private indirect enum Tree {
        case topic(Int), not(Tree), all([Tree]), any([Tree]), enclosed(Tree)

        func isTrue(of held: Set<Int>) -> Bool {
            switch self {
            case .topic(let topic): held.contains(topic)
            case .not(let tree): !tree.isTrue(of: held)
            case .all(let trees): trees.reduce(true) { $0 && $1.isTrue(of: held) }
            case .any(let trees): trees.reduce(false) { $0 || $1.isTrue(of: held) }
            case .enclosed(let tree): tree.isTrue(of: held)
            }
        }

        var text: String {
            switch self {
            case .topic(let topic): "'t\(topic)' in topics"
            case .not(.topic(let topic)): "!'t\(topic)' in topics"
            case .not(let tree): "! (\(tree.text))"
            case .all(let trees): trees.map { "(\($0.text))" }.joined(separator: "&&")
            case .any(let trees): trees.map { "(\($0.text))" }.joined(separator: " || ")
            case .enclosed(let tree): "( \(tree.text) )"
            }
        }
    }

    private static func tree(_ depth: Int, _ random: inout SeededGenerator) -> Tree {
        switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &random) {
        case 1: .not(tree(depth - 1, &random))
        case 2: .enclosed(tree(depth - 1, &random))
        case 3, 4: .all((0..<Int.random(in: 1...3, using: &random)).map { _ in tree(depth - 1, &random) })
        case 5: .any((0..<Int.random(in: 1...3, using: &random)).map { _ in tree(depth - 1, &random) })
        default: .topic(Int.random(in: 0..<Condition.mostTopics, using: &random))
        }
    }

    @Test func `a condition and its normalized text agree with the term`() throws {
        var random = SeededGenerator(5)
        var texts: Set<String> = []
        for _ in 0..<4_000 {
            let tree = Self.tree(4, &random)
            guard tree.text.utf8.count <= Condition.mostBytes else { continue }
            let condition = try Condition(tree.text)
            let canonical = condition.description
            let again = try Condition(canonical)
            #expect(again == condition && again.description == canonical && canonical.utf8.count <= tree.text.utf8.count + 2)
            texts.insert(canonical)
            for held in 0..<32 {
                let topics = Set((0..<5).filter { held >> $0 & 1 == 1 })
                let found = condition.matches { topics.contains(Int(condition.topics[$0].text.dropFirst()) ?? -1) }
                if found != tree.isTrue(of: topics) { Issue.record("\(tree.text) of \(topics)") }
            }
        }
        #expect(texts.count > 1_500)
    }

    @Test func `a corrupted condition is rejected or valid and never traps`() {
        var random = SeededGenerator(6)
        let pieces = ["'a' in topics", "'b' in topics", "&&", "||", "!", "(", ")", " ", "'", "in", "topics", "$", "é", "&", "'' in topics"]
        var taken = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...7, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }.joined()
            guard let condition = try? Condition(text) else { continue }
            taken += 1
            #expect((try? Condition(condition.description)) == condition)
        }
        #expect(taken > 100)
    }
}
