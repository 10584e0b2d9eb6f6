// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Functions
package import Messaging
package import Platform

/// A set of states or kinds with public names.
package protocol PublicName: Sendable, Equatable {
    init?(name: String)
    var name: String { get }
}

extension PublicName where Self: RawRepresentable, RawValue == String {
    package init?(name: String) { self.init(rawValue: name) }
    package var name: String { rawValue }
}

/// A state or kind as the JSON has it: a string, its public name.
///
/// The daemon sends known names only. A client keeps a name that a newer daemon added as text, and can still show it.
package enum Named<Word: PublicName>: Codable, Sendable, Equatable, CustomStringConvertible {
    case known(Word)
    case unknown(String)

    package var name: String {
        switch self {
        case .known(let word): word.name
        case .unknown(let name): name
        }
    }

    /// The name, so that text made with a value shows what the JSON has.
    package var description: String { name }

    /// Nil for an unknown name.
    package var word: Word? {
        if case .known(let word) = self { word } else { nil }
    }

    package init(from decoder: any Decoder) throws {
        let name = try decoder.singleValueContainer().decode(String.self)
        self = Word(name: name).map { .known($0) } ?? .unknown(name)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

// `StoredWord` derives the public names from the cases.
extension IssueState: PublicName {}
extension IssueSignal: PublicName {}
extension CrashKind: PublicName {}
extension CrashLevel: PublicName {}
extension StackFrame.Symbolication: PublicName {}
extension DeliveryState: PublicName {}
extension RunState: PublicName {}
extension LineLevel: PublicName {}
extension RegistrationState: PublicName {}
extension TokenKind: PublicName {}
extension DevicePlatform: PublicName {}
extension MessageStage: PublicName {}
extension MessagePriority: PublicName {}
extension Role: PublicName {}
extension AuditAction: PublicName {}
extension AuditOutcome: PublicName {}
extension Refusal.Code: PublicName {}
