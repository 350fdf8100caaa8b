/** What reading a text came to: its value, or what was expected in its place ("a duration such as 15m"). */
export type Fit<Value> = { readonly value: Value } | { readonly expected: string };
