/* Preloaded, ends a process where it reads or writes beyond a tensor on the CPU, or in one that was freed.

   Tensors are what is allocated with posix_memalign (c10::alloc_cpu, torch 2.5 to 2.13). Each gets pages of its own that
   end at a page nobody may touch; its end is there but for what alignment leaves. Addresses are not used again. Where
   room or mappings run out, memory comes from where it always does. Linux; needs nothing but libc. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROOM ((size_t)1 << 40)

static char *arena;
static uint32_t *pages_of; /* by the first page of each allocation */
static size_t page, next_page = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*real_free)(void *);
static int (*real_memalign)(void **, size_t, size_t);
static void *(*real_realloc)(void *, size_t);

__attribute__((constructor)) static void begin(void) {
  real_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
  real_memalign = (int (*)(void **, size_t, size_t))dlsym(RTLD_NEXT, "posix_memalign");
  real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
  page = (size_t)sysconf(_SC_PAGESIZE);
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *room = mmap(NULL, ROOM, PROT_NONE, flags, -1, 0);
  void *table = mmap(NULL, ROOM / page * sizeof(uint32_t), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (room != MAP_FAILED && table != MAP_FAILED) {
    pages_of = table;
    arena = room;
  }
}

static int ours(const void *pointer) {
  return arena != NULL && (const char *)pointer >= arena && (const char *)pointer < arena + ROOM;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  if (real_memalign == NULL)
    begin();
  if (arena == NULL || size == 0 || alignment > page || size > ROOM / 16)
    return real_memalign(out, alignment, size);
  size_t whole = (size + alignment - 1) / alignment * alignment;
  size_t pages = (whole + page - 1) / page;
  pthread_mutex_lock(&lock);
  size_t first = next_page;
  int fits = first + pages + 1 < ROOM / page;
  if (fits)
    next_page += pages + 1;
  pthread_mutex_unlock(&lock);
  if (!fits || mprotect(arena + first * page, pages * page, PROT_READ | PROT_WRITE) != 0)
    return real_memalign(out, alignment, size);
  pages_of[first] = (uint32_t)pages;
  *out = arena + (first + pages) * page - whole;
  return 0;
}

static size_t first_page(const void *pointer) { return (size_t)((const char *)pointer - arena) / page; }

void free(void *pointer) {
  if (!ours(pointer)) {
    if (real_free == NULL)
      real_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    real_free(pointer);
    return;
  }
  int before = errno;
  size_t first = first_page(pointer), size = pages_of[first] * page;
  madvise(arena + first * page, size, MADV_DONTNEED);
  mprotect(arena + first * page, size, PROT_NONE);
  errno = before;
}

void *realloc(void *pointer, size_t size) {
  if (!ours(pointer)) {
    if (real_realloc == NULL)
      real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    return real_realloc(pointer, size);
  }
  size_t first = first_page(pointer);
  size_t had = (size_t)(arena + (first + pages_of[first]) * page - (char *)pointer);
  void *made = malloc(size);
  if (made != NULL) {
    memcpy(made, pointer, had < size ? had : size);
    free(pointer);
  }
  return made;
}
