// SPDX-License-Identifier: Apache-2.0

import Crashes
import Platform

/// The content of an Apple crash report in either format.
struct AppleCrash {
    var incident: String?
    var time: Timestamp?
    /// An ID of the device, the same in all its reports.
    var reporter: String?
    var bundle: String?
    var version: String?
    var build: String?
    var system = AppleSystem()
    var model: String?

    var exception: String?
    var signal: String?
    var subtype: String?
    var termination: String?
    /// The uncaught exception.
    var thrown: (name: String, reason: String?)?
    /// Messages of the libraries that aborted the process.
    var notes: [String] = []

    /// The stack of `thrown`, oldest frame first.
    var backtrace: [StackFrame] = []
    var threads: [CrashThread] = []
    var images: [BinaryImage] = []
    var cuts: [CrashCut] = []

    /// Copies everything to the report except ID, time, user and cuts.
    func fill(_ report: inout CrashReport) {
        report.type = thrown?.name ?? exception ?? signal ?? "crash"
        report.reason = reason
        report.handled = false
        report.exceptions = [chain]
        (report.threads, report.images) = (threads, images)
        (report.release, report.build) = (release, build)
    }

    /// Returns a context value by its name in `CrashContext.fields`.
    func contextValue(_ field: String) -> String? {
        switch field {
        case "platform": system.platform
        case "app_version": version
        case "build": build
        case "os_version": system.version
        case "device_model": model
        default: nil
        }
    }

    private var release: String? {
        guard let bundle, let version else { return nil }
        return "\(bundle)@\(version)" + (build.map { "+\($0)" } ?? "")
    }

    private var reason: String? {
        if let thrown { return thrown.reason }
        let telling = notes.filter { $0 != "abort() called" }
        if !telling.isEmpty { return telling.joined(separator: "\n").prefix(scalars: CrashLimits.reasonCharacters) }
        return subtype ?? termination ?? notes.first
    }

    private var chain: CrashException {
        var chain = CrashException()
        chain.type = thrown?.name ?? exception ?? signal
        chain.value = reason
        chain.thread = threads.first(where: \.crashed)?.id
        chain.mechanism.type = "apple_crash_report"
        chain.mechanism.handled = false
        chain.mechanism.signal = signal
        chain.mechanism.machException = exception
        chain.frames = backtrace
        return chain
    }
}

/// An operating system and its version: `iPhone OS 18.1 (22B83)`.
struct AppleSystem {
    var platform: String?
    var version: String?

    init() {}

    init(_ text: String) {
        let name = text.lowercased()
        platform = AppleSystem.names.first { name.hasPrefix($0.name) }?.platform
        version = text.split(separator: " ").first { $0.first?.isNumber == true }.map(String.init)
    }

    /// Returns the platform for Apple's platform number. A simulator counts as the platform it simulates.
    static func platform(_ number: Int) -> String? {
        switch number {
        case 1, 6: "macos"
        case 2, 7: "ios"
        case 3, 8: "tvos"
        case 4, 9: "watchos"
        case 11, 12: "visionos"
        default: nil
        }
    }

    private static let names: [(name: String, platform: String)] = [
        ("iphone os", "ios"), ("ios", "ios"), ("ipados", "ios"), ("mac", "macos"), ("os x", "macos"), ("apple tvos", "tvos"), ("tvos", "tvos"),
        ("watch", "watchos"), ("vision", "visionos"), ("xros", "visionos"),
    ]
}

extension Timestamp {
    /// Reads Apple's format: `2025-10-09 10:50:00.2500 +0200`.
    init?(apple text: String) {
        let parts = text.split(separator: " ")
        guard (2...3).contains(parts.count) else { return nil }
        var rfc3339 = "\(parts[0])T\(parts[1])"
        if parts.count == 3 {
            guard parts[2].utf8.count == 5 else { return nil }
            rfc3339 += "\(parts[2].prefix(3)):\(parts[2].suffix(2))"
        }
        self.init(rfc3339: Array(rfc3339.utf8).span)
    }
}

/// The images of a report, with a cached answer to whether each belongs to the app.
struct LoadedImages {
    let all: ImageMap
    /// Whether an image belongs to the app, by its load address.
    private let areInApp: [UInt64: Bool]

    init(_ images: [BinaryImage]) {
        all = ImageMap(images)
        var areInApp: [UInt64: Bool] = [:]
        // The map finds the last of several images at one address.
        for image in images {
            if let address = image.address { areInApp[address] = image.codeFile.map(AppleImages.isInApp) }
        }
        self.areInApp = areInApp
    }

    func isInApp(_ image: BinaryImage) -> Bool? { image.address.flatMap { areInApp[$0] } }
}

/// The path patterns of an app's own binaries.
enum AppleImages {
    private static let places = ["/Bundle/Application/", "/Developer/CoreSimulator/Devices/", ".app/Contents/"]

    static func isInApp(_ path: String) -> Bool {
        if path.hasPrefix("/System/") || path.hasPrefix("/usr/lib/") || name(of: path).hasPrefix("libswift") { return false }
        return path.hasPrefix("/Users/") || places.contains { path.utf8.holds($0.utf8) }
    }

    static func name(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }
}
