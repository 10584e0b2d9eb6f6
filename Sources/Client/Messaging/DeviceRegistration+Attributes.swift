// SPDX-License-Identifier: Apache-2.0

extension DeviceRegistration.Attributes {
    /// - Parameter owner: The signed-in user, who counts before the one of analytics, because a session proves who it is.
    init(of installation: Installation, _ context: AppContext, owner: SignedInOwner?) {
        self.init(
            installation: installation.id, user: owner?.user ?? installation.userID, platform: context.devicePlatform,
            appVersion: context.appVersion, session: owner?.session)
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
