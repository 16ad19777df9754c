import type { Client } from '@urql/core';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { tokenFor } from './tokens.js';

interface Exports {
  memberClient(token: string): Client;
  myCourses(client: Client): Promise<string[]>;
}

describe('urql, as its recipe configures it', () => {
  const { memberClient, myCourses } = new Recipe('urql', systemStack().sites[0]!.base_url).run<Exports>();

  it('reads the courses of a member', async () => {
    const client = memberClient(await tokenFor('member', 'openid account:read'));
    expect(await myCourses(client)).toContain('knots-and-splices');
  });

  it('reads the code of an error', async () => {
    await expect(myCourses(memberClient('nonsense'))).rejects.toMatchObject({
      graphQLErrors: [{ extensions: { code: 'INVALID_TOKEN' } }],
    });
  });
});
