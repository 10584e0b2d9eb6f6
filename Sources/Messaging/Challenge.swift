/// An endpoint that has to prove that it wants messages.
package struct Challenge: Sendable {
    package var registration: Int64
    package var url: String
    /// 1 for the first.
    package var tries: Int

    package init(registration: Int64, url: String, tries: Int) {
        self.registration = registration
        self.url = url
        self.tries = tries
    }
}
