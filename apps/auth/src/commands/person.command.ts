import { roleSchema } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { UsageError } from '@lyceum/platform';
import { Administration } from './administration.js';
import { options, siteAt, subcommands } from './command-line.js';
import type { AuthCommand, Run } from './command-line.js';

function roleOf(text: string | undefined): Role {
  const role = roleSchema.safeParse(text);
  if (!role.success) throw new UsageError(`--role must be one of ${roleSchema.options.join(', ')}`);
  return role.data;
}

const ofRole =
  (word: 'add-role' | 'remove-role'): Run =>
  async (context, args) => {
    const { site = '', email = '', role } = options(args, word, { site: undefined, email: undefined, role: undefined });
    const administration = context.get(Administration);
    const [at, parsed] = [await siteAt(context, site), roleOf(role)];
    await (word === 'add-role'
      ? administration.addRole(at, email, parsed)
      : administration.removeRole(at, email, parsed));
    return { email, role: parsed };
  };

const suspension =
  (word: 'suspend' | 'reinstate'): Run =>
  async (context, args) => {
    const { email = '', site = '' } = options(args, word, { email: undefined, site: '' });
    const at = site === '' ? undefined : await siteAt(context, site);
    await context.get(Administration)[word](email, at);
    return { email };
  };

/** Commands for people. A person exists once per deployment; memberships and roles belong to a site. */
export const personCommand: AuthCommand = subcommands(
  'invite --site … --email … --name … [--role owner] · reset-password --site … --email … · add-role|remove-role --site … --email … --role … · remove --site … --email … · suspend|reinstate --email … [--site …] · delete --email …',
  {
    invite: async (context, args) => {
      const given = options(args, 'invite', { site: undefined, email: undefined, name: undefined, role: 'owner' });
      const { site = '', email = '', name = '', role } = given;
      const at = await siteAt(context, site);
      return context.get(Administration).invite(at, { email, name, role: roleOf(role) });
    },
    'reset-password': async (context, args) => {
      const { site = '', email = '' } = options(args, 'reset-password', { site: undefined, email: undefined });
      return { link: await context.get(Administration).resetPassword(await siteAt(context, site), email) };
    },
    'add-role': ofRole('add-role'),
    'remove-role': ofRole('remove-role'),
    remove: async (context, args) => {
      const { site = '', email = '' } = options(args, 'remove', { site: undefined, email: undefined });
      await context.get(Administration).removeMember(await siteAt(context, site), email);
      return { email };
    },
    suspend: suspension('suspend'),
    reinstate: suspension('reinstate'),
    delete: async (context, args) => {
      const { email = '' } = options(args, 'delete', { email: undefined });
      await context.get(Administration).deletePerson(email);
      return { email };
    },
  },
);
