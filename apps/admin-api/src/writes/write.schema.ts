import { z } from 'zod';

/**
 * The 200 of a write: the object, or the part of it that a dry run, or a caller without the read scope, gets.
 * @param id the name of the part in the document, such as `CoursePart`
 */
export function wholeOrPart<View extends z.ZodObject>(view: View, id: string) {
  const part = view.partial().extend({
    dry_run: z.literal(true).optional().meta({ description: 'Nothing was changed: the object as it would be' }),
    ...('id' in view.shape
      ? { id: z.uuid().nullable().meta({ description: 'null of an object that a dry run would create' }) }
      : {}),
  });
  return z.union([view, part.meta({ id })]);
}
