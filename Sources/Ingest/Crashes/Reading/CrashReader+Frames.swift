// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

extension CrashReader {
    /// The frames of a stack trace, in the order they came: of an object with `frames`, or of the array itself.
    mutating func frames(_ stack: Int?, _ images: ImageTable) -> [StackFrame] {
        guard let stack else { return [] }
        guard let list = tape[stack].kind == .array ? stack : tape.value("frames", of: stack) else { return [] }
        return kept(Array(tape.elements(of: list))).compactMap { frame($0, images) }
    }

    /// The places of a stack's frames that are read: both ends of one that is too deep, nothing once the request has had its share.
    mutating func kept(_ places: [Int]) -> [Int] {
        let limit = min(CrashLimits.frames, framesLeft)
        if places.count > limit { cut(.tooManyEntries, "frames", "There are more than \(limit); the middle of the stack was left out.") }
        let kept = ends(of: places, limit: limit)
        framesLeft -= kept.count
        return kept
    }

    private mutating func frame(_ place: Int, _ images: ImageTable) -> StackFrame? {
        guard tape[place].kind == .object else { return nil }
        var frame = StackFrame()
        frame.function = text("function", of: place)
        frame.rawFunction = text("raw_function", of: place)
        frame.module = text("module", of: place)
        frame.file = text("filename", of: place)
        frame.absolutePath = text("abs_path", of: place)
        frame.line = integer("lineno", of: place)
        frame.column = integer("colno", of: place)
        frame.contextLine = text("context_line", of: place)
        frame.inApp = flag("in_app", of: place)
        frame.platform = text("platform", of: place, limit: CrashLimits.typeCharacters)
        frame.package = text("package", of: place)
        frame.symbolAddress = address("symbol_addr", of: place)
        frame.imageAddress = address("image_addr", of: place)
        frame.address = address("instruction_addr", of: place)
        frame.isInline = flag("inline", of: place) ?? false
        if isOurs { frame.symbolication = symbolication(place) }
        if let mode = tape.value("addr_mode", of: place) { relocate(&frame, images, by: mode) }
        return frame == StackFrame() ? nil : frame
    }

    /// Addresses may count from the beginning of an image that is named by its number or its debug id; where it is unknown, they say nothing.
    private func relocate(_ frame: inout StackFrame, _ images: ImageTable, by mode: Int) {
        guard let text = tape.text(tape[mode]), text.hasPrefix("rel:") else { return }
        let name = text.dropFirst(4)
        let base = Int(name).map { images.address(ofNumber: $0) } ?? DebugID(String(name)).flatMap { images.address(of: $0) }
        frame.imageAddress = base
        frame.address = base.flatMap { base in frame.address.map { base &+ $0 } }
        frame.symbolAddress = base.flatMap { base in frame.symbolAddress.map { base &+ $0 } }
    }

    /// How far our own symbolication has come, which nobody else may say.
    private func symbolication(_ place: Int) -> StackFrame.Symbolication {
        tape.value("symbolication", of: place).flatMap { tape.text(tape[$0]) }.flatMap { StackFrame.Symbolication(name: $0) } ?? .none
    }

    mutating func images(_ place: Int?) -> [BinaryImage] {
        let all = entries(place, "images")
        if all.count > CrashLimits.images {
            cut(.tooManyEntries, "images", "There are more than \(CrashLimits.images); the first of them were kept.")
        }
        return all.prefix(CrashLimits.images).map { image($0) }
    }

    private mutating func image(_ place: Int) -> BinaryImage {
        var image = BinaryImage()
        image.type = text("type", of: place, limit: CrashLimits.typeCharacters)
        image.debugID = debugID("debug_id", of: place) ?? debugID("uuid", of: place) ?? debugID("id", of: place)
        image.codeID = text("code_id", of: place, limit: CrashLimits.typeCharacters)
        image.address = address("image_addr", of: place)
        image.size = address("image_size", of: place)
        image.preferredAddress = address("image_vmaddr", of: place)
        image.codeFile = text("code_file", of: place) ?? text("name", of: place)
        image.debugFile = text("debug_file", of: place)
        image.architecture = text("arch", of: place, limit: CrashLimits.typeCharacters)
        return image
    }

    private func debugID(_ name: StaticString, of object: Int) -> DebugID? {
        tape.value(name, of: object).flatMap { tape.text(tape[$0]) }.flatMap { DebugID($0) }
    }
}
