// SPDX-License-Identifier: Apache-2.0

import API
import Accounts
import JSON
import Platform

/// The entries of an import as they arrive. The first may be the parameters of the hashes or the header of an export of ours.
///
///     {"hash": {"algorithm": "SCRYPT", "signer_key": "…", "salt_separator": "Bw==", "rounds": 8, "memory_cost": 14}}
///     {"localId": "ana", "email": "ana@example.org", "passwordHash": "…", "salt": "…"}
struct AccountImportReading {
    struct Entry: Sendable {
        var index: Int
        var account: ImportedAccount
    }

    private let key: AccountsKey
    private var splitter = EntrySplitter()
    private var hashes: HashImport?
    private var source = ImportedAccount.Source.otherProduct
    private var entries: [Entry] = []
    /// The first errors, and the number of all.
    private(set) var errors: [AccountImportResponse.Failure] = []
    private(set) var failed = 0
    private var count = 0

    init(_ key: AccountsKey) {
        self.key = key
    }

    /// Adds bytes of the file. Errors of entries are kept in `errors`.
    mutating func add(_ bytes: [UInt8]) throws(EntrySplitter.Problem) {
        var found: [[UInt8]] = []
        do throws(EntrySplitter.Problem) { try splitter.add(bytes[...]) { found.append($0) } } catch {
            for entry in found { read(entry) }
            throw error
        }
        for entry in found { read(entry) }
    }

    func finish() throws(EntrySplitter.Problem) { try splitter.finish() }

    /// Takes as many entries as a commit has, or at the end all that are left; nil if there are fewer.
    mutating func take(_ most: Int, isLast: Bool) -> [Entry]? {
        guard entries.count >= most || isLast && !entries.isEmpty else { return nil }
        let taken = Array(entries.prefix(most))
        entries.removeFirst(taken.count)
        return taken
    }

    private mutating func read(_ bytes: [UInt8]) {
        let index = count
        count += 1
        do throws(ImportProblem) {
            guard let object = try? JSONValue(bytes) else { throw ImportProblem("", "is not valid JSON") }
            if let parameters = object["hash"] { return try readParameters(parameters) }
            if let header = object["export"] {
                source = .ownExport(hasKey: header.text("key").hasSameBytes(as: key.fingerprint))
                return
            }
            entries.append(Entry(index: index, account: try ImportedAccount(object, hashes: hashes, from: source)))
        } catch {
            failed += 1
            guard errors.count < AccountImportResponse.mostErrors else { return }
            errors.append(
                .init(index: index, id: nil, code: "invalid", detail: error.field.isEmpty ? error.problem : "\(error.field) \(error.problem)"))
        }
    }

    private mutating func readParameters(_ object: JSONValue) throws(ImportProblem) {
        let parameters = try HashImport.Parameters(object)
        do throws(HashImport.Problem) { hashes = try HashImport(parameters, key) } catch {
            switch error {
            case .unknownAlgorithm: throw ImportProblem("algorithm", "is unknown")
            case .parameter(let name): throw ImportProblem(name, "is missing or beyond its bounds")
            }
        }
    }
}
