import { ToolsDiscovery } from '@lyceum/tools';
import { startAdminApi } from './admin-api.js';
import { builtDocument } from './described.js';

it('builds a tools.json with the tools of the running service', async () => {
  const api = await startAdminApi();
  try {
    const { tools } = api.service.app.get(ToolsDiscovery, { strict: false }).find().catalog;
    const built: unknown = JSON.parse(builtDocument('tools.json'));
    expect(built).toEqual(JSON.parse(JSON.stringify(tools)));
  } finally {
    await api.stop();
  }
});
