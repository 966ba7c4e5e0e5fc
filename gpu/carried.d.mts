import type { Plugin } from "esbuild";

export function carriedWgsl(path: string): string;
export const carriedCode: Plugin;
