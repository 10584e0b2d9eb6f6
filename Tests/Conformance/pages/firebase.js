// SPDX-License-Identifier: Apache-2.0
// Loads Firebase's SDK from the folder of the bundle that the address names. Users sign in at the daemon.

const asked = Object.fromEntries(new URLSearchParams(location.search));
const folder = "/bundles/" + asked.bundle.replace(/[^/]*$/, "");

const load = source => new Promise((done, failed) => {
    const script = document.createElement("script");
    [script.src, script.onload, script.onerror] = [source, done, failed];
    document.head.append(script);
});

// Loads the SDK's base, the other builds and the bundle, in this order.
async function start(options, others = []) {
    for (const name of ["firebase-app-compat.js", ...others]) await load(folder + name);
    await load("/bundles/" + asked.bundle);
    firebase.initializeApp({apiKey: asked.key, ...options});
    firebase.auth().useEmulator(asked.daemon, {disableWarnings: true});
    await new Promise(done => { const stop = firebase.auth().onAuthStateChanged(() => { stop(); done(); }); });
}
