# SPDX-License-Identifier: Apache-2.0

"""Firestore Lite in a page of another origin: it reads, writes and queries documents over REST, as rules allow."""

import json

from daemon import same
from visit import Visit

RULES = """
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{path=**} { allow read, write: if request.auth != null; }
    match /public/{id} { allow get: if true; }
  }
}
"""
VALUES = """
    const sent = {
        none: null, flag: true, whole: 9007199254740991, half: 1.5, text: 'é\\u0000😀', bytes: Bytes.fromUint8Array(new Uint8Array([0, 255])),
        time: new Timestamp(1790000000, 1000), place: new GeoPoint(48.1, -11.5), other: doc(db, 'users/u2'), list: [1, 'a', {b: null}],
        map: {'a.b': {c: [1.5]}}, vector: vector([1, 2.5]),
    };
    await setDoc(doc(db, 'users/u1'), sent);
    const found = (await getDoc(doc(db, 'users/u1'))).data();
    return Object.keys(sent).filter(name => !(sent[name]?.isEqual ? sent[name].isEqual(found[name])
        : sent[name]?.path ? refEqual(sent[name], found[name]) : JSON.stringify(sent[name]) === JSON.stringify(found[name])));
"""
WRITES = """
    const document = doc(db, 'users/u2');
    await setDoc(document, {a: 1, b: {c: 2, d: 3}, list: [1, 2]});
    await setDoc(document, {b: {c: 4}}, {merge: true});
    await updateDoc(document, {'b.d': deleteField(), list: arrayUnion(2, 3), n: increment(5), at: serverTimestamp()});
    await updateDoc(document, {list: arrayRemove(1)});
    const {at, ...rest} = (await getDoc(document)).data();
    const added = await addDoc(collection(db, 'users'), {a: 1});
    await deleteDoc(added);
    const batch = writeBatch(db);
    for (let n = 0; n < 10; n++) batch.set(doc(db, `many/d${n}`), {n, even: n % 2 === 0, tags: [`t${n % 3}`]});
    batch.set(doc(db, 'many/d0/below/x'), {n: 1});
    await batch.commit();
    return [rest, at instanceof Timestamp, added.id.length, (await getDoc(added)).exists()];
"""
QUERIES = """
    const many = collection(db, 'many'), ids = async query => (await getDocs(query)).docs.map(one => one.id).join();
    const numbers = await getAggregate(query(many, where('even', '==', true)), {count: count(), sum: sum('n'), average: average('n')});
    const last = (await getDoc(doc(db, 'many/d7')));
    return [
        await ids(query(many, where('n', '>=', 7), orderBy('n', 'desc'), limit(2))), await ids(query(many, where('tags', 'array-contains', 't0'))),
        await ids(query(many, or(where('n', '==', 1), where('n', 'in', [4, 5])))), await ids(query(many, orderBy('n'), startAfter(last))),
        await ids(query(many, where('n', 'not-in', [0, 1, 2, 3]), limit(3))), await ids(query(collectionGroup(db, 'below'))),
        (await getCount(many)).data().count, numbers.data(),
    ];
"""
TRANSACTIONS = """
    const counter = doc(db, 'counters/c');
    await setDoc(counter, {n: 0});
    const add = () => runTransaction(db, async transaction => {
        const n = (await transaction.get(counter)).data().n;
        transaction.update(counter, {n: n + 1});
    }, {maxAttempts: 20});
    await Promise.all([add(), add(), add()]);
    return (await getDoc(counter)).data().n;
"""


def firestore_lite(browser, site, daemon, name, bundle):
    visit = Visit(browser, site, daemon, "firestore_lite", name, bundle)
    visit.app.set(auth_methods=["anonymous"])
    status, answer = daemon.ask("PUT", "/v1/documents:rules", visit.app.keys["admin"], {"source": RULES})
    assert status == 200, answer
    status, answer = daemon.ask(
        "POST", f"/identitytoolkit.googleapis.com/v1/accounts:signUp?key={visit.app.keys['ingest']}", body={"returnSecureToken": True})
    assert status == 200, answer
    visit.page.run(f"signIn({json.dumps(json.loads(answer)['idToken'])})")

    def ask(script, client="user"):
        return visit.page.run(f"ask('{client}', async (lite, db) => {{ with (lite) {{ return await (async () => {{ {script} }})(); }} }})")

    same(ask(VALUES), [], "values that differ")
    same(ask(WRITES), [{"a": 1, "b": {"c": 4}, "list": [2, 3], "n": 5}, True, 20, False], "writes")
    same(ask(QUERIES), [
        "d9,d8", "d0,d3,d6,d9", "d1,d4,d5", "d8,d9", "d4,d5,d6", "x", 10, {"count": 5, "sum": 20, "average": 4},
    ], "queries")
    same(ask(TRANSACTIONS), 3, "transactions")
    same(ask("await updateDoc(doc(db, 'users/none'), {a: 1})"), "not-found", "an update of nothing")
    same(ask("await getDoc(doc(db, 'users/u1'))", "nobody"), "permission-denied", "a read without a user")
    same(ask("await setDoc(doc(db, 'public/p'), {})", "nobody"), "permission-denied", "a write without a user")
    same(ask("return (await getDoc(doc(db, 'public/p'))).exists()", "nobody"), False, "a read that rules allow everyone")
    visit.page.close()
