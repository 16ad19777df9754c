type Makers = Readonly<Record<string, () => unknown>>;
type Made<M extends Makers> = { readonly [Name in keyof M]: ReturnType<M[Name]> };

/**
 * Adds members that are made at their first use. Most schemas of a service are not used between two starts, and all of
 * them take a third of a start and megabytes. A spread reads, and so makes, all members: see `copyOf`.
 */
export function withLazy<T extends object, const M extends Makers>(target: T, makers: M): T & Made<M> {
  for (const [name, make] of Object.entries(makers)) {
    let made: { readonly value: unknown } | undefined;
    const get = (): unknown => (made ??= { value: make() }).value;
    Object.defineProperty(target, name, { get, enumerable: true, configurable: true });
  }
  return target as T & Made<M>;
}

/** `{ ...source, ...members }`, which shares the members of the source that are not made yet. */
export function copyOf<T extends object, const M extends object = object>(
  source: T,
  members?: M,
): Omit<T, keyof M> & M {
  const parts = [source, members ?? {}].map((part) => Object.getOwnPropertyDescriptors(part));
  return Object.defineProperties({}, Object.assign({}, ...parts) as PropertyDescriptorMap) as Omit<T, keyof M> & M;
}
