/** A folder with wasmtime's C API. Throws where it cannot be downloaded. */
export function wasmtimeFolder(): string;
