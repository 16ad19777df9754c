import { hash } from 'node:crypto';
import { eventually } from '@lyceum/testing';

type Json = Record<string, unknown>;
type Send = (method: string, path: string, body?: object) => Promise<Json>;

interface Person {
  readonly email: string;
  readonly name: string;
  /** A course in which the person is enrolled. */
  readonly course_slug: string;
}

/**
 * Imports the person as a student and as an enrollment, which runs, each with a fault that shows the name, and exports
 * the students. Returns the ids whose files have these texts.
 */
export async function storeFiles(send: Send, { email, name, course_slug }: Person): Promise<readonly string[]> {
  const students = `email,name\n${email},${name}\n${name},${name}\n`;
  const enrollments = `student_email,course_slug,metadata.note\n${email},${course_slug},${name}\n${name},${course_slug},\n`;
  const ids = [
    ...(await imported(send, students, { collection: 'students', mode: 'upsert_by_email' })),
    ...(await imported(send, enrollments, { collection: 'enrollments', mode: 'upsert_by_student_and_course' })),
  ];
  const run = `/imports/${ids[3]}`;
  await send('POST', `${run}/run`, { skip_invalid: true });
  await eventually(
    () => send('GET', run),
    ({ state, rows_updated }) => state === 'completed' && rows_updated === 1,
  );
  const exported = String((await send('POST', '/exports', { collection: 'students', format: 'jsonl' }))['id']);
  await eventually(
    () => send('GET', `/exports/${exported}`),
    ({ state }) => state === 'ready',
  );
  return [...ids, exported];
}

/** Checks a file of CSV. Returns the ids of the upload and of the import, which has a report. */
async function imported(send: Send, content: string, options: object): Promise<readonly [string, string]> {
  const announced = { filename: 'people.csv', content_type: 'text/csv', bytes: Buffer.byteLength(content) };
  const upload = await send('POST', '/uploads', { purpose: 'import', ...announced, sha256: hash('sha256', content) });
  const headers = (upload['headers'] as { name: string; value: string }[]).map(({ name, value }) => [name, value]);
  const put = { method: 'PUT', headers: Object.fromEntries(headers) as Record<string, string>, body: content };
  const { status } = await fetch(String(upload['upload_url']), put);
  if (status !== 200) throw new Error(`The upload was answered with ${status}`);
  const upload_id = String(upload['id']);
  await send('POST', `/uploads/${upload_id}/complete`);
  await eventually(
    () => send('GET', `/uploads/${upload_id}`),
    ({ state }) => state === 'ready',
  );
  const id = String((await send('POST', '/imports', { ...options, format: 'csv', upload_id }))['id']);
  await eventually(
    () => send('GET', `/imports/${id}`),
    ({ report_url: report }) => typeof report === 'string',
  );
  return [upload_id, id];
}
