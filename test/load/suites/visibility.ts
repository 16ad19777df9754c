import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@lyceum/local';
import { benchSite } from '../bench-stack.ts';
import type { SignedInMember } from '../data/members.ts';
import { exchange } from '../exchange.ts';
import { operatorOf, type Send } from './operator.ts';

/** A new student becomes a person first, which takes three events. */
const PATIENCE = 10_000;
const PAUSE = 50;

/**
 * Milliseconds from sending a write to the operator API, before its commit, to the first response of the
 * member API that shows it. The member polls continuously.
 *
 * @param pause milliseconds between two writes
 */
export async function visibilityDelays(
  stack: Stack,
  member: SignedInMember,
  { times, slug = 'bench', pause = 0 }: { readonly times: number; readonly slug?: string; readonly pause?: number },
): Promise<number[]> {
  const write = await operatorOf(stack);
  const { id: course } = await write('POST', '/courses', { slug, name: 'Bench', course_type: 'paid' });
  await write('POST', `/courses/${course}/publish`);
  const student = await studentOf(write, member);
  const { id } = await write('POST', `/students/${student}/enrollments`, { course_id: course });
  const shows = viewerOf(stack, member, slug);
  await untilShown(shows, null);
  const delays: number[] = [];
  for (let time = 0; time < times; time++) {
    const expireDate = new Date(Date.UTC(2099, 0, 1, 0, 0, time)).toISOString();
    const began = performance.now();
    const written = write('PATCH', `/students/${student}/enrollments/${id}`, { expires_at: expireDate });
    await untilShown(shows, expireDate);
    delays.push(performance.now() - began);
    await written;
    await sleep(pause);
  }
  return delays;
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
}

/** Each member of the site becomes a student by an event of auth. */
async function studentOf(send: Send, { email }: SignedInMember): Promise<string> {
  for (const until = Date.now() + PATIENCE; ;) {
    const { data } = await send<Listed>('GET', `/students?email=${encodeURIComponent(email)}`);
    if (data[0] !== undefined) return data[0].id;
    if (Date.now() > until) throw new Error(`${email} is no student after ${PATIENCE} ms`);
    await sleep(PAUSE);
  }
}

interface NewestCourse {
  readonly data?: {
    readonly viewer?: { readonly enrolledCourses?: { readonly nodes: { slug: string; expireDate: string | null }[] } };
  };
}

/** The end of the newest course of the member; undefined while it is another course. */
function viewerOf(stack: Stack, { token }: SignedInMember, slug: string): () => Promise<string | null | undefined> {
  const { internalUrl } = stack.services.find(({ name }) => name === 'member-api')!;
  const { host } = new URL(benchSite(stack).base_url);
  const query = '{ viewer { enrolledCourses(first: 1) { nodes { slug expireDate } } } }';
  return async () => {
    const { status, body } = await exchange(internalUrl, {
      method: 'POST',
      path: '/member/graphql',
      headers: { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    if (status !== 200) throw new Error(`${status}: ${body.slice(0, 500)}`);
    const [course] = (JSON.parse(body) as NewestCourse).data?.viewer?.enrolledCourses?.nodes ?? [];
    return course?.slug === slug ? course.expireDate : undefined;
  };
}

async function untilShown(shows: () => Promise<string | null | undefined>, expected: string | null): Promise<void> {
  for (const until = performance.now() + PATIENCE; performance.now() < until;) if ((await shows()) === expected) return;
  throw new Error(`What was written was not shown within ${PATIENCE / 1_000} s`);
}
