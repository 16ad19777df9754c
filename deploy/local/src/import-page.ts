import { z } from 'zod';
import type { DemoPage } from './demo-pages.js';
import type { OperatorApi } from './operator-api.js';
import { upload } from './upload.js';

const PAGES = '/api/v1/pages';

const object = z.object({ id: z.uuid() });
const page = object.extend({ live_deployment_id: z.uuid().nullable() });
const pages = z.object({ data: z.array(page) });

/** Creates, deploys and publishes a page, unless that was done before. */
export async function importPage(api: OperatorApi, { external_id, bundle, ...body }: DemoPage): Promise<void> {
  const known = pages.parse((await api.send('GET', `${PAGES}?external_id=${external_id}`)).body);
  const create = async (): Promise<z.output<typeof page>> =>
    page.parse((await api.send('PUT', `${PAGES}/by_external_id/${external_id}`, { body })).body);
  const { id, live_deployment_id } = known.data[0] ?? (await create());
  if (live_deployment_id !== null) return;
  const path = `${PAGES}/${id}/deployments`;
  const file_id = await upload(api, bundle);
  const deployment = object.parse((await api.send('POST', path, { body: { file_id } })).body);
  // An interrupted import continues with the deployment, so the page is published before it is live.
  await api.send('POST', `${PAGES}/${id}/publish`, { expected: [409] });
  await api.send('POST', `${path}/${deployment.id}/promote`);
}
