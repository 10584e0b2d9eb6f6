// SPDX-License-Identifier: Apache-2.0

import AcrossStores
import FileStore
import FunctionStore

/// The numbers that rise with each change of a function and each redrive, which end the rest of a file.
struct FileCircumstances: Equatable {
    private let functions: Int
    private let redrives: Int

    init(_ store: Stores) { (functions, redrives) = (store.functions.catalog.version, store.functions.redrives.count) }
}

/// The files in a final state. They are not looked at until circumstances change or some minutes have passed, as the run may have been removed.
struct RestingFiles {
    static let longest = Duration.seconds(120)
    private static let most = 100_000

    /// Generations differ between apps, too.
    private var generations: Set<Int64> = []
    private var circumstances: FileCircumstances?
    private var end = ContinuousClock.now

    mutating func renew(_ now: FileCircumstances) {
        guard now != circumstances || end <= .now else { return }
        (generations, circumstances, end) = ([], now, ContinuousClock.now + RestingFiles.longest)
    }

    func contains(_ file: StoredFile) -> Bool { generations.contains(file.generation) }

    mutating func insert(_ file: StoredFile) {
        if generations.count < RestingFiles.most { generations.insert(file.generation) }
    }
}
