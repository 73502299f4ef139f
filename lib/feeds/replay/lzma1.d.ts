// The package gives its TypeScript source for types, which our stricter settings would check along with our own.
export function decompress(data: Uint8Array): Uint8Array;
export function compress(data: Uint8Array): Uint8Array;
