// SPDX-License-Identifier: Apache-2.0

import Crashes
import Foundation
import Platform

/// Reports in a copy of the repository bugsink/event-samples at `SIGNALBOX_EVENT_SAMPLES`. They belong to other projects and are not copied here.
enum EventSamples {
    static let folder = ProcessInfo.processInfo.environment["SIGNALBOX_EVENT_SAMPLES"]

    /// The reports of the folder `sentry`, in the order of their names.
    static func all() throws -> [(name: String, report: CrashReport)] {
        guard let folder = folder.map({ $0 + "/sentry" }) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted().map { name in
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            return (String(name.dropLast(5)), report(json as? [String: Any] ?? [:]))
        }
    }

    /// The report with the fields that grouping reads.
    private static func report(_ json: [String: Any]) -> CrashReport {
        var report = CrashReport(id: "1", kind: .nonfatal, level: .error, time: Timestamp(milliseconds: 0), type: "")
        let platform = json["platform"] as? String
        report.exceptions = values(json["exception"]).map { exception($0, platform) }
        report.threads = values(json["threads"]).map { json in
            var thread = CrashThread()
            thread.crashed = json["crashed"] as? Bool ?? false
            thread.current = json["current"] as? Bool ?? false
            thread.frames = frames(json, platform)
            return thread
        }
        report.frames = frames(json, platform)
        report.fingerprint = json["fingerprint"] as? [String] ?? []
        let message = json["logentry"] ?? json["message"]
        report.reason = report.exceptions.last?.value ?? (message as? [String: Any])?["formatted"] as? String ?? message as? String
        if report.exceptions.contains(where: { $0.mechanism.handled == false }) { report.kind = .fatal }
        return report
    }

    private static func exception(_ json: [String: Any], _ platform: String?) -> CrashException {
        var exception = CrashException()
        exception.type = json["type"] as? String
        exception.value = json["value"] as? String
        exception.frames = frames(json, platform)
        let mechanism = json["mechanism"] as? [String: Any]
        exception.mechanism.isSynthetic = mechanism?["synthetic"] as? Bool ?? false
        exception.mechanism.handled = mechanism?["handled"] as? Bool
        let meta = mechanism?["meta"] as? [String: Any]
        exception.mechanism.signal = (meta?["signal"] as? [String: Any])?["name"] as? String
        exception.mechanism.machException = (meta?["mach_exception"] as? [String: Any])?["name"] as? String
        return exception
    }

    private static func frames(_ json: [String: Any], _ platform: String?) -> [StackFrame] {
        let stack = json["stacktrace"] as? [String: Any]
        return (stack?["frames"] as? [[String: Any]] ?? []).map { json in
            var frame = StackFrame()
            // These reports have no names of app functions.
            frame.function = (json["function"] as? String).flatMap { $0 == "stripped_application_code" ? nil : $0 }
            frame.module = json["module"] as? String
            frame.file = json["filename"] as? String
            frame.inApp = json["in_app"] as? Bool
            frame.platform = json["platform"] as? String ?? platform
            frame.package = json["package"] as? String
            return frame
        }
    }

    private static func values(_ json: Any?) -> [[String: Any]] {
        (json as? [String: Any])?["values"] as? [[String: Any]] ?? json as? [[String: Any]] ?? (json as? [String: Any]).map { [$0] } ?? []
    }
}
