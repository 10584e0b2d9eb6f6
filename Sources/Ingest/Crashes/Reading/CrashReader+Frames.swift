// SPDX-License-Identifier: Apache-2.0

import Crashes
import Events
import JSON
import Platform

extension CrashReader {
    /// Reads the frames of a stack trace in their order, from an object with `frames` or from an array.
    mutating func frames(_ stack: Int?, _ images: ImageTable) -> [StackFrame] {
        guard let stack else { return [] }
        guard let list = tape[stack].kind == .array ? stack : tape.value("frames", of: stack) else { return [] }
        return kept(Array(tape.elements(of: list))).compactMap { frame($0, images) }
    }

    /// Returns the frames to read: both ends of a stack that is too deep, none once the request's limit is reached.
    mutating func kept(_ places: [Int]) -> [Int] {
        let limit = min(CrashLimits.frames, framesLeft)
        if places.count > limit { cut(.tooManyEntries, "frames", "Has more than \(limit) entries; the middle of the stack was omitted.") }
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
        frame.inApp = flag("in_app", of: place)
        if kept.hasSource {
            frame.contextLine = text("context_line", of: place)
            frame.preContext = Array(lines("pre_context", of: place).suffix(CrashLimits.contextLines))
            frame.postContext = Array(lines("post_context", of: place).prefix(CrashLimits.contextLines))
        }
        if kept.hasVariables, frame.inApp != false { frame.variables = variables(tape.value("vars", of: place)) }
        frame.platform = text("platform", of: place, limit: CrashLimits.typeCharacters)
        frame.package = text("package", of: place)
        frame.symbolAddress = address("symbol_addr", of: place)
        frame.imageAddress = address("image_addr", of: place)
        frame.address = address("instruction_addr", of: place)
        frame.isInline = flag("inline", of: place) ?? false
        if isOurs { readOwnFields(place, into: &frame) }
        if let mode = tape.value("addr_mode", of: place) { relocate(&frame, images, by: mode) }
        return frame == StackFrame() ? nil : frame
    }

    /// Returns source lines, each cut to a width.
    private func lines(_ name: StaticString, of frame: Int) -> [String] {
        guard let list = tape.value(name, of: frame), tape[list].kind == .array else { return [] }
        return tape.elements(of: list).filter { tape[$0].kind == .string }.map {
            tape.lossyText(tape[$0]).prefix(scalars: CrashLimits.contextCharacters)
        }
    }

    /// Returns the first variables of an object. A value that is no string is kept as JSON.
    private func variables(_ place: Int?) -> [CustomKey] {
        guard let place, tape[place].kind == .object else { return [] }
        return tape.keys(of: place).prefix(CrashLimits.variables).map { key in
            let value = tape[tape[key].next]
            let text = value.kind == .string ? tape.lossyText(value) : String(decoding: tape.bytes[tape.slice(tape[key].next)], as: UTF8.self)
            return CustomKey(
                tape.lossyText(tape[key]).prefix(scalars: CrashLimits.variableCharacters), text.prefix(scalars: CrashLimits.variableCharacters))
        }
    }

    /// Adds the image's address to relative addresses. The image is given by index or debug ID; without it, the address is dropped.
    private func relocate(_ frame: inout StackFrame, _ images: ImageTable, by mode: Int) {
        guard let text = tape.text(tape[mode]), text.hasPrefix("rel:") else { return }
        let name = text.dropFirst(4)
        let base = Int(name).map { images.address(ofNumber: $0) } ?? DebugID(String(name)).flatMap { images.address(of: $0) }
        frame.imageAddress = base
        frame.address = base.flatMap { base in frame.address.map { base &+ $0 } }
        frame.symbolAddress = base.flatMap { base in frame.symbolAddress.map { base &+ $0 } }
    }

    /// Reads the fields that only stored reports may contain.
    private func readOwnFields(_ place: Int, into frame: inout StackFrame) {
        frame.symbolication = tape.value("symbolication", of: place).flatMap { tape.text(tape[$0]) }.flatMap { .init(name: $0) } ?? .none
        frame.trust = tape.value("trust", of: place).flatMap { tape.text(tape[$0]) }.flatMap { FrameTrust(name: $0) }
        guard let registers = tape.value("registers", of: place), tape[registers].kind == .object else { return }
        frame.registers = tape.keys(of: registers).prefix(CrashLimits.registers).map { key in
            CustomKey(tape.lossyText(tape[key]), tape.lossyText(tape[tape[key].next]).prefix(scalars: CrashLimits.typeCharacters))
        }
    }

    mutating func images(_ place: Int?) -> [BinaryImage] {
        let all = entries(place, "images")
        if all.count > CrashLimits.images {
            cut(.tooManyEntries, "images", "Has more than \(CrashLimits.images) entries; the first ones were kept.")
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
