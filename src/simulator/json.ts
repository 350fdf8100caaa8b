/** A JSON value as `JSON.stringify` takes it: a property that is `undefined` is omitted. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export type JsonObject = { readonly [key: string]: Json | undefined };

/** Whether it is an object proper, neither null nor an array. */
export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** The array that it is, or an empty one. */
export function listOf(json: Json | undefined): readonly Json[] {
  return isList(json) ? json : [];
}

function isList(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}
