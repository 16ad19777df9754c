import { hash } from 'node:crypto';
import { request } from 'undici';
import { z } from 'zod';
import type { DemoFile } from './demo-files.js';
import type { OperatorApi } from './operator-api.js';

const UPLOADS = '/api/v1/uploads';

const started = z.object({
  id: z.uuid(),
  upload_url: z.url(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
});
const ready = z.object({ id: z.uuid(), state: z.literal('ready') });

/** Uploads a file by the operator API and returns its id. */
export async function upload(api: OperatorApi, { content, ...file }: DemoFile): Promise<string> {
  const announced = { ...file, bytes: Buffer.byteLength(content), sha256: hash('sha256', content) };
  const { id, upload_url, headers } = started.parse((await api.send('POST', UPLOADS, { body: announced })).body);
  const given = Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  const { statusCode, body } = await request(upload_url, { method: 'PUT', headers: given, body: content });
  await body.dump();
  if (statusCode !== 200) throw new Error(`PUT ${file.filename}: ${statusCode}`);
  return ready.parse((await api.send('POST', `${UPLOADS}/${id}/complete`)).body).id;
}
