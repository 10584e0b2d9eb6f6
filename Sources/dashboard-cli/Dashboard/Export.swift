// SPDX-License-Identifier: Apache-2.0

import Events
import JSON
import Panes
import Platform
import Terminal

/// Exports a pane; the file extension selects the format.
struct Export {
    private let dashboard: Dashboard

    init(_ dashboard: Dashboard) {
        self.dashboard = dashboard
    }

    static let kinds = ".csv (rows), .json (results), .txt or .svg (screen)"

    func bytes(for path: String) throws(RequestError) -> [UInt8] {
        switch path.split(separator: ".").last {
        case "csv": return Array(try sheet().csv.utf8)
        case "json": return results + [0x0a]
        case "txt": return DashboardView(dashboard, .none).snapshot().printed(.none)
        case "svg": return Array(Picture(DashboardView(dashboard).frame()).svg.utf8)
        default: throw RequestError(kind: .rejected, what: "«\(path)» has no known extension", hint: "Use one of: \(Export.kinds).")
        }
    }

    /// The rows of the pane, or else the first table of its main result.
    func sheet() throws(RequestError) -> Sheet {
        if let sheet = dashboard.pane.sheet(dashboard.view) { return sheet }
        guard let query = dashboard.pane.queries(dashboard.options).first, let body = dashboard.results[query.request].body,
            let result = try? JSONValue(body)
        else { throw RequestError(kind: .rejected, what: "There is no data to export yet", hint: "Wait for the response.") }
        return Sheet(result)
    }

    /// All results by the names of their queries; null for errors.
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
