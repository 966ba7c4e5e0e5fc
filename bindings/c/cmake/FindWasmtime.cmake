# Finds wasmtime's C API in the folder WASMTIME_DIR, or where the system keeps libraries.
set(WASMTIME_DIR "" CACHE PATH "The folder of wasmtime's C API, with include/wasmtime.h and the library in lib/")
find_path(WASMTIME_INCLUDE_DIR wasmtime.h HINTS ${WASMTIME_DIR}/include)
find_library(WASMTIME_LIBRARY wasmtime HINTS ${WASMTIME_DIR}/lib)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Wasmtime REQUIRED_VARS WASMTIME_LIBRARY WASMTIME_INCLUDE_DIR)

if(Wasmtime_FOUND AND NOT TARGET Wasmtime::Wasmtime)
  find_package(Threads REQUIRED)
  add_library(Wasmtime::Wasmtime UNKNOWN IMPORTED)
  # The library may have no name of its own, and be static: then it needs what Rust's standard library needs.
  set_target_properties(
    Wasmtime::Wasmtime
    PROPERTIES IMPORTED_LOCATION ${WASMTIME_LIBRARY}
               INTERFACE_INCLUDE_DIRECTORIES ${WASMTIME_INCLUDE_DIR}
               INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};$<$<PLATFORM_ID:Linux>:m>")
endif()
