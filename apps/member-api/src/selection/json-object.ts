import { TYPE_KEY } from '#src/schema/type-key.js';
import { JsonText } from './json-text.js';
import type { SelectedField, SelectedObject } from './selection.js';
import type { Variables } from './selection.js';
import type { StatementBuilder } from './statement.js';

/** A field that has no source in SQL: the caller has to answer it in another way. */
export class NotCompilable extends Error {}

/** What the compilers of the kinds of fields have of each other. */
export interface SelectionCompiler {
  readonly statement: StatementBuilder;
  /** Coerced; they decide the shape (`first` or `last`), never a value. */
  readonly variables: Variables;
  object(object: SelectedObject): JsonText;
}

/** A JSON object with the keys of the selection; `__typename` is the same in every answer. */
export function jsonObject(object: SelectedObject, field: (field: SelectedField) => JsonText, typed = false): JsonText {
  const json = new JsonText().constant(typed ? `{"${TYPE_KEY}":"${object.type}"` : '{');
  object.fields.forEach((selected, index) => {
    json.constant(`${index === 0 && !typed ? '' : ','}"${selected.key}":`);
    if (selected.name === '__typename') json.constant(`"${object.type}"`);
    else json.append(field(selected));
  });
  return json.constant('}');
}

/** The object type beneath a field that has just one. */
export function only({ beneath, name }: SelectedField): SelectedObject {
  const [object, ...others] = beneath;
  if (object === undefined || others.length > 0) throw new NotCompilable(`${name} is not of one object type`);
  return object;
}
