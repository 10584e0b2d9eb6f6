// SPDX-License-Identifier: Apache-2.0

@testable import Accounts
import Crypto
import Platform
import Testing

final class HashImportTests {
    private static let key = AccountsKey.make()
    private static let cheap = Argon2(memoryKiB: 64, passes: 1, lanes: 1)
    private let arena = Argon2Arena()

    /// Computed by hashlib and hmac of Python for the password `correct horse`, the salt `NaCl` and the key `signer key`.
    private static let vectors: [(algorithm: String, isSaltFirst: Bool, rounds: Int, hash: String)] = [
        ("MD5", true, 1, "2JfMVOlP4z5No5hZnL377A=="),
        ("MD5", true, 3, "Ii2aE+Dp0CuzzXPWuZX3+w=="),
        ("HMAC_MD5", true, 1, "+QyiBs0cL858BIzAsHW+iQ=="),
        ("MD5", false, 1, "WvNhLLitFNNM0XshzutEnQ=="),
        ("MD5", false, 3, "MXiS7a/O4QeaHfTAm0W1iA=="),
        ("HMAC_MD5", false, 1, "CK6cwu8H9MddbQNs577Grw=="),
        ("SHA1", true, 1, "y2Y2ZtNI1qdD9scbx60AVDLLy9k="),
        ("SHA1", true, 3, "2Cs2yfKn+Zs2/cqtwj42RIBz2/E="),
        ("HMAC_SHA1", true, 1, "jB6oUpR51BMHytDpL1f+w3t8i6w="),
        ("SHA1", false, 1, "Ki+Q9Ri8Nn2QN1jUbcaqfsgK/pI="),
        ("SHA1", false, 3, "QW6kBHPVtx/XxRPxcThk4Xit5R0="),
        ("HMAC_SHA1", false, 1, "Bhl+55z0IHEi4tEIlW6jZFvH7qg="),
        ("SHA256", true, 1, "zAwZ5+hU2tOhrFnScKgwAkx9LvokjqgNCiciPzC79QQ="),
        ("SHA256", true, 3, "hSOoXvL1cDOWMP6VxOsrdO9qv+cR/xeNa4RsAlEBk3w="),
        ("HMAC_SHA256", true, 1, "Tt58sEODF6Q1cjVNCaZmzGEHdMx37j9tlP0ql1hqBw0="),
        ("SHA256", false, 1, "RZt1ffPUBCPIm1ExiBme2/Pq6LjxmOV+UuwTDxYUEXk="),
        ("SHA256", false, 3, "07za9B12vfZx2tEV0VPjM2Ivi3YyhGoZHuYr5wXsxUY="),
        ("HMAC_SHA256", false, 1, "d/RoaKjLVLW5KOq+2ZeYOe8LZcKHxPIqD0nkeuyFmxQ="),
        ("SHA512", true, 1, "4IdaenA5cN2AZMoR0rnpk8WGwSlhiitcbUzmUBLT5xl6QkBdyfrgySC9Y6m6UmeYUA5iRt0+CZ1dDFAbCVUfNg=="),
        ("SHA512", true, 3, "nacb1zZmh890M95p/Te5H9+L8lx/5SJ51+TT82zJzL/WFB+cDpqipib4xMpW7GKvH2ZDzdIsTIdWRZJtcw4WbQ=="),
        ("HMAC_SHA512", true, 1, "izbPmr+eyzUAhjOBKTv3xrX/PZaRkk6zb/7htueFgFt2tKHtZ4hP22ODk6HuREyne2kRU/k7qcanyVx0PX8p9Q=="),
        ("SHA512", false, 1, "xdqJoPZy0z2ISyVALjTvBo5x9AkjiFnWKH0NsOP4U82KzmxCREKHlAwAwogawzZlmhW7qTj1fJZE7cutApWFGA=="),
        ("SHA512", false, 3, "bKG33i7O1e3l9jxczhRf0cbvPpA1E4Au0bxZRuinyn30n5QVsHhwklImsE5uUDaovRkvESOJ7CYbUxqA3bYXPQ=="),
        ("HMAC_SHA512", false, 1, "rWZ0RB5g7yovk6/t11u6eyB6iDSn64rdy0RUzhN9SlF/lEkTq7RkDeWIlJxb8YZ/r+GmNrP9vzldUxGzpSllZg=="),
        ("PBKDF_SHA1", false, 1000, "wTijAypcehTb83ax3kkR/eHCLg0="),
        ("PBKDF2_SHA256", false, 1000, "y6UK+57OG2yJnZIbS3E5E599IliwIIbBdkxEFXXGYlM="),
        ("PBKDF2_SHA256", false, 20000, "/kCrQslHm08vmXIG8Ef5z+mzVCQptrWgnSs/hX+zpys="),
        ("PBKDF2_SHA256", false, 1000, "y6UK+57OG2yJnZIbS3E5E599IliwIIbBdkxEFXXGYlOgyRGSRw1PvHFYwfbUMtmCkYt8GNaPbf29gzksGngD6g=="),
    ]

    private func parameters(_ algorithm: String, _ change: (inout HashImport.Parameters) -> Void = { _ in }) -> HashImport.Parameters {
        var parameters = HashImport.Parameters(algorithm: algorithm)
        change(&parameters)
        return parameters
    }

    private func isRight(_ password: String, _ hash: PasswordHash, _ key: AccountsKey = key) -> Bool {
        hash.matches(Array(password.utf8), HashSecrets(key), arena)
    }

    /// The hash is right, survives being stored, and is right inside Argon2id, too, if it is fast.
    private func check(_ hash: PasswordHash, password: String = "correct horse", isFast: Bool) throws {
        #expect(hash.isFast == isFast)
        #expect(isRight(password, hash) && !isRight(password + " ", hash) && !isRight("", hash))
        #expect(PasswordHash(stored: hash.stored) == hash)
        #expect(hash.isOutdated(.standard))
        guard isFast else { return }
        let made = hash.wrapped(Self.cheap, HashSecrets(Self.key), arena)
        let wrapped = try #require(made)
        #expect(!wrapped.isFast && wrapped.isOutdated(Self.cheap) && PasswordHash(stored: wrapped.stored) == wrapped)
        #expect(isRight(password, wrapped) && !isRight(password + " ", wrapped))
        #expect(!isRight(password, wrapped, .make()))
        #expect(wrapped.key != hash.key && !wrapped.stored.contains(hash.stored.split(separator: "$").last ?? "?"))
    }

    @Test func `hashes of all simple functions are right`() throws {
        for vector in Self.vectors {
            let way = try HashImport(
                parameters(vector.algorithm) {
                    ($0.isSaltFirst, $0.rounds, $0.signerKey) = (vector.isSaltFirst, vector.rounds, Array("signer key".utf8))
                }, Self.key)
            let bytes = try #require(Base64.decode(vector.hash))
            let hash = try #require(way.hash(bytes, salt: Array("NaCl".utf8)))
            try check(hash, isFast: vector.rounds < 10_000)
            let other = try HashImport(
                parameters(vector.algorithm) {
                    ($0.isSaltFirst, $0.rounds, $0.signerKey) = (!vector.isSaltFirst, vector.rounds + 1, Array("signer key.".utf8))
                }, Self.key)
            let another = try #require(other.hash(bytes, salt: Array("NaCl".utf8)))
            #expect(!isRight("correct horse", another))
        }
    }

    /// The vector in the README of firebase/scrypt.
    @Test func `Firebase's own hash is right, and its signer key is not stored`() throws {
        let signer = try #require(Base64.decode("jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="))
        let bytes = try #require(Base64.decode("lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="))
        let way = try HashImport(
            parameters("SCRYPT") { ($0.signerKey, $0.saltSeparator, $0.rounds, $0.memoryCost) = (signer, [7], 8, 14) }, Self.key)
        let salt = try #require(Base64.decode("42xEC+ixf3L2lw=="))
        let hash = try #require(way.hash(bytes, salt: salt))
        try check(hash, password: "user1password", isFast: false)
        #expect(hash.stored.hasPrefix("$firebase-scrypt$ln=14,r=8,p=1$"))
        #expect(way.hash(Array(bytes.dropLast()), salt: []) == nil)
    }

    @Test func `scrypt, bcrypt and Argon2 of others are right`() throws {
        let scrypt = try HashImport(
            parameters("STANDARD_SCRYPT") { ($0.cpuMemoryCost, $0.blockSize, $0.parallelization) = (1_024, 8, 2) }, Self.key)
        let bytes = try #require(Base64.decode("vAbY9bB0DEYmn25vbBXFkLmdKTycjip/qn3t6IqxhzqxzyLWsfPV26euYoaR95BpRLoE1f8kVzfKVLdVK2ZDGg=="))
        try check(try #require(scrypt.hash(bytes, salt: Array("NaCl".utf8))), isFast: true)
        let weak = try HashImport(
            parameters("SCRYPT") { ($0.signerKey, $0.rounds, $0.memoryCost) = ([UInt8](repeating: 1, count: 64), 1, 11) }, Self.key)
        #expect(weak.hash([UInt8](repeating: 2, count: 64), salt: [])?.isFast == true)
        let bcrypt = "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"
        let imported = try HashImport(parameters("BCRYPT"), Self.key).hash(Array(bcrypt.utf8), salt: [])
        try check(try #require(imported), password: "abc", isFast: true)
        try check(try #require(HashImport.hash(text: bcrypt)), password: "abc", isFast: true)
        let slow = "$2b$08$NaClNaClNaClNaClNaClN.X2VxhV4TAkoDlLaULBYtVm/isShecSW"
        #expect(HashImport.hash(text: slow)?.isFast == false)
        // From argon2-cffi.
        for text in [
            "$argon2id$v=19$m=1024,t=2,p=1$jQxV9m8uQqwHP6+sTrHFFQ$i1EAWlvTwsfS7lzpOwwMQF3nGmVoPfms/v2t4ScKSmc",
            "$argon2i$v=19$m=1024,t=2,p=2$vkHv+jj5eksz4QwVWQQurA$o1DUYfiBFGQavwcwLQX3IqMnprn7coGoSf8uygWN8SQ",
        ] {
            try check(try #require(HashImport.hash(text: text)), isFast: false)
        }
        for wrong in ["", "$2x$06$", "$argon2x$v=19$", "$argon2id$v=16$m=1024,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$1$abc$def", "password"] {
            #expect(HashImport.hash(text: wrong) == nil)
        }
    }

    @Test func `parameters beyond their bounds are named`() {
        func problem(_ algorithm: String, _ change: (inout HashImport.Parameters) -> Void = { _ in }) -> HashImport.Problem? {
            do throws(HashImport.Problem) {
                _ = try HashImport(parameters(algorithm, change), Self.key)
                return nil
            } catch { return error }
        }
        for unknown in ["", "SHA3", "HMAC_SHA3", "sha256", "HMAC_", "PBKDF2_SHA512"] { #expect(problem(unknown) == .unknownAlgorithm) }
        #expect(problem("SCRYPT") { ($0.rounds, $0.memoryCost) = (8, 19) } == .parameter("memoryCost"))
        #expect(problem("SCRYPT") { ($0.rounds, $0.memoryCost) = (9, 14) } == .parameter("rounds"))
        #expect(problem("SCRYPT") { ($0.rounds, $0.memoryCost) = (8, 14) } == .parameter("signerKey"))
        for cost in [0, 1, 3, 1_000, -1, 1 << 19, .max] {
            #expect(problem("STANDARD_SCRYPT") { $0.cpuMemoryCost = cost } == .parameter("cpuMemCost"))
        }
        #expect(problem("STANDARD_SCRYPT") { $0.cpuMemoryCost = 1_024 } == .parameter("blockSize"))
        for algorithm in ["PBKDF_SHA1", "PBKDF2_SHA256"] {
            for rounds in [nil, 0, -1, 1_500_001] as [Int?] { #expect(problem(algorithm) { $0.rounds = rounds } == .parameter("rounds")) }
        }
        for rounds in [-1, 8_193] { #expect(problem("MD5") { $0.rounds = rounds } == .parameter("rounds")) }
        #expect(problem("HMAC_SHA256") == .parameter("signerKey") && problem("MD5") == nil && problem("BCRYPT") == nil)
    }

    @Test func `hashes of a wrong length are none`() throws {
        let way = try HashImport(parameters("SHA256"), Self.key)
        for length in [0, 31, 33, 64] { #expect(way.hash([UInt8](repeating: 1, count: length), salt: []) == nil) }
        #expect(way.hash([UInt8](repeating: 1, count: 32), salt: [UInt8](repeating: 1, count: 257)) == nil)
        let pbkdf2 = try HashImport(parameters("PBKDF2_SHA256") { $0.rounds = 1 }, Self.key)
        for length in [0, 15, 129] { #expect(pbkdf2.hash([UInt8](repeating: 1, count: length), salt: []) == nil) }
        #expect(try HashImport(parameters("BCRYPT"), Self.key).hash([0xff], salt: []) == nil)
    }

    @Test(arguments: [
        "", "$", "$$$$", "password", "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$$",
        "$argon2id$v=19$m=99999999,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA",
        "$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$t=1,m=64,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
        "$argon2id$v=19$m=064,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=+64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
        "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ=$aGFzaGhhc2hoYXNoaGFzaA", "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaB",
        "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA$", "$sha256$i=1,o=x$c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g",
        "$sha256$i=9000,o=s$c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g", "$scrypt$ln=30,r=8,p=1$c2FsdA$aGFzaGhhc2hoYXNoaGFzaA",
        "$scrypt$ln=14,r=8,p=1$c2FsdA$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA", "$pbkdf2-md5$i=1$c2FsdA$aGFzaGhhc2hoYXNoaGFzaA",
        "$pbkdf2-sha1$i=0$c2FsdA$aGFzaGhhc2hoYXNoaGFzaA", "$2b$31$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.",
        "$bcrypt$2b$06$DCq7YPn5Rq63x1Lad4cll.", "$bcrypt$2b$06$DCq7YPn5Rq63x1Lad4cll.TV4S6ytwfsfvkgY8jIucDrjc8deX1s.",
        "$bcrypt$2b$10$DCq7YPn5Rq63x1Lad4cll.$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
        "$bcrypt$2x$06$DCq7YPn5Rq63x1Lad4cll.$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
        "$bcrypt$2b$06$DCq7YPn5Rq63x1Lad4cll$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
        "$bcrypt$2b$06$DCq7YPn5Rq63x1Lad4cll.$import-argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA",
    ])
    func `a text that is no hash is none`(text: String) {
        #expect(PasswordHash(stored: text) == nil)
    }
}
