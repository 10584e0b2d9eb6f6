// SPDX-License-Identifier: Apache-2.0

package import Functions
import Glibc

extension WorkerProgram {
    /// Returns why its instances cannot start on this machine, as far as that shows before the first call.
    ///
    ///     /nonexist/x                        →   /nonexist/x does not exist
    ///     /bin/cat in /var/lib/signalbox     →   its folder /var/lib/signalbox and the data folder lie within each other
    package func obstacles(dataFolder: String) -> [String] {
        var found = [WorkerProgram.obstacle(ofProgram: command[0]), folder.flatMap { WorkerProgram.obstacle(ofFolder: $0) }].compactMap(\.self)
        do throws(WorkerPlaceError) {
            _ = try WorkerPlace(self, scratch: "/", dataFolder: dataFolder, in: nil, WorkerOptions())
        } catch { found.append(error.description) }
        return found
    }

    private static func obstacle(ofProgram path: String) -> String? {
        if isMissing(path) { return "\(path) does not exist" }
        return access(path + "/.", F_OK) == 0 || access(path, X_OK) != 0 ? "\(path) cannot be executed" : nil
    }

    private static func obstacle(ofFolder path: String) -> String? {
        if isMissing(path) { return "\(path) does not exist" }
        return access(path + "/.", F_OK) != 0 && errno == ENOTDIR ? "\(path) is not a folder" : nil
    }

    private static func isMissing(_ path: String) -> Bool { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }
}
