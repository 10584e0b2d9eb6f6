// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import ingestd

/// The served OpenAPI document, read as a client does.
struct Description {
    private let root: [String: Any]

    init() throws {
        let document = try JSONSerialization.jsonObject(with: Data(OpenAPI.document))
        root = document as? [String: Any] ?? [:]
    }

    /// Every operation by method and path, as in `GET /healthz`.
    var operations: [String: [String: Any]] {
        var found: [String: [String: Any]] = [:]
        for (path, item) in object("paths") {
            guard let item = item as? [String: Any] else { continue }
            for method in ["get", "put", "post", "delete", "options", "head", "patch", "trace"] {
                if let operation = item[method] as? [String: Any] { found["\(method.uppercased()) \(path)"] = operation }
            }
        }
        return found
    }

    func object(_ path: String...) -> [String: Any] {
        value(path) as? [String: Any] ?? [:]
    }

    func objects(_ path: String...) -> [[String: Any]] {
        value(path) as? [[String: Any]] ?? []
    }

    func texts(_ path: String...) -> [String] {
        value(path) as? [String] ?? []
    }

    private func value(_ path: [String]) -> Any? {
        path.reduce(root as Any?) { ($0 as? [String: Any])?[$1] }
    }
}
