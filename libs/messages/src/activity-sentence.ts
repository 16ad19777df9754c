import { activity } from './en/activity.js';
import { listOf } from './formats.js';
import { say } from './messages.js';

interface Change {
  /** The name of the member who made it; null when it is unknown. */
  readonly name: string | null;
  /** The type of the event, such as `course.published`. */
  readonly action: string;
  readonly object_type: string;
  readonly changed_fields: readonly string[];
}

const isKey = (key: string): key is keyof typeof activity => Object.hasOwn(activity, key);

/**
 * The sentence of a change in the language of the reader, with the names of the changed fields of an update. Undefined
 * for an act or object of another release.
 */
export function activitySentence({ name, action, object_type, changed_fields }: Change): string | undefined {
  const act = `activity_act.${action.slice(action.indexOf('.') + 1)}` as const;
  const object = `activity_object.${object_type}` as const;
  if (!isKey(act) || !isKey(object)) return undefined;
  const sentence = say(act, {
    name: name === null ? say('activity.unknown') : say('audit.name', { name }),
    object: say(object),
  });
  if (act !== 'activity_act.updated' || changed_fields.length === 0) return sentence;
  return say('activity.fields', { sentence, fields: listOf(changed_fields) });
}
