// SPDX-License-Identifier: Apache-2.0

package import Crashes
package import Events

/// A stored crash report, as far as programs of ours read it; the daemon sends all of it.
package struct CrashReport: Codable, Sendable {
    package var type: String?
    package var reason: String?
    package var level: Named<CrashLevel>?
    package var handled: Bool?
    /// The outermost exception last.
    package var exceptions: [Exception]?
    package var threads: [Thread]?
    package var frames: [Frame]?
    package var images: [Image]?
    package var breadcrumbs: [Breadcrumb]?
    package var customKeys: [String: AnyText]?
    package var logs: String?
    package var userId: String?
    package var installationId: String?
    package var sessionId: String?
    package var release: String?
    package var context: [String: AnyText]?
    package var cuts: [String]?

    package struct Exception: Codable, Sendable {
        package var type: String?
        package var value: String?
        package var mechanism: Mechanism?
        /// The oldest frame first, here and in threads.
        package var frames: [Frame]?
    }

    package struct Mechanism: Codable, Sendable {
        package struct Named: Codable, Sendable {
            package var name: String?
        }

        package struct NSError: Codable, Sendable {
            package var domain: String?
            package var code: Int?
        }

        package struct Meta: Codable, Sendable {
            package var signal: Named?
            package var machException: Named?
            package var nsError: NSError?
        }

        package var type: String?
        package var handled: Bool?
        package var meta: Meta?
    }

    package struct Thread: Codable, Sendable {
        package var id: Int?
        package var name: String?
        package var crashed: Bool?
        package var frames: [Frame]?
    }

    package struct Frame: Codable, Sendable {
        package var function: String?
        package var rawFunction: String?
        package var module: String?
        package var filename: String?
        package var absPath: String?
        package var lineno: Int?
        package var colno: Int?
        package var preContext: [String]?
        package var contextLine: String?
        package var postContext: [String]?
        /// The local variables, as the reporter prints them.
        package var vars: [String: String]?
        package var inApp: Bool?
        /// The path of the binary that contains the frame.
        package var package: String?
        package var instructionAddr: String?
        package var imageAddr: String?
        package var inline: Bool?
        package var symbolication: Named<StackFrame.Symbolication>?
    }

    package struct Image: Codable, Sendable {
        package var debugId: String?
        package var codeFile: String?
        package var debugFile: String?
        package var imageAddr: String?
        package var imageSize: Int?
        package var arch: String?
    }

    package struct Breadcrumb: Codable, Sendable {
        package var timestamp: Moment?
        package var type: String?
        package var category: String?
        package var message: String?
        /// Apps may send any word.
        package var level: Named<CrashLevel>?
        package var data: [String: AnyText]?
    }
}
