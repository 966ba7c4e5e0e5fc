// The header in C++.
#include <cstdio>
#include <standin.h>

int main() {
  standin_core *core = nullptr;
  char *version = nullptr;
  standin_error *error = standin_open(nullptr, &core);
  if (!error) error = standin_version(core, &version);
  std::puts(error ? error->message : version);
  standin_free(version);
  standin_close(core);
  return error != nullptr;
}
