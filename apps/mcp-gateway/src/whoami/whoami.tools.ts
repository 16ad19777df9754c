import { Injectable } from '@nestjs/common';
import { describePerson, instantSchema, roleSchema } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import { SiteDirectory } from '@lyceum/resource-server';
import { Tool, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { z } from 'zod';

const input = z.object({}).strict();

const output = z.object({
  member_id: z.uuid().describe('The member of this site, and `sub` of the id token'),
  name: z.string().optional().describe('With the scope `profile`'),
  email: z.string().optional().describe('With the scope `email`'),
  roles: z.array(roleSchema).describe('At this site, highest first'),
  site: z.object({ base_url: z.string(), name: z.string(), org_id: z.string() }),
  client_id: z.string(),
  audience: z.enum(['operator', 'member']),
  scopes: z.array(z.string()),
  expires_at: instantSchema.describe('When the access token ends'),
});

/** Icon of a person. */
const ICON = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="8" r="4"/><path d="M4 21a8 8 0 0 1 16 0z"/></svg>',
).toString('base64');

/** The entry to signing in: an anonymous call gets the challenge. */
@Injectable()
export class WhoamiTool {
  constructor(
    private readonly requests: Requests,
    private readonly sites: SiteDirectory,
  ) {}

  @Tool({
    name: 'whoami',
    title: 'Who am I',
    description:
      'Returns the signed-in member of this site with roles, application and scopes. Use it first when something needs a sign-in, or to learn why a call was refused.',
    audience: 'public',
    scopes: ['openid'],
    toolset: 'whoami',
    core: true,
    icon: ICON,
    input,
    output,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  })
  async whoami(call: ToolCall<z.infer<typeof input>>): Promise<z.infer<typeof output>> {
    const { site_id } = call;
    const principal = principalOf(call);
    const site = this.sites.byId(site_id);
    if (site === undefined) throw new ApiError('not_found', 'The site no longer exists');
    const { person_id, member_id } = principal;
    const person = await this.requests.request(describePerson, { person_id, site_id }, { site_id, principal });
    return {
      member_id,
      ...(principal.scopes.includes('profile') ? { name: person.name } : {}),
      ...(principal.scopes.includes('email') ? { email: person.email } : {}),
      roles: person.roles,
      site: { base_url: site.base_url, name: site.name, org_id: site.org_id },
      client_id: principal.client_id,
      audience: principal.audience,
      scopes: principal.scopes,
      expires_at: new Date(principal.expires_at * 1000).toISOString(),
    };
  }
}
