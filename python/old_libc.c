/*
 * What libapsp calls and glibc 2.28 has no symbols for: before 2.33 the calls of stat were inline,
 * by functions that newer versions still have for old programs. In builds for GPUs libstdc++ uses
 * arc4random (2.36) and __libc_single_threaded (2.32). Linked into the wheel's library.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__
#define OLDEST "GLIBC_2.2.5"
enum { STAT_VERSION = 1 };
#else
#define OLDEST "GLIBC_2.17"
enum { STAT_VERSION = 0 };
#endif

int old_stat(int version, const char *path, struct stat *status);
int old_lstat(int version, const char *path, struct stat *status);
int old_fstat(int version, int file, struct stat *status);
int old_fstatat(int version, int folder, const char *path, struct stat *status, int flags);
__asm__(".symver old_stat, __xstat@" OLDEST);
__asm__(".symver old_lstat, __lxstat@" OLDEST);
__asm__(".symver old_fstat, __fxstat@" OLDEST);
__asm__(".symver old_fstatat, __fxstatat@"
#ifdef __x86_64__
        "GLIBC_2.4"
#else
        OLDEST
#endif
);

int stat(const char *restrict path, struct stat *restrict status)
{
    return old_stat(STAT_VERSION, path, status);
}

int lstat(const char *restrict path, struct stat *restrict status)
{
    return old_lstat(STAT_VERSION, path, status);
}

int fstat(int file, struct stat *status)
{
    return old_fstat(STAT_VERSION, file, status);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags)
{
    return old_fstatat(STAT_VERSION, folder, path, status, flags);
}

uint32_t arc4random(void)
{
    uint32_t number;
    if (getentropy(&number, sizeof number) != 0)
        abort();
    return number;
}

/* Never: it only saves libstdc++ some atomic operations. */
char __libc_single_threaded = 0;
