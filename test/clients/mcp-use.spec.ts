import type { MCPSession } from 'mcp-use/client';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

interface Exports {
  openSchool(token?: string): Promise<{ session: MCPSession; close(): Promise<void> }>;
}

describe('mcp-use, as its recipe configures it', () => {
  let openSchool: Exports['openSchool'];
  beforeAll(() => {
    process.env['MCP_USE_ANONYMIZED_TELEMETRY'] = 'false';
    ({ openSchool } = new Recipe('mcp-use', systemStack().sites[0]!.base_url).run<Exports>());
  });

  it('calls a public tool without a token', async () => {
    const { session, close } = await openSchool();
    expect((await session.listTools()).map(({ name }) => name)).toContain('browse_catalog');
    const { structuredContent } = await session.callTool('browse_catalog', { q: 'knots' });
    expect(JSON.stringify(structuredContent)).toContain('knots-and-splices');
    await close();
  });

  it('calls a tool of a member with a token', async () => {
    const { session, close } = await openSchool(await tokenFor('member', 'openid account:read'));
    const { structuredContent } = await session.callTool('my_courses');
    expect(JSON.stringify(structuredContent)).toContain('knots-and-splices');
    await close();
  });
});
