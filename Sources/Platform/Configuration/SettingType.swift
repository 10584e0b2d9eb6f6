// SPDX-License-Identifier: Apache-2.0

/// Why a value does not fit its setting.
struct SettingMismatch: Error, Equatable {
    var message: String
    var position: SourcePosition
}

/// How the words of an environment variable or a flag become a value.
enum SettingTextForm: Sendable {
    /// The words themselves.
    case text
    /// The words themselves, but for `null`.
    case textOrNull
    /// A number or `null` where they read as one, else the words themselves.
    case scalar
    /// A list as a file has it, or texts between commas.
    case texts
    /// A list as a file has it, or what reads as numbers or else texts, between commas.
    case scalars
}

/// A kind of value a setting may have: how to read it, how to write it, and what to tell somebody who wrote another.
struct SettingType<Value: Sendable>: Sendable {
    let expects: String
    let textForm: SettingTextForm
    let read: @Sendable (JSON5Value) throws(SettingMismatch) -> Value
    let print: @Sendable (Value) -> String

    /// `fits` says whether a value of the right type is also possible; `isSecret` keeps the value out of messages.
    fileprivate init(
        expects: String, isSecret: Bool = false, textForm: SettingTextForm = .scalar, parse: @escaping @Sendable (JSON5Value) -> Value?,
        fits: @escaping @Sendable (Value) -> Bool = { _ in true }, print: @escaping @Sendable (Value) -> String
    ) {
        self.expects = expects
        self.textForm = textForm
        self.print = print
        read = { (value: JSON5Value) throws(SettingMismatch) in
            let shown = isSecret ? "The value" : value.shown
            guard let parsed = parse(value) else {
                throw SettingMismatch(message: "\(shown) does not fit.", position: value.position)
            }
            guard fits(parsed) else {
                throw SettingMismatch(message: "\(shown) is out of range.", position: value.position)
            }
            return parsed
        }
    }
}

// MARK: - Quantities

extension SettingType where Value == Int {
    static func count(_ range: ClosedRange<Int>) -> Self {
        SettingType(
            expects: "a whole number from \(range.lowerBound) to \(range.upperBound)", parse: \.wholeNumber, fits: range.contains, print: String.init)
    }

    static func size(_ range: ClosedRange<Int>) -> Self {
        SettingType(
            expects: "a size from \(Quantity.text(size: range.lowerBound)) to \(Quantity.text(size: range.upperBound)), such as \"64KiB\" or 65536",
            parse: { value in
                if case .string(let text) = value.kind { Quantity.size(text) } else { value.wholeNumber }
            },
            fits: range.contains, print: { "\"\(Quantity.text(size: $0))\"" })
    }
}

extension SettingType where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> Self {
        SettingType(
            expects:
                "a duration from \(Quantity.text(range.lowerBound)) to \(Quantity.text(range.upperBound)), such as \"10s\", \"250ms\" or seconds",
            parse: \.duration,
            fits: range.contains, print: { "\"\(Quantity.text($0))\"" })
    }
}

extension SettingType where Value == [Duration] {
    static func durations(_ range: ClosedRange<Duration>) -> Self {
        SettingType(
            expects:
                "a list of durations from \(Quantity.text(range.lowerBound)) to \(Quantity.text(range.upperBound)), such as [\"5s\", \"10m\"] or [5, 600]",
            textForm: .scalars, parse: { $0.list(\.duration) }, fits: { $0.allSatisfy(range.contains) },
            print: { $0.map { Quantity.text($0).quoted }.bracketed })
    }
}

extension SettingType where Value == Bool {
    static var flag: Self {
        SettingType(
            expects: "true or false", textForm: .text,
            parse: { value in
                switch value.kind {
                case .bool(let flag): flag
                case .string(let text): Bool(text)
                default: nil
                }
            },
            print: { "\($0)" })
    }
}

// MARK: - Words

extension SettingType where Value == String {
    static var text: Self {
        SettingType(expects: "a text", textForm: .text, parse: \.nonEmptyString, print: \.quoted)
    }
}

extension SettingType where Value == Secret? {
    static var secret: Self {
        SettingType(
            expects: "a text of at least 16 characters or null", isSecret: true, textForm: .textOrNull,
            parse: { value in
                if value.kind == .null { return .some(nil) }
                return value.nonEmptyString.map { .some(Secret($0)) }
            },
            fits: { $0.map { $0.revealed.count >= 16 } ?? true },
            print: { $0 == nil ? "null" : "\"•••\"" })
    }
}

extension SettingType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    static func choice() -> Self {
        SettingType(
            expects: "one of " + Value.allCases.map { $0.rawValue.quoted }.joined(separator: ", "), textForm: .text,
            parse: { $0.nonEmptyString.flatMap(Value.init) }, print: { $0.rawValue.quoted })
    }
}

extension SettingType where Value == ListenAddress {
    static var address: Self {
        SettingType(
            expects:
                "an address and a port, such as \"127.0.0.1:8787\" or \"[::1]:8787\", or \"unix:\" and an absolute path of at most \(ListenAddress.longestPath) bytes",
            textForm: .text,
            parse: { $0.nonEmptyString.flatMap(ListenAddress.init) }, print: { "\($0)".quoted })
    }
}

extension SettingType where Value == [String] {
    static var origins: Self {
        SettingType(
            expects: "a list of origins as browsers say them, such as [\"https://shop.example\", \"http://localhost:3000\"], or [\"*\"]",
            textForm: .texts, parse: { $0.list(\.origin) },
            print: { $0.map(\.quoted).bracketed })
    }
}

extension SettingType where Value == [HostName] {
    static var hosts: Self {
        SettingType(
            expects: "a list of host names without ports, such as [\"metrics.internal\", \"10.0.0.5\"]", textForm: .texts,
            parse: { $0.list { $0.nonEmptyString.flatMap { HostName($0) } } }, print: { $0.map { "\($0)".quoted }.bracketed })
    }
}

extension SettingType where Value == [AddressRange] {
    static var addressRanges: Self {
        SettingType(
            expects: "a list of addresses or ranges, such as [\"10.0.0.0/8\", \"::1\"]", textForm: .texts,
            parse: { $0.list { $0.nonEmptyString.flatMap(AddressRange.init) } }, print: { $0.map { "\($0)".quoted }.bracketed })
    }
}
