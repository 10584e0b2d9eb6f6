// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

extension DocumentQuery {
    /// The query without its values, for statistics.
    ///
    ///     {"from": "orders", "under": "users/u1", "where": {"and": [["state", "==", "new"], ["at", ">", …]]}, "limit": 20}
    ///     users/*/orders where state == and at > limit
    package var shape: String {
        var text = (parent?.shape).map { $0 + "/" } ?? ""
        if everyDepth { text += "**/" }
        text += collection?.text.text ?? "*"
        if let filter { text += " where " + filter.shape }
        if !orders.isEmpty { text += " order " + orders.map { $0.field.description + ($0.descending ? " desc" : "") }.joined(separator: ", ") }
        if start != nil || end != nil { text += " cursor" }
        if offset > 0 { text += " offset" }
        if limit != nil { text += " limit" }
        return text
    }
}

extension DocumentPath {
    /// The path with a star for each ID of a document.
    package var shape: String {
        segments.enumerated().map { $0.offset % 2 == 0 ? $0.element.text.text : "*" }.joined(separator: "/")
    }
}

extension Filter {
    fileprivate var shape: String {
        switch self {
        case .compare(let field, let comparison, _): "\(field) \(comparison.rawValue)"
        case .unary(let field, let condition): "\(field) \(condition.rawValue)"
        case .and(let filters): filters.map(\.innerShape).joined(separator: " and ")
        case .or(let filters): filters.map(\.innerShape).joined(separator: " or ")
        }
    }

    private var innerShape: String {
        switch self {
        case .and, .or: "(\(shape))"
        case .compare, .unary: shape
        }
    }
}
