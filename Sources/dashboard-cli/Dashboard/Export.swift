// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Panes
import Platform
import Terminal

/// What is on the screen, as a file: which kind is told by its name.
struct Export {
    private let dashboard: Dashboard

    init(_ dashboard: Dashboard) {
        self.dashboard = dashboard
    }

    static let kinds = ".csv the rows, .json the answers, .txt or .svg what the screen shows"

    func bytes(for path: String) throws(RequestError) -> [UInt8] {
        switch path.split(separator: ".").last {
        case "csv": return Array(try sheet().csv.utf8)
        case "json": return results + [0x0a]
        case "txt": return DashboardView(dashboard, .none).snapshot().printed(.none)
        case "svg": return Array(Picture(DashboardView(dashboard).frame()).svg.utf8)
        default: throw RequestError(kind: .refused, what: "«\(path)» does not say what is wanted", hint: "Its name ends in one of: \(Export.kinds).")
        }
    }

    /// What the pane says its rows are, or else the first table of its first answer.
    func sheet() throws(RequestError) -> Sheet {
        if let sheet = dashboard.pane.sheet(dashboard.view) { return sheet }
        guard let query = dashboard.pane.queries(dashboard.options).first, let body = dashboard.results[query.request].body,
            let answer = try? JSONValue(body)
        else { throw RequestError(kind: .refused, what: "There is nothing to export yet", hint: "Wait for the answer.") }
        return Sheet(answer)
    }

    /// All that the pane is made from, under the names of its questions; what was refused is null.
    var results: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        for query in dashboard.queries {
            json.key(query.name)
            if let body = dashboard.results[query.request].body { json.raw(body[...]) } else { json.null() }
        }
        json.endObject()
        return json.bytes
    }
}
