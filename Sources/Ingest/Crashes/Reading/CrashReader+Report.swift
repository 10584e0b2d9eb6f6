// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

extension CrashReader {
    /// Reads everything except user, time and context.
    mutating func read(_ place: Int, into report: inout CrashReport) {
        report.reason = text("reason", of: place, limit: CrashLimits.reasonCharacters)
        report.messageTemplate = text("message_template", of: place, limit: CrashLimits.reasonCharacters)
        report.handled = flag("handled", of: place)
        readStacks(place, into: &report)
        report.breadcrumbs = breadcrumbs(tape.value("breadcrumbs", of: place))
        report.customKeys = customKeys(tape.value("custom_keys", of: place))
        report.logs = logs(tape.value("logs", of: place))
        report.fingerprint = fingerprint(tape.value("fingerprint", of: place))
    }

    /// Reads exceptions, threads, frames and images under our names or Sentry's.
    mutating func readStacks(_ place: Int, into report: inout CrashReport) {
        let loaded = tape.value("images", of: place) ?? tape.value("debug_meta", of: place).flatMap { tape.value("images", of: $0) }
        report.images = images(loaded)
        let images = ImageTable(report.images)
        report.exceptions = exceptions(tape.value("exceptions", of: place) ?? tape.value("exception", of: place), images)
        report.threads = threads(tape.value("threads", of: place), images)
        guard let stack = tape.value("frames", of: place) ?? tape.value("stacktrace", of: place) else { return }
        if report.threads.isEmpty && report.exceptions.allSatisfy(\.frames.isEmpty) {
            report.frames = frames(stack, images)
        } else {
            cut(.badValue, "frames", "Were omitted, because the report has threads or exceptions with frames of their own.")
        }
    }

    /// Reads a word of a closed set; nil for any other word.
    mutating func word<Word: StoredWord>(_ name: StaticString, of object: Int) -> Word? {
        guard let text = text(name, of: object, limit: CrashLimits.typeCharacters) else { return nil }
        if let word = Word(name: text) { return word }
        cut(.badValue, name.description, "Must be one of \(Word.names).")
        return nil
    }
}
