// SPDX-License-Identifier: Apache-2.0

import AccountStore
import Accounts
package import AcrossStores
import AppDirectory
import EventStore
import JSON
import MessageStore
import Messaging
package import Platform

/// Passes on what happened to accounts, within a second: to connected clients, to servers on `$accounts`, and to the devices of ended sessions.
///
/// A failure or a kill repeats the last step, which the stores take once.
package struct AccountRelay: Sendable {
    /// Commits within this time are passed on together.
    private static let pause = Duration.milliseconds(100)
    private static let retry = Duration.seconds(1)
    /// A server that is down for a weekend still learns what happened.
    private static let kept = Timestamp.Span.days(7)

    private let store: Stores
    private let log: Log

    package init(store: Stores, log: Log) {
        (self.store, self.log) = (store, log)
    }

    /// Runs until the task is cancelled or the store closes.
    package func run() async {
        for await _ in store.accounts.hasFollowUps {
            var hasWarned = false
            while !Task.isCancelled {
                do {
                    try await passOn()
                    break
                } catch {
                    if !hasWarned { log.warning("could not pass on events of accounts; retrying every second", ["reason": .text("\(error)")]) }
                    hasWarned = true
                    try? await Task.sleep(for: AccountRelay.retry)
                }
            }
            try? await Task.sleep(for: AccountRelay.pause)
        }
    }

    private func passOn() async throws {
        var done = AccountFollowUps()
        while true {
            let next = try await store.accounts.followUps(after: done)
            if next.isEmpty { return }
            for notice in next.notices where notice.kind.changesTokens { store.accounts.hub.changed(notice.uid, notice.app) }
            let apps = store.events.directory.now.apps
            let messages = next.notices.compactMap { notice in apps[notice.app].map { AccountRelay.message(notice, of: $0) } }
            try await store.messages.follow(messages, releasing: next.endedSessions.map(\.bytes))
            done = next
        }
    }

    private static func message(_ notice: AccountNotice, of app: App) -> AccountMessage {
        var data = JSONWriter()
        data.beginObject()
        data.field("event", notice.kind.rawValue)
        data.field("user_id", notice.uid)
        data.field("method", notice.method)
        data.field("at", notice.time.rfc3339)
        data.endObject()
        let words = notice.kind.rawValue.replacing("_", with: " ")
        let text = ChatText("Account «\(notice.uid)» of «\(app.name)»: \(words) (\(notice.method)).")
        var notification = JSONWriter()
        notification.beginObject()
        notification.field("title", "Signalbox")
        notification.field("body", text.text)
        notification.endObject()
        var draft = MessageDraft(to: .topic(TopicName(.accounts)))
        draft.ttl = kept
        var publication = Publication(draft, notification: notification.bytes, data: data.bytes, text: text)
        // The news of a deletion must reach other servers although the user is erased here.
        let isDeleted = notice.kind == .deleted
        publication.about = isDeleted ? nil : notice.uid
        return AccountMessage(
            seq: notice.seq, time: notice.time, app: app.id, publication: publication, deleted: isDeleted ? notice.uid : nil)
    }
}
