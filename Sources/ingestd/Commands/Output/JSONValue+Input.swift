// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform

extension JSONValue {
    /// Reads JSON that the user of a command wrote.
    ///
    /// - Parameters:
    ///   - name: The name of the file or argument, which begins the complaint.
    ///   - hint: What to write instead.
    ///   - exitCode: 2 for an argument.
    init(_ bytes: [UInt8], named name: String, hint: String, exitCode: Int32 = 1) throws(Failure) {
        do throws(JSONError) { self = try JSONValue(bytes) } catch {
            throw Failure("\(name) is not JSON: it \(error.explanation).", hint: hint, exitCode: exitCode)
        }
    }
}
