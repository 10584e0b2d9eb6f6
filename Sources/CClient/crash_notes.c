// SPDX-License-Identifier: Apache-2.0

#include "crash.h"

#include <stdatomic.h>
#include <string.h>

// Each note has two slots: the current one, and the one being written. A crash during a write finds a complete note.
struct note {
    enum csignalbox_record kind;
    uint32_t room;
    uint8_t *places[2];
    uint32_t counts[2];
    atomic_int current;
};

#define PLACES(name, size) static uint8_t name##_first[size], name##_second[size]
#define NOTE(kind, name) {kind, sizeof name##_first, {name##_first, name##_second}, {0, 0}, 0}

PLACES(app, 8 << 10);
PLACES(session, 512);
PLACES(user, 4 << 10);
PLACES(named, 4 << 10);
PLACES(values, 160 << 10);

static struct note notes[] = {
    NOTE(CSIGNALBOX_APP, app),          NOTE(CSIGNALBOX_SESSION, session), NOTE(CSIGNALBOX_USER, user),
    NOTE(CSIGNALBOX_NAMED_USER, named), NOTE(CSIGNALBOX_VALUES, values),
};
enum { NOTES = sizeof notes / sizeof notes[0] };

// A ring of log lines; a line being written is not part of the reported range.
enum { RING = 128 << 10, REPORTED = 64000, LONGEST = 32 << 10 };
static uint8_t ring[RING];
static atomic_ullong ring_end;

void csignalbox_crash_note(enum csignalbox_record kind, const uint8_t *bytes, size_t count) {
    for (int i = 0; i < NOTES; i++) {
        struct note *note = &notes[i];
        if (note->kind != kind || crash_is_written()) continue;
        int other = !atomic_load(&note->current);
        if (count > note->room) count = 0;
        if (count > 0) memcpy(note->places[other], bytes, count);
        note->counts[other] = (uint32_t)count;
        atomic_store(&note->current, other);
    }
}

void csignalbox_crash_log(const uint8_t *bytes, size_t count) {
    if (crash_is_written()) return;
    if (count > LONGEST) count = LONGEST;
    unsigned long long end = atomic_load(&ring_end);
    for (size_t i = 0; i < count; i++) ring[end++ % RING] = bytes[i];
    ring[end++ % RING] = '\n';
    atomic_store(&ring_end, end);
}

void crash_notes_clear(void) {
    for (int i = 0; i < NOTES; i++) csignalbox_crash_note(notes[i].kind, NULL, 0);
    atomic_store(&ring_end, 0);
}

static void write_log(void) {
    unsigned long long end = atomic_load(&ring_end);
    size_t count = end < REPORTED ? (size_t)end : REPORTED;
    size_t start = (size_t)((end - count) % RING);
    size_t straight = count < RING - start ? count : RING - start;
    crash_file_record(CSIGNALBOX_LOG, count);
    crash_file_put(ring + start, straight);
    crash_file_put(ring, count - straight);
}

void crash_notes_write(void) {
    for (int i = 0; i < NOTES; i++) {
        int current = atomic_load(&notes[i].current);
        crash_file_record(notes[i].kind, notes[i].counts[current]);
        crash_file_put(notes[i].places[current], notes[i].counts[current]);
    }
    write_log();
}
