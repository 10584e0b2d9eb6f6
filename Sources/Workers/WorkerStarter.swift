// SPDX-License-Identifier: Apache-2.0

import Functions
import JSON
import Platform

/// Starts instances, each with a scratch folder and a control group of its own, and removes these after their end.
final class WorkerStarter {
    private let surroundings: WorkerSurroundings
    private let parser: JSONParser
    private let figures: WorkerFigures
    /// The folder of all scratch folders; made at the first start.
    private var scratch: ScratchFolder?
    private var groups: WorkerGroups?
    /// Whether it has tried to take a delegated control group over.
    private var hasLookedForGroups = false
    private var lastInstance = 0

    init(_ surroundings: WorkerSurroundings, _ parser: JSONParser, _ figures: WorkerFigures) {
        (self.surroundings, self.parser, self.figures) = (surroundings, parser, figures)
    }

    // MARK: Starts

    /// Starts an instance.
    func start(_ function: WorkerFunction) throws -> WorkerInstance {
        let options = surroundings.options()
        guard ProcessConfinement.supported.contains(.files) || options.mayBeUnconfined else { throw WorkerStartError.noLandlock }
        guard let launcher = surroundings.launcher else { throw WorkerStartError.noLauncher }
        let scratch = try self.scratch ?? ScratchFolder()
        self.scratch = scratch
        lastInstance += 1
        let folder = try scratch.make(lastInstance)
        var group: ControlGroup?
        do {
            group = try takeGroups()?.make(lastInstance, WorkerGroupLimits(options))
            let place = try WorkerPlace(function.program, scratch: folder, dataFolder: surroundings.dataFolder, in: group, options)
            let (process, transport) = try startProcess(function, place, launcher)
            return WorkerInstance(lastInstance, function, process, transport, scratch: folder, in: group, surroundings)
        } catch {
            scratch.remove(folder)
            if let group { groups?.remove(group) }
            throw error
        }
    }

    /// Returns the control groups of workers, and takes the delegated one over at first; nil without one.
    private func takeGroups() -> WorkerGroups? {
        if hasLookedForGroups { return groups }
        hasLookedForGroups = true
        do throws(WorkerGroupError) {
            let groups = try WorkerGroups(below: surroundings.options().delegatedGroup)
            self.groups = groups
            if !groups.lacking.isEmpty { noteGroupFailure("these controllers are not delegated: \(groups.lacking.joined(separator: ", "))") }
        } catch {
            noteGroupFailure("\(error)")
        }
        return groups
    }

    private func noteGroupFailure(_ reason: String) {
        figures.set(groupFailure: reason)
        surroundings.reportGroupFailure(reason)
    }

    private func startProcess(
        _ function: WorkerFunction, _ place: WorkerPlace, _ launcher: String
    ) throws -> (WorkerProcess, any WorkerTransport) {
        let variables = WorkerEnvironment.variables(of: function, scratch: place.scratch)
        switch function.program.transport {
        case .lines:
            let process = try WorkerProcess(place, environment: variables, takesInput: true, launcher: launcher)
            return (process, LineTransport(parser, surroundings, input: process.streams.input))
        case .lambda:
            let transport = try RuntimeTransport(parser, surroundings, function)
            let more = WorkerEnvironment.runtimeVariables(of: function, place, surroundings.options(), address: transport.address)
            let process = try WorkerProcess(place, environment: variables + more, takesInput: false, launcher: launcher)
            transport.group = process.number
            return (process, transport)
        }
    }

    // MARK: Ends

    /// Removes the folder and the group of an instance that has ended.
    func cleanUp(after instance: WorkerInstance) {
        scratch?.remove(instance.scratch)
        removeGroup(of: instance)
    }

    func removeGroup(of instance: WorkerInstance) {
        if let group = instance.group { groups?.remove(group) }
    }

    /// Removes groups whose last processes were still ending.
    func removeLeavingGroups() { groups?.removeLeaving() }

    /// Removes the folder of all scratch folders.
    func removeScratchFolder() { scratch?.remove() }
}

/// The reason why no worker starts.
enum WorkerStartError: Error, CustomStringConvertible {
    case noLandlock
    case noLauncher

    var description: String {
        switch self {
        case .noLandlock: "the kernel has no Landlock; set functions.unconfined to start workers that may read all files"
        case .noLauncher: "the path of ingestd is not known"
        }
    }
}
