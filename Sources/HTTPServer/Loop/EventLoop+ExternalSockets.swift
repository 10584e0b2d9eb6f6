// SPDX-License-Identifier: Apache-2.0

import Platform

/// Sockets of other modules, such as requests to the addresses of functions. Their events come with those of the loop's own connections, so that
/// a request and what it causes need no other thread.
extension EventLoop: SocketLoop {
    struct WatchedSocket {
        let owner: any ExternalSocket
        let generation: UInt32
    }

    static let externalSocketBit: UInt64 = 1 << 62

    func watch(_ descriptor: Int32, for owner: any ExternalSocket) -> Bool {
        let watched = WatchedSocket(owner: owner, generation: newGeneration())
        guard poller.add(descriptor, token: EventLoop.token(of: watched, descriptor), .readable) else { return false }
        while externalSockets.count <= Int(descriptor) { externalSockets.append(nil) }
        externalSockets[Int(descriptor)] = watched
        externalSocketCount += 1
        return true
    }

    func watchOutput(_ isWanted: Bool, of descriptor: Int32) {
        guard let watched = externalSockets[Int(descriptor)] else { return }
        poller.change(descriptor, token: EventLoop.token(of: watched, descriptor), isWanted ? .readableOrWritable : .readable)
    }

    func unwatch(_ descriptor: Int32) {
        guard externalSockets.indices.contains(Int(descriptor)), externalSockets[Int(descriptor)] != nil else { return }
        externalSockets[Int(descriptor)] = nil
        externalSocketCount -= 1
        poller.remove(descriptor)
    }

    private static func token(of watched: WatchedSocket, _ descriptor: Int32) -> UInt64 {
        externalSocketBit | UInt64(watched.generation) << 32 | UInt64(descriptor)
    }

    func handleExternalSocket(_ event: Poller.Event) {
        let index = Int(Int32(truncatingIfNeeded: event.token))
        let generation = UInt32(truncatingIfNeeded: (event.token & ~EventLoop.externalSocketBit) >> 32)
        // A socket that was closed in this turn may have left an event.
        guard externalSockets.indices.contains(index), let watched = externalSockets[index], watched.generation == generation else { return }
        watched.owner.socketIsReady(toRead: event.isReadable || event.isBroken, toWrite: event.isWritable || event.isBroken)
    }

    func checkTimesOfExternalSockets() {
        for index in externalSockets.indices { externalSockets[index]?.owner.timePassed() }
    }

    func closeExternalSockets() {
        for index in externalSockets.indices { externalSockets[index]?.owner.loopEnds() }
    }
}
