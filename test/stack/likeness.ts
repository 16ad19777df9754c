/** A value of JSON. */
type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };
export type JsonObject = { readonly [name: string]: Value };

const FORMS = {
  id: /^(?:[0-9a-f]{8}-[0-9a-f]{4}-|org_)/,
  instant: /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/,
  address: /^https?:\/\//,
} as const;

/** Texts that differ in each installation: only their form is compared. */
const formOf = (text: string): string | undefined => Object.entries(FORMS).find(([, form]) => form.test(text))?.[0];

/** Numbers in these members are prices, which the demo fixes. All others are counts and measures. */
const PRICES = /\.(?:price|compare_at_price|discount|unit_amount_minor|total_minor)(?:\.amount_minor)?$/;

const isObject = (value: Value): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
const isEmpty = (value: Value): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * The members in which an example is not like an object of the demo: words and prices that differ, and members that
 * the example lacks. A member that is empty in the demo may have a value in the example, which shows its form.
 */
export function differences(example: Value, seen: Value, at = ''): string[] {
  if (isEmpty(seen) || at.endsWith('.metadata')) return [];
  if (isObject(example) && isObject(seen)) {
    return Object.entries(seen).flatMap(([name, value]) => {
      const own = example[name];
      return own === undefined ? [`${at}.${name} is missing`] : differences(own, value, `${at}.${name}`);
    });
  }
  if (isList(example) && isList(seen)) return example.flatMap((one) => nearest(one, seen, `${at}[]`));
  if (typeof example === 'string' && typeof seen === 'string') {
    const isAlike = example === seen || (formOf(seen) !== undefined && formOf(example) === formOf(seen));
    return isAlike ? [] : [`${at}: ${example}, in the demo ${seen}`];
  }
  // An instant or an address that the example leaves out, such as that of a revocation.
  if (example === null && typeof seen === 'string' && formOf(seen) !== undefined) return [];
  if (typeof example !== typeof seen) return [`${at}: ${JSON.stringify(example)}, in the demo ${JSON.stringify(seen)}`];
  return typeof seen === 'number' && PRICES.test(at) && example !== seen
    ? [`${at}: ${JSON.stringify(example)}, in the demo ${seen}`]
    : [];
}

/** The differences from the object that is most alike. */
export function nearest(example: Value, seen: readonly Value[], at = ''): string[] {
  const all = seen.map((one) => differences(example, one, at)).toSorted((a, b) => a.length - b.length);
  return all[0] ?? [`${at} is not in the demo`];
}

/** All texts of a value. */
export function textsOf(value: Value): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
