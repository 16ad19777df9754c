import { z } from 'zod';
import type { OperatorApi } from './operator-api.js';

const API = '/api/v1';

/** Posts and announcements of a demo school, as the operator API takes them. */
const CONTENT = [
  {
    collection: 'posts',
    external_id: 'post-welcome',
    publish: true,
    body: {
      slug: 'welcome',
      title: 'Welcome to the school',
      body_html: '<p>Courses, events and a workbook are open for you.</p>',
      excerpt: 'Courses, events and a workbook are open for you.',
      tags: ['news'],
      // Too old to notify members.
      published_at: '2026-01-05T08:00:00Z',
    },
  },
  {
    collection: 'posts',
    external_id: 'post-winter-term',
    publish: false,
    body: { slug: 'winter-term', title: 'The winter term', access_type: 'login_required' },
  },
  {
    collection: 'announcements',
    external_id: 'announcement-holiday',
    publish: false,
    body: { title: 'Closed on Monday', body: 'It is a holiday.' },
  },
] as const;

const object = z.object({ id: z.uuid(), state: z.string(), created_at: z.string(), updated_at: z.string() });
const listed = z.object({ data: z.array(object) });

/** Creates the posts and announcements that are missing, and publishes those that no operator has changed. */
export async function importPosts(api: OperatorApi): Promise<void> {
  for (const { collection, external_id, publish, body } of CONTENT) {
    const path = `${API}/${collection}`;
    const [known] = listed.parse((await api.send('GET', `${path}?external_id=${external_id}`)).body).data;
    const found =
      known ?? object.parse((await api.send('PUT', `${path}/by_external_id/${external_id}`, { body })).body);
    const isNew = found.state === 'draft' && found.updated_at === found.created_at;
    if (publish && isNew) await api.send('POST', `${path}/${found.id}/publish`);
  }
}
