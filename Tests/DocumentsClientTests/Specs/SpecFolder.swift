// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import SignalboxDocuments

/// The folder of public specifications of clients, which are no part of this repository. `scripts/conformance --client-specs DIR` names it.
enum SpecFolder {
    private static let folder = ProcessInfo.processInfo.environment["SIGNALBOX_CLIENT_SPECS"]

    static var isThere: Bool { folder != nil }

    /// The reason that a run without the folder shows for the skipped suites.
    static let hint: Comment = "Needs the folder of public specifications: ./scripts/conformance --client-specs DIR"

    /// The files whose names match, at any depth, with their JSON.
    static func files(_ isWanted: (String) -> Bool) -> [(name: String, json: JSONNode)] {
        guard let folder, let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
        let wanted = paths.compactMap { $0 as? String }.filter(isWanted).sorted()
        return wanted.compactMap { path in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)"), let json = JSONNode(data) else { return nil }
            return ((path as NSString).lastPathComponent, json)
        }
    }
}

/// One case of a specification.
struct SpecCase: Sendable, CustomTestStringConvertible {
    let file: String
    let name: String
    let json: JSONNode

    var testDescription: String { "\(file): \(name)" }
}

/// A difference from a specification.
struct SpecMismatch: Error, CustomStringConvertible {
    let description: String
}
