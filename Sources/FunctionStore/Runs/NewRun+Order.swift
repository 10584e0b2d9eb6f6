// SPDX-License-Identifier: Apache-2.0

package import Functions
import JSON

extension NewRun {
    /// The same run with its key. Fields of the template are members of the data.
    package func ordered(by order: OrderKey?) -> NewRun {
        guard let order, let data = try? JSONValue(body) else { return self }
        var run = self
        let key = order.key { path in
            path.split(separator: ".").reduce(Optional(data)) { value, name in value?[String(name)] }?.text
        }
        run.key = key.isEmpty ? nil : String(decoding: key.utf8.prefix(256), as: UTF8.self)
        return run
    }
}
