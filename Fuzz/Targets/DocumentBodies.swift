// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import JSON
import SignalboxDocumentModel

/// Fields of documents in native JSON. What was read is written in one form, which reads as the same; and writes of each form are applied.
enum DocumentBodies {
    private static let parser = JSONParser()
    private static let bodies = BodyReader()
    private static let limits = JSONLimits(bytes: 1 << 20, tokens: 100_000, depth: NativeJSON.limits.depth, members: 50_000)

    static func run(_ bytes: [UInt8]) {
        parser.withReader { reader in
            guard let tape = try? reader.parse(bytes, limits: limits) else { return }
            if let fields = try? NativeJSON(tape).fields() {
                accepted()
                compare(fields, reader)
            }
            for form in [NativeWrite.Form.whole, .merge, .paths] { if let write = try? NativeWrite(tape, at: 0, form) { apply(write, form) } }
        }
    }

    private static func compare(_ fields: DocumentFields, _ reader: JSONReader) {
        let form = written(fields)
        guard let tape = try? reader.parse(form, limits: NativeJSON.limits), let again = try? NativeJSON(tape).fields() else {
            return require(false, "what was written cannot be read")
        }
        require(written(again) == form, "a second form of the same fields")
        require(fields.all.map(\.name) == again.all.map(\.name), "other names")
        for field in again.all.prefix(20) {
            let place = JSONFieldPath([NativeJSON.name(of: field.name)]).place(in: form.span)
            let value = place.flatMap { try? bodies.value(form.span.extracting($0)) }
            require(value?.order(field.value) == .same, "another value in the body")
        }
    }

    private static func written(_ fields: DocumentFields) -> [UInt8] {
        var writer = JSONWriter()
        writer.fields(fields)
        return writer.bytes
    }

    private static func apply(_ write: NativeWrite, _ form: NativeWrite.Form) {
        accepted()
        require(write.mask.count <= NativeWrite.maskNames && write.transforms.count <= DocumentLimit.transforms, "beyond the limits")
        guard let path = DocumentPath("c/d") else { return }
        let change = DocumentWrite.Change.set(write.fields, mask: form == .whole ? nil : write.mask)
        let outcome = try? DocumentWrite(path, change, transforms: write.transforms).apply(to: write.fields, version: .epoch, at: .epoch)
        if let fields = outcome?.fields, (try? fields.validate(as: path)) != nil { _ = written(fields) }
    }
}
