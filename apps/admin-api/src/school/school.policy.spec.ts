import { wholeSettings, withSite } from './school.policy.js';

const site = { name: 'Site', mcp_connections: true };

describe('the settings of a school', () => {
  it('fills missing members of stored settings and drops members of a newer release', () => {
    const stored = { name: 'Own', url_templates: { course: 'https://a.example/{id}', post: 'x' } };
    expect(wholeSettings(stored as never)).toEqual({
      ...wholeSettings({}),
      name: 'Own',
      url_templates: { course: 'https://a.example/{id}', lecture: null, lecturer: null },
    });
  });

  it.each([
    ['shows what the school set', { name: 'Own', features: { mcp_connections: false } }, ['Own', false]],
    ['shows name and switch of the site until the school sets them', {}, ['Site', true]],
  ])('%s', (_does, stored, shown) => {
    const { name, features } = withSite(wholeSettings(stored), site);
    expect([name, features.mcp_connections]).toEqual(shown);
  });

  it('shows null for a switch that neither the school nor the site has set', () => {
    expect(withSite(wholeSettings({}), { name: 'Site' }).features).toEqual({ mcp_connections: null });
  });
});
