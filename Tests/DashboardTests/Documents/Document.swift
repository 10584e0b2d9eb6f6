// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A page of the repository, taken apart as far as what it names is looked for.
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

    /// The pages that tell of the tree, and those for who uses it; openapi.yaml is held against the daemon elsewhere.
    static func all() throws -> [Document] {
        let paths = Repository.paths.filter {
            ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].contains($0) || $0.hasPrefix("docs/") && $0.hasSuffix(".md")
        }
        return try paths.sorted().map(Document.init)
    }

    /// What stands between backticks.
    var spans: [String] {
        prose.flatMap { line in
            let parts = line.components(separatedBy: "`")
            return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        }
    }

    /// What is meant to be typed, among other things: what stands between backticks, and the lines of blocks.
    var code: [String] { spans + blocks }

    /// Where links of the page lead, those within it and to other places of the net left out.
    var links: [String] {
        text.components(separatedBy: "](").dropFirst().compactMap { rest in
            let target = rest.prefix { $0 != ")" && $0 != "#" }
            return target.isEmpty || target.contains("://") ? nil : String(target)
        }
    }
}
