// SPDX-License-Identifier: Apache-2.0

extension DeviceRegistration.Attributes {
    init(of installation: Installation, _ context: AppContext) {
        self.init(
            installation: installation.id, user: installation.userID, platform: context.devicePlatform, appVersion: context.appVersion)
    }
}

extension AppContext {
    /// The nearest platform name that the daemon accepts for a device.
    fileprivate var devicePlatform: String {
        switch platform {
        case "tvos", "watchos", "visionos": "ios"
        case let platform? where ["ios", "android", "macos", "web", "linux", "windows", "server"].contains(platform): platform
        default: "linux"
        }
    }
}
