import { REQUEST_HEADERS, linkFile, replySchema } from '@lyceum/contracts';
import { connectAs } from '@lyceum/testing';
import { headers } from '@nats-io/transport-node';
import type { TestApi } from './admin-api.js';

/** Requests the link of a file as the member API does. Returns the code of an error. */
export async function linked(
  api: TestApi,
  file_id: string,
  { site_id } = api.sites[0],
): Promise<{ url: string; ends: Date } | string> {
  const member = await connectAs(api.nats.environment('member-api'));
  const head = headers();
  head.set(REQUEST_HEADERS.site, site_id);
  const response = await member.request(linkFile.subject, JSON.stringify({ file_id }), {
    headers: head,
    timeout: 30_000,
  });
  await member.close();
  const reply = replySchema.parse(response.json());
  if (!reply.ok) return reply.error.code;
  const { url, expires_at } = linkFile.output.parse(reply.result);
  return { url, ends: new Date(expires_at) };
}
