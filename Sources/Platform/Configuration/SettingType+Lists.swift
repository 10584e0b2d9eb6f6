// SPDX-License-Identifier: Apache-2.0

extension SettingType where Value == [String] {
    package static var texts: Self {
        SettingType(
            expects: "a list of texts, such as [\"shop\", \"news\"]", textForm: .texts, parse: { $0.list(\.nonEmptyString) },
            print: { $0.map(\.quoted).bracketed })
    }
}

extension SettingType {
    /// A list of some words, each of them at most once.
    package static func choices<Choice>() -> Self
    where Value == [Choice], Choice: CaseIterable & RawRepresentable & Hashable & Sendable, Choice.RawValue == String {
        SettingType(
            expects: "a list of " + Choice.allCases.map { $0.rawValue.quoted }.joined(separator: ", "), textForm: .texts,
            parse: { $0.list { $0.nonEmptyString.flatMap(Choice.init) } }, fits: { Set($0).count == $0.count },
            print: { $0.map { $0.rawValue.quoted }.bracketed })
    }

    /// A list of objects, whose members are settings themselves:
    ///
    ///     [{ id: "google.com", apps: ["shop"] }, { id: "apple.com", apps: ["shop", "news"] }]
    ///
    /// - Parameters:
    ///   - empty: An object without members.
    ///   - members: The members that an object may have, without sections.
    ///   - fault: Returns what is wrong with an object, given those before it.
    package static func objects<Element: Sendable>(
        like example: String, _ empty: Element, _ members: [Setting<Element>], fault: @escaping @Sendable (Element, [Element]) -> String?
    ) -> Self where Value == [Element] {
        SettingType(
            expects: "a list of objects, such as [\(example)]", unit: "", textForm: .texts,
            read: { (value: JSON5Value) throws(SettingError) in
                guard case .array(let values) = value.kind else {
                    throw SettingError(message: "\(value.shown) is not accepted.", position: value.position)
                }
                var elements: [Element] = []
                for value in values {
                    let element = try SettingType.object(value, empty, members)
                    if let fault = fault(element, elements) { throw SettingError(message: fault, position: value.position) }
                    elements.append(element)
                }
                return elements
            },
            print: { elements in
                elements.map { element in "{ " + members.map { "\($0.key): \($0.text(in: element))" }.joined(separator: ", ") + " }" }.bracketed
            })
    }

    private static func object<Element>(_ value: JSON5Value, _ empty: Element, _ known: [Setting<Element>]) throws(SettingError) -> Element {
        guard case .object(let members) = value.kind else {
            throw SettingError(message: "\(value.shown) is no object.", position: value.position)
        }
        var element = empty
        var seen: Set<String> = []
        for member in members {
            guard let setting = known.first(where: { $0.key.hasSameBytes(as: member.name) }) else {
                throw SettingError(
                    message: "An object has the unknown member \(member.name.quoted).", position: member.position)
            }
            guard seen.insert(setting.key).inserted else {
                throw SettingError(message: "An object has the member \(setting.key) twice.", position: member.position)
            }
            do throws(SettingError) { try setting.assign(member.value, &element) } catch {
                throw SettingError(message: "\(setting.key): \(error.message) It must be \(setting.expects).", position: error.position)
            }
        }
        return element
    }
}
