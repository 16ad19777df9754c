import { demoDefinition } from '@lyceum/local';
import { withScopes } from './scale-stack.js';

describe('the demo of a former release', () => {
  const demo = demoDefinition(8080);
  const idsOf = ({ sites }: typeof demo): string[] =>
    sites.flatMap(({ clients }) => clients.map((one) => one.client_id));

  it('leaves out the scopes that the release does not know', () => {
    const known = new Set(['openid', 'account:read', 'courses:read']);
    const { sites } = withScopes(demo, known);
    const scopes = sites.flatMap(({ clients }) => clients.flatMap((client) => client.scopes));
    expect(new Set(scopes)).toEqual(known);
    expect(idsOf(withScopes(demo, known))).toEqual(idsOf(demo));
  });

  it('leaves out the clients of which the release knows no scope', () => {
    const ids = idsOf(withScopes(demo, new Set(['account:read'])));
    expect(ids).toEqual(idsOf(demo).filter((id) => id.includes('-member-')));
    expect(ids.length).toBeGreaterThan(0);
  });

  it('changes nothing for a release that knows all scopes', () => {
    const all = demo.sites.flatMap(({ clients }) => clients.flatMap(({ scopes }) => scopes));
    expect(withScopes(demo, new Set(all))).toEqual(demo);
  });
});
