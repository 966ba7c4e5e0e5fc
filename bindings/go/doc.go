// Package standin makes differentially private synthetic tables: a sensitive table in, a stand-in with a guarantee
// out.
//
// A [Core] runs the same code as the npm package, in WebAssembly. The same table, plan, key and seed give the same
// bytes in every language. Private rows exist only in an engine's memory, and never become Go objects.
package standin
