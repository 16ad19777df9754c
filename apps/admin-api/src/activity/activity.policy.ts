interface Change {
  /** The name of the member who made it, if known. */
  readonly name: string | null;
  readonly action: string;
  readonly object_type: string;
  readonly changed_fields: readonly string[];
}

/** Objects that a site or a student has one of, or no plural of. */
const NOUNS: Readonly<Record<string, string>> = {
  appearance: 'the appearance of the site',
  progress: 'the progress of a student',
  school: 'the settings of the school',
};

const words = (name: string): string => name.replaceAll('_', ' ');

function nounOf(type: string): string {
  return NOUNS[type] ?? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${words(type)}`;
}

/** The change in a sentence. It names the changed fields of an update only: other actions say what changes. */
export function summaryOf({ name, action, object_type, changed_fields: fields }: Change): string {
  const verb = words(action.slice(action.indexOf('.') + 1));
  const details = verb === 'updated' && fields.length > 0 ? ` (${fields.map(words).join(', ')})` : '';
  return `${name ?? 'An unknown member'} ${verb} ${nounOf(object_type)}${details}`;
}
