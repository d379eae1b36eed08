/* A counter of faults for devices: how often a computation failed its own check. A port (core/ports), not part of the freestanding
 * core.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A checked signature that fails its check (GIRIH_FAULT) is either a defect or an attack by induced faults, which needs many tries; a
 * device that counts them can stop before there were enough. An attempt budget that ran out (GIRIH_ATTEMPTS) is neither and is not
 * counted. */
#ifndef GIRIH_FAULT_H
#define GIRIH_FAULT_H

#include "girih.h"

#ifdef __cplusplus
extern "C" {
#endif

/* To be written by the product: the counter in memory that survives a reset and that an attacker cannot set back (a monotonic counter,
 * fuses, flash). Anything but GIRIH_OK means that it could not be read or written. */
GIRIH_MUST_USE girih_status girih_fault_read(uint32_t *count);
GIRIH_MUST_USE girih_status girih_fault_write(uint32_t count);

/* 1 while fewer than limit faults are on record; 0 from then on, and when the counter cannot be read. Ask before using a key. */
GIRIH_MUST_USE int girih_fault_below(uint32_t limit);

/* The status of an operation, passed through. GIRIH_FAULT is recorded first; the count saturates. A fault that cannot be
 * recorded is returned all the same. */
GIRIH_MUST_USE girih_status girih_fault_noted(girih_status status);

#ifdef __cplusplus
}
#endif
#endif
