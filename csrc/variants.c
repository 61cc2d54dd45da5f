/* variants.c - which CPU variants this build holds and which this machine can run. */
#include "bitboard.h"
#include "variants.h"

#if BB_X86_VARIANTS

int bb_cpu_count(void) { return 3; }

int bb_cpu_best(void)
{
    if (__builtin_cpu_supports("x86-64-v4"))
        return 2;
    return __builtin_cpu_supports("x86-64-v3") ? 1 : 0;
}

#else

int bb_cpu_count(void) { return 1; }
int bb_cpu_best(void) { return 0; }

#endif

const char *bb_cpu_name(int cpu)
{
    static const char *const names[] = {"baseline", "x86-64-v3", "x86-64-v4"};
    return names[cpu];
}
