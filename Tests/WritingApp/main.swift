// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocuments

/// An app that queues writes, prints each number after `enqueue` returned, and ends when the daemon has confirmed all.
///
/// writing-app FOLDER ADDRESS KEY NAME FIRST LAST
///
/// Each call sets the document NAME/wNUMBER and adds one to sums/NAME.
///
/// With `listening` it listens to a collection, and prints the number of documents of each result that the daemon has confirmed:
/// writing-app FOLDER ADDRESS KEY NAME listening
let arguments = CommandLine.arguments
guard arguments.count >= 6, let address = URL(string: arguments[2]) else { exit(2) }
var options = DocumentOptions(address: address, key: arguments[3])
options.folder = URL(fileURLWithPath: arguments[1])
let (documents, name) = (try Documents(options), arguments[4])
if arguments[5] == "listening" {
    for try await snapshot in documents.collection(name).snapshots(includeMetadataChanges: true) where !snapshot.isFromCache {
        FileHandle.standardOutput.write(Data("\(snapshot.count)\n".utf8))
    }
    exit(1)
}
guard arguments.count == 7, let first = Int(arguments[5]), let last = Int(arguments[6]) else { exit(2) }
for number in first..<last {
    try await documents.batch().set(documents.document("\(name)/w\(number)"), ["n": .integer(Int64(number))])
        .set(documents.document("sums/\(name)"), ["n": .increment(1)], merge: true).enqueue()
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
}
try await documents.waitForPendingWrites()
await documents.close()
FileHandle.standardOutput.write(Data("done\n".utf8))
