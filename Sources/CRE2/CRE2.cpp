// SPDX-License-Identifier: Apache-2.0

#include "CRE2.h"

#include <new>
#include <re2/re2.h>
#include <vector>

struct sbre_pattern {
    re2::RE2 expression;

    sbre_pattern(re2::StringPiece text, const re2::RE2::Options &options) : expression(text, options) {}
};

extern "C" {

sbre_pattern *sbre_compile(const char *pattern, size_t length, int64_t memory) {
    re2::RE2::Options options;
    options.set_max_mem(memory);
    options.set_log_errors(false);
    auto *made = new (std::nothrow) sbre_pattern(re2::StringPiece(pattern, length), options);
    if (made != nullptr && !made->expression.ok()) {
        delete made;
        return nullptr;
    }
    return made;
}

void sbre_free(sbre_pattern *pattern) { delete pattern; }

int sbre_matches(const sbre_pattern *pattern, const char *text, size_t length) {
    return re2::RE2::FullMatch(re2::StringPiece(text, length), pattern->expression);
}

int sbre_groups(const sbre_pattern *pattern) { return pattern->expression.NumberOfCapturingGroups(); }

int sbre_size(const sbre_pattern *pattern) { return pattern->expression.ProgramSize(); }

int sbre_find(const sbre_pattern *pattern, const char *text, size_t length, size_t start, long *bounds, int count) {
    std::vector<re2::StringPiece> found(static_cast<size_t>(count));
    if (!pattern->expression.Match(re2::StringPiece(text, length), start, length, re2::RE2::UNANCHORED, found.data(), count)) return 0;
    for (int index = 0; index < count; ++index) {
        const auto &piece = found[static_cast<size_t>(index)];
        bounds[2 * index] = piece.data() == nullptr ? -1 : piece.data() - text;
        bounds[2 * index + 1] = piece.data() == nullptr ? -1 : piece.data() - text + static_cast<long>(piece.size());
    }
    return 1;
}
}
