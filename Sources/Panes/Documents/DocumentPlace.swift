// SPDX-License-Identifier: Apache-2.0

import Platform

/// A document, a collection, or all collections with an ID.
///
///     users/ann          a document
///     users/ann/orders   a collection
///     **/orders          all collections with the ID orders
enum DocumentPlace: Equatable, Sendable {
    case document(String)
    case collection(String)
    case group(String)
    /// The collection at the top, or wherever else the only one with the ID is.
    case onlyCollection(String)

    init(_ text: String) {
        let segments = text.split(separator: "/")
        let path = segments.joined(separator: "/")
        if segments.count == 2, segments[0] == "**" {
            self = .group(String(segments[1]))
        } else {
            self = segments.count.isMultiple(of: 2) ? .document(path) : .collection(path)
        }
    }

    var pane: any Pane {
        if case .document(let path) = self { DocumentPane(path) } else { CollectionPane(self) }
    }

    /// The route of a document or a collection. The slashes of the path stay.
    static func route(_ path: String) -> String {
        "/v1/documents/" + path.split(separator: "/").map { String($0).percentEncoded }.joined(separator: "/")
    }
}

extension PaneView {
    /// Why the key may not read documents; nil if it may, or the role is unknown, as that of a data key is.
    var whyNotReadDocuments: String? {
        guard let role, role != .data, role != .admin else { return nil }
        return "A key with the role \(role.rawValue) cannot read documents. Log in with an admin key, or name the file of a data key by --key-file."
    }
}
