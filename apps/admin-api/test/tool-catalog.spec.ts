import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolsDiscovery } from '@lyceum/tools';
import { startAdminApi } from './admin-api.js';

it('keeps the committed tools.json fresh: `npm run tools -w @lyceum/admin-api` writes it', async () => {
  const api = await startAdminApi();
  try {
    const { tools } = api.service.app.get(ToolsDiscovery, { strict: false }).find().catalog;
    const committed: unknown = JSON.parse(readFileSync(join(__dirname, '../tools.json'), 'utf8'));
    expect(committed).toEqual(JSON.parse(JSON.stringify(tools)));
  } finally {
    await api.stop();
  }
});
