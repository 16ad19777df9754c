import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from '../../clients/http.ts';
import type { FaultStack } from '../fault-stack.ts';
import { serveRequestsAlone } from '../requests-alone.ts';
import type { Walk } from './walk.ts';

/** No replica of admin-api reads events, runs jobs or sends webhooks. Requests make more of all three. */
export function backgroundStops(fault: FaultStack, operator: string): Walk {
  const write = async (path: string, json: object): Promise<string> => {
    const url = `${fault.site.base_url}/api/v1${path}`;
    const { status, body } = await send<{ id: string }>(url, { token: operator, json });
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(body)}`);
    return body.id;
  };
  let bringBack: () => Promise<void>;
  return {
    alerts: [
      'EventsNotMoving{consumer="admin-api-changes"}',
      'JobsNotMoving{queue="exports"}',
      'WebhooksNotMoving{job="admin-api"}',
    ],
    fault: async () => {
      const endpoint_id = await write('/webhook_endpoints', { url: await receiver(), event_types: ['course.created'] });
      bringBack = await serveRequestsAlone(fault, 'admin-api');
      await write('/webhook_deliveries', { endpoint_id });
      await write('/exports', { collection: 'students', format: 'csv' });
      const slug = `unread-${Date.now()}`;
      await write('/courses', { name: slug, slug });
    },
    mend: () => bringBack(),
  };
}

/** A receiver of webhooks that accepts all, as long as the process runs. */
async function receiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
