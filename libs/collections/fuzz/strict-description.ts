import { Description } from '../conventions/index.js';
import type { Json } from '../conventions/index.js';

/**
 * The document for comparisons: an object has no member beyond the described ones. For clients the document stays open,
 * so that a later release can add members.
 */
export function strictDescription(document: Json): Description {
  return new Description(closed(document) as Json);
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  const isObject = copy['type'] === 'object' && typeof copy['properties'] === 'object';
  return isObject && copy['additionalProperties'] === undefined ? { ...copy, additionalProperties: false } : copy;
}
