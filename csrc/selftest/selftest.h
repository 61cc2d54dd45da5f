/* selftest.h - what the self-tests share: a check that says where it failed, and the tests of other files. */
#ifndef BITBOARD_SELFTEST_H
#define BITBOARD_SELFTEST_H

#include <stddef.h>
#include <stdio.h>

/* 1 if the condition holds, else 0 and a line that says which one did not. */
#define EXPECT(condition) \
    ((condition) ? 1 : (printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), 0))

/* A topic: run() is the number of its failures. */
struct selftest {
    const char *topic;
    int (*run)(void);
};

int selftest_batch(void);
int selftest_encode(void);
int selftest_grid(void);
int selftest_env(void);
int selftest_play(void);
int selftest_sliding(void); /* 0 if all is well, as all of these */
int selftest_search(void);
int selftest_network(void);
int selftest_threads(void);
int selftest_at_once(const struct selftest *tests, size_t count); /* all of these in several threads, and more */

#endif
