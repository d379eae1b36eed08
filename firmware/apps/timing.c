/* Operand timing, for a real board: does the time of an instruction depend on what it works on? Each instruction in a chain of
 * dependent ones, for 24 pairs of operands, several times; the lab judges the log. Without a cycle counter (an emulator) there is
 * nothing to time, and the log says so.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A chain feeds each result into the next operand in a way that leaves the operand as it was (x ^ r ^ r), so that the pair stays the
 * pair and no two instructions overlap. Arguments: "steps" counts steps of the chain where a cycle counter would count cycles: a dry
 * run of the log's path. */
#include "board.h"
#include "log.h"

#define CHAIN       64
#define REPETITIONS 16

/* Zero, ones, either side of 8 and 16 bits, small negatives, asymmetric pairs in both orders. */
static const uint32_t pairs[24][2] = {
    {0x00000000, 0x00000000}, {0x00000001, 0x00000001}, {0xFFFFFFFF, 0xFFFFFFFF}, {0x000000FF, 0x000000FF}, {0x00000100, 0x00000100},
    {0x0000FFFF, 0x0000FFFF}, {0x00010000, 0x00010000}, {0x7FFFFFFF, 0x7FFFFFFF}, {0x80000000, 0x80000000}, {0xFFFFFFFE, 0xFFFFFFFE},
    {0xFFFFFF80, 0xFFFFFF80}, {0xFFFF8000, 0xFFFF8000}, {0x00000000, 0xFFFFFFFF}, {0xFFFFFFFF, 0x00000000}, {0x00000001, 0x7FFFFFFF},
    {0x7FFFFFFF, 0x00000001}, {0x000000FF, 0x12345678}, {0x12345678, 0x000000FF}, {0x0000FFFF, 0x12345678}, {0x12345678, 0x0000FFFF},
    {0x007FE001, 0x00000001}, {0x00000001, 0x007FE001}, {0xA5A5A5A5, 0x5A5A5A5A}, {0x5A5A5A5A, 0xA5A5A5A5},
};

/* Runs CHAIN steps of one instruction on (a, b); returns something that depends on all of them. */
typedef uint32_t chain(uint32_t a, uint32_t b);

#if defined(__riscv)
#define STEP_MUL  "mul %0, %1, %2\n"
#define STEP_MULH "mulh %0, %1, %2\n"
#define STEP_DIVU "divu %0, %1, %2\n"
#define KEEP      "xor %1, %1, %0\nxor %1, %1, %0\n"
#else
#define STEP_MUL    "mul %0, %1, %2\n"
#define STEP_SMULL  "smull %0, %3, %1, %2\n"
#define STEP_UDIV   "udiv %0, %1, %2\n"
#define STEP_SMMULR "smmulr %0, %1, %2\n"
#define KEEP        "eor %1, %1, %0\neor %1, %1, %0\n"
#endif

#define CHAIN_OF(name, step, set_bits)                                                                                                     \
    static uint32_t name(uint32_t a, uint32_t b)                                                                                           \
    {                                                                                                                                      \
        uint32_t r = 0, high = 0;                                                                                                          \
        b |= (set_bits); /* a division by zero traps */                                                                                    \
        for (unsigned i = 0; i < CHAIN / 8; i++)                                                                                           \
            __asm__ volatile(step KEEP step KEEP step KEEP step KEEP step KEEP step KEEP step KEEP step KEEP                               \
                             : "+&r"(r), "+&r"(a), "+&r"(b), "+&r"(high));                                                                 \
        return r ^ a ^ high;                                                                                                               \
    }

#if defined(__riscv)
CHAIN_OF(chain_mul, STEP_MUL, 0)
CHAIN_OF(chain_mulh, STEP_MULH, 0)
CHAIN_OF(chain_divu, STEP_DIVU, 1)
#elif __ARM_ARCH >= 7 || defined(__ARM_ARCH_8M_MAIN__)
CHAIN_OF(chain_mul, STEP_MUL, 0)
CHAIN_OF(chain_smull, STEP_SMULL, 0)
CHAIN_OF(chain_udiv, STEP_UDIV, 1)
#if defined(__ARM_FEATURE_DSP)
CHAIN_OF(chain_smmulr, STEP_SMMULR, 0)
#endif
#else
static uint32_t chain_mul(uint32_t a, uint32_t b)
{
    uint32_t r = a;

    for (unsigned i = 0; i < CHAIN; i++) /* v6-M multiplies in place: the operand is copied back each time */
        __asm__ volatile("mov %0, %1\n mul %0, %2\n" : "+&l"(r), "+&l"(a) : "l"(b));
    return r;
}
#endif

/* Montgomery's product modulo q, as the NTT does it: a chain of what matters most. */
static uint32_t chain_montgomery(uint32_t a, uint32_t b)
{
    int32_t x = (int32_t)a;

    for (unsigned i = 0; i < CHAIN; i++) {
        int64_t product = (int64_t)x * (int32_t)b;
        int32_t t = (int32_t)((uint32_t)product * 0xFC7FDFFFu); /* -q^-1 modulo 2^32 */

        x = (int32_t)((product + (int64_t)t * 8380417) >> 32) ^ (int32_t)a;
        __asm__ volatile("" : "+r"(x));
    }
    return (uint32_t)x;
}

static const struct {
    const char *name;
    chain *run;
} chains[] = {
    {"mul", chain_mul},
#if defined(__riscv)
    {"mulh", chain_mulh},
    {"divu", chain_divu},
#elif __ARM_ARCH >= 7 || defined(__ARM_ARCH_8M_MAIN__)
    {"smull", chain_smull},
    {"udiv", chain_udiv},
#if defined(__ARM_FEATURE_DSP)
    {"smmulr", chain_smmulr},
#endif
#endif
    {"montgomery", chain_montgomery},
};

int main(void)
{
    volatile uint32_t sink = 0;
    char text[64];
    const char *p = text;
    int dry;

    board_arguments(text, sizeof text);
    while (*p != 0 && *p != ' ')
        p++;
    dry = p[0] == ' ' && p[1] == 's';
    log_begin();
    log_text("app", "timing");
    log_text("target", APP_BOARD);
    log_end();
    for (unsigned c = 0; c < sizeof chains / sizeof chains[0]; c++)
        for (uint32_t pair = 0; pair < 24; pair++)
            for (unsigned repetition = 0; repetition <= REPETITIONS; repetition++) {
                uint32_t start = board_cycles(), cycles;

                sink ^= chains[c].run(pairs[pair][0], pairs[pair][1]);
                cycles = dry ? CHAIN : board_cycles() - start;
                if (repetition == 0) /* warms the caches and the prefetch buffer */
                    continue;
                if (cycles == 0)
                    log_exit("no cycle counter");
                log_begin();
                log_text("timing", chains[c].name);
                log_number("pair", pair);
                log_number("a", pairs[pair][0]);
                log_number("b", pairs[pair][1]);
                log_number("chain", CHAIN);
                log_number("cycles", cycles);
                log_end();
            }
    log_exit("ok");
}
