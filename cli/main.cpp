#include "cli/command.h"

int main(int argc, char** argv) { return cohsim::to_int(cohsim::cli::run_command_line(argc, argv)); }
