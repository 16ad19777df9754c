/** @throws for an object that the demo names and that does not exist */
export function present<T>(found: T | undefined, slug: string): T {
  if (found === undefined) throw new Error(`The demo names "${slug}", which does not exist`);
  return found;
}
