import { Injectable } from '@nestjs/common';
import { Tool, principalOf } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { parse } from 'graphql';
import { z } from 'zod';
import { MemberQueries } from '#src/reading/member-queries.service.js';

const ACCOUNT = {
  document: parse(`{ viewer {
    id name email avatarUrl locale unreadNotificationCount
    schools { id name slug url roles isCurrent joinedAt }
  } }`),
  output: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    avatarUrl: z.string().nullable(),
    locale: z.string().nullable(),
    unreadNotificationCount: z.number(),
    schools: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        slug: z.string(),
        url: z.string(),
        roles: z.array(z.string()),
        isCurrent: z.boolean(),
        joinedAt: z.string().nullable(),
      }),
    ),
  }),
};

const input = z.object({});
const output = z.object({
  member_id: z.string(),
  name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  locale: z.string().nullable(),
  unread_notification_count: z.int(),
  schools: z.array(
    z.object({
      org_id: z.string(),
      name: z.string(),
      slug: z.string(),
      url: z.string(),
      roles: z.array(z.string()),
      is_current: z.boolean(),
      joined_at: z.string().nullable(),
    }),
  ),
});

@Injectable()
export class ViewerTools {
  constructor(private readonly queries: MemberQueries) {}

  @Tool({
    name: 'my_account',
    title: 'My account',
    description:
      'Returns the name, e-mail address and schools of the signed-in member, and how many notifications are unread. Use it to learn who the member is and what they belong to.',
    audience: 'member',
    scopes: ['account:read'],
    input,
    output,
    annotations: { readOnlyHint: true },
  })
  async myAccount(call: ToolCall<z.output<typeof input>>): Promise<z.input<typeof output>> {
    const { id, avatarUrl, unreadNotificationCount, schools, ...account } = await this.queries.run(
      ACCOUNT,
      {},
      principalOf(call),
    );
    return {
      member_id: id,
      ...account,
      avatar_url: avatarUrl,
      unread_notification_count: unreadNotificationCount,
      schools: schools.map(({ id: org_id, isCurrent, joinedAt, ...school }) => ({
        org_id,
        ...school,
        is_current: isCurrent,
        joined_at: joinedAt,
      })),
    };
  }
}
