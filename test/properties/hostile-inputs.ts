/**
 * Number of inputs that each property tries of what the API could send. A million takes minutes:
 * `HOSTILE_INPUTS=1000000 npx vitest run --project properties test/properties/api.test.ts test/properties/labels.test.ts`
 */
export const HOSTILE_INPUTS = Number(process.env['HOSTILE_INPUTS'] ?? 1_500);
