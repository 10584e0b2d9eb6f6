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

extension SettingType where Value == String? {
    /// An origin as browsers write it.
    package static var optionalOrigin: Self {
        SettingType(
            expects: "an origin in the form of browsers, such as \"https://files.example.com\", or null", textForm: .textOrNull,
            parse: { value in
                if value.kind == .null { return .some(nil) }
                return value.nonEmptyString.flatMap { WebOrigin.isOne($0) ? .some($0) : nil }
            },
            print: { $0.map(\.quoted) ?? "null" })
    }
}

extension SettingType where Value == ProxyURL? {
    package static var proxy: Self {
        SettingType(
            expects: "a URL with a port and the scheme http, https or socks5h, such as \"http://proxy.internal:3128\", or null", isSecret: true,
            textForm: .textOrNull,
            parse: { value in
                if value.kind == .null { return .some(nil) }
                return value.nonEmptyString.flatMap(ProxyURL.init).map { .some($0) }
            },
            print: { $0.map { "\($0)".quoted } ?? "null" })
    }
}
