#include "sim/sqlite/vfs.h"

#include <fmt/format.h>

#include <cstring>
#include <new>

#include "sim/random.h"

namespace cohsim::sqlite {

namespace {

// Julian day 0 is 2440587.5 days before 1970.
constexpr std::int64_t julian_ms_at_unix_zero = 210'866'760'000'000;
constexpr int longest_name = 512;
constexpr int sector_size = 4096;

// SQLite's own allocator of settings: to be chosen before anything of SQLite is used in this process.
void configure_once() {
  static const bool done = [] {
    sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_initialize();
    return true;
  }();
  static_cast<void>(done);
}

}  // namespace

void Vfs::note(Operation operation, std::string_view file, std::uint64_t offset, std::uint64_t size) {
  calls_.reads += operation == Operation::read;
  calls_.changes += operation != Operation::read && operation != Operation::open;
  if (operation == Operation::write) calls_.bytes_written += size;
  std::uint64_t name = file.size();
  for (const char c : file) name = name * 131 + static_cast<unsigned char>(c);
  const auto fold = [this](std::uint64_t value) { calls_.digest = mix64(calls_.digest ^ value); };
  fold(static_cast<std::uint64_t>(operation) + 1);
  fold(name);
  fold(offset);
  fold(size);
}

bool Vfs::may_change() {
  if (!freezes_) return true;
  if (changes_left_ == 0) return false;
  --changes_left_;
  return true;
}

int Vfs::sync(const File& file) {
  note(Operation::sync, *file.name, 0, 0);
  if (!may_change()) return SQLITE_IOERR_FSYNC;
  if (sync_to_fail_ != 0 && --sync_to_fail_ == 0) {
    files_.fail_sync(*file.name);
    ++calls_.failed_syncs;
    return SQLITE_IOERR_FSYNC;
  }
  try {
    if (files_.sync(*file.name, faults_, choices_, node_)) return SQLITE_OK;
  } catch (...) {
    thrown_ = std::current_exception();
    return SQLITE_IOERR_FSYNC;
  }
  ++calls_.failed_syncs;
  return SQLITE_IOERR_FSYNC;
}

std::uint64_t Vfs::next_random() {
  random_ += golden_gamma;
  return mix64(random_);
}

int Vfs::map_shared(int region, int size, bool extend, void volatile** where) {
  *where = nullptr;
  if (frozen()) return SQLITE_IOERR_SHMMAP;
  const auto index = static_cast<std::size_t>(region);
  if (index >= shared_.size() && !extend) return SQLITE_OK;
  while (index >= shared_.size()) shared_.push_back(std::make_unique<char[]>(static_cast<std::size_t>(size)));
  *where = shared_[index].get();
  return SQLITE_OK;
}

/// The functions that SQLite calls.
struct Calling {
  static int close(sqlite3_file* file) {
    delete Vfs::of(file).name;
    return SQLITE_OK;
  }
  static int read(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
    const Vfs::File& of = Vfs::of(file);
    if (of.vfs->frozen()) return SQLITE_IOERR_READ;
    const auto wanted = static_cast<std::size_t>(size);
    of.vfs->note(Vfs::Operation::read, *of.name, static_cast<std::uint64_t>(offset), wanted);
    const std::size_t got =
        of.vfs->files_.read(*of.name, static_cast<std::size_t>(offset), {static_cast<char*>(into), wanted});
    if (got == wanted) return SQLITE_OK;
    std::memset(static_cast<char*>(into) + got, 0, wanted - got);
    return SQLITE_IOERR_SHORT_READ;
  }
  static int write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
    const Vfs::File& of = Vfs::of(file);
    of.vfs->note(Vfs::Operation::write, *of.name, static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(size));
    if (!of.vfs->may_change()) return SQLITE_IOERR_WRITE;
    of.vfs->files_.write(*of.name, static_cast<std::size_t>(offset),
                         {static_cast<const char*>(from), static_cast<std::size_t>(size)});
    return SQLITE_OK;
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    const Vfs::File& of = Vfs::of(file);
    of.vfs->note(Vfs::Operation::truncate, *of.name, 0, static_cast<std::uint64_t>(size));
    if (!of.vfs->may_change()) return SQLITE_IOERR_TRUNCATE;
    of.vfs->files_.truncate(*of.name, static_cast<std::size_t>(size));
    return SQLITE_OK;
  }
  static int sync(sqlite3_file* file, int) { return Vfs::of(file).vfs->sync(Vfs::of(file)); }
  static int size(sqlite3_file* file, sqlite3_int64* size) {
    const Vfs::File& of = Vfs::of(file);
    if (of.vfs->frozen()) return SQLITE_IOERR_FSTAT;
    *size = static_cast<sqlite3_int64>(of.vfs->files_.size(*of.name));
    return SQLITE_OK;
  }
  static int lock(sqlite3_file* file, int) { return Vfs::of(file).vfs->frozen() ? SQLITE_IOERR_LOCK : SQLITE_OK; }
  static int unlock(sqlite3_file*, int) { return SQLITE_OK; }
  static int reserved(sqlite3_file*, int* answer) {
    *answer = 0;
    return SQLITE_OK;
  }
  static int control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
  static int sector(sqlite3_file*) { return sector_size; }
  static int device(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }
  static int shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** where) {
    return Vfs::of(file).vfs->map_shared(region, size, extend != 0, where);
  }
  static int shm_lock(sqlite3_file* file, int, int, int) {
    return Vfs::of(file).vfs->frozen() ? SQLITE_IOERR_SHMLOCK : SQLITE_OK;
  }
  static void shm_barrier(sqlite3_file*) {}
  static int shm_unmap(sqlite3_file* file, int) {
    Vfs::of(file).vfs->shared_.clear();
    return SQLITE_OK;
  }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    static constexpr sqlite3_io_methods methods{2,        close,       read,      write,   truncate, sync,   size,
                                                lock,     unlock,      reserved,  control, sector,   device, shm_map,
                                                shm_lock, shm_barrier, shm_unmap, nullptr, nullptr};
    Vfs& self = Vfs::of(vfs);
    file->pMethods = nullptr;
    if (name == nullptr || self.frozen()) return SQLITE_CANTOPEN;  // temporary files stay in memory, never here
    if ((flags & SQLITE_OPEN_CREATE) == 0 && !self.files_.exists(name)) return SQLITE_CANTOPEN;
    self.note(Vfs::Operation::open, name, 0, 0);
    Vfs::File& opened = *new (file) Vfs::File{};
    opened.base.pMethods = &methods;
    opened.vfs = &self;
    opened.name = new std::string(name);
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
  }
  static int remove(sqlite3_vfs* vfs, const char* name, int) {
    Vfs& self = Vfs::of(vfs);
    self.note(Vfs::Operation::remove, name, 0, 0);
    if (!self.may_change()) return SQLITE_IOERR_DELETE;
    if (!self.files_.exists(name)) return SQLITE_IOERR_DELETE_NOENT;
    self.files_.remove(name);
    return SQLITE_OK;
  }
  static int access(sqlite3_vfs* vfs, const char* name, int, int* answer) {
    Vfs& self = Vfs::of(vfs);
    *answer = 0;
    if (self.frozen()) return SQLITE_IOERR_ACCESS;
    *answer = self.files_.size(name) != 0;  // as on Unix, an empty file is none
    return SQLITE_OK;
  }
  static int full_name(sqlite3_vfs*, const char* name, int room, char* into) {
    const std::size_t size = std::strlen(name) + 1;
    if (size > static_cast<std::size_t>(room)) return SQLITE_CANTOPEN;
    std::memcpy(into, name, size);
    return SQLITE_OK;
  }
  static int randomness(sqlite3_vfs* vfs, int size, char* into) {
    for (int i = 0; i < size; ++i) into[i] = static_cast<char>(Vfs::of(vfs).next_random());
    return size;
  }
  static int sleep(sqlite3_vfs*, int us) { return us; }
  static int now_ms(sqlite3_vfs* vfs, sqlite3_int64* answer) {
    *answer = Vfs::of(vfs).unix_ms_ + julian_ms_at_unix_zero;
    return SQLITE_OK;
  }
  static int now_days(sqlite3_vfs* vfs, double* answer) {
    sqlite3_int64 ms = 0;
    now_ms(vfs, &ms);
    *answer = static_cast<double>(ms) / 86'400'000.0;
    return SQLITE_OK;
  }
  static int last_error(sqlite3_vfs*, int, char*) { return 0; }
};

Vfs::Vfs(FileStore& files, Choices& choices, Actor node, std::uint64_t seed)
    : files_(files), choices_(choices), node_(node), random_(seed) {
  configure_once();
  static std::uint64_t opened = 0;
  name_ = fmt::format("cohsim-{}", ++opened);  // never reaches a trace: SQLite's list of operating systems wants names
  describe();
  sqlite3_vfs_register(&vfs_, 1);
  sqlite3_randomness(0, nullptr);  // begins anew, with the bytes of the default: ours
}

Vfs::~Vfs() { sqlite3_vfs_unregister(&vfs_); }

void Vfs::describe() {
  vfs_.iVersion = 2;
  vfs_.szOsFile = sizeof(File);
  vfs_.mxPathname = longest_name;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = Calling::open;
  vfs_.xDelete = Calling::remove;
  vfs_.xAccess = Calling::access;
  vfs_.xFullPathname = Calling::full_name;
  vfs_.xRandomness = Calling::randomness;
  vfs_.xSleep = Calling::sleep;
  vfs_.xCurrentTime = Calling::now_days;
  vfs_.xGetLastError = Calling::last_error;
  vfs_.xCurrentTimeInt64 = Calling::now_ms;
}

void Vfs::freeze_after(std::uint64_t changes) {
  freezes_ = true;
  changes_left_ = changes;
}

Vfs::Calls Vfs::take_calls() {
  const Calls calls = calls_;
  calls_ = {};
  return calls;
}

void Vfs::rethrow() {
  if (!thrown_) return;
  const std::exception_ptr thrown = thrown_;
  thrown_ = nullptr;
  std::rethrow_exception(thrown);
}

}  // namespace cohsim::sqlite
