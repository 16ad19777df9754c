import { typeOfId } from '#src/schema/global-id.js';
import { argumentOf } from './arguments.js';
import { compileConnection } from './connection.compiler.js';
import { NotCompilable, jsonObject, only } from './json-object.js';
import type { SelectionCompiler } from './json-object.js';
import { JsonText, quote } from './json-text.js';
import type { SelectedField, SelectedObject, Variables } from './selection.js';
import type { FieldSource, Sources } from './sources.js';
import { StatementBuilder } from './statement.js';
import type { Statement } from './statement.js';

/**
 * Compiles a selection to one statement that returns the JSON of the response, key for key.
 *
 * @throws NotCompilable when a field of the selection has no source.
 */
export function compile(object: SelectedObject, from: string, sources: Sources, variables: Variables): Statement {
  return new Compiler(sources, variables, false).compile(object, from);
}

/** The same for resolvers. Objects of a union have their type, which graphql-js needs. */
export function compileTyped(object: SelectedObject, from: string, sources: Sources, variables: Variables): Statement {
  return new Compiler(sources, variables, true).compile(object, from);
}

class Compiler implements SelectionCompiler {
  readonly statement = new StatementBuilder();

  constructor(
    private readonly sources: Sources,
    readonly variables: Variables,
    private readonly typed: boolean,
  ) {}

  compile(object: SelectedObject, from: string): Statement {
    return this.statement.build(this.object(object).toSql(), from);
  }

  object(object: SelectedObject, typed = false): JsonText {
    const compiled = (field: SelectedField): JsonText => {
      const source = this.sources[object.type]?.[field.name];
      if (source === undefined) throw new NotCompilable(`${object.type}.${field.name}`);
      return this.#field(source, field);
    };
    return jsonObject(object, compiled, typed);
  }

  #field(source: FieldSource, field: SelectedField): JsonText {
    switch (source.kind) {
      case 'value':
        this.statement.hasMessages ||= source.message === true;
        this.statement.hasLongTexts ||= source.long === true;
        return new JsonText().expression(this.statement.named(source.json));
      case 'same-row':
        return this.object(only(field));
      case 'one':
        return this.#one(source.from, field);
      case 'node':
        return this.#node(source.from, field);
      case 'list': {
        const item = this.object(only(field)).toSql();
        const from = this.statement.named(source.from);
        const items = `select string_agg(${item}, ',' order by ${source.orderBy}) from ${from}`;
        return new JsonText().constant('[').expression(`coalesce((${items}), '')`).constant(']');
      }
      case 'connection':
        return compileConnection(this, source, field);
    }
  }

  /** Selects the first alternative that has a row. */
  #one(alternatives: Readonly<Record<string, string>>, field: SelectedField): JsonText {
    const typed = this.typed && Object.keys(alternatives).length > 1;
    const rows = field.beneath.map((object) => {
      const from = alternatives[object.type];
      if (from === undefined) throw new NotCompilable(`${field.name} as ${object.type}`);
      return this.#row(object, from, field, typed);
    });
    return new JsonText().expression(`coalesce(${[...rows, quote('null')].join(', ')})`);
  }

  /** Compiles only the type of the id: another type is another shape of the operation. */
  #node(alternatives: Readonly<Record<string, string>>, field: SelectedField): JsonText {
    const type = typeOfId(argumentOf(field, 'id', this.variables));
    const object = field.beneath.find((one) => one.type === type);
    const from = type === undefined ? undefined : alternatives[type];
    if (object === undefined || from === undefined) return new JsonText().constant('null');
    return new JsonText().expression(`coalesce(${this.#row(object, from, field, this.typed)}, ${quote('null')})`);
  }

  #row(object: SelectedObject, from: string, field: SelectedField, typed: boolean): string {
    return `(select ${this.object(object, typed).toSql()} from ${this.statement.ofField(from, field)})`;
  }
}
