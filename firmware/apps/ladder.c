/* The Keccak ladder: forms of Keccak-f[1600], each between its own marks and checked with the permutation of the zero state.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "backend/keccak.h"
#include "board.h"
#include "log.h"
#include "mark.h"
#include "stack.h"

/* What the lab writes: 64-bit lanes converted at each call, words that stay interleaved, and the same with early parity. */
void ladder_converted(uint64_t lane[25]);
void ladder_interleaved(uint32_t word[50]);
void ladder_early_parity(uint32_t word[50]);

MARK_DEFINE(girih_begin_plain)
MARK_DEFINE(girih_begin_converted)
MARK_DEFINE(girih_begin_interleaved)
MARK_DEFINE(girih_begin_parity)
MARK_DEFINE(girih_begin_lazy)
MARK_DEFINE(girih_begin_small)
MARK_DEFINE(girih_begin_four)
MARK_DEFINE(girih_begin_block)
MARK_DEFINE(girih_end)

/* Lane 0 after one and after two permutations of the zero state. */
static const uint8_t answers[2][8] = {
    {0xE7, 0xDD, 0xE1, 0x40, 0x79, 0x8F, 0x25, 0xF1},
    {0x3C, 0xCB, 0x6E, 0xF9, 0x4D, 0x95, 0x5C, 0x2D},
};

static girih_sha3 states[4];
static girih_sha3 *const four[4] = {&states[0], &states[1], &states[2], &states[3]};

static void check(const char *name, int interleaved, unsigned round, uint32_t stack)
{
    uint8_t lane[168];

    if (interleaved)
        keccak_extract_bytes_c32(states, 0, lane, 8);
    else
        keccak_extract_bytes_c(states, 0, lane, 8);
    if (!girih_equal(lane, answers[round], 8))
        log_exit(name);
    log_begin();
    log_text("op", name);
    log_number("i", round);
    log_number("stack", stack);
    log_end();
}

#define CLIMB(name, interleaved, statement)                                                                                                \
    for (unsigned round = 0; round < 2; round++) {                                                                                         \
        const uint8_t *here = stack_here();                                                                                                \
        if (round == 0)                                                                                                                    \
            girih_wipe(states, sizeof states);                                                                                             \
        stack_paint(here);                                                                                                                 \
        girih_begin_##name();                                                                                                              \
        statement;                                                                                                                         \
        girih_end();                                                                                                                       \
        check(#name, interleaved, round, stack_used(here));                                                                                \
    }

int main(void)
{
    static uint8_t block[168];

    stack_take();
    log_begin();
    log_text("app", "ladder");
    log_text("target", APP_BOARD);
    log_text("compiler", APP_COMPILER);
    log_text("flags", APP_FLAGS);
    log_number("hardening", APP_HARDENING);
    log_end();
    CLIMB(plain, 0, keccak_permute_c(states))
    CLIMB(converted, 0, ladder_converted(states->state.lane))
    CLIMB(interleaved, 1, ladder_interleaved(states->state.word))
    CLIMB(parity, 1, ladder_early_parity(states->state.word))
    CLIMB(lazy, 1, keccak_permute_c32(states))
    CLIMB(small, 1, keccak_permute_c32_small(states))
    CLIMB(four, 1, keccak_permute_all_c32(four, 4))
    CLIMB(block, 1, (keccak_permute_c32(states), keccak_extract_bytes_c32(states, 0, block, sizeof block)))
    log_exit("ok");
}
