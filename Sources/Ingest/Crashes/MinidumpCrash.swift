// SPDX-License-Identifier: Apache-2.0

package import Crashes
import Events

/// The result of reading a minidump.
package enum MinidumpReading: Sendable, Equatable {
    /// The report that the dump makes.
    case report(CrashReport)
    /// The reason why it cannot be read.
    case invalid(String)
    /// It was not read, for a reason outside of the dump. The background reads it later.
    case pending
}

extension CrashBatch.Entry {
    /// Adds a minidump to the crash. A dump that cannot be read is no reason to lose the crash.
    package mutating func add(_ dump: [UInt8], _ reading: MinidumpReading) {
        minidump = dump
        needsReading = reading == .pending
        report.read(reading)
    }
}

extension CrashReport {
    /// The type of the mechanism that marks a crash with a minidump.
    private static let mechanism = "minidump"

    /// Whether the report came with a minidump.
    package var isMinidump: Bool { exceptions.last?.mechanism.type == CrashReport.mechanism }
    /// Whether its minidump has not been read yet.
    package var isMinidumpPending: Bool { isMinidump && images.isEmpty && threads.isEmpty && exceptions.last?.type == CrashReport.pending }

    private static let pending = "Minidump that was not read yet"
    private static let invalid = "Minidump that cannot be read"

    /// Replaces the fault, the stacks and the images by those of a minidump. Doing it twice has the same result as doing it once.
    package mutating func read(_ reading: MinidumpReading) {
        (kind, level, handled) = (.fatal, .fatal, false)
        switch reading {
        case .report(let dump): fill(from: dump)
        case .invalid(let reason): fail(CrashReport.invalid, reason)
        case .pending: fail(CrashReport.pending, nil)
        }
        // Stacks are walked far, and names of binaries repeat in each frame.
        let lost = (try? fit()) ?? []
        for cut in lost where !cuts.contains("\(cut.field): \(cut.message)") { cuts.append("\(cut.field): \(cut.message)") }
    }

    private mutating func fill(from dump: CrashReport) {
        let names = namesByAddress
        keepMessage(unless: dump.reason)
        (type, reason) = (dump.type, dump.reason)
        (exceptions, threads, frames) = (dump.exceptions, dump.threads, [])
        images = dump.images
        name(by: names)
        platform = "native"
        messageTemplate = nil
        installation = installation ?? dump.installation
        for value in dump.context where contextValue(value.name) == nil { context.append(value) }
        context.sort { CrashContext.fields.firstIndex(of: $0.name) ?? 0 < CrashContext.fields.firstIndex(of: $1.name) ?? 0 }
        for key in dump.customKeys { addKey(key) }
    }

    /// The functions that the crashed process named itself. A dump has no names, and symbols may never arrive.
    private var namesByAddress: [UInt64: String] {
        let named = allFrames.compactMap { frame in frame.isInline ? nil : frame.address.flatMap { place in frame.function.map { (place, $0) } } }
        return Dictionary(named) { first, _ in first }
    }

    private mutating func name(by names: [UInt64: String]) {
        if names.isEmpty { return }
        changeFrames { frame in frame.function = frame.function ?? frame.address.flatMap { names[$0] } }
    }

    private mutating func fail(_ type: String, _ reason: String?) {
        keepMessage(unless: reason)
        self.type = type
        self.reason = reason
        var thrown = CrashException()
        (thrown.type, thrown.value) = (type, reason)
        thrown.mechanism.type = CrashReport.mechanism
        thrown.mechanism.handled = false
        exceptions = [thrown]
    }

    /// Keeps the sender's message, which the fault replaces.
    private mutating func keepMessage(unless reason: String?) {
        guard let message = self.reason, message != reason, !isMinidump else { return }
        addKey(CustomKey("message", message))
    }

    private mutating func addKey(_ key: CustomKey) {
        guard customKeys.count < CrashLimits.customKeys, !customKeys.contains(where: { $0.name.utf8.elementsEqual(key.name.utf8) }) else { return }
        customKeys.append(CustomKey(key.name.prefix(bytes: CrashLimits.customKeyBytes), key.value.prefix(bytes: CrashLimits.customKeyBytes)))
    }
}
