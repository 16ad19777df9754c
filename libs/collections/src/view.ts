import { PERSONAL, REVALIDATED } from '@lyceum/rest';
import type { Representation } from './declaration.js';

type Member = readonly [name: string, read: ((row: never) => unknown) | undefined];

/** Makes objects of the API from rows. The work of finding out how is done once. */
export class View {
  readonly #object: readonly Member[];
  readonly #summary: readonly Member[];
  readonly #representation: Representation<never>;

  constructor(representation: Representation<never>) {
    const { resource, view = {} } = representation;
    const members = (shape: object): Member[] =>
      Object.keys(shape)
        .filter((name) => !(name in resource.expand))
        .map((name) => [name, view[name]]);
    this.#representation = representation;
    this.#object = members(resource.object.shape);
    this.#summary = members(resource.summary.shape);
  }

  object(row: object): Record<string, unknown> {
    return show(row, this.#object);
  }

  summary(row: object): Record<string, unknown> {
    return show(row, this.#summary);
  }

  /** Of a response with one object: its entity tag, and how it may be cached. */
  headers(row: object): Record<string, string> {
    const { etag } = this.#representation;
    return etag === undefined ? this.cache : { ...this.cache, etag: etag(row as never) };
  }

  /** Names of the members of a summary. */
  get columns(): string[] {
    return this.#summary.map(([name]) => name);
  }

  get cache(): Record<string, string> {
    return this.#representation.personal === true ? PERSONAL : REVALIDATED;
  }
}

function show(row: object, members: readonly Member[]): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, read] of members) {
    const value: unknown = read === undefined ? Reflect.get(row, name) : read(row as never);
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown;
}
