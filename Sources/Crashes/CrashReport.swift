// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A crash, an error or a hang as it was reported; everything in it has been cut to `CrashLimits`.
package struct CrashReport: Sendable, Equatable {
    /// As events' ids: a UUID in lower case, or a text byte for byte.
    package var id: String
    package var kind: CrashKind
    package var level: CrashLevel
    package var time: Timestamp
    package var type: String
    package var reason: String?
    package var handled: Bool?
    /// The outermost last.
    package var exceptions: [CrashException] = []
    package var threads: [CrashThread] = []
    /// The stack of a report that has neither exceptions with stacks nor threads; oldest first.
    package var frames: [StackFrame] = []
    package var images: [BinaryImage] = []
    package var breadcrumbs: [Breadcrumb] = []
    package var customKeys: [CustomKey] = []
    package var logs: String?
    package var fingerprint: [String] = []
    package var installation: String?
    package var user: String?
    package var session: String?
    /// As it came.
    package var release: String?
    package var build: String?
    /// In the order and under the names of `CrashContext.fields`; those that were given.
    package var context: [CustomKey] = []
    /// What was cut or left out of what came, for those who look at it.
    package var cuts: [String] = []

    package init(id: String, kind: CrashKind, level: CrashLevel, time: Timestamp, type: String) {
        self.id = id
        self.kind = kind
        self.level = level
        self.time = time
        self.type = type
    }

    /// The app's build, wherever it is told.
    package var appBuild: String? { build ?? contextValue("build") }

    package func contextValue(_ name: String) -> String? {
        context.first { $0.name == name }?.value
    }

    /// What sessions and crashes are matched by: what stands between `@` and `+` of the release, else the app's version.
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
    /// Oldest first.
    package var frames: [StackFrame] = []

    package init() {}
}

/// How an exception came to be reported.
package struct CrashMechanism: Sendable, Equatable {
    package var type: String?
    package var handled: Bool?
    /// Whether its type says nothing of what went wrong.
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
    /// Oldest first.
    package var frames: [StackFrame] = []

    package init() {}
}

/// A binary that was loaded.
package struct BinaryImage: Sendable, Equatable {
    /// `macho`, `elf`, `pe`, as it was given.
    package var type: String?
    package var debugID: DebugID?
    package var codeID: String?
    package var address: UInt64?
    package var size: UInt64?
    /// Where the binary would like to lie.
    package var preferredAddress: UInt64?
    package var codeFile: String?
    package var debugFile: String?
    package var architecture: String?

    package init() {}

    /// Whether it is a part of the system, whose symbols nobody is expected to have.
    package var isOfTheSystem: Bool {
        guard let path = codeFile else { return false }
        // Simulators have Apple's system in a folder of their own.
        return FrameOrigin.of(binary: path) == .system || path.contains("/System/Library/")
    }
}

package struct Breadcrumb: Sendable, Equatable {
    package var time: Timestamp?
    package var type: String?
    package var category: String?
    package var message: String?
    package var level: String?
    /// A JSON object as it came.
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

    /// What stands behind the `+` of a release.
    package static func build(of release: String) -> String? {
        guard let plus = release.lastIndex(of: "+") else { return nil }
        let build = release[release.index(after: plus)...]
        return build.isEmpty ? nil : String(build)
    }
}
