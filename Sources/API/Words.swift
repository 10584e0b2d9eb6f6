// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Messaging
package import Platform

// States and kinds are JSON strings: their public names, which `StoredWord` derives from the cases.

extension StoredWord {
    fileprivate init(named decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        guard let word = Self(name: name) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(name) is none of \(Self.names)"))
        }
        self = word
    }

    fileprivate func encodeName(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

extension Role: Codable {}

extension IssueState: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension IssueSignal: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension CrashKind: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension DeliveryState: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension RegistrationState: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension TokenKind: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension DevicePlatform: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension MessageStage: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}

extension MessagePriority: Codable {
    package init(from decoder: any Decoder) throws { try self.init(named: decoder) }
    package func encode(to encoder: any Encoder) throws { try encodeName(to: encoder) }
}
