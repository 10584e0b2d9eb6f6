// SPDX-License-Identifier: Apache-2.0

import Messaging
import Platform
import Testing

struct RegistrationTokenTests {
    @Test(arguments: ["12345678", "bk3RNwTe3H0:CI2k_HHwgIpoDKCIZvvDMExUdFQ3P1", "!~/%:?#&=+", String(repeating: "t", count: 2_048)])
    func `a client's token is kept unchanged`(text: String) throws {
        #expect(try RegistrationToken(text).text == text)
    }

    @Test(arguments: ["", "1234567", "1234 5678", "12345678\n", "tokén-123", "12345678\u{7f}", String(repeating: "t", count: 2_049)])
    func `other tokens are rejected`(text: String) {
        #expect(fault(try RegistrationToken(text)) == "token bad_token")
        #expect(fault(try RegistrationToken(text, field: "tokens")) == "tokens bad_token")
    }

    @Test(arguments: [("12345678", "12…78"), ("123456789012345", "12…45"), ("1234567890123456", "1234…3456")])
    func `a token's description is masked`(text: String, masked: String) throws {
        let token = try RegistrationToken(text)
        #expect(token.masked == masked && "\(token)" == masked)
    }
}

struct StoredWordTests {
    @Test func `kinds have the names of the contract`() {
        #expect(TokenKind.names == "own, fid, token")
        #expect(DevicePlatform.names == "ios, android, macos, web, linux, windows, server")
        #expect(MessagePriority.names == "normal, high")
        #expect(DevicePlatform.allCases.allSatisfy { DevicePlatform(name: $0.name) == $0 })
        #expect(DevicePlatform(name: "iOS") == nil && TokenKind(name: "") == nil)
    }

    @Test func `the stored numbers are fixed`() {
        #expect(TokenKind.allCases.map(\.rawValue) == [1, 2, 3])
        #expect(DevicePlatform.allCases.map(\.rawValue) == Array(1...7))
        #expect(DeliveryState.allCases.map(\.rawValue) == Array(1...9))
    }
}
