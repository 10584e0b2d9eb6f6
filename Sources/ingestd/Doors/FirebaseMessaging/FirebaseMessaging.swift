/// Messages and topics as Firebase's server SDKs send and manage them.
enum FirebaseMessaging {
    static let routes: [Route] = []
}
