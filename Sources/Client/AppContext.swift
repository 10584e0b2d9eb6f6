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

/// What every event carries about the app and its device.
public struct AppContext: Sendable, Equatable {
    /// `ios`, `macos`, `linux` and so on.
    public var platform: String?
    /// The version people see.
    public var appVersion: String?
    /// Which build of it.
    public var build: String?
    /// The system's version, without its name.
    public var osVersion: String?
    /// The maker's name for the device, such as `iPhone17,1`.
    public var deviceModel: String?
    /// A language tag, such as `de-AT`.
    public var locale: String?

    /// A context of one's own; what is not said is not sent.
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

    /// What this process can tell of itself.
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
