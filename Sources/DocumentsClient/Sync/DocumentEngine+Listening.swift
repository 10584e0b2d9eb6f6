// SPDX-License-Identifier: Apache-2.0

import Foundation
import Signalbox
import SignalboxDocumentModel

/// Listeners, and the one stream that serves all of them.
extension DocumentEngine {
    /// Adds a listener. Those of an equal target share it.
    func listen(_ kind: StreamTarget.Kind, _ feed: SnapshotFeed) throws(DocumentError) {
        if isClosed { return feed.end() }
        if case .query(let query) = kind {
            do throws(QueryFault) { try query.validate() } catch { throw .invalid("The query is one that Firestore refuses: \(error)") }
        }
        let number: Int64
        if let known = numbers[kind] { number = known } else { number = try activate(kind) }
        feedCount += 1
        let id = feedCount
        targets[number]?.feeds[id] = WeakFeed(feed: feed)
        feed.setLeaving { [weak self] in Task { await self?.leave(number, id) } }
        show(number, evenEmpty: isOffline || !isNetworkEnabled)
        connectSoon()
        if targets[number]?.isShown == false { waitForConnection(number, id) }
    }

    private func waitForConnection(_ number: Int64, _ feed: Int) {
        let patience = options.patience
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(patience))
            await self?.stopWaiting(number, feed)
        }
    }

    /// Shows the target of a listener the empty result of the cache, if the listener is still there and has nothing, and no stream is open.
    func stopWaiting(_ number: Int64, _ feed: Int) {
        guard streamID == nil, let target = targets[number], !target.isShown, target.feeds[feed]?.feed != nil else { return }
        // A target that is open without a stream is part of an attempt to connect.
        if target.isOpen { isOffline = true }
        show(number, evenEmpty: true)
    }

    private func activate(_ kind: StreamTarget.Kind) throws(DocumentError) -> Int64 {
        if targets.count >= DocumentEngine.mostTargets {
            throw DocumentError(.resourceExhausted, "More than \(DocumentEngine.mostTargets) different queries and documents are listened to.")
        }
        let stored = try store.target(kind, at: now)
        try store.trimTargets { [targets] in targets[$0] != nil || $0 == stored.number }
        var view = TargetView(kind)
        let members = try store.members(of: stored.number)
        let documents = try members.map(\.document) + otherCached(kind, isKnown: stored.isKnown)
        view.replace(try documents + basesOfPending(in: view), overlay)
        targets[stored.number] = ActiveTarget(
            number: stored.number, view: view, members: Set(members.map(\.document.path)), isKnown: stored.isKnown, hasToken: stored.isCurrent)
        numbers[kind] = stored.number
        return stored.number
    }

    /// The cached documents with which a target begins besides its members. In the place of those that have left a limited result since the
    /// daemon told of it, others of the cache are shown until it tells again.
    private func otherCached(_ kind: StreamTarget.Kind, isKnown: Bool) throws(DocumentError) -> [RemoteDocument] {
        switch kind {
        case .document(let path): return isKnown ? [] : try store.document(path).map { [$0.document] } ?? []
        case .query(let query):
            if isKnown, query.limit == nil { return [] }
            let isLimited = isKnown && !overlay.paths.contains { query.covers($0) }
            return try store.result(of: query, isLimited: isLimited, at: now)
        }
    }

    private func leave(_ number: Int64, _ id: Int) {
        targets[number]?.feeds[id] = nil
        guard let target = targets[number], target.feeds.isEmpty else { return }
        deactivate(number)
        if target.isOpen {
            removedTargets.append(number)
            leavingTargets[number, default: 0] += 1
        }
        if targets.isEmpty {
            streaming?.cancel()
            (streaming, streamID, group, removedTargets, leavingTargets) = (nil, nil, [], [], [:])
        } else {
            changeTargetsSoon()
        }
    }

    private func deactivate(_ number: Int64) {
        guard let target = targets.removeValue(forKey: number) else { return }
        numbers[target.view.kind] = nil
    }

    // MARK: The stream

    func connectSoon() {
        guard isNetworkEnabled, !isClosed, !targets.isEmpty else { return }
        if streaming == nil {
            streaming = Task { await stream() }
        } else {
            changeTargetsSoon()
        }
    }

    private func stream() async {
        await streamLoop.run { () async -> ConnectionEnd in
            // Listeners that begin together are opened together.
            try? await Task.sleep(for: .milliseconds(2))
            if Task.isCancelled { return .final }
            if targets.isEmpty {
                // The next listener opens another stream.
                streaming = nil
                return .final
            }
            let failure = await connect()
            if Task.isCancelled { return .final }
            lostConnection()
            // What this device cannot store now comes again with the next connection.
            if let failure, !failure.isTransient, failure.code != .dataLoss { endTargets(with: failure) }
            return .again(retryAfter: failure?.retryAfter)
        }
    }

    /// The events that may wait to be stored. A connection with more is ended, and resumed from the token.
    private static let waitingEvents = 1_000

    private func connect() async -> DocumentError? {
        let resume: String?
        let opened: [StreamTarget]
        // Those that leave from here on are removed when the stream is open.
        (removedTargets, leavingTargets) = ([], [:])
        do throws(DocumentError) {
            resume = try store.token
            opened = try targets.keys.sorted().map { number throws(DocumentError) in try open(number, resuming: resume != nil) }
        } catch { return error }
        let (events, continuation) = AsyncStream.makeStream(of: StreamEvent.self, bufferingPolicy: .bufferingOldest(DocumentEngine.waitingEvents))
        let transport = transport
        let connection = Task { () -> DocumentError? in
            defer { continuation.finish() }
            do throws(DocumentError) {
                try await transport.listen(opened, resume: resume) { event in
                    if case .dropped = continuation.yield(event) { return false }
                    return true
                }
                return nil
            } catch { return error }
        }
        var failure: DocumentError?
        await withTaskCancellationHandler {
            for await event in events {
                if Task.isCancelled { break }
                do throws(DocumentError) { try handle(event) } catch { failure = error }
                if failure != nil { break }
            }
        } onCancel: {
            connection.cancel()
        }
        connection.cancel()
        let ended = await connection.value
        return failure ?? ended
    }

    /// Returns a target as a stream opens it.
    private func open(_ number: Int64, resuming: Bool) throws(DocumentError) -> StreamTarget {
        guard let target = targets[number] else { throw .invalid("The target is not active.") }
        var opened = StreamTarget(number: number, kind: target.view.kind)
        var isLimited = false
        if case .query(let query) = target.view.kind { isLimited = query.limit != nil }
        if target.isKnown, resuming, target.hasToken, !isLimited {
            targets[number]?.start = .token
        } else if target.isKnown, target.members.count <= DocumentEngine.mostKnown {
            opened.known = try knownVersions(of: number)
            targets[number]?.start = .known
        } else {
            targets[number]?.start = .anew
        }
        targets[number]?.isOpen = true
        return opened
    }

    /// The most versions that a request has for one target, so that 100 targets stay below the limit of a body.
    private static let mostKnown = 100

    /// The versions of a target's documents. Those that were computed here are left out, and come again. The view gets those that the store has
    /// got for other targets since the view began, as the daemon does not send them for this one.
    private func knownVersions(of number: Int64) throws(DocumentError) -> [DocumentPath: Int64] {
        var known: [DocumentPath: Int64] = [:]
        var newer: [(path: DocumentPath, document: RemoteDocument?)] = []
        for member in try store.members(of: number) {
            let path = member.document.path
            if !member.isProvisional {
                known[path] = member.document.version
                if targets[number]?.view.base[path]?.version ?? 0 < member.document.version { newer.append((path, member.document)) }
            } else {
                try store.removeMember(path, of: number)
                targets[number]?.members.remove(path)
            }
        }
        if !newer.isEmpty { targets[number]?.view.set(newer, overlay) }
        return known
    }

    private func changeTargetsSoon() {
        guard let streamID, !isChangingTargets else { return }
        guard !removedTargets.isEmpty || targets.values.contains(where: { !$0.isOpen }) else { return }
        isChangingTargets = true
        Task { await changeTargets(of: streamID) }
    }

    private func changeTargets(of id: String) async {
        try? await Task.sleep(for: .milliseconds(2))
        guard id == streamID else {
            isChangingTargets = false
            return changeTargetsSoon()
        }
        let removed = removedTargets
        removedTargets = []
        do throws(DocumentError) {
            // A number that was removed and is used again must be removed first.
            let again = targets.values.filter { !$0.isOpen && removed.contains($0.number) }
            if !again.isEmpty {
                try await transport.change(stream: id, add: [], remove: removed)
                // Another connection has opened the targets, or will. What is opened here would count as opened there.
                guard id == streamID else {
                    isChangingTargets = false
                    return changeTargetsSoon()
                }
            }
            // Those that have left meanwhile and are there again are removed first with the next change.
            let added = try targets.values.filter { [removedTargets] in !$0.isOpen && !removedTargets.contains($0.number) }.map(\.number).sorted()
                .map { number throws(DocumentError) in try open(number, resuming: false) }
            try await transport.change(stream: id, add: added, remove: again.isEmpty ? removed : [])
        } catch {
            // The next connection opens what this one could not.
            isChangingTargets = false
            if id == streamID { restartStream() } else { changeTargetsSoon() }
            return
        }
        isChangingTargets = false
        changeTargetsSoon()
    }

    private func restartStream() {
        streaming?.cancel()
        lostConnection()
        streaming = Task { await stream() }
    }

    // MARK: Events

    private func handle(_ event: StreamEvent) throws(DocumentError) {
        switch event {
        case .opened(let id):
            streamID = id
            isOffline = false
            changeTargetsSoon()
        case .changes(_, _, let token), .current(_, let token):
            group.append(event)
            if let token {
                defer { group = [] }
                try apply(group, token)
            }
        case .reset: group.append(event)
        case .removed(let number, let error): if !hasLeft(number) { try lost(number, error) }
        case .renew:
            guard let streamID else { return }
            Task { [transport] in try? await transport.change(stream: streamID, add: [], remove: []) }
        case .failed(let error): throw error
        }
    }

    /// Notes that the daemon has removed a target. Returns whether its last listener had left; the daemon answers each removal once.
    private func hasLeft(_ number: Int64) -> Bool {
        guard let count = leavingTargets[number] else { return false }
        leavingTargets[number] = count > 1 ? count - 1 : nil
        return true
    }

    /// Applies the events of a commit: all of them are stored with their token, or none.
    private func apply(_ group: [StreamEvent], _ token: String) throws(DocumentError) {
        var news = GroupNews(group, without: Set(leavingTargets.keys))
        for number in news.current where targets[number]?.start == .anew && targets[number]?.isCurrent == false { news.resets.insert(number) }
        let now = now
        let current = Set(targets.values.filter { $0.isCurrent || news.current.contains($0.number) }.map(\.number))
        let stored = try store.transaction { () throws(DocumentError) in
            try keep(news, at: now)
            try store.setToken(token, current: current)
            try forgetOrphans(of: news)
            return true
        }
        if stored {
            for number in targets.keys where !current.contains(number) { targets[number]?.hasToken = false }
            show(news, current)
        }
        try evict()
    }

    private func keep(_ news: GroupNews, at now: Int64) throws(DocumentError) {
        for number in news.resets where targets[number] != nil { try store.removeMembers(of: number) }
        for change in news.changes {
            switch change.kind {
            case .put(let document):
                if settled[document.path] ?? 0 > news.stamp, try store.document(document.path) == nil { continue }
                let row = try store.put(document, of: news.stamp, at: now)
                for number in change.targets where targets[number] != nil { try store.addMember(row, to: number) }
            case .removed(let path):
                for number in change.targets where targets[number] != nil { try store.removeMember(path, of: number) }
            }
        }
        for number in news.current where targets[number] != nil {
            try store.database.run("UPDATE targets SET current = 0 WHERE number = ? AND current < 0", .integer(number))
        }
    }

    /// Forgets documents that left a result and are in no other: nothing is known of them any more.
    private func forgetOrphans(of news: GroupNews) throws(DocumentError) {
        for case .removed(let path) in news.changes.map(\.kind) {
            guard settled[path] ?? 0 <= news.stamp, try !store.isMember(path), let cached = try store.document(path) else { continue }
            if cached.document.version <= news.stamp { try store.remove(path) }
        }
    }

    private func show(_ news: GroupNews, _ current: Set<Int64>) {
        for number in news.resets {
            targets[number]?.members = []
            targets[number]?.view.replace([], overlay)
        }
        var changes: [Int64: [(path: DocumentPath, document: RemoteDocument?)]] = [:]
        for change in news.changes {
            for number in change.targets where targets[number] != nil {
                let path: DocumentPath
                let document: RemoteDocument?
                switch change.kind {
                case .put(let put):
                    (path, document) = (put.path, put)
                    targets[number]?.members.insert(path)
                case .removed(let removed):
                    (path, document) = (removed, nil)
                    targets[number]?.members.remove(path)
                }
                // The view may have a later version, of an own write or a read.
                let shown = max(settled[path] ?? 0, targets[number]?.view.base[path]?.version ?? 0)
                if shown <= news.stamp { changes[number, default: []].append((path, document)) }
            }
        }
        let confirmed = settled.paths(upTo: news.stamp)
        for number in targets.keys {
            guard let target = targets[number] else { continue }
            // The daemon has told everything up to this commit, so what it did not tell is not in the result.
            var all = changes[number] ?? []
            let isFirst = current.contains(number) && !target.isCurrent
            let strangers = isFirst ? Array(target.view.base.keys) : confirmed.filter { target.view.base[$0] != nil }
            if current.contains(number) {
                for path in strangers where !target.members.contains(path) && !overlay.has(path) && settled[path] ?? 0 <= news.stamp {
                    all.append((path, nil))
                }
            }
            targets[number]?.view.set(all, overlay)
            if current.contains(number) { targets[number]?.becomeCurrent() }
            if !all.isEmpty || isFirst { show(number) }
        }
        if readsInFlight == 0 { settled.remove(upTo: news.stamp) }
    }

    /// Ends a target that the daemon removed.
    private func lost(_ number: Int64, _ error: DocumentError?) throws(DocumentError) {
        guard let error, let target = targets[number] else { return }
        let members = target.members
        try store.transaction { () throws(DocumentError) in
            try store.forgetTarget(number)
            for path in members where try !store.isMember(path) && !overlay.has(path) { try store.remove(path) }
        }
        deactivate(number)
        for feed in target.feeds.values { feed.feed?.end(error) }
    }

    private func endTargets(with error: DocumentError) {
        for (number, target) in targets {
            deactivate(number)
            for feed in target.feeds.values { feed.feed?.end(error) }
        }
    }
}

/// The events of one commit in one value.
private struct GroupNews {
    var resets: Set<Int64> = []
    var current: Set<Int64> = []
    var changes: [StreamEvent.Change] = []
    var stamp: Int64 = 0

    init(_ group: [StreamEvent], without leaving: Set<Int64>) {
        for event in group {
            switch event {
            case .reset(let number): resets.insert(number)
            case .current(let number, _): current.insert(number)
            case .changes(let stamp, let changes, _):
                self.stamp = stamp
                self.changes += changes.map { .init(targets: $0.targets.filter { !leaving.contains($0) }, kind: $0.kind) }
            default: break
            }
        }
        resets.subtract(leaving)
        current.subtract(leaving)
    }
}
