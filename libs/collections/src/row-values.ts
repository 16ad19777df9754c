import type { Within } from './store-declaration.js';

/** Returns the values of a unique key. Undefined: one is missing, so that no other row can have them. */
export function keyOf<Row>(unique: string | readonly string[], values: object): Within<Row> | undefined {
  const key = [unique].flat().map((name): [string, unknown] => [name, Reflect.get(values, name) ?? undefined]);
  return key.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(key) as Within<Row>);
}

/** Fields that a change names, without those that the store itself sets. */
export function fieldsOf(changes: object): string[] {
  return Object.keys(changes).filter((field) => field !== 'revision' && field !== 'updated_at');
}
