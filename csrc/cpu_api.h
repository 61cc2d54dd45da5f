/* cpu_api.h - the CPU variants that this build holds. Read by cdef() too, see bulk_api.h. */

/* variants.c */
int bb_cpu_count(void);              /* how many variants this build holds */
int bb_cpu_best(void);               /* the last one that this machine can run */
const char *bb_cpu_name(int cpu);    /* "baseline", "x86-64-v3", ... */
