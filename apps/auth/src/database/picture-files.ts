import type { ExportedFile } from '@lyceum/messaging';
import type { DataSource } from 'typeorm';

const PICTURE = 'select picture_id, bytes from profile_pictures where site_id = $1 and person_id = $2';
const PEOPLE = 'select person_id from profile_pictures where site_id = $1 order by person_id';

/** The uploaded pictures of a site, one at a time. */
export async function* pictureFiles(siteId: string, source: DataSource): AsyncGenerator<ExportedFile> {
  const people = await source.query<{ person_id: string }[]>(PEOPLE, [siteId]);
  for (const { person_id } of people) {
    const [row] = await source.query<{ picture_id: string; bytes: Buffer }[]>(PICTURE, [siteId, person_id]);
    // The person has removed it since.
    if (row === undefined) continue;
    yield { key: `profile_pictures/${row.picture_id}`, content: one(row.bytes) };
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}
