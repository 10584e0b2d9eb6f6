// SPDX-License-Identifier: Apache-2.0

import SignalboxDocumentModel

/// Questions to readers, and what their answers mean for streams.
extension Listeners {
    mutating func ask(
        _ entry: ListenEntry.ID, for subscriber: ListenEntry.Subscriber?, from start: ListenStart
    ) -> ListenRead {
        func read(_ what: ListenRead.What, known: [DocumentPath: Int64] = [:], resets: Bool = false) -> Read {
            Read(what: what, entry: entry, subscriber: subscriber, known: known, resets: resets)
        }
        switch start {
        case .anew: return ask(read(result(of: entry)))
        case .known(let known): return ask(read(result(of: entry), known: known))
        case .reset: return ask(read(result(of: entry), resets: true))
        // The log has changes of documents, not which of them were within the limit at an earlier commit.
        case .since where entries[entry]?.target.isLimited ?? false: return ask(read(result(of: entry), resets: true))
        case .since(let stamp): return ask(read(.changes(since: stamp)))
        }
    }

    private mutating func ask(_ read: Read) -> ListenRead {
        let id = nextNumber()
        reads[id] = read
        entries[read.entry]?.beginRead()
        guard let entry = entries[read.entry] else { preconditionFailure("a read must have an entry") }
        let client = read.subscriber.map { streams[$0.stream]?.client ?? .server }
        let isForServers = client == nil && entry.subscribers.contains { streams[$0.stream]?.client == .server }
        return ListenRead(id: id, target: entry.target, what: read.what, client: client, isForServers: isForServers)
    }

    /// Asks for a read once more, from another start if there is one.
    private mutating func again(_ read: Read, from start: ListenStart? = nil) -> ListenWork {
        if let subscriber = read.subscriber { streams[subscriber.stream]?.hold(nil, for: subscriber.target) }
        guard let start else { return ListenWork(reads: [ask(read)]) }
        return ListenWork(reads: [ask(read.entry, for: read.subscriber, from: start)])
    }

    private func result(of entry: ListenEntry.ID) -> ListenRead.What {
        guard let window = entries[entry]?.target.window else { return .result(atMost: .max) }
        return .result(atMost: LimitWindow.count(window.skipped, window.limit))
    }

    /// Returns those of some reads that somebody still waits for, and forgets the others.
    package mutating func awaited(_ asked: [ListenRead]) -> [ListenRead] {
        asked.filter { one in
            guard let read = reads[one.id], let entry = entries[read.entry] else {
                reads[one.id] = nil
                return false
            }
            guard let subscriber = read.subscriber, !entry.subscribers.contains(subscriber) else { return true }
            reads[one.id] = nil
            endRead(of: read.entry)
            return false
        }
    }

    /// Handles what a reader found. A read whose target was removed meanwhile is ignored.
    ///
    /// - Parameter bytes: The bytes of the answer, if they are known.
    package mutating func answer(_ id: Int, _ answer: ListenAnswer, bytes: Int? = nil) -> ListenWork {
        guard let read = reads[id], let entry = entries[read.entry] else {
            reads[id] = nil
            return ListenWork()
        }
        let subscriber = read.subscriber.flatMap { entry.subscribers.contains($0) ? $0 : nil }
        if let subscriber { streams[subscriber.stream]?.hold(bytes ?? answer.bytes, for: subscriber.target) }
        var work = ListenWork()
        if let at = answer.stamp, at > stamp {
            early.append((id, answer, at))
        } else {
            reads[id] = nil
            if read.subscriber == nil || subscriber != nil { work = show(answer, read, entry) }
            endRead(of: read.entry)
        }
        if let subscriber { work.loaded[subscriber.stream] = streams[subscriber.stream]?.loadedBytes }
        return work
    }

    /// Shows an answer, or reads again if it cannot be shown.
    private mutating func show(_ answer: ListenAnswer, _ read: Read, _ entry: ListenEntry) -> ListenWork {
        guard let at = answer.stamp else { return again(read, from: .reset) }
        guard let recent = entry.changes(after: at) else { return again(read) }
        switch answer {
        case .result(let documents, _): return entry.target.isLimited ? show(window: documents, recent, read) : show(documents, recent, read)
        case .changes(let changes, _): return show(changes + recent, read)
        case .gone: return ListenWork()
        }
    }

    /// Shows a whole result without a limit.
    private mutating func show(_ documents: [ListenedDocument], _ recent: [DocumentChange], _ read: Read) -> ListenWork {
        guard let target = entries[read.entry]?.target else { return ListenWork() }
        var result = Dictionary(documents.map { ($0.path, $0) }) { first, _ in first }
        for change in recent { result[change.path] = change.after.flatMap { target.matches($0) ? $0 : nil } }
        var changes: [DocumentPath: TargetChange] = [:]
        for (path, document) in result {
            let before = read.known[path]
            if before != document.version { changes[path] = before == nil ? .added(document) : .modified(document) }
        }
        for path in read.known.keys where result[path] == nil { changes[path] = .removed }
        return show(changes, read)
    }

    /// Shows the net of changes since a commit.
    private mutating func show(_ changes: [DocumentChange], _ read: Read) -> ListenWork {
        guard let target = entries[read.entry]?.target else { return ListenWork() }
        var net: [DocumentPath: DocumentChange] = [:]
        for change in changes { net[change.path] = net[change.path]?.followed(by: change) ?? change }
        return show(net.compactMapValues(target.meaning), read)
    }

    /// Shows a limited result, and repairs the rows of the entry if they were lacking.
    private mutating func show(window documents: [ListenedDocument], _ recent: [DocumentChange], _ read: Read) -> ListenWork {
        guard let entry = entries[read.entry], var window = LimitWindow(entry.target, documents) else { return ListenWork() }
        for change in recent { window.apply(change, entry.target) }
        guard let changes = window.changes(since: read.known) else { return again(read) }
        var work = ListenWork()
        if let announced = entry.announced, let missed = window.changes(since: announced) {
            entries[read.entry]?.announced = nil
            tell(missed, read.entry, &work)
            work.news.formUnion(entry.subscribers.map(\.stream))
        }
        if entry.window == nil || entry.announced != nil {
            window.dropDocuments()
            changeWindow(of: read.entry, &work) { $0.window = window }
        }
        guard let subscriber = read.subscriber, keepOrRefuse(subscriber, &work) else { return work }
        work.add(show(changes, read))
        return work
    }

    private mutating func show(_ changes: [DocumentPath: TargetChange], _ read: Read) -> ListenWork {
        guard let subscriber = read.subscriber else { return ListenWork() }
        streams[subscriber.stream]?.load(changes, to: subscriber.target)
        if read.resets { streams[subscriber.stream]?.resets.insert(subscriber.target) }
        streams[subscriber.stream]?.newlyCurrent.insert(subscriber.target)
        return ListenWork(news: [subscriber.stream])
    }
}

extension ListenAnswer {
    fileprivate var stamp: Int64? {
        switch self {
        case .result(_, let stamp), .changes(_, let stamp): stamp
        case .gone: nil
        }
    }
}
