import { serverAudits } from 'graphql-http';
import { systemStack } from '../stack/system-stack.js';
import { tokenFor } from './tokens.js';

/** Three optional audits need GET. The Member API accepts POST only. */
const NOTICES = ['5A70', 'D6D5', '6A70'];

describe('the audit of graphql-http (GraphQL over HTTP)', () => {
  it('passes every MUST and every SHOULD', async () => {
    const token = await tokenFor('member', 'openid account:read');
    const audits = serverAudits({
      url: `${systemStack().sites[0]!.base_url}/member/graphql`,
      fetchFn: (url: string, init: RequestInit = {}) => {
        const headers = new Headers(init.headers);
        headers.set('authorization', `Bearer ${token}`);
        return fetch(url, { ...init, headers });
      },
    });
    expect(audits.length).toBeGreaterThan(60);
    const others: [string, string, string][] = [];
    for (const { id, name, fn } of audits) {
      const { status } = await fn();
      if (status !== 'ok') others.push([id, status, name]);
    }
    expect(others).toEqual(NOTICES.map((id) => [id, 'notice', expect.stringMatching(/^MAY .*GET/)]));
  });
});
