/**
 * Builds one SQL expression that concatenates a JSON text from constant pieces and from expressions. Measured on the
 * responses of this service it costs less than `json_build_object` (which looks up types per argument and row). It has
 * no limit of 100 arguments and writes no blanks.
 */
export class JsonText {
  readonly #parts: { readonly constant: boolean; text: string }[] = [];

  /** A constant piece of JSON. */
  constant(text: string): this {
    const last = this.#parts.at(-1);
    if (last?.constant === true) last.text += text;
    else this.#parts.push({ constant: true, text });
    return this;
  }

  /** An expression that yields JSON text and is never NULL: one NULL would make the whole text NULL. */
  expression(sql: string): this {
    this.#parts.push({ constant: false, text: sql });
    return this;
  }

  append(other: JsonText): this {
    for (const { constant, text } of other.#parts) {
      if (constant) this.constant(text);
      else this.expression(text);
    }
    return this;
  }

  toSql(): string {
    const parts = this.#parts.map(({ constant, text }) => (constant ? quote(text) : `(${text})`));
    return parts.length === 0 ? "''" : parts.join(' || ');
  }
}

/** A string literal (`standard_conforming_strings` is on: a backslash is a backslash). */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
