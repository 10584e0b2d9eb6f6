// SPDX-License-Identifier: Apache-2.0

package import SignalboxDocumentModel

package struct ListenStreamID: Hashable, Sendable {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }
}

/// All streams and targets, as a value: commits, answers of readers and requests go in, events and reads come out.
///
///     add(messages where room == "a", as: 1, to: s)     → read the result
///     commit(7, [m1 changed])                           kept, as the read may return an older commit
///     answer(read, result at 6)                         → s has news
///     take(s)                                           → event at 7: the result of 6 with m1 as of 7; target 1 is current
///
/// Events of a stream are consistent: after each, all current targets show the same commit. A stream whose limited result lacks rows waits
/// until they have been read.
package struct Listeners {
    package struct Limits: Sendable {
        /// Changes that wait for a slow stream. A document is never larger.
        package var waiting = Backlog(changes: 1_000, bytes: 1 << 20)
        /// Changes that wait for all streams of all apps, beyond which an app with more than its part divides that among its streams.
        package var waitingOfAll = Backlog(changes: 1_000_000, bytes: 128 << 20)
        /// Changes that are kept for a read of one target.
        package var duringRead = Backlog(changes: 10_000, bytes: 4 << 20)
        /// The memory of the rows of limited results, of all targets and of those of one user or address.
        package var windowBytes = 128 << 20
        package var windowBytesOfClient = 4 << 20
        /// The rows of a limited result of a user or address.
        package var windowRowsOfClient = 10_000

        package init() {}
    }

    struct Read {
        let what: ListenRead.What
        let entry: ListenEntry.ID
        /// Nil if the rows of a limited result are read again.
        let subscriber: ListenEntry.Subscriber?
        let known: [DocumentPath: Int64]
        let resets: Bool
    }

    /// The commit up to which everything has been handled.
    package private(set) var stamp: Int64
    private let limits: Limits
    private var index = ListenIndex()
    var entries: [ListenEntry.ID: ListenEntry] = [:]
    private var ids: [ListenTarget: ListenEntry.ID] = [:]
    var streams: [ListenStreamID: ListenStream] = [:]
    private var streamsByPlace: [ListenClient.Place: Set<ListenStreamID>] = [:]
    var reads: [Int: Read] = [:]
    /// Answers about commits that have not been handled yet.
    var early: [(id: Int, answer: ListenAnswer, stamp: Int64)] = []
    var lastNumber = 0
    /// The changes that wait for all streams, and those that are kept for reads.
    package private(set) var backlog = Backlog()
    package var shared = SharedBacklog()
    private var windows = WindowMemory()

    package init(at stamp: Int64, _ limits: Limits = Limits()) {
        (self.stamp, self.limits) = (stamp, limits)
    }

    /// The number of different targets.
    package var targetCount: Int { entries.count }
    package var streamCount: Int { streams.count }
    /// The number of the targets of all streams.
    package var listenerCount: Int { streams.values.reduce(0) { $0 + $1.targets.count } }
    /// The different targets with the number of their listeners.
    package var listened: [(target: ListenTarget, listeners: Int)] { entries.values.map { ($0.target, $0.subscribers.count) } }

    /// Whether anybody listens to a document. Others need not be parsed for `commit`.
    package func hears(_ path: DocumentPath) -> Bool { index.hears(path) }

    // MARK: Streams and targets

    package mutating func open(_ stream: ListenStreamID, for client: ListenClient = .server) {
        streams[stream] = ListenStream(at: stamp, for: client)
        if let place = client.place { streamsByPlace[place, default: []].insert(stream) }
    }

    package mutating func close(_ stream: ListenStreamID) {
        for target in streams[stream]?.targets.keys.sorted() ?? [] { _ = remove(target, from: stream) }
        backlog -= streams[stream]?.backlog ?? Backlog()
        guard let place = streams.removeValue(forKey: stream)?.client.place else { return }
        streamsByPlace[place]?.remove(stream)
        if streamsByPlace[place]?.isEmpty == true { streamsByPlace[place] = nil }
    }

    /// Adds a target under a number that the stream does not use.
    package mutating func add(_ target: ListenTarget, as number: Int, to stream: ListenStreamID, from start: ListenStart = .anew) -> ListenWork {
        precondition(streams[stream]?.targets[number] == nil, "a target's number must be free")
        let entry = entry(for: target)
        let subscriber = ListenEntry.Subscriber(stream: stream, target: number)
        entries[entry]?.subscribers.insert(subscriber)
        count(entries[entry]?.window?.bytes ?? 0, for: stream)
        streams[stream]?.targets[number] = ListenStream.Target(entry: entry, state: .queued)
        streams[stream]?.queue.append((number, start))
        return readNext(of: stream)
    }

    /// Removes a target. The stream may have something to send without it.
    package mutating func remove(_ number: Int, from stream: ListenStreamID) -> ListenWork {
        streams[stream]?.acceptAgain(number)
        guard let target = streams[stream]?.targets.removeValue(forKey: number) else { return ListenWork() }
        var work = ListenWork(news: [stream])
        let (holds, before) = (streams[stream]?.loaded[number] != nil, streams[stream]?.backlog ?? Backlog())
        streams[stream]?.forget(number)
        if holds { work.loaded[stream] = streams[stream]?.loadedBytes }
        backlog += (streams[stream]?.backlog ?? Backlog()) - before
        let rows = entries[target.entry]?.window?.bytes ?? 0
        entries[target.entry]?.subscribers.remove(ListenEntry.Subscriber(stream: stream, target: number))
        count(-rows, for: stream)
        guard let entry = entries[target.entry], entry.subscribers.isEmpty else { return work }
        index.remove(entry.target, as: target.entry)
        ids[entry.target] = nil
        backlog -= entry.backlog
        windows.add(-rows)
        entries[target.entry] = nil
        return work
    }

    // MARK: Rows of limited results

    /// The memory of the rows of all limited results.
    package var windowBytes: Int { windows.bytes }

    private mutating func count(_ bytes: Int, for stream: ListenStreamID) {
        if let client = streams[stream]?.client { windows.add(bytes, for: client) }
    }

    /// Changes the rows of an entry, and refuses it to clients that have too many then.
    @discardableResult
    mutating func changeWindow<T>(of id: ListenEntry.ID, _ work: inout ListenWork, _ body: (inout ListenEntry) -> T) -> T? {
        let before = entries[id]?.window?.bytes ?? 0
        guard var entry = entries.removeValue(forKey: id) else { return nil }
        let result = body(&entry)
        entries[id] = entry
        let growth = (entry.window?.bytes ?? 0) - before
        if growth == 0 { return result }
        windows.add(growth)
        for subscriber in entry.subscribers { count(growth, for: subscriber.stream) }
        if growth > 0 { for subscriber in entry.subscribers { _ = keepOrRefuse(subscriber, &work) } }
        return result
    }

    /// Refuses a target whose client has too much, and returns whether the target is there.
    mutating func keepOrRefuse(_ subscriber: ListenEntry.Subscriber, _ work: inout ListenWork) -> Bool {
        guard let stream = streams[subscriber.stream], let id = stream.targets[subscriber.target]?.entry else { return false }
        makeRoom(for: stream.client, &work)
        guard let entry = entries[id], isTooMuch(entry, for: stream.client) else { return entries[id] != nil }
        refuse(subscriber, &work)
        return false
    }

    /// Ends the limited results at the addresses that have the most if a client finds no room in its part of the memory, and finds it then.
    private mutating func makeRoom(for client: ListenClient, _ work: inout ListenWork) {
        let lacking = lackingBytes(for: client)
        if lacking <= 0 { return }
        var (ended, freed): ([ListenEntry.Subscriber], Int) = ([], 0)
        var found: [ListenEntry.ID: [ListenEntry.Subscriber]] = [:]
        for place in windows.largest(beside: client, lacking: lacking) where freed < lacking {
            for (subscriber, id) in limitedTargets(at: place) {
                found[id, default: []].append(subscriber)
                // Rows that others listen to stay in memory.
                guard let entry = entries[id], let all = found[id], all.count == entry.subscribers.count else { continue }
                ended += all
                freed += entry.window?.bytes ?? 0
            }
        }
        if freed >= lacking { for subscriber in ended { refuse(subscriber, &work) } }
    }

    private func limitedTargets(at place: ListenClient.Place) -> [(ListenEntry.Subscriber, ListenEntry.ID)] {
        (streamsByPlace[place] ?? []).flatMap { id in
            (streams[id]?.targets ?? [:]).compactMap { number, target in
                entries[target.entry]?.window == nil ? nil : (ListenEntry.Subscriber(stream: id, target: number), target.entry)
            }
        }
    }

    /// Removes a target whose rows take too much memory.
    private mutating func refuse(_ subscriber: ListenEntry.Subscriber, _ work: inout ListenWork) {
        work.add(remove(subscriber.target, from: subscriber.stream))
        streams[subscriber.stream]?.refuse(subscriber.target)
    }

    /// The bytes beyond the client's part of the memory.
    private func lackingBytes(for client: ListenClient) -> Int { windows.bytes - limits.windowBytes / 4 * client.quarters }

    private func isTooMuch(_ entry: ListenEntry, for client: ListenClient) -> Bool {
        guard let window = entry.window else { return false }
        if lackingBytes(for: client) > 0 { return true }
        if client == .server { return false }
        return window.count > limits.windowRowsOfClient || windows[client] > limits.windowBytesOfClient
    }

    /// The targets of a stream that were removed because their rows take too much memory, until the owner removes them.
    package func refused(of stream: ListenStreamID) -> Set<Int> { streams[stream]?.refused ?? [] }

    // MARK: Commits

    /// Asks for the first result of the stream's next target, if none is being read or waits to be sent.
    private mutating func readNext(of stream: ListenStreamID) -> ListenWork {
        guard let next = streams[stream]?.nextQueued(), let entry = streams[stream]?.targets[next.target]?.entry else { return ListenWork() }
        return ListenWork(reads: [ask(entry, for: ListenEntry.Subscriber(stream: stream, target: next.target), from: next.start)])
    }

    private mutating func entry(for target: ListenTarget) -> ListenEntry.ID {
        if let known = ids[target] { return known }
        let id = ListenEntry.ID(number: nextNumber())
        entries[id] = ListenEntry(target)
        ids[target] = id
        index.insert(target, as: id)
        return id
    }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Handles a commit. Commits come in order, each once; changes that nobody hears may be left out.
    package mutating func commit(_ stamp: Int64, _ changes: [DocumentChange]) -> ListenWork {
        commit([ListenedCommit(stamp: stamp, changes: changes)])
    }

    /// Handles commits that came together. Streams show the last of them next, so a document that each of them changed is told once.
    package mutating func commit(_ commits: [ListenedCommit]) -> ListenWork {
        for commit in commits {
            precondition(commit.stamp > stamp, "commits must be handled in order")
            stamp = commit.stamp
            // A read may return any of them.
            if !reads.isEmpty { for change in commit.changes { for id in index.candidates(change) { keep(change, for: id) } } }
        }
        var work = ListenWork()
        for change in ListenedCommit.net(commits) {
            for id in index.candidates(change) { handle(change, id, &work) }
        }
        work.add(handleEarlyAnswers())
        return work
    }

    private mutating func handle(_ change: DocumentChange, _ id: ListenEntry.ID, _ work: inout ListenWork) {
        guard let target = entries[id]?.target else { return }
        if target.isLimited {
            let changes = changeWindow(of: id, &work) { $0.changeWindow(change) }.flatMap(\.self)
            if entries[id] == nil { return }
            guard let changes else { return work.reads.append(ask(id, for: nil, from: .anew)) }
            tell(changes, id, &work)
        } else if let meaning = target.meaning(of: change) {
            tell([change.path: meaning], id, &work)
        }
    }

    /// Keeps a change for reads that have been asked for.
    private mutating func keep(_ change: DocumentChange, for id: ListenEntry.ID) {
        guard let entry = entries[id], entry.reads > 0 else { return }
        let limit = limit(usually: limits.duringRead)
        entries[id]?.keep(change, at: stamp, limit: limit)
        backlog += (entries[id]?.backlog ?? Backlog()) - entry.backlog
    }

    /// Returns the changes that one stream or read may have now.
    private func limit(usually: Backlog) -> Backlog {
        shared.limit(of: streams.count, having: backlog, atMost: limits.waitingOfAll, usually: usually)
    }

    /// Ends a read, and with the last one of a target the changes that were kept for it.
    mutating func endRead(of id: ListenEntry.ID) {
        backlog -= entries[id]?.backlog ?? Backlog()
        entries[id]?.endRead()
        backlog += entries[id]?.backlog ?? Backlog()
    }

    /// Skips commits whose changes are not known. All current targets are read again.
    package mutating func skip(to stamp: Int64) -> ListenWork {
        precondition(stamp > self.stamp, "commits must be handled in order")
        self.stamp = stamp
        var work = ListenWork(news: Set(streams.keys))
        for id in Array(entries.keys) {
            changeWindow(of: id, &work) { entry in
                entry.window = nil
                entry.loseChanges(through: stamp)
            }
        }
        for (id, stream) in streams {
            if !stream.loaded.isEmpty { work.loaded[id] = 0 }
            streams[id]?.fallBehind()
        }
        backlog = Backlog()
        work.add(handleEarlyAnswers())
        return work
    }

    private mutating func handleEarlyAnswers() -> ListenWork {
        var work = ListenWork()
        let due = early.filter { $0.stamp <= stamp }
        early.removeAll { $0.stamp <= stamp }
        for (id, answer, _) in due { work.add(self.answer(id, answer)) }
        return work
    }

    /// Returns the streams that wait for a read, which cannot be made.
    package func streams(waitingFor read: Int) -> Set<ListenStreamID> {
        guard let read = reads[read] else { return [] }
        if let subscriber = read.subscriber { return [subscriber.stream] }
        return Set(entries[read.entry]?.subscribers.map(\.stream) ?? [])
    }

    mutating func tell(_ changes: [DocumentPath: TargetChange], _ id: ListenEntry.ID, _ work: inout ListenWork) {
        if changes.isEmpty { return }
        for subscriber in entries[id]?.subscribers ?? [] where streams[subscriber.stream]?.targets[subscriber.target]?.state == .current {
            add(changes, to: subscriber, &work)
            work.news.insert(subscriber.stream)
        }
    }

    private mutating func add(_ changes: [DocumentPath: TargetChange], to subscriber: ListenEntry.Subscriber, _ work: inout ListenWork) {
        let (limit, id) = (limit(usually: limits.waiting), subscriber.stream)
        guard let before = streams[id]?.backlog else { return }
        let hasLoaded = streams[id]?.loaded.isEmpty == false
        for (path, change) in changes { streams[id]?.add(change, of: path, to: subscriber.target, limit: limit) }
        backlog += (streams[id]?.backlog ?? Backlog()) - before
        if hasLoaded, streams[id]?.loaded.isEmpty == true { work.loaded[id] = 0 }
    }

    // MARK: Sending

    /// Returns what a stream has to send up to now; nil if it has nothing, or waits for a read. Called for streams with news, for those
    /// whose client has read all events before, and after a target was removed.
    package mutating func take(_ id: ListenStreamID) -> (event: ListenEvent?, work: ListenWork) {
        guard let stream = streams[id], stream.hasNews else { return (nil, readNext(of: id)) }
        if stream.isBehind { return (nil, catchUp(id)) }
        if stream.targets.values.contains(where: waits) { return (nil, ListenWork()) }
        backlog -= stream.backlog
        let event = streams[id]?.take(at: stamp)
        return (event, readNext(of: id))
    }

    /// Whether a target keeps its stream from showing the newest commit.
    private func waits(_ target: ListenStream.Target) -> Bool {
        switch target.state {
        case .queued, .reading: false
        case .current: entries[target.entry]?.announced != nil
        case .catchingUp: true
        }
    }

    private mutating func catchUp(_ id: ListenStreamID) -> ListenWork {
        guard let sent = streams[id]?.sent, let (again, unsent) = streams[id]?.beginCatchingUp() else { return ListenWork() }
        var work = ListenWork()
        for number in again {
            guard let entry = streams[id]?.targets[number]?.entry else { continue }
            let start = unsent.contains(number) ? ListenStart.reset : .since(sent)
            let subscriber = ListenEntry.Subscriber(stream: id, target: number)
            work.reads.append(ask(entry, for: subscriber, from: start))
        }
        return work
    }
}
