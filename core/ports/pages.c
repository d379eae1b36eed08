/* Pages for secrets on POSIX systems and on Windows.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#if defined(__linux__)
#define _GNU_SOURCE /* MADV_DONTDUMP */
#endif
#include "girih/pages.h"

#if defined(_WIN32)

#include <windows.h>

static size_t page_size(void)
{
    SYSTEM_INFO info;

    GetSystemInfo(&info);
    return info.dwPageSize;
}

static void *map(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
}

static void unmap(void *base, size_t size)
{
    (void)size;
    (void)VirtualFree(base, 0, MEM_RELEASE);
}

static int lock_pages(void *base, size_t size)
{
    return VirtualLock(base, size) != 0;
}

size_t girih_pages_lock_limit(void)
{
    SIZE_T minimum, maximum;

    return GetProcessWorkingSetSize(GetCurrentProcess(), &minimum, &maximum) ? minimum : SIZE_MAX;
}

#else

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if !defined(MAP_ANONYMOUS)
#define MAP_ANONYMOUS MAP_ANON
#endif

static size_t page_size(void)
{
    long size = sysconf(_SC_PAGESIZE);

    return size > 0 ? (size_t)size : 4096;
}

static void *map(size_t size)
{
    void *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (base == MAP_FAILED)
        return NULL;
#if defined(MADV_DONTDUMP)
    (void)madvise(base, size, MADV_DONTDUMP); /* refused by old kernels: then the pages are dumped, as all others */
#elif defined(MADV_NOCORE)
    (void)madvise(base, size, MADV_NOCORE);
#endif
    return base;
}

static void unmap(void *base, size_t size)
{
    (void)munmap(base, size);
}

static int lock_pages(void *base, size_t size)
{
    return mlock(base, size) == 0;
}

size_t girih_pages_lock_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > SIZE_MAX)
        return SIZE_MAX;
    return (size_t)limit.rlim_cur;
}

#endif

girih_pages girih_pages_take(size_t size, int lock)
{
    const girih_pages none = {NULL, 0, 0};
    size_t page = page_size();
    girih_pages pages;

    if (size > SIZE_MAX - page)
        return none;
    pages.size = (size + page - 1) / page * page;
    pages.base = map(pages.size);
    if (pages.base == NULL)
        return none;
    pages.locked = lock ? lock_pages(pages.base, pages.size) : 0;
    return pages;
}

void girih_pages_give(const girih_pages *pages)
{
    girih_wipe(pages->base, pages->size);
    unmap(pages->base, pages->size); /* unlocks, too */
}
