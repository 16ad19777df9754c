import fc from 'fast-check';
import {
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { GraphQLArgument, GraphQLCompositeType, GraphQLField, GraphQLSchema } from 'graphql';

export interface Generated {
  readonly document: string;
  readonly variables: Record<string, unknown>;
}

const ALIASES = 30;
const DEPTH = 8;
const PAGING = new Set(['first', 'after', 'last', 'before']);

/** Documents that are valid by construction: aliases, merged fields, fragments, directives, variables, pages. */
export class DocumentGenerator {
  readonly #fragments: { name: string; type: string; text: string }[] = [];
  readonly #variables = new Map<string, { type: string; value: unknown }>();
  readonly #ambiguous: ReadonlySet<string>;
  #aliases = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly g: fc.GeneratorValue,
    /** Valid cursors of a list. */
    private readonly cursors: (list: string) => readonly string[],
    /** Values of an argument such as id or slug. */
    private readonly values: (argument: string) => readonly string[],
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
    if (kind === 0 || isAbstractType(type)) return this.#fragment(type, depth);
    if (kind === 1) return this.#alias('__typename', false);
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const within = fields.filter((field) => depth + 1 < DEPTH || !isCompositeType(getNamedType(field.type)));
    return within.length === 0 ? '__typename' : this.#field(this.#pick(within), depth);
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const given = field.args.length > 0 && this.#aliases < ALIASES ? this.#arguments(field) : '';
    const needsAlias = this.#ambiguous.has(field.name) || field.args.some(isRequiredArgument);
    if (needsAlias && this.#aliases >= ALIASES) return '__typename';
    const head = `${this.#alias(field.name, given !== '' || needsAlias)}${given}${this.#directive()}`;
    const type = getNamedType(field.type);
    return isCompositeType(type) ? `${head} ${this.#selection(type, depth + 1)}` : head;
  }

  /** Gives fields with arguments unique keys: the same key with other arguments would be invalid. */
  #alias(name: string, needed: boolean): string {
    if (!needed && (this.#aliases >= ALIASES || this.#below(4) > 0)) return `${name}`;
    this.#aliases += 1;
    return `k${this.#aliases}: ${name}`;
  }

  #fragment(type: GraphQLCompositeType, depth: number): string {
    const known = this.#fragments.filter((fragment) => fragment.type === type.name);
    const kind = this.#below(4);
    if (kind === 0 && known.length > 0) return `...${this.#pick(known).name}${this.#directive()}`;
    const on = isAbstractType(type) && kind < 3 ? this.#pick(this.schema.getPossibleTypes(type)) : type;
    if (depth + 1 >= DEPTH || (isAbstractType(type) && on === type)) return '__typename';
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

  #arguments({ name, args }: GraphQLField<unknown, unknown>): string {
    const given = args.flatMap((one) => (PAGING.has(one.name) ? [] : this.#argument(one)));
    if (args.some((one) => PAGING.has(one.name))) given.push(...this.#pageArguments(name));
    return given.length === 0 ? '' : `(${given.join(', ')})`;
  }

  #argument(argument: GraphQLArgument): string[] {
    if (!isRequiredArgument(argument) && this.#below(3) > 0) return [];
    const value = this.#value(argument);
    const type = getNamedType(argument.type);
    const literal = isEnumType(type) ? JSON.stringify(value).replaceAll('"', '') : JSON.stringify(value);
    return [`${argument.name}: ${this.#below(2) === 0 ? literal : this.#variable(String(argument.type), value)}`];
  }

  #value(argument: GraphQLArgument): unknown {
    if (!isRequiredArgument(argument) && this.#below(6) === 0) return null;
    const type = getNamedType(argument.type);
    if (type.name === 'Boolean') return this.#below(2) === 0;
    if (!isEnumType(type)) return this.#pick(this.values(argument.name));
    const { name } = this.#pick(type.getValues());
    return isListType(argument.type) ? [name] : name;
  }

  #pageArguments(list: string): string[] {
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
    return given;
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#variables.size + 1}`;
    this.#variables.set(name, { type, value });
    return `$${name}`;
  }
}

/** Fields whose types differ between the types of a union or interface: under one key they would be invalid. */
function ambiguousFields(schema: GraphQLSchema): Set<string> {
  const members = Object.values(schema.getTypeMap()).flatMap((type) =>
    isAbstractType(type) ? schema.getPossibleTypes(type) : [],
  );
  const fields = members.flatMap((type) => Object.values(type.getFields()));
  const differs = ({ name, type }: GraphQLField<unknown, unknown>): boolean =>
    fields.some((other) => other.name === name && String(other.type) !== String(type));
  return new Set(fields.filter(differs).map(({ name }) => name));
}
