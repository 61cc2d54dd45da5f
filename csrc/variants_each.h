/* variants_each.h - include the file that BB_LOOPS names once for each CPU variant. No guard. */
#define BB_PASTE_(name, suffix) name##_##suffix
#define BB_PASTE(name, suffix) BB_PASTE_(name, suffix)
#define VARIANT(name) BB_PASTE(name, BB_SUFFIX)

#define BB_SUFFIX baseline
#include BB_LOOPS
#undef BB_SUFFIX

#if BB_X86_VARIANTS
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define BB_SUFFIX v3
#include BB_LOOPS
#undef BB_SUFFIX
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4")
#define BB_SUFFIX v4
#include BB_LOOPS
#undef BB_SUFFIX
#pragma GCC pop_options
#endif

#undef VARIANT
#undef BB_PASTE
#undef BB_PASTE_
