// SPDX-License-Identifier: Apache-2.0

extension SettingType where Value == String? {
    package static var optionalText: Self {
        SettingType(
            expects: "a text or null", textForm: .textOrNull,
            parse: { value in
                if value.kind == .null { return .some(nil) }
                return value.nonEmptyString.map { .some($0) }
            },
            print: { $0.map(\.quoted) ?? "null" })
    }
}
