// Preloaded into a redis-server (LD_PRELOAD): its wall clock can be put forward or back, and its fsync made slow, while it runs.
//
// Redis expires keys by the wall clock, so a step of it is a fault that locks must survive, and one that no signal and no proxy can
// inflict. Orders come through a small file that is mapped into memory: reading them asks nothing of the operating system.
//
// Only raw system calls: jemalloc asks for the time while it is being set up, and dlsym may allocate, which would call jemalloc again
// (the reason why libfaketime does not work with redis-server).

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if __SIZEOF_LONG__ != 8
#error "needs a 64-bit system, where the kernel's struct timespec is the C library's"
#endif

// The layout of the control file; server-shim.ts writes it.
struct control {
  int64_t clock_offset_ms, fsync_delay_ms;
  int64_t loaded_by;  // process id, written here: a fault that was never inflicted must not pass for one that was survived
};

static struct control none;
static volatile struct control *control = &none;  // before `load` has run the time is told as it is

__attribute__((constructor)) static void load(void) {
  const char *path = getenv("REDLOCK_SHIM_CONTROL");
  int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *map = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map == MAP_FAILED) return;
  control = map;
  control->loaded_by = getpid();
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  if (syscall(SYS_clock_gettime, clock, at) != 0) return -1;
  if (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE) return 0;
  int64_t offset_ms = control->clock_offset_ms;
  at->tv_sec += offset_ms / 1000;
  at->tv_nsec += offset_ms % 1000 * 1000000;
  if (at->tv_nsec >= 1000000000) at->tv_sec += 1, at->tv_nsec -= 1000000000;
  if (at->tv_nsec < 0) at->tv_sec -= 1, at->tv_nsec += 1000000000;
  return 0;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  *at = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME_COARSE, &now) != 0) return -1;
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}

// In slices, so that a disk that is well again keeps nobody waiting for the delay of before.
static int sync_slowly(long call, int file) {
  struct timespec since, now, slice = {.tv_nsec = 2000000};
  clock_gettime(CLOCK_MONOTONIC, &since);
  for (now = since; (now.tv_sec - since.tv_sec) * 1000 + (now.tv_nsec - since.tv_nsec) / 1000000 < control->fsync_delay_ms;
       clock_gettime(CLOCK_MONOTONIC, &now))
    nanosleep(&slice, NULL);
  return syscall(call, file);
}

int fsync(int file) { return sync_slowly(SYS_fsync, file); }

int fdatasync(int file) { return sync_slowly(SYS_fdatasync, file); }
