// SPDX-License-Identifier: Apache-2.0

/// The reason why a value is not accepted for a setting.
struct SettingError: Error, Equatable {
    var message: String
    var position: SourcePosition
}

/// The way in which the text of an environment variable or a flag is read.
enum SettingTextForm: Sendable {
    /// As is.
    case text
    /// As is, except `null`.
    case textOrNull
    /// As a number or `null` if it is one, else as is.
    case scalar
    /// A JSON5 list, or texts separated by commas.
    case texts
    /// A JSON5 list, or numbers and texts separated by commas.
    case scalars
}

/// A type of setting values: reads and prints them, and describes accepted values in error messages.
package struct SettingType<Value: Sendable>: Sendable {
    let expects: String
    let unit: String
    let textForm: SettingTextForm
    let read: @Sendable (JSON5Value) throws(SettingError) -> Value
    let print: @Sendable (Value) -> String

    /// - Parameters:
    ///   - isSecret: Keeps the value out of error messages.
    ///   - fits: Whether a parsed value is in range.
    init(
        expects: String, unit: String = "", isSecret: Bool = false, textForm: SettingTextForm = .scalar,
        parse: @escaping @Sendable (JSON5Value) -> Value?,
        fits: @escaping @Sendable (Value) -> Bool = { _ in true }, print: @escaping @Sendable (Value) -> String
    ) {
        self.expects = expects
        self.unit = unit
        self.textForm = textForm
        self.print = print
        read = { (value: JSON5Value) throws(SettingError) in
            let shown = isSecret ? "The value" : value.shown
            guard let parsed = parse(value) else {
                throw SettingError(message: "\(shown) is not accepted.", position: value.position)
            }
            guard fits(parsed) else {
                throw SettingError(message: "\(shown) is out of range.", position: value.position)
            }
            return parsed
        }
    }
}

// MARK: - Quantities

extension SettingType {
    /// Converts between the stored type and the type that is read and printed.
    fileprivate static func converting<Read>(
        _ type: SettingType<Read>, unit: String? = nil, _ convert: @escaping @Sendable (Read) -> Value, back: @escaping @Sendable (Value) -> Read
    ) -> Self {
        SettingType(
            expects: type.expects, unit: unit ?? type.unit, textForm: type.textForm,
            read: { (value: JSON5Value) throws(SettingError) in convert(try type.read(value)) }, print: { type.print(back($0)) })
    }

    init(
        expects: String, unit: String, textForm: SettingTextForm, read: @escaping @Sendable (JSON5Value) throws(SettingError) -> Value,
        print: @escaping @Sendable (Value) -> String
    ) {
        self.expects = expects
        self.unit = unit
        self.textForm = textForm
        self.read = read
        self.print = print
    }
}

extension SettingType where Value == Int {
    package static func count(_ range: ClosedRange<Int>, _ unit: String) -> Self {
        SettingType(
            expects: "a whole number from \(range.lowerBound) to \(range.upperBound)", unit: unit, parse: \.wholeNumber, fits: range.contains,
            print: String.init)
    }

    package static func size(_ range: ClosedRange<Int>) -> Self {
        SettingType(
            expects: "a size from \(Quantity.text(size: range.lowerBound)) to \(Quantity.text(size: range.upperBound)), such as \"64KiB\" or 65536",
            unit: "bytes",
            parse: { value in
                if case .string(let text) = value.kind { Quantity.size(text) } else { value.wholeNumber }
            },
            fits: range.contains, print: { "\"\(Quantity.text(size: $0))\"" })
    }
}

extension SettingType where Value == Int64 {
    package static func size(_ range: ClosedRange<Int>) -> Self {
        .converting(SettingType<Int>.size(range), { Int64($0) }, back: { Int($0) })
    }
}

extension SettingType where Value == Duration {
    package static func duration(_ range: ClosedRange<Duration>) -> Self {
        SettingType(
            expects:
                "a duration from \(Quantity.text(range.lowerBound)) to \(Quantity.text(range.upperBound)), such as \"10s\", \"250ms\" or seconds",
            unit: "seconds", parse: \.duration,
            fits: range.contains, print: { "\"\(Quantity.text($0))\"" })
    }
}

extension SettingType where Value == Timestamp.Span {
    package static func duration(_ range: ClosedRange<Duration>) -> Self {
        .converting(SettingType<Duration>.duration(range), { Timestamp.Span($0) }, back: { Duration($0) })
    }

    package static func days(_ range: ClosedRange<Int>) -> Self {
        .converting(SettingType<Int>.count(range, "days"), { .days(Int64($0)) }, back: { Int($0.milliseconds / Timestamp.Span.days(1).milliseconds) })
    }

    package static func hours(_ range: ClosedRange<Int>) -> Self {
        .converting(
            SettingType<Int>.count(range, "hours"), { .hours(Int64($0)) }, back: { Int($0.milliseconds / Timestamp.Span.hours(1).milliseconds) })
    }
}

extension SettingType where Value == [Timestamp.Span] {
    package static func durations(_ range: ClosedRange<Duration>) -> Self {
        SettingType(
            expects:
                "a list of durations from \(Quantity.text(range.lowerBound)) to \(Quantity.text(range.upperBound)), such as [\"5s\", \"10m\"] or [5, 600]",
            unit: "seconds", textForm: .scalars,
            parse: { value in value.list(\.duration).map { $0.map { Timestamp.Span($0) } } },
            fits: { $0.allSatisfy { range.contains(Duration($0)) } },
            print: { $0.map { Quantity.text(Duration($0)).quoted }.bracketed })
    }
}

extension SettingType where Value == [Int] {
    package static var ports: Self {
        SettingType(
            expects: "a list of ports from 1 to 65535, such as [443, 8443]", textForm: .scalars, parse: { $0.list(\.wholeNumber) },
            fits: { $0.allSatisfy((1...65_535).contains) }, print: { $0.map { "\($0)" }.bracketed })
    }
}

extension SettingType where Value == Bool {
    package static var flag: Self {
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

// MARK: - Texts

extension SettingType where Value == String {
    package static var text: Self {
        SettingType(expects: "a text", textForm: .text, parse: \.nonEmptyString, print: \.quoted)
    }
}

extension SettingType where Value == Secret? {
    package static var secret: Self {
        SettingType(
            expects: "16 to 256 printable ASCII characters or null", isSecret: true, textForm: .textOrNull,
            parse: { value in
                if value.kind == .null { return .some(nil) }
                return value.nonEmptyString.map { .some(Secret($0)) }
            },
            fits: { $0.map { isToken(Array($0.revealed.utf8)) } ?? true },
            print: { $0 == nil ? "null" : "\"•••\"" })
    }

    /// Whether a header field can carry the bytes unchanged: it loses spaces at its ends. Version 0.1 took shorter tokens, which keep working.
    private static func isToken(_ bytes: [UInt8]) -> Bool {
        let space = UInt8(ascii: " ")
        return (1...256).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7e).contains($0) } && bytes.first != space && bytes.last != space
    }
}

extension SettingType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    package static func choice() -> Self {
        SettingType(
            expects: "one of " + Value.allCases.map { $0.rawValue.quoted }.joined(separator: ", "), textForm: .text,
            parse: { $0.nonEmptyString.flatMap(Value.init) }, print: { $0.rawValue.quoted })
    }
}

extension SettingType where Value == ListenAddress {
    package static var address: Self {
        SettingType(
            expects:
                "an address and a port, such as \"127.0.0.1:8787\" or \"[::1]:8787\", or \"unix:\" and an absolute path of at most \(ListenAddress.longestPath) bytes",
            textForm: .text,
            parse: { $0.nonEmptyString.flatMap(ListenAddress.init) }, print: { "\($0)".quoted })
    }
}

extension SettingType where Value == [OriginRule] {
    package static var origins: Self {
        SettingType(
            expects: "a list of origins in the form of browsers, such as [\"https://shop.example\", \"https://*.shop.example\"], or [\"*\"]",
            textForm: .texts, parse: { $0.list(\.origin) },
            print: { $0.map { "\($0)".quoted }.bracketed })
    }
}

extension SettingType where Value == [HostName] {
    package static var hosts: Self {
        SettingType(
            expects: "a list of host names without ports, such as [\"metrics.internal\", \"10.0.0.5\"]", textForm: .texts,
            parse: { $0.list { $0.nonEmptyString.flatMap { HostName($0) } } }, print: { $0.map { "\($0)".quoted }.bracketed })
    }
}

extension SettingType where Value == [AddressRange] {
    package static var addressRanges: Self {
        SettingType(
            expects: "a list of addresses or ranges, such as [\"10.0.0.0/8\", \"::1\"]", textForm: .texts,
            parse: { $0.list { $0.nonEmptyString.flatMap(AddressRange.init) } }, print: { $0.map { "\($0)".quoted }.bracketed })
    }
}
