// SPDX-License-Identifier: Apache-2.0

import Crashes
import Foundation
import Platform

/// The reports of `Tests/Fixtures/crashes/labelled.txt` with their labels.
enum LabelledReports {
    struct Labelled {
        var name: String
        var label: String
        var report: CrashReport
    }

    static func all() throws -> [Labelled] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let text = try String(contentsOfFile: folder + "/Fixtures/crashes/labelled.txt", encoding: .utf8)
        var reports: [Labelled] = []
        var label = ""
        var platform: String?
        for line in text.split(separator: "\n") {
            let (word, rest) = cut(line, at: " ")
            switch word {
            case "#": continue
            case "##": (label, platform) = (rest, nil)
            case "platform": platform = rest
            case ">": reports.append(Labelled(name: "\(label) \(reports.count { $0.label == label } + 1)", label: label, report: report(rest)))
            default: add(word, rest, platform, to: &reports[reports.count - 1].report)
            }
        }
        return reports
    }

    private static func report(_ text: String) -> CrashReport {
        let (kind, rest) = cut(text[...], at: " ")
        let (type, reason) = cut(rest[...], at: " | ")
        var report = CrashReport(
            id: "1", kind: CrashKind(name: kind) ?? .fatal, level: .fatal, time: Timestamp(milliseconds: 0), type: type)
        report.reason = reason
        return report
    }

    /// Frames belong to the last exception before them, newest first.
    private static func add(_ word: String, _ rest: String, _ platform: String?, to report: inout CrashReport) {
        let (first, second) = cut(rest[...], at: word == "exception" ? " | " : " ")
        switch word {
        case "exception": report.exceptions.append(exception(type: first, value: second))
        case "image": report.images.append(image(rest))
        case "error":
            var exception = exception(type: first, value: nil)
            exception.mechanism.errorDomain = first
            exception.mechanism.errorCode = Int(second)
            report.exceptions.append(exception)
        default:
            let frame = frame(word, rest, platform)
            if report.exceptions.isEmpty {
                report.frames.insert(frame, at: 0)
            } else {
                report.exceptions[report.exceptions.count - 1].frames.insert(frame, at: 0)
            }
        }
    }

    private static func exception(type: String, value: String?) -> CrashException {
        var exception = CrashException()
        exception.type = type
        exception.value = value
        return exception
    }

    private static func image(_ text: String) -> BinaryImage {
        let words = text.split(separator: " ").map(String.init)
        var image = BinaryImage()
        image.codeFile = words[0]
        image.debugID = DebugID(words[1])
        image.address = UInt64(words[2].dropFirst(2), radix: 16)
        image.size = UInt64(words[3].dropFirst(2), radix: 16)
        return image
    }

    private static func frame(_ mark: String, _ text: String, _ platform: String?) -> StackFrame {
        var frame = StackFrame()
        frame.inApp = mark == "?" ? nil : mark == "+"
        frame.platform = platform
        var (rest, package) = cut(text[...], at: " @ ")
        frame.package = package.isEmpty ? nil : package
        if platform != nil {
            let (name, file) = cut(rest[...], at: " in ")
            let (function, module) = cut(name[...], at: " of ")
            rest = function
            frame.file = file.isEmpty ? nil : file
            frame.module = module.isEmpty ? nil : module
        }
        if rest.hasPrefix("0x") { frame.address = UInt64(rest.dropFirst(2), radix: 16) } else { frame.function = rest }
        return frame
    }

    private static func cut(_ text: Substring, at separator: String) -> (String, String) {
        guard let range = text.range(of: separator) else { return (String(text), "") }
        return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    }
}
