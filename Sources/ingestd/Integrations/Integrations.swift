// SPDX-License-Identifier: Apache-2.0

/// Every door for clients of other products. A door that is not in this list does not exist.
enum Integrations {
    static let routes: [Route] = GoogleAnalytics.routes + FirebaseMessaging.routes + Sentry.routes + Segment.routes + PostHog.routes
}
