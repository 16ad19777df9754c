import { z } from 'zod';
import { demoLogo, demoWorksheet } from './demo-files.js';
import type { DemoSite } from './demo.js';
import type { OperatorApi } from './operator-api.js';
import { upload } from './upload.js';

const API = '/api/v1';

const appearance = z.object({ logo_url: z.string().nullable() });
const lectures = z.object({ data: z.tuple([z.object({ id: z.uuid(), attachments: z.array(z.unknown()) })]) });

/** Shows a logo, and attaches a worksheet to the first lecture, unless they have one. */
export async function importFiles(api: OperatorApi, site: Pick<DemoSite, 'name' | 'slug' | 'courses'>): Promise<void> {
  await Promise.all([importLogo(api, site), importWorksheet(api, site)]);
}

async function importLogo(api: OperatorApi, site: Pick<DemoSite, 'name' | 'slug'>): Promise<void> {
  const { logo_url } = appearance.parse((await api.send('GET', `${API}/appearance`)).body);
  if (logo_url !== null) return;
  const logo_file_id = await upload(api, demoLogo(site));
  await api.send('PATCH', `${API}/appearance`, { body: { logo_file_id } });
}

async function importWorksheet(api: OperatorApi, { courses: [declared] }: Pick<DemoSite, 'courses'>): Promise<void> {
  const external_id = declared?.curriculum?.[0]?.lectures[0]?.external_id;
  if (declared === undefined || external_id === undefined) return;
  const { data } = lectures.parse((await api.send('GET', `${API}/lectures?external_id=${external_id}`)).body);
  const [{ id, attachments }] = data;
  if (attachments.length > 0) return;
  const file_id = await upload(api, demoWorksheet(declared));
  const body = { attachments: [{ title: 'Worksheet', kind: 'pdf', file_id, downloadable: true }] };
  await api.send('PATCH', `${API}/lectures/${id}`, { body });
}
