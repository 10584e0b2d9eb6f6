// SPDX-License-Identifier: Apache-2.0

import Platform

/// Sockets of other parts, such as requests to the addresses of functions. Their events come with those of the loop's own connections, so that
/// a request and what it causes need no other thread.
extension EventLoop: SocketLoop {
    struct Guest {
        let owner: any SocketGuest
        let generation: UInt32
    }

    static let guestBit: UInt64 = 1 << 62

    func watch(_ descriptor: Int32, for owner: any SocketGuest) -> Bool {
        let guest = Guest(owner: owner, generation: newGeneration())
        guard poller.add(descriptor, token: EventLoop.token(of: guest, descriptor), .readable) else { return false }
        while guests.count <= Int(descriptor) { guests.append(nil) }
        guests[Int(descriptor)] = guest
        guestCount += 1
        return true
    }

    func watchOutput(_ isWanted: Bool, of descriptor: Int32) {
        guard let guest = guests[Int(descriptor)] else { return }
        poller.change(descriptor, token: EventLoop.token(of: guest, descriptor), isWanted ? .readableOrWritable : .readable)
    }

    func unwatch(_ descriptor: Int32) {
        guard guests.indices.contains(Int(descriptor)), guests[Int(descriptor)] != nil else { return }
        guests[Int(descriptor)] = nil
        guestCount -= 1
        poller.remove(descriptor)
    }

    private static func token(of guest: Guest, _ descriptor: Int32) -> UInt64 {
        guestBit | UInt64(guest.generation) << 32 | UInt64(descriptor)
    }

    func handleGuest(_ event: Poller.Event) {
        let index = Int(Int32(truncatingIfNeeded: event.token))
        let generation = UInt32(truncatingIfNeeded: (event.token & ~EventLoop.guestBit) >> 32)
        // A socket that was closed in this turn may have left an event.
        guard guests.indices.contains(index), let guest = guests[index], guest.generation == generation else { return }
        guest.owner.socketIsReady(toRead: event.isReadable || event.isBroken, toWrite: event.isWritable || event.isBroken)
    }

    func sweepGuests() {
        for index in guests.indices { guests[index]?.owner.timePassed() }
    }

    func endGuests() {
        for index in guests.indices { guests[index]?.owner.loopEnds() }
    }
}
