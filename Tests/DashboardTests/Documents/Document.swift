// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A page of the repository with the names and links that the tests check.
struct Document {
    let path: String
    let text: String
    private var prose: [String] = []
    private var blocks: [String] = []

    init(_ path: String) throws {
        self.path = path
        text = try Repository.text(path)
        var isFenced = false
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                isFenced.toggle()
            } else if isFenced || line.hasPrefix("    ") {
                blocks.append(line.trimmingCharacters(in: .whitespaces))
            } else {
                prose.append(line)
            }
        }
    }

    /// The pages about the repository and those for users. Other tests compare openapi.yaml with the daemon.
    static func all() throws -> [Document] {
        let paths = Repository.paths.filter {
            ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].contains($0) || $0.hasPrefix("docs/") && $0.hasSuffix(".md")
        }
        return try paths.sorted().map(Document.init)
    }

    /// The texts between backticks.
    var spans: [String] {
        prose.flatMap { line in
            let parts = line.components(separatedBy: "`")
            return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        }
    }

    /// The backtick texts and the lines of code blocks, which include everything meant to be typed.
    var code: [String] { spans + blocks }

    /// The targets of links to files; anchors and external URLs are left out.
    var links: [String] {
        text.components(separatedBy: "](").dropFirst().compactMap { rest in
            let target = rest.prefix { $0 != ")" && $0 != "#" }
            return target.isEmpty || target.contains("://") ? nil : String(target)
        }
    }
}
