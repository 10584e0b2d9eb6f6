// SPDX-License-Identifier: Apache-2.0

import Crashes

extension StoredCrashes {
    /// A stored report without what tells whose it is; nil for what we did not write.
    ///
    /// What went wrong and where stays. What the app wrote down beside it may name anybody, so that goes: of breadcrumbs it stays when there
    /// were any, and of which kind.
    package func nameless(_ json: [UInt8]) -> [UInt8]? {
        guard var report = report(json) else { return nil }
        (report.user, report.installation, report.session) = (nil, nil, nil)
        (report.logs, report.customKeys) = (nil, [])
        for place in report.breadcrumbs.indices { (report.breadcrumbs[place].message, report.breadcrumbs[place].data) = (nil, []) }
        return report.json
    }
}
