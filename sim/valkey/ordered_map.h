// A map that remembers the order in which its keys came.
#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace cohsim::valkey {

/// Keys in order of insertion, as a listpack keeps them; found in O(log n). A key set again keeps its place.
template <class T>
class OrderedMap {
 public:
  struct Entry {
    std::string key;
    T value;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  using Order = std::list<Entry>;
  using const_iterator = typename Order::const_iterator;

  OrderedMap() = default;
  OrderedMap(const OrderedMap& other) : order_(other.order_) { index(); }
  OrderedMap(OrderedMap&& other) noexcept = default;
  OrderedMap& operator=(OrderedMap other) noexcept {
    order_.swap(other.order_);
    places_.swap(other.places_);
    return *this;
  }
  ~OrderedMap() = default;

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] bool empty() const { return order_.empty(); }
  [[nodiscard]] const_iterator begin() const { return order_.begin(); }
  [[nodiscard]] const_iterator end() const { return order_.end(); }

  [[nodiscard]] const T* find(std::string_view key) const {
    const auto place = places_.find(key);
    return place == places_.end() ? nullptr : &place->second->value;
  }
  [[nodiscard]] bool contains(std::string_view key) const { return places_.find(key) != places_.end(); }

  /// True where the key is new.
  bool set(std::string_view key, T value) {
    const auto place = places_.find(key);
    if (place != places_.end()) {
      place->second->value = std::move(value);
      return false;
    }
    order_.push_back({std::string(key), std::move(value)});
    places_.emplace(order_.back().key, std::prev(order_.end()));
    return true;
  }
  /// False where there is no such key. `key` may be the entry's own.
  bool erase(std::string_view key) {
    const auto place = places_.find(key);
    if (place == places_.end()) return false;
    const auto entry = place->second;
    places_.erase(place);
    order_.erase(entry);
    return true;
  }
  void clear() {
    places_.clear();
    order_.clear();
  }
  /// The entry at a place in the order, below `size()`; O(n).
  [[nodiscard]] const Entry& at(std::size_t place) const {
    return *std::next(order_.begin(), static_cast<std::ptrdiff_t>(place));
  }

  friend bool operator==(const OrderedMap& one, const OrderedMap& other) { return one.order_ == other.order_; }

 private:
  void index() {
    for (auto entry = order_.begin(); entry != order_.end(); ++entry) places_.emplace(entry->key, entry);
  }

  Order order_;
  std::map<std::string_view, typename Order::iterator> places_;  ///< views of the entries' own keys
};

}  // namespace cohsim::valkey
