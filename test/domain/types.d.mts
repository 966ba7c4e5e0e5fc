type Field = Readonly<Record<string, unknown>>;
type Stating = (field: Field, values: readonly unknown[], value: unknown) => Field;

export const TYPES: readonly (readonly [field: Field, values: readonly unknown[], strays: readonly unknown[]])[];
export const FACTS: Readonly<Record<string, readonly [stating: Stating, code: string]>>;
export function shown(value: unknown): string;
