// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// The number of a node in `Ruleset.nodes`.
struct NodeID: Hashable, Sendable {
    let index: Int
}

/// An expression. Names are resolved when rules are read, so nothing is looked up by name while they are evaluated.
enum RuleNode: Sendable {
    case literal(RuleValue)
    case list([NodeID])
    case map([(key: NodeID, value: NodeID)])
    /// A path such as `/users/$(request.auth.uid)`.
    case path([PathPart])
    case request
    case resource
    /// A wildcard of an enclosing match, counted from the outermost.
    case capture(Int)
    /// A parameter or `let` of the function.
    case local(Int)
    case field(NodeID, ExactName)
    case index(NodeID, NodeID)
    case slice(NodeID, NodeID?, NodeID?)
    case not(NodeID)
    case negative(NodeID)
    /// `a && b && c`, flat, so that a long chain is not deep.
    case all([NodeID])
    case any([NodeID])
    case choice(NodeID, NodeID, NodeID)
    case binary(BinaryOperator, NodeID, NodeID)
    case hasType(NodeID, String)
    case call(function: Int, [NodeID])
    case builtin(RuleFunction, [NodeID])
    case method(NodeID, RuleMethod, [NodeID])
    /// A name, function or method that does not exist: its evaluation is an error with this text.
    case unresolved(String)

    enum PathPart: Sendable {
        case text(String)
        case value(NodeID)
    }
}

enum BinaryOperator: String, Sendable, CaseIterable {
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
    case add = "+"
    case subtract = "-"
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    case isIn = "in"
    case equal = "=="
    case unequal = "!="
}

/// A function of the rules' author.
struct RuleFunctionBody: Sendable {
    let name: String
    let parameters: Int
    var lets: [NodeID] = []
    var result = NodeID(index: 0)
}

/// A method that `allow` statements permit.
package enum RuleMethodName: String, Sendable, CaseIterable {
    case get, list, create, update, delete

    /// The methods that a word of `allow` stands for.
    static func named(_ word: String) -> [RuleMethodName]? {
        switch word {
        case "read": [.get, .list]
        case "write": [.create, .update, .delete]
        default: RuleMethodName(rawValue: word).map { [$0] }
        }
    }
}

struct AllowStatement: Sendable {
    let methods: Set<RuleMethodName>
    /// Nil without a condition.
    let condition: NodeID?
    let place: RulePlace
}

struct MatchBlock: Sendable {
    enum Segment: Hashable, Sendable {
        case text(ExactName)
        case one
        /// `{x=**}`: `atLeast` segments or more.
        case rest(atLeast: Int)

        var isCapture: Bool { if case .text = self { false } else { true } }
    }

    let segments: [Segment]
    var allows: [AllowStatement] = []
    var inner: [MatchBlock] = []
}
