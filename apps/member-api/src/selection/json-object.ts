import { TYPE_KEY } from '#src/schema/type-key.js';
import { JsonText } from './json-text.js';
import type { SelectedField, SelectedObject } from './selection.js';
import type { Variables } from './selection.js';
import type { StatementBuilder } from './statement.js';

/** Thrown for a field without a source in SQL; a resolver has to serve it. */
export class NotCompilable extends Error {}

/** The interface between the compilers of the kinds of fields. */
export interface SelectionCompiler {
  readonly statement: StatementBuilder;
  /** Coerced. They decide the shape (`first` or `last`), never a value. */
  readonly variables: Variables;
  object(object: SelectedObject): JsonText;
}

/** Compiles a JSON object with the keys of the selection; `__typename` is a constant. */
export function jsonObject(object: SelectedObject, field: (field: SelectedField) => JsonText, typed = false): JsonText {
  const json = new JsonText().constant(typed ? `{"${TYPE_KEY}":"${object.type}"` : '{');
  object.fields.forEach((selected, index) => {
    json.constant(`${index === 0 && !typed ? '' : ','}"${selected.key}":`);
    if (selected.name === '__typename') json.constant(`"${object.type}"`);
    else json.append(field(selected));
  });
  return json.constant('}');
}

/** The object type of a field with exactly one. */
export function only({ beneath, name }: SelectedField): SelectedObject {
  const [object, ...others] = beneath;
  if (object === undefined || others.length > 0) throw new NotCompilable(`${name} is not of one object type`);
  return object;
}
