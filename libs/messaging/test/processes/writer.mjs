import 'reflect-metadata';
import { courseEvents } from '@lyceum/contracts';
import { Outbox } from '../../dist/index.js';
import { start } from './start.mjs';

/** Commits events of one course, from the first version to the last; says each version after its commit. */
const [first, last] = process.argv.slice(2).map(Number);
const app = await start('admin-api');
const outbox = app.get(Outbox, { strict: false });
for (let version = first; version <= last; version += 1) {
  await outbox.transaction((manager) =>
    outbox.add(manager, courseEvents, 'updated', {
      aggregate_id: 'the-course',
      aggregate_version: version,
      site_id: null,
      data: {
        course_id: '018f3b1e-0000-7000-8000-000000000001',
        site_id: '018f3b1e-0000-7000-8000-000000000002',
        slug: 'a',
        name: 'A',
        subtitle: null,
        image_url: null,
        state: 'draft',
        published_at: null,
      },
    }),
  );
  process.stdout.write(`${version}\n`);
}
