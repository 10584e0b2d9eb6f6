// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import CrashStore
import HTTPServer
import JSON
import Platform

/// Uploads of `sentry-cli sourcemaps upload`: bundles of minified files and their source maps.
extension DebugFiles {
    func assembleBundle(_ call: Call) async throws -> HandlerResponse {
        let app = try call.app(in: store)
        let body = try Body(call.request.body)
        try app.check(projects: body)
        let request = try AssemblyRequest(bundle: body)
        let state = try await state(of: request, app, keep: keptBundle)
        if !state.isWaiting { chunks.forgetPieces(Set(request.pieces), of: app.id) }
        return .response(
            .json { json in
                json.beginObject()
                switch state {
                case .missing(let pieces):
                    json.field("state", "not_found")
                    json.field("missingChunks", pieces)
                case .failed(let detail):
                    json.field("state", "error")
                    json.field("detail", detail)
                    json.field("missingChunks", [String]())
                case .ok(_, let file):
                    json.field("state", "ok")
                    if let leftOut = file.leftOut { json.field("detail", leftOut) }
                    json.field("missingChunks", [String]())
                }
                json.endObject()
            })
    }

    @Sendable private func keptBundle(_ path: String, _ file: AssemblyRequest, _ app: App) async throws -> AssembledFile {
        let stored = try await storage.put(
            bundle: path, release: file.release, distribution: file.distribution, of: app.id, at: clock.now())
        if let leftOut = stored.leftOut.sentence {
            // sentry-cli shows no detail of a successful upload.
            log.warning("left damaged source maps out of a bundle; build them again", ["app": .text(app.name), "files": .text(leftOut)])
        }
        return .bundle(stored.symbols, leftOut: stored.leftOut)
    }
}

extension App {
    private static let projectLimit = 100

    /// Throws a refusal if a body names projects without this app. sentry-cli sends a numeric project as a number.
    func check(projects body: Body) throws(Refusal) {
        guard body.names.contains("projects") else { return }
        let projects = try body.texts("projects", most: App.projectLimit, numbers: true)
        if projects.isEmpty || projects.contains(where: { $0 == name || $0 == String(id.rawValue) }) { return }
        throw Refusal(.forbidden, "The key does not belong to an app in `projects`.", hint: "Use the ID or name of the key's app.")
    }
}
