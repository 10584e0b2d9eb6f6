// SPDX-License-Identifier: Apache-2.0

import Platform

/// The fields by which crash queries can filter and break down. They are stored beside each report under the names that events use.
package enum CrashField: CaseIterable, Sendable {
    case platform, release, system, device

    package init?(_ path: FieldPath) {
        guard let field = CrashField.allCases.first(where: { $0.name == path.text }) else { return nil }
        self = field
    }

    private var name: String {
        switch self {
        case .platform: "context.platform"
        case .release: "context.app_version"
        case .system: "context.os_version"
        case .device: "context.device_model"
        }
    }

    /// Throws a refusal that lists the supported fields if the query uses any other.
    static func require(event: String?, _ filters: [Filter], _ path: FieldPath?, named parameter: String) throws(Refusal) {
        if event != nil { throw .field("event", "not_of_crashes", "is not allowed with metric=crashes, because crashes are not events") }
        let fields = (path?.fields ?? []).map { (parameter, $0) } + filters.map { ("filter", $0.path) }
        for (parameter, path) in fields where CrashField(path) == nil {
            throw .field(parameter, "not_of_crashes", "must be one of \(allCases.map(\.name).joined(separator: ", ")) with metric=crashes")
        }
    }
}
