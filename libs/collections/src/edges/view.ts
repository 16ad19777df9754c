import { PERSONAL, REVALIDATED } from '@lyceum/rest';
import type { Reader, Representation } from '../declaration/declaration.js';

type Member = readonly [name: string, read: ((row: never, reader: Reader) => unknown) | undefined];

/** A copy of the blank object has all members already: adding 20 one by one takes twice as long. */
interface Shape {
  readonly blank: Readonly<Record<string, unknown>>;
  readonly members: readonly Member[];
}

/** Makes objects of the API from rows. The work of finding out how is done once. */
export class View {
  readonly #object: Shape;
  readonly #summary: Shape;
  readonly #representation: Representation<never>;

  constructor(representation: Representation<never>) {
    const { resource, view = {} } = representation;
    const shape = (members: object): Shape => {
      const names = Object.keys(members).filter((name) => !(name in resource.expand));
      const blank = Object.fromEntries(names.map((name) => [name, undefined]));
      return { blank, members: names.map((name) => [name, view[name]]) };
    };
    this.#representation = representation;
    this.#object = shape(resource.object.shape);
    this.#summary = shape(resource.summary.shape);
  }

  /** Without a reader, members that depend on one are hidden. */
  object(row: object, reader?: Reader): Record<string, unknown> {
    return show(row, this.#object, reader);
  }

  summary(row: object, reader?: Reader): Record<string, unknown> {
    return show(row, this.#summary, reader);
  }

  /** Returns the headers of a response with one object: entity tag and cache control. */
  headers(row: object, reader?: Reader): Record<string, string> {
    const { etag } = this.#representation;
    return etag === undefined ? this.cache : { ...this.cache, etag: etag(row as never, reader) };
  }

  /** Names of the members of a summary. */
  get columns(): string[] {
    return Object.keys(this.#summary.blank);
  }

  get cache(): Record<string, string> {
    return this.#representation.personal === true ? PERSONAL : REVALIDATED;
  }
}

function show(row: object, { blank, members }: Shape, reader: Reader): Record<string, unknown> {
  const shown = { ...blank };
  for (const [name, read] of members) {
    const value: unknown = read === undefined ? Reflect.get(row, name) : read(row as never, reader);
    shown[name] = value instanceof Date ? value.toISOString() : value;
  }
  return shown;
}
