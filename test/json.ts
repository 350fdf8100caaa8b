/** A JSON value as `JSON.stringify` takes it: a property that is `undefined` is omitted. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json | undefined };

/** Returns true for an object that is neither null nor an array. */
export function isObject(json: unknown): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** Returns an array as it is, and an empty one for anything else. */
export function listOf(json: unknown): readonly Json[] {
  return isList(json) ? json : [];
}

function isList(json: unknown): json is readonly Json[] {
  return Array.isArray(json);
}
