import { UnauthorizedError } from '@modelcontextprotocol/client';
import { eventually, mintToken } from '@lyceum/testing';
import * as oidc from 'openid-client';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../browser/chromium.js';
import { authorizeInBrowser } from '../browser/sign-in.js';
import { graphql, listTools, send, studentAt } from '../clients/http.js';
import { type AuthorizationRequest, authorizationRequest, exchange } from '../clients/member-client.js';
import { ToolClientProvider, connectTools } from '../clients/tool-client.js';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';

interface Course {
  readonly id: string;
  readonly slug: string;
}
interface ViewerData {
  readonly viewer: {
    readonly email: string;
    readonly enrolledCourses: { readonly nodes: { readonly slug: string }[] };
    readonly notifications: {
      readonly nodes: { readonly id: string; readonly title: string; readonly isRead: boolean }[];
    };
    readonly unreadNotificationCount: number;
  };
}

const VIEWER = /* GraphQL */ `
  {
    viewer {
      id
      name
      email
      schools {
        name
        roles
        isCurrent
      }
      enrolledCourses(first: 50) {
        nodes {
          slug
          expireDate
          hasLifetimeAccess
          lastWatchedLecture {
            lectureId
            positionSeconds
          }
        }
      }
      notifications(first: 50) {
        nodes {
          id
          title
          isRead
        }
      }
      unreadNotificationCount
    }
  }
`;

describe('one sign-in, one token, three surfaces', () => {
  const { sites } = systemStack();
  const [site, otherSite] = [sites[0]!, sites[1]!];
  const student = personOf(site, 'student');
  const slug = `story-${Date.now().toString(36)}`;
  let browser: Browser;
  let operatorToken: string;
  let request: AuthorizationRequest;
  let memberToken: string;

  beforeAll(async () => {
    browser = await launchChromium();
    const owner = personOf(site, 'owner');
    const client = clientOf(site, 'operator', 'public');
    operatorToken = (
      await mintToken({
        ...owner,
        site,
        ...client,
        scope: 'openid courses:read courses:write students:read students:write',
      })
    ).access_token;
  });

  afterAll(async () => browser.close());

  it('lets an operator create and publish a course, and enroll a student', async () => {
    const api = `${site.base_url}/api/v1`;
    const created = await send<Course>(`${api}/courses`, {
      token: operatorToken,
      json: { name: 'A story told once', slug },
    });
    expect(created.status).toBe(201);
    expect(
      (await send(`${api}/courses/${created.body.id}/publish`, { method: 'POST', token: operatorToken })).status,
    ).toBe(200);

    const student_id = await studentAt(site, operatorToken, student);
    const enrolled = await send<{ state: string }>(`${api}/students/${student_id}/enrollments`, {
      token: operatorToken,
      json: { course_id: created.body.id },
    });
    expect(enrolled.status).toBe(201);
    expect(enrolled.body.state).toBe('active');
  });

  it('signs the student in with a browser and approves an application', async () => {
    request = await authorizationRequest(
      site.base_url,
      clientOf(site, 'member', 'public'),
      'openid profile email account:read account:write',
    );
    const context = await browser.newContext();
    const callback = await authorizeInBrowser(await context.newPage(), request.url, student);
    expect(callback.searchParams.get('iss')).toBe(site.base_url);

    const tokens = await exchange(request, callback);
    expect(tokens.claims()).toMatchObject({ iss: site.base_url, email: student.email });
    const userInfo = await oidc.fetchUserInfo(request.configuration, tokens.access_token, tokens.claims()!.sub);
    expect(userInfo).toMatchObject({ email: student.email, roles: ['student'], org_id: site.org_id });
    memberToken = tokens.access_token;
    await context.close();
  });

  it('returns the course and its notification to the student through GraphQL', async () => {
    const { body } = await eventually(
      () => graphql<ViewerData>(site.base_url, memberToken, VIEWER),
      (response) => response.body.data?.viewer.enrolledCourses.nodes.some((node) => node.slug === slug) ?? false,
    );
    const { viewer } = body.data!;
    expect(viewer.email).toBe(student.email);
    const unread = viewer.notifications.nodes.find((node) => node.title.includes('A story told once'))!;
    expect(unread.isRead).toBe(false);

    const marked = await graphql<{
      markNotificationRead: { notification: { isRead: boolean }; unreadNotificationCount: number };
    }>(
      site.base_url,
      memberToken,
      'mutation ($id: ID!) { markNotificationRead(input: { notificationId: $id }) { notification { isRead } unreadNotificationCount userErrors { code } } }',
      { id: unread.id },
    );
    expect(marked.body.data?.markNotificationRead).toMatchObject({
      notification: { isRead: true },
      unreadNotificationCount: viewer.unreadNotificationCount - 1,
      userErrors: [],
    });
  });

  it('returns the course through a tool with the same token', async () => {
    const { client } = await connectTools(site.base_url, { token: memberToken });
    const result = await client.callTool({ name: 'my_courses', arguments: {} });
    expect(result.isError ?? false).toBe(false);
    expect(JSON.stringify(result.structuredContent)).toContain(slug);
    await client.close();
  });

  it('leads an anonymous agent to the same sign-in page', async () => {
    const provider = new ToolClientProvider({
      client_id: clientOf(site, 'member', 'public').client_id,
      issuer: site.base_url,
    });
    const anonymous = await connectTools(site.base_url, { provider });
    const catalog = await anonymous.client.callTool({ name: 'browse_catalog', arguments: { q: 'A story told once' } });
    expect(JSON.stringify(catalog.structuredContent)).toContain(slug);
    await expect(anonymous.client.callTool({ name: 'my_courses', arguments: {} })).rejects.toThrow(UnauthorizedError);

    const context = await browser.newContext();
    const callback = await authorizeInBrowser(await context.newPage(), provider.authorizationUrl!, student);
    await anonymous.transport.finishAuth(callback.searchParams);
    await context.close();
    await anonymous.client.close();

    const signedIn = await connectTools(site.base_url, { provider });
    const mine = await signedIn.client.callTool({ name: 'my_courses', arguments: {} });
    expect(JSON.stringify(mine.structuredContent)).toContain(slug);
    await signedIn.client.close();
  });

  it('refuses the token at the other site', async () => {
    const responses = await Promise.all([
      graphql(otherSite.base_url, memberToken, '{ viewer { id } }'),
      listTools(otherSite.base_url, memberToken),
      send(`${otherSite.base_url}/api/v1/courses`, { token: operatorToken }),
      send(`${otherSite.base_url}/api/oauth/userinfo`, { token: memberToken }),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain(
        `resource_metadata="${otherSite.base_url}/.well-known/oauth-protected-resource`,
      );
    }
  });

  it('refuses the token at every surface soon after its revocation', async () => {
    await oidc.tokenRevocation(request.configuration, memberToken);
    const statuses = await eventually(
      async () => {
        const responses = await Promise.all([
          graphql(site.base_url, memberToken, '{ viewer { id } }'),
          listTools(site.base_url, memberToken),
          send(`${site.base_url}/api/v1/courses`, { token: memberToken }),
          send(`${site.base_url}/api/oauth/userinfo`, { token: memberToken }),
        ]);
        return responses.map((response) => response.status);
      },
      (seen) => seen.every((status) => status === 401),
      1_000,
    );
    expect(statuses).toEqual([401, 401, 401, 401]);
  });
});
