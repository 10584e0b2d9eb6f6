// SPDX-License-Identifier: Apache-2.0

import Events

/// A crash report, as far as panes show it.
struct CrashReportResponse: Decodable, Sendable {
    var type: String?
    var reason: String?
    var level: String?
    var handled: Bool?
    /// Outermost last.
    var exceptions: [Exception]?
    var threads: [Thread]?
    var frames: [Frame]?
    var images: [Image]?
    var breadcrumbs: [Breadcrumb]?
    var customKeys: [String: AnyText]?
    var logs: String?
    var userId: String?
    var installationId: String?
    var sessionId: String?
    var release: String?
    var context: [String: AnyText]?
    var cuts: [String]?

    struct Exception: Decodable, Sendable {
        var type: String?
        var value: String?
        var mechanism: Mechanism?
        /// Outermost first, here and in threads.
        var frames: [Frame]?
    }

    struct Mechanism: Decodable, Sendable {
        struct Named: Decodable, Sendable {
            var name: String?
        }

        struct NSError: Decodable, Sendable {
            var domain: String?
            var code: Int?
        }

        struct Meta: Decodable, Sendable {
            var signal: Named?
            var machException: Named?
            var nsError: NSError?
        }

        var type: String?
        var handled: Bool?
        var meta: Meta?
    }

    struct Thread: Decodable, Sendable {
        var id: Int?
        var name: String?
        var crashed: Bool?
        var frames: [Frame]?
    }

    struct Frame: Decodable, Sendable {
        var function: String?
        var rawFunction: String?
        var module: String?
        var filename: String?
        var absPath: String?
        var lineno: Int?
        var colno: Int?
        var contextLine: String?
        var inApp: Bool?
        /// The file of its binary.
        var package: String?
        var instructionAddr: String?
        var imageAddr: String?
        var inline: Bool?
        var symbolication: String?
    }

    struct Image: Decodable, Sendable {
        var debugId: String?
        var codeFile: String?
        var debugFile: String?
        var imageAddr: String?
        var imageSize: Int?
        var arch: String?
    }

    struct Breadcrumb: Decodable, Sendable {
        var timestamp: Moment?
        var type: String?
        var category: String?
        var message: String?
        var level: String?
        var data: [String: AnyText]?
    }
}

/// Any JSON value as text; `{…}` for arrays and objects.
struct AnyText: Decodable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            text = "null"
        } else if let found = try? value.decode(String.self) {
            text = found
        } else if let found = try? value.decode(Bool.self) {
            text = String(found)
        } else if let found = try? value.decode(Int.self) {
            text = String(found)
        } else if let found = try? value.decode(Double.self) {
            text = String(found)
        } else {
            text = "{…}"
        }
    }
}

extension [String: AnyText] {
    /// One line, sorted by name: `a=1 b=2`.
    var line: String { sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.text)" }.joined(separator: " ") }
}
