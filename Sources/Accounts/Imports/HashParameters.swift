// SPDX-License-Identifier: Apache-2.0

package import JSON
import Platform

extension HashImport.Parameters {
    /// Reads the parameters of an import, in the fields of the native API or of Firebase's `batchCreate`.
    ///
    ///     {"algorithm": "SCRYPT", "signer_key": "…", "salt_separator": "Bw==", "rounds": 8, "memory_cost": 14}
    package init(_ object: JSONValue) throws(ImportProblem) {
        let fields = try ImportFields(object)
        guard let algorithm = try fields.text("algorithm", "hashAlgorithm", limit: 32) else {
            throw ImportProblem("algorithm", "is required")
        }
        self.init(algorithm: algorithm.uppercased())
        signerKey = try fields.bytes("signer_key", "signerKey") ?? []
        saltSeparator = try fields.bytes("salt_separator", "saltSeparator") ?? []
        rounds = try fields.number("rounds")
        memoryCost = try fields.number("memory_cost", "memoryCost")
        cpuMemoryCost = try fields.number("cpu_memory_cost", "cpuMemCost") ?? memoryCost
        blockSize = try fields.number("block_size", "blockSize")
        parallelization = try fields.number("parallelization")
        // Firebase hashes the salt first, but authenticates the password first.
        isSaltFirst = !self.algorithm.hasPrefix("HMAC_")
        switch try fields.text("order", "passwordHashOrder", limit: 32) {
        case nil, "UNSPECIFIED_ORDER": break
        case "salt_first", "SALT_AND_PASSWORD": isSaltFirst = true
        case "password_first", "PASSWORD_AND_SALT": isSaltFirst = false
        default: throw ImportProblem("order", "must be salt_first or password_first")
        }
    }
}

/// The parameters of hashes as people have them in a file.
package enum HashParameterText {
    private static let names = [
        "algorithm": "algorithm", "base64_signer_key": "signer_key", "base64_salt_separator": "salt_separator", "rounds": "rounds",
        "mem_cost": "memory_cost", "memory_cost": "memory_cost",
    ]

    /// Returns the parameters as JSON: a JSON object as it is, or the block that Firebase's console shows.
    ///
    ///     hash_config { algorithm: SCRYPT, base64_signer_key: …, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14, }
    package static func json(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        if bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return (try? JSONValue(bytes)) == nil ? nil : bytes }
        guard let start = bytes.firstIndex(of: UInt8(ascii: "{")), let end = bytes.lastIndex(of: UInt8(ascii: "}")), start < end else { return nil }
        var json = JSONWriter()
        json.beginObject()
        let separators: Set<UInt8> = [UInt8(ascii: ","), UInt8(ascii: "\n")]
        for line in bytes[(start + 1)..<end].split(whereSeparator: separators.contains) {
            let pair = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard !line.allSatisfy({ $0 <= 0x20 }) else { continue }
            guard pair.count == 2, let name = names[trimmed(pair[0])] else { return nil }
            json.field(name, trimmed(pair[1]))
        }
        json.endObject()
        return json.bytes
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed(), as: UTF8.self)
    }
}
