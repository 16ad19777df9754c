import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { mintToken } from '@lyceum/local';
import type { DemoFacts } from '@lyceum/local';

const USAGE = `npm run -s token -- [--site URL] [--email ADDRESS] [--audience member|operator] [--scope "…"] [--demo FILE]

Signs a demo person in, approves a demo client, and prints the access token. Needs a running \`npm start\`.
Without options: the first site's first student, all member scopes. --demo: the demo.json of \`npm start -- --data\`.`;

/** Prints a token of the running demo, for trying the API by hand. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      demo: { type: 'string', default: '.lyceum/demo.json' },
      site: { type: 'string' },
      email: { type: 'string' },
      audience: { type: 'string', default: 'member' },
      scope: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const { sites } = JSON.parse(readFileSync(values.demo, 'utf8')) as DemoFacts;
  const site = sites.find(({ base_url }) => values.site === undefined || base_url === values.site);
  if (site === undefined)
    throw new Error(`There is no site ${values.site}; there are ${sites.map((known) => known.base_url).join(', ')}`);
  const role = values.audience === 'operator' ? 'owner' : 'student';
  const person = site.people.find(({ email, roles }) =>
    values.email === undefined ? roles.some((held) => held === role) : email === values.email,
  );
  if (person === undefined)
    throw new Error(`${site.base_url} has no person with the address ${values.email ?? '(none)'}`);
  const client = site.clients.find(({ audience, client_secret }) => audience === values.audience && !client_secret);
  if (client === undefined) throw new Error(`${site.base_url} has no public client for ${values.audience} tokens`);
  const tokens = await mintToken({ site, ...person, ...client, scope: values.scope ?? client.scopes.join(' ') });
  process.stdout.write(`${tokens.access_token}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
  process.exitCode = 1;
});
