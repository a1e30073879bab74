#include "fidelity/comparison.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

#include "fidelity/reply_tree.h"
#include "sim/valkey/config.h"

namespace cohsim::fidelity {

namespace {

/// The reply as text, items in an order of their own: two replies with the same items come out alike.
std::string canonical(const ReplyNode& node, std::size_t group) {
  std::string all{node.kind};
  if (node.items.empty()) return (all += node.text) += '\n';
  if (node.kind == '%') group = 2;
  std::vector<std::string> groups;
  for (std::size_t place = 0; place < node.items.size(); ++place) {
    if (place % group == 0) groups.emplace_back();
    groups.back() += canonical(node.items[place], group);
  }
  std::sort(groups.begin(), groups.end());
  (all += std::to_string(node.items.size())) += '\n';
  for (const std::string& one : groups) all += one;
  return all;
}

bool is_simulated_parameter(std::string_view name) {
  const auto entries = valkey::Config::entries();
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return name == entry.name || name == entry.alias; });
}

/// Pairs of the fake, each of which the real server has too; and what the fake simulates is not left out.
bool within(const ReplyNode& real, const ReplyNode& fake) {
  std::vector<std::string> has;
  for (std::size_t place = 0; place + 1 < real.items.size(); place += 2) {
    const std::string_view name = real.items[place].text;
    const bool told = std::any_of(fake.items.begin(), fake.items.end(), [&](const ReplyNode& item) { return item.text == name; });
    if (!told && is_simulated_parameter(name)) return false;
  }
  for (std::size_t place = 0; place + 1 < real.items.size(); place += 2) {
    has.push_back(canonical(real.items[place], 1) + canonical(real.items[place + 1], 1));
  }
  std::sort(has.begin(), has.end());
  for (std::size_t place = 0; place + 1 < fake.items.size(); place += 2) {
    if (fake.items[place].text == "port") continue;  // each server's own
    const std::string pair = canonical(fake.items[place], 1) + canonical(fake.items[place + 1], 1);
    if (!std::binary_search(has.begin(), has.end(), pair)) return false;
  }
  return true;
}

/// Negative ones are answers of their own (no such key, no deadline).
bool near_numbers(std::string_view real, std::string_view fake, std::int64_t tolerance) {
  std::int64_t one = 0, other = 0;
  std::from_chars(real.data(), real.data() + real.size(), one);
  std::from_chars(fake.data(), fake.data() + fake.size(), other);
  return one < 0 || other < 0 ? one == other : std::llabs(one - other) <= tolerance;
}

/// The same tree, where `leaf` decides of two leaves of one kind and of the leaf before them.
template <typename Leaf>
bool same_tree(const ReplyNode& real, const ReplyNode& fake, std::string_view before, const Leaf& leaf) {
  if (real.kind != fake.kind || real.items.size() != fake.items.size()) return false;
  if (real.items.empty()) return leaf(real, fake, before);
  for (std::size_t place = 0; place < real.items.size(); ++place) {
    if (!same_tree(real.items[place], fake.items[place], place == 0 ? "" : real.items[place - 1].text, leaf)) return false;
  }
  return true;
}

bool same_shape(const ReplyNode& real, const ReplyNode& fake) {
  return same_tree(real, fake, "", [](const ReplyNode& one, const ReplyNode& other, std::string_view) {
    return one.is_null == other.is_null && (one.kind != '-' || one.text == other.text);
  });
}

Verdict compare_nodes(const How& how, const ReplyNode& real, const ReplyNode& fake);

Verdict compare_items(const How& how, const ReplyNode& real, const ReplyNode& fake) {
  if (real.kind != fake.kind || real.items.size() != how.items.size() || fake.items.size() != how.items.size()) {
    return compare_nodes({}, real, fake);
  }
  Verdict all = Verdict::same;
  for (std::size_t place = 0; place < how.items.size() && all != Verdict::differs; ++place) {
    all = std::max(all, compare_nodes(how.items[place], real.items[place], fake.items[place]));
  }
  return all;
}

Verdict compare_nodes(const How& how, const ReplyNode& real, const ReplyNode& fake) {
  if (!how.items.empty()) return compare_items(how, real, fake);
  const auto verdict = [](bool same) { return same ? Verdict::same : Verdict::differs; };
  switch (how.comparison) {
    case Comparison::exact:
      return verdict(same_tree(real, fake, "", [](const ReplyNode& one, const ReplyNode& other, std::string_view) {
        return one.text == other.text;
      }));
    case Comparison::unordered: return verdict(canonical(real, 1) == canonical(fake, 1));
    case Comparison::pairs: return verdict(canonical(real, 2) == canonical(fake, 2));
    case Comparison::near_s:
    case Comparison::near_ms:
      return verdict(same_tree(real, fake, "", [&](const ReplyNode& one, const ReplyNode& other, std::string_view) {
        const std::int64_t tolerance = how.comparison == Comparison::near_s ? 2 : 2000;
        return one.kind == ':' ? near_numbers(one.text, other.text, tolerance) : one.text == other.text;
      }));
    case Comparison::subset: return verdict(real.kind == fake.kind && within(real, fake));
    case Comparison::shape: return verdict(same_shape(real, fake));
    case Comparison::drawn:
      if (canonical(real, 1) == canonical(fake, 1)) return Verdict::same;
      return same_shape(real, fake) ? Verdict::parted : Verdict::differs;
    case Comparison::kind:
      return verdict(real.kind == fake.kind && real.is_null == fake.is_null && (real.kind != '-' || real.text == fake.text));
    case Comparison::channel:
      return verdict(real.kind == fake.kind && real.items.size() == 3 && fake.items.size() == 3 &&
                     real.items[0].text == fake.items[0].text && real.items[1].kind == fake.items[1].kind &&
                     real.items[2].text == fake.items[2].text);
    case Comparison::hello:
      return verdict(same_tree(real, fake, "", [](const ReplyNode& one, const ReplyNode& other, std::string_view before) {
        return before == "id" || one.text == other.text;
      }));
  }
  return Verdict::differs;
}

}  // namespace

Verdict compare(const How& how, std::string_view real, std::string_view fake) {
  if (real == fake) return Verdict::same;
  if (how.items.empty() && how.comparison == Comparison::exact) return Verdict::differs;
  const auto real_tree = parse_reply(real);
  const auto fake_tree = parse_reply(fake);
  return real_tree && fake_tree ? compare_nodes(how, *real_tree, *fake_tree) : Verdict::differs;
}

}  // namespace cohsim::fidelity
