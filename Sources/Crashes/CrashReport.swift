// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A crash, an error or a hang as reported. Every field is within `CrashLimits`.
package struct CrashReport: Sendable, Equatable {
    /// A UUID in lower case, or any other text byte for byte. Event IDs follow the same rule.
    package var id: String
    package var kind: CrashKind
    package var level: CrashLevel
    package var time: Timestamp
    package var type: String
    package var reason: String?
    /// The message without its arguments, as in `no user %s`. Nil if the reporter sends whole messages only.
    package var messageTemplate: String?
    package var handled: Bool?
    /// The exceptions in order of cause: the root cause first, the outermost exception last.
    package var exceptions: [CrashException] = []
    package var threads: [CrashThread] = []
    /// The stack of a report that has neither exceptions with stacks nor threads. The oldest frame comes first.
    package var frames: [StackFrame] = []
    package var images: [BinaryImage] = []
    package var breadcrumbs: [Breadcrumb] = []
    package var customKeys: [CustomKey] = []
    package var logs: String?
    package var fingerprint: [String] = []
    /// The platform of frames that state none, in Sentry's words, such as `python` or `cocoa`.
    package var platform: String?
    package var installation: String?
    package var user: String?
    package var session: String?
    /// The release exactly as reported, such as `shop@2.1.0+57`.
    package var release: String?
    package var build: String?
    /// The context values that were given, in the order and under the names of `CrashContext.fields`.
    package var context: [CustomKey] = []
    /// Descriptions of the parts that were cut or omitted; shown with the report.
    package var cuts: [String] = []

    package init(id: String, kind: CrashKind, level: CrashLevel, time: Timestamp, type: String) {
        self.id = id
        self.kind = kind
        self.level = level
        self.time = time
        self.type = type
    }

    /// The app's build: the report's own, else the one in its context.
    package var appBuild: String? { build ?? contextValue("build") }

    package func contextValue(_ name: String) -> String? {
        context.first { $0.name == name }?.value
    }

    /// The key that matches crashes with sessions, such as `2.1.0` for the release `shop@2.1.0+57`. It falls back to the app version.
    package var releaseKey: String? {
        ReleaseKey.of(release: release, appVersion: contextValue("app_version"))
    }
}

package struct CrashException: Sendable, Equatable {
    package var type: String?
    package var value: String?
    package var module: String?
    package var thread: Int?
    package var mechanism = CrashMechanism()
    /// The frames, the oldest first.
    package var frames: [StackFrame] = []

    package init() {}
}

/// The way in which an exception came to be reported.
package struct CrashMechanism: Sendable, Equatable {
    package var type: String?
    package var handled: Bool?
    /// Whether the exception's type only names the mechanism, such as `SIGABRT` for every abort.
    package var isSynthetic = false
    package var signal: String?
    package var machException: String?
    package var errorDomain: String?
    package var errorCode: Int?

    package init() {}
}

package struct CrashThread: Sendable, Equatable {
    package var id: Int?
    package var name: String?
    package var crashed = false
    package var current = false
    /// The frames, the oldest first.
    package var frames: [StackFrame] = []

    package init() {}
}

/// A binary loaded into the process.
package struct BinaryImage: Sendable, Equatable {
    /// The format as reported: `macho`, `elf` or `pe`.
    package var type: String?
    package var debugID: DebugID?
    package var codeID: String?
    package var address: UInt64?
    package var size: UInt64?
    /// The address the binary was linked for.
    package var preferredAddress: UInt64?
    package var codeFile: String?
    package var debugFile: String?
    package var architecture: String?

    package init() {}

    /// Whether the binary belongs to the operating system. The app's developer has no symbols for it.
    package var isSystemImage: Bool {
        guard let path = codeFile.map({ Array($0.utf8)[...] }) else { return false }
        // Simulators keep Apple's libraries below a folder of their own.
        return FrameOrigin.of(binary: path) == .system || path.indices.contains { path[$0...].begins(with: BinaryImage.systemLibrary) }
    }

    private static let systemLibrary = Array("/System/Library/".utf8)
}

package struct Breadcrumb: Sendable, Equatable {
    package var time: Timestamp?
    package var type: String?
    package var category: String?
    package var message: String?
    package var level: String?
    /// A JSON object exactly as reported.
    package var data: [UInt8] = []

    package init() {}
}

package struct CustomKey: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

package enum CrashContext {
    package static let fields = ["platform", "app_version", "build", "os_version", "device_model", "locale", "country", "environment"]
}

package enum ReleaseKey {
    package static func of(release: String?, appVersion: String?) -> String? {
        guard let release, !release.isEmpty else { return appVersion }
        let behind = release.lastIndex(of: "@").map { release[release.index(after: $0)...] } ?? release[...]
        let key = behind.prefix { $0 != "+" }
        return key.isEmpty ? appVersion : String(key)
    }

    /// Returns the build, such as `57` for `shop@2.1.0+57`.
    package static func build(of release: String) -> String? {
        guard let plus = release.lastIndex(of: "+") else { return nil }
        let build = release[release.index(after: plus)...]
        return build.isEmpty ? nil : String(build)
    }
}
