/* What `girih bench` asks of C: calls in a loop (race.c), and how this binary was built (build.c).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef GIRIH_CORE_RACE_H
#define GIRIH_CORE_RACE_H

#include "binding.h"

/* Add run_calls and c_functions to the module, where the machine allows. 0, or -1 with an exception set. */
int girih_race_add(PyObject *module);

/* Add build_info. 0, or -1 with an exception set. */
int girih_build_add(PyObject *module);

#endif
