import { isObject } from '@lyceum/platform';

/** A secret in the body of a response. The first response shows it; JSON of logs and stored responses has null. */
export class ShownOnce {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toJSON(): null {
    return null;
  }

  /** Returns the body with the text of its secrets. */
  static reveal(body: unknown): unknown {
    if (!isObject(body) || !Object.values(body).some((value) => value instanceof ShownOnce)) return body;
    return Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, value instanceof ShownOnce ? value.#text : value]),
    );
  }
}
