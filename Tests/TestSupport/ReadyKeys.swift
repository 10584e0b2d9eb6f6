// SPDX-License-Identifier: Apache-2.0

import Foundation

/// RSA keys of 2,048 bits in PKCS #8 that are ready, in `Tests/Fixtures/keys`. Making one takes longer than most tests.
package enum ReadyKeys {
    /// The keys for daemons.
    package static let ofDaemons = Array(all[..<32])
    /// The keys for identity providers.
    static let ofProviders = Array(all[32..<39])
    /// A key that neither a daemon nor a provider has.
    static let ofStranger = all[39]

    private static let all: [[UInt8]] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Fixtures/keys/"
        guard let text = try? String(contentsOfFile: folder + "rsa.txt", encoding: .utf8) else { fatalError("no keys in \(folder)") }
        return text.split(separator: "\n").compactMap { Data(base64Encoded: String($0)).map(Array.init) }
    }()
}
