/*
 * Loaded before libc (LD_PRELOAD). Writes down what a process does to the files whose path begins with TRACE_PREFIX, in order and
 * with all data, and breaks the call that it was told to break.
 *
 *   TRACE_PREFIX   which files
 *   TRACE_LOG      where to write; nothing is written down without it
 *   TRACE_AT       which write, truncation or sync of them to break, from 1 on; none without it
 *   TRACE_COUNT    how many from there on, 1 unless told
 *   TRACE_HOW      kill: half of the call is done, then the process dies; EIO, ENOSPC: half of a write is done, then it fails
 *
 * A record: kind (1), result (1, 1 = failed), 2 unused, length of the path (4), offset (8), length of the data (8), path, data.
 * Kinds: o created, w write, t truncate to offset, s sync, u unlink, r rename (data: the new path).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define MAX_FILES 4096

static char *paths[MAX_FILES];
static const char *prefix;
static int log_file = -1;
static long break_at;
static long break_count = 1;
static const char *how = "";
static long calls;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;


__attribute__((constructor)) static void begin(void) {
  prefix = getenv("TRACE_PREFIX");
  const char *log_path = getenv("TRACE_LOG");
  if (log_path != NULL) log_file = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (getenv("TRACE_AT") != NULL) break_at = atol(getenv("TRACE_AT"));
  if (getenv("TRACE_COUNT") != NULL) break_count = atol(getenv("TRACE_COUNT"));
  if (getenv("TRACE_HOW") != NULL) how = getenv("TRACE_HOW");
}

static int is_ours(const char *path) { return prefix != NULL && path != NULL && strncmp(path, prefix, strlen(prefix)) == 0; }

static const char *path_of(int fd) { return fd >= 0 && fd < MAX_FILES ? paths[fd] : NULL; }

static void put(const void *data, size_t length) {
  const char *next = data;
  while (length > 0) {
    long done = syscall(SYS_write, log_file, next, length);
    if (done <= 0) _exit(97);
    next += done;
    length -= (size_t)done;
  }
}

static void note(char kind, int failed, const char *path, uint64_t offset, const void *data, uint64_t length) {
  if (log_file < 0) return;
  unsigned char head[24] = {0};
  uint32_t path_length = (uint32_t)strlen(path);
  head[0] = (unsigned char)kind;
  head[1] = (unsigned char)failed;
  memcpy(head + 4, &path_length, 4);
  memcpy(head + 8, &offset, 8);
  memcpy(head + 16, &length, 8);
  put(head, sizeof head);
  put(path, path_length);
  if (length > 0) put(data, length);
}

/* Acknowledgements are written down but never broken. The map of the log (-shm) is no part of what outlives a power cut. */
static int can_break(const char *path) { return strstr(path, ".acks") == NULL && strstr(path, "-shm") == NULL; }

/* Whether this call is to be broken. */
static int is_broken(const char *path) {
  if (break_at == 0 || !can_break(path)) return 0;
  calls++;
  return calls >= break_at && calls < break_at + break_count;
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static int fail(void) {
  errno = strcmp(how, "ENOSPC") == 0 ? ENOSPC : EIO;
  return -1;
}

static int opened(int fd, const char *path, int is_new) {
  if (fd >= 0 && fd < MAX_FILES && is_ours(path)) {
    pthread_mutex_lock(&lock);
    free(paths[fd]);
    paths[fd] = strdup(path);
    if (is_new) note('o', 0, path, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
  }
  return fd;
}

static int open_any(const char *path, int flags, mode_t mode) {
  int is_new = (flags & O_CREAT) != 0 && is_ours(path) && access(path, F_OK) != 0;
  return opened((int)syscall(SYS_openat, AT_FDCWD, path, flags, mode), path, is_new);
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_any(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0;
  va_end(list);
  return open_any(path, flags, mode);
}

int close(int fd) {
  if (path_of(fd) != NULL) {
    pthread_mutex_lock(&lock);
    free(paths[fd]);
    paths[fd] = NULL;
    pthread_mutex_unlock(&lock);
  }
  return (int)syscall(SYS_close, fd);
}

static ssize_t write_any(int fd, const void *data, size_t length, off_t offset, int has_offset) {
  const char *path = path_of(fd);
  if (path == NULL) return has_offset ? syscall(SYS_pwrite64, fd, data, length, offset) : syscall(SYS_write, fd, data, length);
  pthread_mutex_lock(&lock);
  int broken = is_broken(path);
  size_t wanted = broken ? length / 2 : length;
  off_t at = offset;
  if (!has_offset) {
    struct stat now;
    at = fstat(fd, &now) == 0 && (fcntl(fd, F_GETFL) & O_APPEND) != 0 ? now.st_size : lseek(fd, 0, SEEK_CUR);
  }
  ssize_t done = has_offset ? syscall(SYS_pwrite64, fd, data, wanted, offset) : syscall(SYS_write, fd, data, wanted);
  if (done > 0) note('w', 0, path, (uint64_t)at, data, (uint64_t)done);
  if (broken && strcmp(how, "kill") == 0) die();
  pthread_mutex_unlock(&lock);
  return broken ? fail() : done;
}

ssize_t write(int fd, const void *data, size_t length) { return write_any(fd, data, length, 0, 0); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return write_any(fd, data, length, offset, 1); }
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) { return write_any(fd, data, length, offset, 1); }

static int truncate_any(int fd, off_t length) {
  const char *path = path_of(fd);
  if (path == NULL) return (int)syscall(SYS_ftruncate, fd, length);
  pthread_mutex_lock(&lock);
  int broken = is_broken(path);
  if (broken && strcmp(how, "kill") == 0) die();
  int result = broken ? fail() : (int)syscall(SYS_ftruncate, fd, length);
  if (result == 0) note('t', 0, path, (uint64_t)length, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return truncate_any(fd, length); }
int ftruncate64(int fd, off_t length) { return truncate_any(fd, length); }

static int sync_any(int fd, int call) {
  const char *path = path_of(fd);
  if (path == NULL) return (int)syscall(call, fd);
  pthread_mutex_lock(&lock);
  int broken = is_broken(path);
  if (broken && strcmp(how, "kill") == 0) die();
  /* The disk of the machine has no part in this: the process ends, the machine does not. */
  note('s', broken, path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return broken ? fail() : 0;
}

int fsync(int fd) { return sync_any(fd, SYS_fsync); }
int fdatasync(int fd) { return sync_any(fd, SYS_fdatasync); }

int unlink(const char *path) {
  if (!is_ours(path)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  pthread_mutex_lock(&lock);
  int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (result == 0) note('u', 0, path, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) {
  if (!is_ours(from)) return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  pthread_mutex_lock(&lock);
  int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0) note('r', 0, from, 0, to, (uint64_t)strlen(to));
  pthread_mutex_unlock(&lock);
  return result;
}
