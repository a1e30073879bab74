#include "model/points.h"

namespace cohsim {

const std::vector<PointInfo>& all_points() {
  static const std::vector<PointInfo> points{
#define COHSIM_POINT(enumerator, name, text) {Point::enumerator, name, text},
      COHSIM_POINTS(COHSIM_POINT)
#undef COHSIM_POINT
  };
  return points;
}

std::string_view name_of(Point point) { return all_points()[static_cast<std::size_t>(point)].name; }

std::optional<Point> find_point(std::string_view name) {
  for (const PointInfo& info : all_points()) {
    if (info.name == name) return info.point;
  }
  return std::nullopt;
}

}  // namespace cohsim
