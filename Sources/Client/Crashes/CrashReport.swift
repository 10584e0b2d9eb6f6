// SPDX-License-Identifier: Apache-2.0

import CSignalbox
import Foundation

/// Converts a report file of a previous launch to the JSON of `/v1/crashes`.
struct CrashReport {
    private let file: CrashFile
    private let crash: csignalbox_crash

    /// Returns `nil` if the crash record or the app fields are missing: the file is torn or of another version.
    init?(_ file: CrashFile) {
        guard let crash = file.crash, !file.note(CSIGNALBOX_APP).isEmpty, file.note(CSIGNALBOX_APP).areFields else { return nil }
        self.file = file
        self.crash = crash
    }

    /// An open queue frame. Log and custom values are left out if it would be too large.
    var frame: [UInt8] {
        let whole = frame(withNotes: true)
        return whole.count < Frame.limit ? whole : frame(withNotes: false)
    }

    private func frame(withNotes: Bool) -> [UInt8] {
        var json = JSONText(appendingTo: Frame.open(.crash))
        json.object { json in
            // Includes the report ID, which is made at launch: a launch crashes at most once.
            json.fields(file.note(CSIGNALBOX_APP))
            json.field("timestamp", Int64(clamping: crash.microseconds))
            json.field("user_id", file.text(CSIGNALBOX_NAMED_USER) ?? file.text(CSIGNALBOX_USER))
            json.field("session_id", file.text(CSIGNALBOX_SESSION))
            json.field("kind", "fatal")
            json.field("level", "fatal")
            writeSignal(to: &json)
            stack.writeImages(to: &json)
            if withNotes { writeNotes(to: &json) }
        }
        return json.bytes
    }

    // MARK: Signal and stack

    private func writeSignal(to json: inout JSONText) {
        let signal = csignalbox_signal_name(crash.signal).map { String(cString: $0) } ?? "signal \(crash.signal)"
        json.list("exceptions", [signal]) { json, signal in
            json.object { json in
                json.field("type", signal)
                json.field("value", reason)
                json.field("thread_id", Int64(clamping: crash.thread))
                json.object("mechanism") { json in
                    json.field("type", "signalhandler")
                    json.field("handled", false)
                    json.object("meta") { json in
                        json.object("signal") { json in
                            json.field("name", signal)
                            json.field("number", Int64(crash.signal))
                            json.field("code", Int64(crash.code))
                        }
                    }
                }
                json.object("stacktrace") { json in stack.writeFrames(to: &json) }
            }
        }
        json.list("threads", [threadName]) { json, name in
            json.object { json in
                json.field("id", Int64(clamping: crash.thread))
                json.field("name", name)
                json.field("crashed", true)
                json.field("current", true)
            }
        }
    }

    /// The reason, such as `SEGV_MAPERR at 0x10`; `nil` if the signal was raised, as by `abort`.
    private var reason: String? {
        guard crash.code > 0 else { return nil }
        let code = csignalbox_code_name(crash.signal, crash.code).map { String(cString: $0) } ?? "code \(crash.code)"
        return "\(code) at \(hexadecimal(crash.address))"
    }

    private var threadName: String? {
        let name = withUnsafeBytes(of: crash.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return name.isEmpty ? nil : name
    }

    private var stack: CallStack { CallStack(addresses: (file.frames + file.firstFrames).reversed(), images: file.images) }

    // MARK: Notes

    private func writeNotes(to json: inout JSONText) {
        let log = file.text(CSIGNALBOX_LOG).map { String($0.dropLast()) }
        json.field("logs", log)
        let values = file.note(CSIGNALBOX_VALUES)
        guard values.areFields else { return }
        json.object("custom_keys") { json in json.fields(values) }
    }
}

extension ArraySlice<UInt8> {
    /// Whether the bytes are the fields of a JSON object. The file may be corrupt.
    fileprivate var areFields: Bool {
        (try? JSONSerialization.jsonObject(with: Data([0x7b] + self + [0x7d]))) is [String: Any]
    }
}
