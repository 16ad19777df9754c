import { ApiError } from '@lyceum/errors';
import { preparedQuery } from '@lyceum/platform';
import type { EntityManager } from 'typeorm';

/**
 * Objects of the site that another object names by one member. The deletion of a category or a lecturer locks the row
 * for an update, and so waits for a key share. The deletion of a course takes a weaker lock first.
 */
const OBJECTS = {
  course_id: { one: 'course', text: 'select 1 from courses where site_id = $1 and id = $2 for share' },
  category_id: { one: 'category', text: 'select 1 from categories where site_id = $1 and id = $2 for key share' },
  author_id: { one: 'lecturer', text: 'select 1 from lecturers where site_id = $1 and id = $2 for key share' },
  membership_plan_id: {
    one: 'membership plan that is or was for sale',
    // A draft can be deleted, and has no subscriptions.
    text: `select 1 from membership_plans where site_id = $1 and id = $2 and state <> 'draft' for key share`,
  },
} as const;
type Member = keyof typeof OBJECTS;

export type References = { readonly [K in Member]?: string | null | undefined };

/**
 * Keeps the named objects until the transaction ends.
 *
 * @throws `validation_failed` for an object that the site does not have
 */
export async function requireReferences(
  tx: EntityManager,
  { site_id }: { readonly site_id: string },
  named: References,
): Promise<void> {
  for (const [member, { one, text }] of Object.entries(OBJECTS)) {
    const id = named[member as Member];
    if (id === undefined || id === null) continue;
    const [found] = await preparedQuery(tx, { name: `references_${member}`, text }, [site_id, id]);
    if (found !== undefined) continue;
    throw new ApiError('validation_failed', `This site has no such ${one}`, {
      errors: [{ pointer: `/${member}`, code: 'not_found', detail: `The id of a ${one} of this site` }],
    });
  }
}
