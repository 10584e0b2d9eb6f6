// SPDX-License-Identifier: Apache-2.0

extension Device.Facts {
    init(of installation: Installation, _ context: AppContext) {
        self.init(
            installation: installation.id, user: installation.userID, platform: context.devicePlatform, appVersion: context.appVersion)
    }
}

extension AppContext {
    /// Of the words that the daemon has for a device's platform the nearest.
    fileprivate var devicePlatform: String {
        switch platform {
        case "tvos", "watchos", "visionos": "ios"
        case let platform? where ["ios", "android", "macos", "web", "linux", "windows", "server"].contains(platform): platform
        default: "linux"
        }
    }
}
