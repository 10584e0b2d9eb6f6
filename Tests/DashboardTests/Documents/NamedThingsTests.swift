// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Checks that the documents name only existing types, files, links, scripts and commands.
struct NamedThingsTests {
    /// Foreign names that look like types of this repository.
    private static let foreign: Set<String> = [
        "Codable", "Decimal", "Double", "FoundationNetworking", "URLSession",  // Swift's and Foundation's
        "NaN", "Infinity",  // values that Python writes into JSON
        "ETag", "Topic", "Host", "Forwarded", "Via", "Authorization",  // HTTP headers
        "XMLHttpRequest",  // an interface of browsers
    ]

    @Test func `named types and members are declared`() async throws {
        let type = /[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(\.[a-z]\w*(\([\w:]*\))?)?/
        let named = try Self.named { !$0.hasSuffix(".swift") && $0.wholeMatch(of: type) != nil }
        let parts = named.map { ($0, $0.name.split(separator: "(")[0].split(separator: ".").map(String.init)) }
        let declared = try await Self.declarations(of: Set(parts.flatMap(\.1)))
        let elsewhere = try Self.namedElsewhere()
        for (name, words) in parts where !Self.foreign.contains(words[0]) && !elsewhere.contains(words[0]) {
            let files = declared[words[0], default: Declared()]
            #expect(!files.types.isEmpty, "\(name.page) names the type \(words[0]), which is declared nowhere.")
            guard words.count > 1 else { continue }
            let members = declared[words[1], default: Declared()].members
            #expect(!files.parts.isDisjoint(with: members), "\(name.page) names \(name.name); no file has both.")
        }
    }

    @Test func `named files and folders exist`() throws {
        let tops = Set(Repository.paths.filter { !$0.contains("/") })
        let ends = Repository.paths.reduce(into: Set<Substring>()) { ends, path in
            var rest = path[...]
            while true {
                ends.insert(rest)
                guard let slash = rest.firstIndex(of: "/") else { break }
                rest = rest[rest.index(after: slash)...]
            }
        }
        for name in try Self.named({ $0.wholeMatch(of: #/(\./)?[A-Za-z][\w.+-]*(/[\w.+-]+)*/?/#) != nil }) {
            let path = name.name.hasPrefix("./") ? name.name.dropFirst(2) : name.name[...]
            let bare = path.hasSuffix("/") ? path.dropLast() : path
            let isOurs = bare.contains("/") && tops.contains(String(bare.prefix { $0 != "/" }))
            guard isOurs || bare.wholeMatch(of: /.+\.(swift|c|h|md|json5|service)/) != nil else { continue }
            let isThere = ends.contains(bare)
            #expect(isThere, "\(name.page) names \(name.name), which does not exist.")
        }
    }

    @Test func `link targets exist`() throws {
        for document in try Document.all() {
            let folder = URL(fileURLWithPath: "\(Repository.folder)/\(document.path)").deletingLastPathComponent().path
            for link in document.links {
                #expect(FileManager.default.fileExists(atPath: "\(folder)/\(link)"), "\(document.path) links to \(link), which does not exist.")
            }
        }
    }

    @Test func `the table of decisions links every decision`() throws {
        let table = try Document("docs/decisions/README.md").links
        let pages = Repository.paths.filter { $0.hasPrefix("docs/decisions/0") }.map { String($0.dropFirst("docs/decisions/".count)) }
        #expect(table.sorted() == pages.sorted())
    }

    @Test func `named scripts exist`() throws {
        for document in try Document.all() {
            for match in document.text.matches(of: #/\./scripts/([a-z][a-z-]*)/#) {
                let isThere = Repository.paths.contains("scripts/\(match.1)")
                #expect(isThere, "\(document.path) names \(match.0), which does not exist.")
            }
        }
    }

    @Test(arguments: [ProgramUnderTest.ingestd, .dashboard]) func `named commands exist`(program: ProgramUnderTest) async throws {
        let help = try await program.run(["--help"]).output
        let commands = Set(help.matches(of: #/(?m)^ +(?:ingestd|dashboard-cli) ((?:[a-z-]+ )+) /#).map { $0.1.dropLast() })
        #expect(commands.count > 15, "The help lists \(commands)")
        let pattern = #"(?:^|[\s(;/])\#(program.name) +([a-z][a-z-]*)(?: +([a-z][a-z-]*))?(?=[\s;)`|]|$)"#
        let typed = try Regex(pattern, as: (Substring, Substring, Substring?).self)
        for document in try Document.all() {
            for match in document.code.flatMap({ $0.matches(of: typed) }) {
                let (word, second) = (match.output.1, match.output.2)
                let isGroup = commands.contains { $0.hasPrefix("\(word) ") }
                let isKnown = commands.contains(word) || isGroup && second.map { commands.contains("\(word) \($0)") } ?? true || word == "help"
                #expect(isKnown, "\(document.path) names a command that \(program.name) does not have: \(match.output.0)")
            }
        }
    }

    // MARK: Names

    private struct Name: Hashable {
        let page: String
        let name: String
    }

    private static func named(_ isMeant: (String) -> Bool) throws -> Set<Name> {
        try Set(Document.all().flatMap { document in document.spans.filter(isMeant).map { Name(page: document.path, name: $0) } })
    }

    /// Modules and libraries, top-level folders, and names that configurations define, such as alerts.
    private static func namedElsewhere() throws -> Set<String> {
        let files = Repository.paths.filter { $0 == "Package.swift" || $0.hasPrefix("config/") && $0.hasSuffix(".yml") }
        let words = try files.flatMap { try Repository.text($0).split { !$0.isLetter && !$0.isNumber }.map(String.init) }
        return Set(words).union(Repository.paths.filter { !$0.contains("/") })
    }

    /// The files that declare or extend a name.
    private struct Declared {
        var types: Set<Substring> = []
        /// The files that declare or extend it as a type.
        var parts: Set<Substring> = []
        var members: Set<Substring> = []
    }

    /// grep searches the whole tree in well under a second.
    private static func declarations(of names: Set<String>) async throws -> [String: Declared] {
        let either = names.sorted().joined(separator: "|")
        let keywords = "struct|class|enum|actor|protocol|typealias|associatedtype|extension|func|var|let|case"
        let pattern = "\\b(\(keywords)) +([A-Za-z0-9]+\\.)*`?(\(either))\\b|^ *case .*, `?(\(either))\\b"
        let arguments = ["-rEo", "--include=*.swift", "--exclude-dir=.*", pattern, Repository.folder]
        let (code, output) = try await ChildProcess.run("/usr/bin/grep", arguments)
        try #require(code == 0)
        return output.split(separator: "\n").reduce(into: [:]) { declared, line in
            let file = line.prefix { $0 != ":" }
            let words = line.dropFirst(file.count + 1).split { " `.".contains($0) }
            guard let keyword = words.first, let name = words.last.map(String.init) else { return }
            switch keyword {
            case "func", "var", "let", "case": declared[name, default: Declared()].members.insert(file)
            case "extension": declared[name, default: Declared()].parts.insert(file)
            default:
                declared[name, default: Declared()].types.insert(file)
                declared[name, default: Declared()].parts.insert(file)
            }
        }
    }
}
