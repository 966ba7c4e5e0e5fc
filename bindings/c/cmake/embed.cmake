# Writes the two modules as arrays of a C file, which all compilers read.
# cmake -D WASM=<folder of the modules> -D OUTPUT=<file> -P embed.cmake
set(text "#include <stddef.h>\n\n")
foreach(module standin-core engine)
  string(REPLACE "standin-" "" name ${module})
  file(READ ${WASM}/${module}.wasm bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes ${bytes})
  string(APPEND text "extern const unsigned char standin_${name}_wasm[];\n")
  string(APPEND text "extern const size_t standin_${name}_wasm_length;\n")
  string(APPEND text "const unsigned char standin_${name}_wasm[] = {${bytes}};\n")
  string(APPEND text "const size_t standin_${name}_wasm_length = sizeof standin_${name}_wasm;\n\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
