import fc from 'fast-check';
import { getNamedType, isCompositeType, isObjectType, isUnionType } from 'graphql';
import type { GraphQLCompositeType, GraphQLField, GraphQLSchema } from 'graphql';

export interface Generated {
  readonly document: string;
  readonly variables: Record<string, unknown>;
}

const ALIASES = 30;
const DEPTH = 8;

/** Documents that are valid by construction: aliases, merged fields, fragments, directives, variables, pages. */
export class DocumentGenerator {
  readonly #fragments: { name: string; type: string; text: string }[] = [];
  readonly #variables = new Map<string, { type: string; value: unknown }>();
  readonly #ambiguous: ReadonlySet<string>;
  #aliases = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly g: fc.GeneratorValue,
    /** Cursors of a list that are good, to begin a page at. */
    private readonly cursors: (list: string) => readonly string[],
  ) {
    this.#ambiguous = ambiguousFields(schema);
  }

  generate(): Generated {
    const query = this.schema.getQueryType();
    if (!query) throw new Error('There is no query');
    const body = this.#selection(query, 0);
    const variables = [...this.#variables];
    const declared = variables.map(([name, { type }]) => `$${name}: ${type}`).join(', ');
    const fragments = this.#fragments.map(({ name, type, text }) => `fragment ${name} on ${type} ${text}`);
    return {
      document: [`query Q${declared === '' ? '' : `(${declared})`} ${body}`, ...fragments].join('\n'),
      variables: Object.fromEntries(variables.map(([name, { value }]) => [name, value])),
    };
  }

  #below(limit: number): number {
    return this.g(fc.nat, { max: limit - 1 });
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#below(list.length)] as T;
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const items = Array.from({ length: 1 + this.#below(5) }, () => this.#item(type, depth));
    return `{ ${items.join(' ')} }`;
  }

  #item(type: GraphQLCompositeType, depth: number): string {
    const kind = this.#below(10);
    if (kind === 0 || isUnionType(type)) return this.#fragment(type, depth);
    if (kind === 1) return this.#alias('__typename', false);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const within = fields.filter((field) => depth + 1 < DEPTH || !isCompositeType(getNamedType(field.type)));
    return within.length === 0 ? '__typename' : this.#field(this.#pick(within), depth);
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args.length > 0 && this.#aliases < ALIASES ? this.#pageArguments(field.name) : '';
    const ambiguous = this.#ambiguous.has(field.name);
    if (ambiguous && this.#aliases >= ALIASES) return '__typename';
    const head = `${this.#alias(field.name, given !== '' || ambiguous)}${given}${this.#directive()}`;
    const type = getNamedType(field.type);
    return isCompositeType(type) ? `${head} ${this.#selection(type, depth + 1)}` : head;
  }

  /** Fields with arguments always get a key of their own: the same key with other arguments would be invalid. */
  #alias(name: string, needed: boolean): string {
    if (!needed && (this.#aliases >= ALIASES || this.#below(4) > 0)) return `${name}`;
    this.#aliases += 1;
    return `k${this.#aliases}: ${name}`;
  }

  #fragment(type: GraphQLCompositeType, depth: number): string {
    const known = this.#fragments.filter((fragment) => fragment.type === type.name);
    const kind = this.#below(4);
    if (kind === 0 && known.length > 0) return `...${this.#pick(known).name}${this.#directive()}`;
    const on = isUnionType(type) && kind < 3 ? this.#pick(type.getTypes()) : type;
    if (depth + 1 >= DEPTH || (isUnionType(type) && on === type)) return '__typename';
    const text = this.#selection(on, depth);
    if (kind === 1) return `... ${this.#directive()} ${on === type ? text : `{ ... on ${on.name} ${text} }`}`;
    if (kind === 2) return `... on ${on.name} ${this.#directive()} ${text}`;
    const name = `F${this.#fragments.length + 1}`;
    this.#fragments.push({ name, type: on.name, text });
    return `...${name}${this.#directive()}`;
  }

  #directive(): string {
    if (this.#below(6) > 0) return '';
    const name = this.#pick(['include', 'skip']);
    const value = this.#below(2) === 0;
    const condition = this.#below(3) === 0 ? String(value) : this.#variable('Boolean!', value);
    return ` @${name}(if: ${condition})`;
  }

  #pageArguments(list: string): string {
    const given: string[] = [];
    const size = 1 + this.#below(6);
    const end = this.#pick(['first', 'first', 'last', undefined]);
    if (end !== undefined) given.push(`${end}: ${this.#below(2) === 0 ? size : this.#variable('Int', size)}`);
    if (end === 'first' && this.#below(3) === 0) given.push(`last: ${this.#variable('Int', null)}`);
    for (const argument of ['after', 'before'] as const) {
      if (this.#below(3) > 0) continue;
      const cursors = this.cursors(list);
      const cursor = cursors.length === 0 || this.#below(5) === 0 ? null : this.#pick(cursors);
      given.push(`${argument}: ${this.#below(2) === 0 ? JSON.stringify(cursor) : this.#variable('String', cursor)}`);
    }
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#variables.size + 1}`;
    this.#variables.set(name, { type, value });
    return `$${name}`;
  }
}

/** Fields that types of one union have as different types: under one key they would be invalid. */
function ambiguousFields(schema: GraphQLSchema): Set<string> {
  const members = Object.values(schema.getTypeMap()).flatMap((type) => (isUnionType(type) ? type.getTypes() : []));
  const fields = members.flatMap((type) => Object.values(type.getFields()));
  const differs = ({ name, type }: GraphQLField<unknown, unknown>): boolean =>
    fields.some((other) => other.name === name && String(other.type) !== String(type));
  return new Set(fields.filter(differs).map(({ name }) => name));
}
