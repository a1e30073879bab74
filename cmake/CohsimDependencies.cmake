# Everything comes from Debian packages (scripts/deps.sh installs them).
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(Catch2 REQUIRED)
find_package(rapidcheck REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(benchmark REQUIRED)
# The C++ build of Lua 5.1: its errors are exceptions, so destructors run.
pkg_check_modules(LUA REQUIRED IMPORTED_TARGET lua5.1-c++)
# The journal on the real engine, over files of ours (sim/sqlite).
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(LIBMD REQUIRED IMPORTED_TARGET libmd)
