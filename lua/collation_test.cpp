#include "lua/collation.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "lua/script_runner.h"
#include "testing/catch.h"

using namespace cohsim::lua;

TEST_CASE("byte order is always available, a locale that is not says so") {
  CHECK(available("C"));
  CHECK(available("POSIX"));
  CHECK_FALSE(available("xx_NOWHERE.UTF-8"));
  CHECK_FALSE(available(""));
  CHECK_THROWS_AS(Collation("xx_NOWHERE.UTF-8"), std::invalid_argument);
  CHECK_THROWS_AS(Collation(""), std::invalid_argument);
}

TEST_CASE("a guard changes how strings compare while it lives, and nothing else") {
  if (!available("en_US.UTF-8")) {
    const auto folder = std::filesystem::temp_directory_path() / "cohsim_collation_test";
    std::filesystem::create_directories(folder);
    setenv("LOCPATH", folder.c_str(), 1);
    const std::string command = "localedef -i en_US -f UTF-8 " + (folder / "en_US.UTF-8").string() + " >/dev/null 2>&1";
    if (std::system(command.c_str()) != 0 || !available("en_US.UTF-8")) {
      WARN("no en_US.UTF-8 here, and localedef cannot make it: not tested");
      return;
    }
  }
  REQUIRE(std::strcoll("a", "Z") > 0);
  {
    const Collation english("en_US.UTF-8");
    const Collation::Guard guard(english);
    CHECK(std::strcoll("a", "Z") < 0);
    CHECK(std::strtod("0.5", nullptr) == 0.5);
    {
      const Collation bytes("C");
      const Collation::Guard inner(bytes);  // costs nothing: it leaves what it finds
    }
  }
  CHECK(std::strcoll("a", "Z") > 0);
}
