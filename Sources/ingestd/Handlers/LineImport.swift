// SPDX-License-Identifier: Apache-2.0

import API
import Platform

/// The result of an import of lines, which lists the first refused ones.
protocol LineImport {
    var failed: Int { get set }
    var errors: [ImportFailure] { get set }
}

extension LineImport {
    mutating func note(line: Int, _ refusal: Refusal) {
        note(line: line, refusal.fields.first.map { "\($0.field) \($0.message)" } ?? refusal.detail)
    }

    mutating func note(line: Int, _ detail: String) {
        failed += 1
        if errors.count < 100 { errors.append(ImportFailure(line: line, detail: detail)) }
    }
}
