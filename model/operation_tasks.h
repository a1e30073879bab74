// The operations that a workload draws and a scenario's steps ask for, as tasks of the node that does them. Each ends the
// operation of that number in the registry (0: nobody asked).
#pragma once

#include <cstdint>
#include <string>

#include "model/world.h"

namespace cohsim::operation {

Task<void> put(World& world, Actor node, std::uint16_t table, std::string id, std::string value, std::uint64_t number);
Task<void> fetch(World& world, Actor node, std::uint16_t table, std::string id, std::uint64_t number);
Task<void> invalidate(World& world, Actor node, std::uint16_t table, std::string id, std::uint64_t number);
Task<void> drop_l2(World& world, Actor node, std::uint16_t table, std::string id, std::string version,
                   std::uint64_t number);
Task<void> intend(World& world, Actor node, std::uint16_t table, std::string id, std::string version,
                  std::uint64_t number);
Task<void> replay(World& world, Actor node, std::uint16_t table, std::uint64_t number);
Task<void> compact(World& world, Actor node, std::uint16_t table, std::uint64_t number);
/// A raw command through the node's connection.
Task<void> command(World& world, Actor node, std::vector<std::string> args, std::uint64_t number);
/// A payload enqueued by hand, past the journal.
Task<void> enqueue(World& world, Actor node, std::uint16_t table, std::string payload, std::uint64_t number);

}  // namespace cohsim::operation
