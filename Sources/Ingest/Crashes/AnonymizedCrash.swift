// SPDX-License-Identifier: Apache-2.0

import Crashes

extension StoredCrashes {
    /// Returns a stored report without personal data; nil for JSON that is not a stored report.
    ///
    /// Exceptions and stacks stay. Local variables, custom keys, logs, and the messages and data of breadcrumbs are removed because they may name a user.
    package func anonymized(_ json: [UInt8]) -> [UInt8]? {
        guard var report = report(json) else { return nil }
        (report.user, report.installation, report.session) = (nil, nil, nil)
        (report.logs, report.customKeys) = (nil, [])
        report.removeVariables()
        for place in report.breadcrumbs.indices { (report.breadcrumbs[place].message, report.breadcrumbs[place].data) = (nil, []) }
        return report.json
    }
}

extension CrashReport {
    fileprivate mutating func removeVariables() {
        changeFrames { $0.variables = [] }
    }

    /// Removes the source lines of all frames.
    package mutating func removeSource() {
        changeFrames { ($0.preContext, $0.contextLine, $0.postContext) = ([], nil, []) }
    }

    mutating func changeFrames(_ change: (inout StackFrame) -> Void) {
        for place in frames.indices { change(&frames[place]) }
        for one in exceptions.indices {
            for place in exceptions[one].frames.indices { change(&exceptions[one].frames[place]) }
        }
        for one in threads.indices {
            for place in threads[one].frames.indices { change(&threads[one].frames[place]) }
        }
    }
}
