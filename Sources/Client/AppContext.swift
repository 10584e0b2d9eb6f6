// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Glibc
#endif

/// The app and device fields that every event carries.
public struct AppContext: Sendable, Equatable {
    /// The operating system: `ios`, `macos`, `linux` and so on.
    public var platform: String?
    /// The user-visible app version, such as `2.3.0`.
    public var appVersion: String?
    /// The build number.
    public var build: String?
    /// The operating system version without its name, such as `17.5.1`.
    public var osVersion: String?
    /// The manufacturer's device model, such as `iPhone17,1`.
    public var deviceModel: String?
    /// A BCP 47 language tag, such as `de-AT`.
    public var locale: String?

    /// Creates a custom context; fields left `nil` are not sent.
    public init(
        platform: String? = nil, appVersion: String? = nil, build: String? = nil, osVersion: String? = nil, deviceModel: String? = nil,
        locale: String? = nil
    ) {
        self.platform = platform
        self.appVersion = appVersion
        self.build = build
        self.osVersion = osVersion
        self.deviceModel = deviceModel
        self.locale = locale
    }

    /// The context of the running process, read from its bundle and the system.
    public static var current: AppContext {
        let facts = Bundle.main.infoDictionary ?? [:]
        let system = ProcessInfo.processInfo.operatingSystemVersion
        return AppContext(
            platform: platformName, appVersion: facts["CFBundleShortVersionString"] as? String, build: facts["CFBundleVersion"] as? String,
            osVersion: "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)", deviceModel: machine,
            locale: Locale.current.identifier.replacingOccurrences(of: "_", with: "-"))
    }

    private static var platformName: String {
        #if os(iOS)
            "ios"
        #elseif os(macOS)
            "macos"
        #elseif os(tvOS)
            "tvos"
        #elseif os(watchOS)
            "watchos"
        #elseif os(visionOS)
            "visionos"
        #elseif os(Android)
            "android"
        #else
            "linux"
        #endif
    }

    private static var machine: String {
        var names = utsname()
        uname(&names)
        return withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    func write(to json: inout JSONText, environment: String) {
        json.object("context") { json in
            json.field("platform", platform)
            json.field("app_version", appVersion)
            json.field("build", build)
            json.field("os_version", osVersion)
            json.field("device_model", deviceModel)
            json.field("locale", locale)
            json.field("environment", environment)
        }
    }
}
